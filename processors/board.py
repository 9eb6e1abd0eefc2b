"""From the ledger's state of a shoe to what a display shows of it: rounds, roads, counts, gaps, good roads."""

from dataclasses import dataclass
from typing import Final

from baccarat.roads import Roads, draw
from baccarat.roads.good import GoodRoad, good_roads
from baccarat.rounds import Facts, letter
from baccarat.tallies import Counts, tally
from contract.rounds import Played, RoundCorrected, RoundVersion, RoundVoided
from contract.scalars import Tail, later
from contract.scoreboards import Round as RoundView
from contract.scoreboards import Version
from processors.shoes import Round, Shoe, phase_rank


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What follows from a shoe's rounds alone; ``occurred_at`` is the latest of their versions' ("" for none)."""

    letters: str
    rounds: tuple[RoundView, ...]
    gaps: tuple[int, ...]
    counts: Counts
    good_roads: tuple[GoodRoad, ...]
    last_round: int
    versions: int
    occurred_at: str


EMPTY: Final = ""


def picture(shoe: Shoe, views: dict[int, RoundView]) -> Picture:
    """Draw the shoe; ``views`` keeps the rounds that did not change since the last time."""
    rounds = shoe.in_order()
    for the_round in rounds:
        if the_round.number not in views:
            views[the_round.number] = round_view(the_round)
    counted = [(r.number, r.result) for r in rounds if r.result is not None]
    gaps = tuple(shoe.missing())
    results = [(number, letter(facts.outcome)) for number, facts in counted]
    occurred_at = EMPTY
    for the_round in rounds:
        for version in the_round.versions:
            occurred_at = latest(occurred_at, version.occurred_at)
    return Picture(
        letters=_letters(results, gaps),
        rounds=tuple(views[the_round.number] for the_round in rounds),
        gaps=gaps,
        counts=tally((facts for _, facts in counted), missing=len(gaps)),
        good_roads=() if gaps else good_roads(results),
        last_round=counted[-1][0] if counted else 0,
        versions=sum(len(the_round.versions) for the_round in rounds),
        occurred_at=occurred_at,
    )


def roads_of(letters: str, rows: int = 6, tail: Tail = "stay") -> Roads:
    """The five roads of a shoe's letters (``?`` is a gap)."""
    return draw(letters, rows=rows, tail=tail)


def latest(left: str, right: str) -> str:
    """The later instant; the empty text is before all."""
    return later(left, right) if left and right else left or right


def facts_at(shoe: Shoe) -> str:
    """The latest time of the shoe's own facts: started, ended and the greatest betting phase."""
    occurred_at = EMPTY
    for fact in (shoe.row.started, shoe.row.ended, shoe.row.phase):
        if fact is not None:
            occurred_at = latest(occurred_at, fact.occurred_at)
    return occurred_at


def rank(shoe: Shoe) -> int:
    """The greatest phase that the shoe has seen, published or following from a round; 0 for none."""
    dealt = phase_rank(max(shoe.rounds), "dealt") if shoe.rounds else 0
    return max(dealt, shoe.row.phase.rank if shoe.row.phase else 0)


def weight(shoe: Shoe, versions: int) -> int:
    """What the shoe adds to a ``version``: a sum that only grows with what has arrived, in any order."""
    return versions + rank(shoe) + (shoe.row.started is not None) + (shoe.row.ended is not None)


def _letters(results: list[tuple[int, str]], gaps: tuple[int, ...]) -> str:
    if not gaps:
        return "".join(mark for _, mark in results)
    return "".join(mark for _, mark in sorted([*results, *((number, "?") for number in gaps)]))


def round_view(the_round: Round) -> RoundView:
    """A round as the scoreboard and the shoe record show it."""
    version, facts = the_round.latest, the_round.result
    versions: tuple[Version, ...] = ()
    if len(the_round.versions) > 1:
        versions = tuple(map(_version_view, the_round.versions, the_round.facts))
    if facts is None or not isinstance(version, Played):
        return RoundView(round_no=the_round.number, revision=version.revision, voided=True, versions=versions)
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
    )


def _version_view(version: RoundVersion, facts: Facts | None) -> Version:
    if isinstance(version, RoundVoided) or facts is None:
        assert isinstance(version, RoundVoided)
        return Version(
            occurred_at=version.occurred_at,
            revision=version.revision,
            voided=True,
            reason=version.reason,
            operator=version.operator,
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
        reason=corrected.reason if corrected else None,
        operator=corrected.operator if corrected else None,
    )
