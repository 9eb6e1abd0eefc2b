"""The derived roads: big eye boy, small road and cockroach road, and what a next result would mark on them.

Each compares the streak that is growing with the one some streaks before it: big eye boy with the 1st, small road
with the 2nd, cockroach road with the 3rd. Red is "repeating", blue "chopping"; neither is Banker or Player. Compared
are the lengths of streaks, never the cells as they lie: a tail counts in full.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from baccarat.roads.layout import Tail, lay_out

#: R red, repeating; B blue, chopping.
Mark: TypeAlias = Literal["R", "B"]
#: Row, column (both from 0 at the top left) and the mark.
DerivedCell: TypeAlias = tuple[int, int, Mark]

BIG_EYE_BOY: Final = 1
SMALL_ROAD: Final = 2
COCKROACH_ROAD: Final = 3


@dataclass(frozen=True, slots=True)
class DerivedRoad:
    """The marks in the order of making, and the same marks as they lie in a grid of their own."""

    marks: str
    cells: tuple[DerivedCell, ...]


@dataclass(frozen=True, slots=True)
class AskCells:
    """What one next result would mark on each derived road; None where the road has not begun or a gap hides it."""

    big_eye_boy: Mark | None
    small_road: Mark | None
    cockroach_road: Mark | None


@dataclass(frozen=True, slots=True)
class Ask:
    """What a next Banker (``B``) and a next Player (``P``) would mark: both unknown, or one red and one blue."""

    B: AskCells
    P: AskCells


NO_MARKS: Final = AskCells(None, None, None)


def derived_road(lengths: Sequence[int], back: int, rows: int, tail: Tail) -> DerivedRoad:
    """Return the road that compares with the streak ``back`` streaks before, by the lengths of all streaks."""
    marks = "".join(_marks(lengths, back))
    runs = [(mark, sum(1 for _ in run)) for mark, run in itertools.groupby(marks)]
    cells = lay_out([length for _, length in runs], rows, tail)
    return DerivedRoad(
        marks,
        tuple((row, column, "R" if mark == "R" else "B") for (row, column), mark in zip(cells, marks, strict=True)),
    )


def _marks(lengths: Sequence[int], back: int) -> Iterator[str]:
    """Yield the marks of each streak.

    The first result of a streak looks at the two streaks that ended before: red when the last one was as long as the
    one ``back`` before it. A later one is blue only where the streak first becomes longer than the one ``back``
    before; shorter still, or longer for some time, is red. A road begins where there is a streak to compare with.
    """
    for index, length in enumerate(lengths):
        if index > back:
            yield "R" if lengths[index - 1] == lengths[index - 1 - back] else "B"
        if index >= back:
            before = lengths[index - back]
            if length <= before:
                yield "R" * (length - 1)
            else:
                yield "R" * (before - 1) + "B" + "R" * (length - 1 - before)


def ask(lengths: Sequence[int], side: Literal["B", "P"] | None) -> Ask:
    """Return what either next result would mark, after streaks of these lengths the last of which is ``side``'s.

    Going on as now is blue exactly where a change would be red, so one comparison says both. Without a streak
    (``side`` is None) nothing is known.
    """
    if side is None:
        return Ask(NO_MARKS, NO_MARKS)
    pairs = [_going_on(lengths, back) for back in (BIG_EYE_BOY, SMALL_ROAD, COCKROACH_ROAD)]
    same, other = AskCells(*(pair[0] for pair in pairs)), AskCells(*(pair[1] for pair in pairs))
    return Ask(same, other) if side == "B" else Ask(other, same)


def _going_on(lengths: Sequence[int], back: int) -> tuple[Mark, Mark] | tuple[None, None]:
    """Return the mark of one more on the last streak, and that of a change."""
    if len(lengths) <= back:
        return None, None
    return ("B", "R") if lengths[-1] == lengths[-1 - back] else ("R", "B")
