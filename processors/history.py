"""The history of a shoe as a board and a shoe record carry it: rounds with their versions, within a size.

A round may have a hundred versions, each with texts of people, and a shoe two hundred rounds: far more than a record
may be. Where a shoe's history is larger than ``BUDGET``, all of its rounds are told with less detail, step by step,
until it fits: versions in the middle go first, then long texts, at last all versions but the one that counts. What is
told follows from the versions held and from nothing else, so that it is the same after any order, crash or rebuild.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from baccarat.rounds import Facts
from contract.rounds import Played, RoundCorrected, RoundVersion, RoundVoided
from contract.scoreboards import Round as RoundView
from contract.scoreboards import Version
from processors.instants import latest_of
from processors.shoes import Round

BUDGET: Final = 512 * 1024
"""Bytes of the rounds of one shoe; with the table's data and the roads the record stays well below 1 MiB."""


class Detail(NamedTuple):
    """How much is told of a round: versions at most (the first and the last ones), characters of a text at most."""

    versions: int
    text: int


DETAILS: Final = (Detail(100, 500), Detail(10, 500), Detail(3, 100), Detail(2, 20), Detail(0, 0))
"""From everything to the latest versions alone, which always fit: 200 rounds of at most 1,300 bytes."""


class View:
    """One round as it is shown: its bytes, and of its versions the number and the latest ``occurred_at``."""

    __slots__ = ("_round", "_sizes", "json", "level", "occurred_at", "versions", "whole")

    def __init__(self, the_round: Round) -> None:
        self._round = the_round
        self.versions = len(the_round.versions)
        self.occurred_at = latest_of([version.occurred_at for version in the_round.versions])
        self._sizes: dict[int, int] = {}
        self.level, self.json = -1, b""
        self.whole = len(self.at(0))

    def at(self, level: int) -> bytes:
        """The round at this place in ``DETAILS``; only the last that was asked for is kept."""
        if level != self.level and (self.versions > 1 or self.level < 0):  # as first dealt: nothing to leave out
            self.json = msgspec.json.encode(round_view(self._round, DETAILS[level]))
            self._sizes[level] = len(self.json)
        self.level = level
        return self.json

    def size(self, level: int) -> int:
        """Bytes of the round at this place in ``DETAILS``."""
        return self._sizes[level] if level in self._sizes else len(self.at(level))


def written(views: Sequence[View]) -> bytes:
    """The rounds as a JSON array, with as much detail as fits the budget."""
    level, last = 0, len(DETAILS) - 1
    if sum([view.whole for view in views]) > BUDGET:  # far from the usual
        level = next((each for each in range(1, last) if sum(view.size(each) for view in views) <= BUDGET), last)
    return b"[" + b",".join([view.json if view.level == level else view.at(level) for view in views]) + b"]"


def round_view(the_round: Round, detail: Detail) -> RoundView:
    """A round as the scoreboard and the shoe record show it, with this much detail."""
    version, facts = the_round.latest, the_round.result
    versions, left_out = _versions(the_round, detail)
    if facts is None or not isinstance(version, Played):
        return RoundView(
            round_no=the_round.number,
            revision=version.revision,
            voided=True,
            versions=versions,
            versions_left_out=left_out,
        )
    return RoundView(
        round_no=the_round.number,
        revision=version.revision,
        voided=False,
        outcome=facts.outcome,
        player=facts.player,
        banker=facts.banker,
        player_total=facts.player_total,
        banker_total=facts.banker_total,
        player_natural=facts.player_natural,
        banker_natural=facts.banker_natural,
        player_pair=facts.player_pair,
        banker_pair=facts.banker_pair,
        paytable=version.paytable,
        free_hand=version.free_hand,
        versions=versions,
        versions_left_out=left_out,
    )


def _versions(the_round: Round, detail: Detail) -> tuple[tuple[Version, ...], int]:
    """The versions that are told, where there is more than one, and how many are not."""
    held = list(zip(the_round.versions, the_round.facts, strict=True))
    if len(held) == 1:
        return (), 0
    shown = held if len(held) <= detail.versions else held[:1] + held[len(held) - detail.versions + 1 :]
    if not detail.versions:
        shown = []
    return tuple(_version_view(version, facts, detail.text) for version, facts in shown), len(held) - len(shown)


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else f"{text[: characters - 1]}…"


def _version_view(version: RoundVersion, facts: Facts | None, characters: int) -> Version:
    if isinstance(version, RoundVoided) or facts is None:
        assert isinstance(version, RoundVoided)
        return Version(
            occurred_at=version.occurred_at,
            revision=version.revision,
            voided=True,
            reason=_cut(version.reason, characters),
            operator=_cut(version.operator, characters),
        )
    corrected = version if isinstance(version, RoundCorrected) else None
    return Version(
        occurred_at=version.occurred_at,
        revision=version.revision,
        outcome=facts.outcome,
        player=facts.player,
        banker=facts.banker,
        player_total=facts.player_total,
        banker_total=facts.banker_total,
        player_natural=facts.player_natural,
        banker_natural=facts.banker_natural,
        player_pair=facts.player_pair,
        banker_pair=facts.banker_pair,
        paytable=version.paytable,
        betting_closed_at=version.betting_closed_at,
        free_hand=version.free_hand,
        reason=_cut(corrected.reason, characters) if corrected else None,
        operator=_cut(corrected.operator, characters) if corrected else None,
    )
