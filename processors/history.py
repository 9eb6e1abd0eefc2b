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
    """One round as it is shown; ``occurred_at`` of each version in ``times``, their number in ``versions``."""

    __slots__ = ("_json", "_level", "_round", "_sizes", "times", "versions")

    def __init__(self, the_round: Round) -> None:
        self.times = [version.occurred_at for version in the_round.versions]
        self.versions = len(self.times)
        self._round, self._level, self._json, self._sizes = the_round, -1, b"", dict[int, int]()

    def size(self, level: int) -> int:
        """Bytes of the round at this place in ``DETAILS``."""
        level = self._own(level)
        if level not in self._sizes:
            self.json(level)
        return self._sizes[level]

    def json(self, level: int) -> bytes:
        """The round at this place in ``DETAILS``, written; the last one is kept."""
        level = self._own(level)
        if level != self._level:
            self._level, self._json = level, msgspec.json.encode(round_view(self._round, DETAILS[level]))
            self._sizes[level] = len(self._json)
        return self._json

    def _own(self, level: int) -> int:
        return level if self.versions > 1 else 0  # a round as first dealt has nothing to leave out


def written(views: Sequence[View]) -> bytes:
    """The rounds as a JSON array, with as much detail as fits the budget."""
    last = len(DETAILS) - 1
    level = next((level for level in range(last) if sum(view.size(level) for view in views) <= BUDGET), last)
    return b"[" + b",".join([view.json(level) for view in views]) + b"]"


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
