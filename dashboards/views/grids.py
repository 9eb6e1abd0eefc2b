"""A window of each road, as cells to draw. The whole shoe is laid out by ``baccarat.roads``; here it is only cropped.

One cell is 20 x 20 units, counted from the road's own first column, so that a mark is drawn alike wherever the window
stands. A window's shape is given by its columns at six rows; a table with other rows gets as many
more columns, so that the panel keeps its shape.
"""

import functools
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat
from operator import itemgetter
from typing import Final, NamedTuple

from baccarat.roads import DerivedRoad, Roads
from baccarat.roads.derived import DerivedCell
from contract.scoreboards import Round
from dashboards.options import Columns, Layout, View

UNIT: Final = 20
_USUAL_ROWS: Final = 6
_LETTER: Final = {"banker": "B", "player": "P", "tie": "T"}


TABLE: Final[dict[Layout, Columns]] = {
    "landscape": Columns(12, 40, 22, 22, 22),
    "portrait": Columns(12, 20, 18, 18, 18),
}
LOBBY: Final = Columns(4, 16)
"""A tile has no derived roads."""
WHOLE: Final = Columns()
"""A window of no width is the whole road."""
_LEAST: Final = Columns(12, 40, 32, 32, 32)
"""Columns of a whole road at least, so that a short shoe keeps the shape of a long one."""


class Cell(NamedTuple):
    """One mark; ``x`` and ``y`` in units. ``mark`` is B P T; none: ties alone.

    ``points`` are the winner's, empty where they are not known or not shown.
    """

    x: int
    y: int
    mark: str
    ties: int = 0
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False
    points: str = ""


# A cell that is equal to one seen before is that one: quicker made, and quicker found by who draws it.


@functools.lru_cache(maxsize=20_000)
def _big(  # noqa: PLR0917 - one for each thing that is drawn; by position it is found quicker
    col: int,
    row: int,
    mark: str,
    ties: int,
    player_pair: bool | None,  # noqa: FBT001
    banker_pair: bool | None,  # noqa: FBT001
) -> Cell:
    """A cell of the big road, by what the scoreboard says of its round."""
    return Cell(col * UNIT, row * UNIT, mark, ties, bool(player_pair), bool(banker_pair))


@functools.lru_cache(maxsize=20_000)
def _bead(  # noqa: PLR0917 - one for each thing that is drawn; by position it is found quicker
    col: int,
    row: int,
    mark: str,
    player_pair: bool | None,  # noqa: FBT001
    banker_pair: bool | None,  # noqa: FBT001
    natural: bool | None,  # noqa: FBT001
    total: int | None,
) -> Cell:
    """A bead, by what the scoreboard says of its round."""
    points = "" if total is None else str(total)
    return Cell(col * UNIT, row * UNIT, mark, 0, bool(player_pair), bool(banker_pair), bool(natural), points)


class Grid(NamedTuple):
    """A window of a road: ``hidden`` columns lie left of it, ``newest`` is marked, ``holes`` are rounds not known,
    behind ``stop`` nothing may be drawn (units; None: nowhere).
    """

    rows: int
    cols: int
    hidden: int
    cells: Sequence[Cell]
    newest: tuple[int, int] | None = None
    holes: Sequence[tuple[int, int]] = ()
    stop: int | None = None


class DerivedGrid(NamedTuple):
    """A window of a derived road; ``marks`` are as `baccarat.roads` lays them out. The rest is as in ``Grid``."""

    rows: int
    cols: int
    hidden: int
    marks: Sequence[DerivedCell]
    newest: tuple[int, int] | None
    stop: int | None


class Grids(NamedTuple):
    """All roads of one shoe."""

    bead: Grid
    big: Grid
    derived: Mapping[str, DerivedGrid]


class Shoe(NamedTuple):
    """What the roads are drawn of: a scoreboard's or a record's. ``live``: the newest cell is marked; ``points``: beads
    carry the winner's.
    """

    rounds: Sequence[Round]
    roads: Roads
    gaps: Sequence[int]
    live: bool
    points: bool = False


def grids(shoe: Shoe, widths: Columns) -> Grids:
    """The windows of all roads, of so many columns at six rows."""
    roads = shoe.roads
    stopped = bool(shoe.gaps)
    kinds = {"eye": roads.big_eye_boy, "small": roads.small_road, "roach": roads.cockroach_road}
    newest = shoe.live and not stopped and roads.rounds[-1:] in {"B", "P"}
    derived = {
        kind: _derived(road, getattr(widths, kind), roads.rows, stopped=stopped, newest=newest)
        for kind, road in kinds.items()
        if widths is not LOBBY
    }
    return Grids(_bead_plate(shoe, widths.bead), _big_road(shoe, widths.big), derived)


def windows(view: View) -> Columns:
    """The columns of a table's display: those that are asked for, else the layout's."""
    return Columns(*(asked or usual for asked, usual in zip(view.cols, TABLE[view.layout], strict=True)))


