"""The five roads on which every baccarat table shows its shoe: `draw` makes them all from the results of the shoe.

They are always computed from the whole shoe; a window of a display is cropped from them afterwards. `Roads` is
exactly the ``roads`` object of a scoreboard, a shoe's record and ``beadplate roads --format json``.
"""

from dataclasses import dataclass

from baccarat.quoting import quote
from baccarat.roads.bead_plate import BeadCell, bead_plate
from baccarat.roads.big_road import BigRoadCell, big_road
from baccarat.roads.derived import (
    BIG_EYE_BOY,
    COCKROACH_ROAD,
    SMALL_ROAD,
    Ask,
    AskCells,
    DerivedRoad,
    ask,
    derived_road,
)
from baccarat.roads.layout import Tail
from baccarat.roads.streaks import split

__all__ = ["Ask", "AskCells", "BadRounds", "DerivedRoad", "Roads", "Tail", "draw"]

_ALPHABET = frozenset("BPT?")


class BadRounds(ValueError):
    """Results that are no shoe: another letter than B, P, T or ?. The message quotes it and says where it stands."""


@dataclass(frozen=True, slots=True)
class Roads:
    """The roads of one shoe. Cells are (row, column, ...), from 0 at the top left, in the order of placing.

    ``rounds`` are the results as given, a gap as ``?``; ``leading_ties`` are the ties before the first other result,
    which lie on no cell of the big road. From the first gap on only the bead plate goes on, and every ask is None.
    """

    rounds: str
    rows: int
    tail: Tail
    leading_ties: int
    bead_plate: tuple[BeadCell, ...]
    big_road: tuple[BigRoadCell, ...]
    big_eye_boy: DerivedRoad
    small_road: DerivedRoad
    cockroach_road: DerivedRoad
    ask: Ask


def draw(rounds: str, rows: int = 6, tail: Tail = "stay") -> Roads:
    """Draw the roads of a shoe: ``rounds`` are its results in order, B P T and, for a round not known, ``?``.

    ``rows`` is the height of every grid; ``tail`` says what a streak does after it has turned right. Raises
    `BadRounds` for another letter, and plain ValueError when there is no row to draw on or no such tail.
    """
    check(rounds, rows, tail)
    streaks = split(rounds)
    lengths = streaks.lengths
    return Roads(
        rounds=rounds,
        rows=rows,
        tail=tail,
        leading_ties=streaks.leading_ties,
        bead_plate=bead_plate(rounds, rows),
        big_road=big_road(streaks, rows, tail),
        big_eye_boy=derived_road(lengths, BIG_EYE_BOY, rows, tail),
        small_road=derived_road(lengths, SMALL_ROAD, rows, tail),
        cockroach_road=derived_road(lengths, COCKROACH_ROAD, rows, tail),
        ask=ask(lengths, streaks.sides[-1] if streaks.sides and not streaks.gapped else None),
    )


def check(rounds: str, rows: int, tail: Tail) -> None:
    """Raise what `draw` raises for these arguments."""
    if rows < 1:
        raise ValueError("A road needs at least one row")
    if tail not in ("stay", "drop"):
        raise ValueError(f"{quote(tail)} is no tail: write stay or drop")
    if not _ALPHABET.issuperset(rounds):
        index, letter = next((index, letter) for index, letter in enumerate(rounds) if letter not in _ALPHABET)
        raise BadRounds(f"{letter!r}, letter {index + 1}, is no result: write B, P, T or, for a round not known, ?")
