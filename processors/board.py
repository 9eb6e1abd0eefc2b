"""From the ledger's state of a shoe to what a display shows of it: rounds, roads, counts, gaps, good roads."""

from dataclasses import dataclass
from typing import Any

import msgspec

from baccarat.roads.good import DEFAULTS, GoodRoad, Thresholds, good_roads
from baccarat.rounds import letter
from baccarat.tallies import Counts, tally
from processors.history import View, written
from processors.instants import EMPTY, latest, latest_of
from processors.shoes import Shoe, phase_rank


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What follows from a shoe's rounds alone; ``occurred_at`` is the latest of their versions' ("" for none).

    ``rounds`` stands where the tuple of rounds would, already written: a shoe's board is sent three times a round, and
    all of its rounds but one are what they were before.
    """

    letters: str
    rounds: Any
    gaps: tuple[int, ...]
    counts: Counts
    good_roads: tuple[GoodRoad, ...]
    last_round: int
    versions: int
    occurred_at: str


def picture(shoe: Shoe, views: dict[int, View], thresholds: Thresholds = DEFAULTS) -> Picture:
    """Draw the shoe; ``views`` keeps the rounds that did not change since the last time.

    ``thresholds`` are the lengths from which good roads are announced.
    """
    for number in shoe.rounds.keys() - views.keys():
        views[number] = View(shoe.rounds[number])
    rounds = shoe.in_order()
    shown = [views[the_round.number] for the_round in rounds]
    counted = [(the_round.number, facts) for the_round in rounds if (facts := the_round.result) is not None]
    last_round = counted[-1][0] if counted else 0
    in_place = len(rounds) >= last_round and (not last_round or rounds[last_round - 1].number == last_round)
    gaps = () if in_place else tuple(shoe.missing())  # the n-th round is number n: none before it is missing
    results = [(number, letter(facts.outcome)) for number, facts in counted]
    return Picture(
        letters=_letters(results, gaps),
        rounds=msgspec.Raw(written(shown)),
        gaps=gaps,
        counts=tally((facts for _, facts in counted), missing=len(gaps)),
        good_roads=() if gaps else good_roads(results, thresholds),
        last_round=last_round,
        versions=sum([view.versions for view in shown]),
        occurred_at=latest_of([view.occurred_at for view in shown]),
    )


def facts_at(shoe: Shoe) -> str:
    """The latest time of the shoe's own facts: started, ended, and the betting phase if no round has passed it."""
    occurred_at = EMPTY
    phase = shoe.row.phase if shoe.row.phase and shoe.row.phase.rank == rank(shoe) else None
    for fact in (shoe.row.started, shoe.row.ended, phase):
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