def counted_rounds(rounds: Iterable[Round]) -> list[Round]:
    """The rounds that stand, in order."""
    return [each for each in rounds if not each.voided]


def _bead_plate(shoe: Shoe, width: int) -> Grid:
    roads = shoe.roads
    numbers: list[tuple[int, Round | None]] = [(each.round_no, each) for each in counted_rounds(shoe.rounds)]
    numbers += [(number, None) for number in shoe.gaps]
    numbers.sort(key=itemgetter(0))
    reach = _total(roads.bead_plate)
    cols = _columns(width, _LEAST.bead, reach, roads.rows)
    hidden = max(0, reach - cols)
    cells, holes = [], []
    for (row, col, mark), (_, fact) in zip(roads.bead_plate, numbers, strict=False):
        if col < hidden:
            continue
        if fact is None:
            holes.append((col * UNIT, row * UNIT))
        else:
            total = _winning_total(fact) if shoe.points else None
            natural = fact.player_natural or fact.banker_natural
            cells.append(_bead(col, row, mark, fact.player_pair, fact.banker_pair, natural, total))
    return Grid(roads.rows, cols, hidden, cells, _place(cells) if shoe.live else None, holes)


def _winning_total(fact: Round) -> int | None:
    return fact.player_total if fact.outcome == "player" else fact.banker_total


def _place(cells: Sequence[Cell]) -> tuple[int, int] | None:
    return (cells[-1].x, cells[-1].y) if cells else None


def _big_road(shoe: Shoe, width: int) -> Grid:
    roads = shoe.roads
    drawn = roads.big_road
    facts = _facts_on_cells(shoe)
    newest_col = drawn[-1][1] if drawn else 0
    cols, hidden = _window(_total(roads.big_road), newest_col, width, _LEAST.big, roads.rows)
    leading, cells = roads.leading_ties, []
    for (row, col, side, ties), fact in zip(drawn, chain(facts, repeat(None)), strict=False):
        if hidden <= col < hidden + cols:
            pairs = (fact.player_pair, fact.banker_pair) if fact else (None, None)
            cells.append(_big(col, row, side, ties + leading, *pairs))
        leading = 0
    if not drawn and roads.leading_ties:
        cells.append(Cell(0, 0, "", roads.leading_ties))
    return Grid(
        roads.rows,
        cols,
        hidden,
        cells,
        _place(cells) if shoe.live and not shoe.gaps else None,
        stop=_stop(max((cell.x for cell in cells), default=None), hidden + cols, stopped=bool(shoe.gaps)),
    )


def _facts_on_cells(shoe: Shoe) -> list[Round]:
    """The rounds that the big road's cells stand for, in the order of its cells."""
    first_gap = min(shoe.gaps, default=None)
    return [
        each
        for each in counted_rounds(shoe.rounds)
        if each.outcome != "tie" and (first_gap is None or each.round_no < first_gap)
    ]


def _derived(road: DerivedRoad, width: int, rows: int, *, stopped: bool, newest: bool) -> DerivedGrid:
    marks: Sequence[DerivedCell] = road.cells
    row, col = marks[-1][:2] if marks else (0, 0)
    total = _total(marks)
    cols, hidden = _window(total, col, width, _LEAST.eye, rows)
    if hidden or total > cols:
        marks = [mark for mark in marks if hidden <= mark[1] < hidden + cols]
    at = (col * UNIT, row * UNIT) if newest and marks else None
    right = max(map(itemgetter(1), marks)) * UNIT if stopped and marks else None
    return DerivedGrid(rows, cols, hidden, marks, at, _stop(right, hidden + cols, stopped=stopped))


def _window(total: int, newest_col: int, width: int, least: int, rows: int) -> tuple[int, int]:
    """Columns and hidden columns: the end of the road with one empty column, and the newest cell in any case.

    (An old streak's tail may reach far right of the newest cell.)
    """
    cols = _columns(width, least, total, rows)
    return cols, max(0, min(total + 1 - cols, newest_col))


def _columns(width: int, least: int, total: int, rows: int) -> int:
    if not width:
        return max(least, total + 1)
    return -(-width * rows // _USUAL_ROWS)


def _total(cells: Sequence[tuple[int, int, str] | tuple[int, int, str, int]]) -> int:
    return max(map(itemgetter(1), cells), default=-1) + 1


def _stop(right: int | None, end: int, *, stopped: bool) -> int | None:
    """Where the hatch begins: behind the last column that is drawn (units; None: none), always before the window's end
    (a column).
    """
    if not stopped:
        return None
    return min(0 if right is None else right + UNIT, (end - 1) * UNIT) + 4


def letter(outcome: str | None) -> str:
    """``B``, ``P`` or ``T``; empty for a round without an outcome."""
    return _LETTER.get(outcome or "", "")
