"""What a recording holds, whatever the form of its file."""

from dataclasses import dataclass
from typing import TypeAlias

from baccarat.rounds import Outcome


class LineFault(ValueError):
    """Why a line of a recording is left out, in words for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeBegun:
    """A shoe of a table begins."""

    table_id: str
    shoe_no: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRound:
    """One round, with both hands or with its outcome; None is not known."""

    table_id: str
    shoe_no: int
    round_no: int
    player: tuple[str, ...] | None = None
    banker: tuple[str, ...] | None = None
    outcome: Outcome | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeOver:
    """Nothing more comes of a shoe; ``rounds`` is the highest number in it."""

    table_id: str
    shoe_no: int
    rounds: int


Happening: TypeAlias = ShoeBegun | RecordedRound | ShoeOver


@dataclass(frozen=True, slots=True, kw_only=True)
class BadLine:
    """A line, counted from 1, that was left out, and why."""

    line: int
    reason: str
