"""Where the cells of a road lie. The rule of the big road, by which the derived roads are laid out too.

A streak runs down its column. Where the cell below is outside the grid or taken, even by an older streak of its own
colour, it goes on to the right ("dragon tail"). The next streak starts beside the streak's first cell, not its tail.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

#: What a streak does once it has turned right. ``stay``: it keeps its row; ``drop``: the cell below is tried each time.
Tail: TypeAlias = Literal["stay", "drop"]


def lay_out(lengths: Iterable[int], rows: int, tail: Tail) -> list[tuple[int, int]]:
    """Return row and column of every cell of streaks of these lengths, in the order of placing. No two are equal."""
    taken: set[tuple[int, int]] = set()
    placed: list[tuple[int, int]] = []
    start = 0
    for length in lengths:
        while (0, start) in taken:
            start += 1
        row, column = 0, start
        turned = False
        for step in range(length):
            if step:
                below = (row + 1, column)
                if row + 1 < rows and below not in taken and not (turned and tail == "stay"):
                    row += 1
                else:
                    column += 1
                    turned = True
            cell = (row, column)
            taken.add(cell)
            placed.append(cell)
        start += 1
    return placed
