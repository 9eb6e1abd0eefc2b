"""Streaks: runs of one side, which ties never break. All roads but the bead plate are made of them."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Side: TypeAlias = Literal["B", "P"]


@dataclass(frozen=True, slots=True)
class Streaks:
    """The streaks of a shoe, by parallel tuples, and where its ties lie.

    ``ties`` has one number a result (a round that is no tie): the ties that came directly after it. ``gapped``: a gap
    follows, so what is here is the beginning of the shoe and not its present end.
    """

    sides: tuple[Side, ...]
    lengths: tuple[int, ...]
    ties: tuple[int, ...]
    leading_ties: int
    gapped: bool


def split(rounds: str) -> Streaks:
    """Split the rounds before the first gap, letters B P T, into streaks."""
    known, gap, _ = rounds.partition("?")
    sides: list[Side] = []
    lengths: list[int] = []
    ties: list[int] = []
    leading_ties = 0
    for bead in known:
        if bead == "T":
            if ties:
                ties[-1] += 1
            else:
                leading_ties += 1
            continue
        if sides and sides[-1] == bead:
            lengths[-1] += 1
        else:
            sides.append("B" if bead == "B" else "P")
            lengths.append(1)
        ties.append(0)
    return Streaks(tuple(sides), tuple(lengths), tuple(ties), leading_ties, bool(gap))
