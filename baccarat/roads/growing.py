"""Roads that grow with their shoe: the same as `draw` makes, at the cost of the rounds that came since.

A board is drawn after every round, and all of its marks but the newest are where they were. A correction, a void or a
gap that is filled changes what was drawn: then the shoe is drawn anew.
"""

from typing import Final

from baccarat.roads import Roads, check
from baccarat.roads.bead_plate import BEADS, BeadCell
from baccarat.roads.big_road import BigRoadCell
from baccarat.roads.derived import BIG_EYE_BOY, COCKROACH_ROAD, SMALL_ROAD, DerivedCell, DerivedRoad, Mark, ask
from baccarat.roads.layout import Tail
from baccarat.roads.streaks import Side


class _Pen:
    """Places one cell after the other by the big-road rule (`layout.lay_out`)."""

    def __init__(self, rows: int, tail: Tail) -> None:
        self._rows, self._stays = rows, tail == "stay"
        self._taken: set[tuple[int, int]] = set()
        self._start = -1
        self._row = self._column = 0
        self._turned = False

    def begin(self) -> tuple[int, int]:
        """The first cell of a new streak."""
        self._start += 1
        while (0, self._start) in self._taken:
            self._start += 1
        self._row, self._column, self._turned = 0, self._start, False
        return self._place()

    def go_on(self) -> tuple[int, int]:
        """The next cell of the streak."""
        below = self._row + 1, self._column
        if below[0] < self._rows and below not in self._taken and not (self._turned and self._stays):
            self._row += 1
        else:
            self._column += 1
            self._turned = True
        return self._place()

    def _place(self) -> tuple[int, int]:
        cell = self._row, self._column
        self._taken.add(cell)
        return cell


class _Derived:
    """One derived road, mark by mark; ``back`` is how many streaks before it looks."""

    def __init__(self, back: int, rows: int, tail: Tail) -> None:
        self._back, self._pen = back, _Pen(rows, tail)
        self._marks: list[Mark] = []
        self._cells: list[DerivedCell] = []

    def add(self, lengths: list[int]) -> None:
        """A result has come; ``lengths`` of all streaks have it in."""
        back, depth = self._back, lengths[-1]
        if depth > 1 and len(lengths) > back:
            self._mark("B" if depth == lengths[-1 - back] + 1 else "R")
        elif depth == 1 and len(lengths) > back + 1:
            self._mark("R" if lengths[-2] == lengths[-2 - back] else "B")

    def _mark(self, mark: Mark) -> None:
        same = bool(self._marks) and self._marks[-1] == mark
        row, column = self._pen.go_on() if same else self._pen.begin()
        self._marks.append(mark)
        self._cells.append((row, column, mark))

    def road(self) -> DerivedRoad:
        """The road as it stands."""
        return DerivedRoad("".join(self._marks), tuple(self._cells))


class GrowingRoads:
    """The roads of one shoe on grids of ``rows`` rows; ``draw`` may be asked again and again as the shoe grows."""

    _rounds: str
    _leading_ties: int
    _gapped: bool
    _side: Side | None
    _lengths: list[int]
    _beads: list[BeadCell]
    _big: list[BigRoadCell]
    _pen: _Pen
    _derived: tuple[_Derived, ...]

    def __init__(self, rows: int = 6, tail: Tail = "stay") -> None:
        check("", rows, tail)
        self._rows: Final = rows
        self._tail: Final[Tail] = tail
        self._begin()

    def draw(self, rounds: str) -> Roads:
        """What `baccarat.roads.draw` returns for these rounds; raises as it does, and then nothing is kept."""
        check(rounds, self._rows, self._tail)
        if not rounds.startswith(self._rounds):
            self._begin()
        for bead in rounds[len(self._rounds) :]:
            self._add(bead)
        self._rounds = rounds
        return Roads(
            rounds=rounds,
            rows=self._rows,
            tail=self._tail,
            leading_ties=self._leading_ties,
            bead_plate=tuple(self._beads),
            big_road=tuple(self._big),
            big_eye_boy=self._derived[0].road(),
            small_road=self._derived[1].road(),
            cockroach_road=self._derived[2].road(),
            ask=ask(self._lengths, None if self._gapped else self._side),
        )

    def _begin(self) -> None:
        self._rounds, self._leading_ties, self._gapped, self._side = "", 0, False, None
        self._lengths, self._beads, self._big = [], [], []
        self._pen = _Pen(self._rows, self._tail)
        backs = (BIG_EYE_BOY, SMALL_ROAD, COCKROACH_ROAD)
        self._derived = tuple(_Derived(back, self._rows, self._tail) for back in backs)

    def _add(self, bead: str) -> None:
        column, row = divmod(len(self._beads), self._rows)
        self._beads.append((row, column, BEADS[bead]))
        self._gapped = self._gapped or bead == "?"
        if self._gapped:
            return
        if bead == "T":
            self._add_tie()
        else:
            self._add_result("B" if bead == "B" else "P")

    def _add_tie(self) -> None:
        if not self._big:
            self._leading_ties += 1
            return
        row, column, side, ties = self._big[-1]
        self._big[-1] = (row, column, side, ties + 1)

    def _add_result(self, side: Side) -> None:
        if side == self._side:
            self._lengths[-1] += 1
            row, column = self._pen.go_on()
        else:
            self._side = side
            self._lengths.append(1)
            row, column = self._pen.begin()
        self._big.append((row, column, side, 0))
        for road in self._derived:
            road.add(self._lengths)
