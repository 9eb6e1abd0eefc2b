"""The big road: the streaks of Banker and Player side by side, with their ties as strokes."""

from typing import TypeAlias

from baccarat.roads.layout import Tail, lay_out
from baccarat.roads.streaks import Side, Streaks

#: Row, column (both from 0 at the top left), who won, and the ties that came directly after this result.
BigRoadCell: TypeAlias = tuple[int, int, Side, int]


def big_road(streaks: Streaks, rows: int, tail: Tail) -> tuple[BigRoadCell, ...]:
    """Return one cell a result, in the order dealt. Ties take no cell; leading ties are counted on none."""
    sides = [side for side, length in zip(streaks.sides, streaks.lengths, strict=True) for _ in range(length)]
    cells = lay_out(streaks.lengths, rows, tail)
    return tuple(
        (row, column, side, ties) for (row, column), side, ties in zip(cells, sides, streaks.ties, strict=True)
    )
