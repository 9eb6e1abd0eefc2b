"""The counters beside the roads."""

from collections.abc import Iterable
from dataclasses import dataclass

from baccarat.rounds import Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How often something was seen in a shoe, as scoreboards show it.

    ``rounds`` are the rounds known and not voided, ``missing`` the gaps among them; ``natural`` are the rounds with at
    least one natural. What nobody keyed counts as not seen.
    """

    rounds: int
    missing: int
    banker: int
    player: int
    tie: int
    banker_pair: int
    player_pair: int
    natural: int


def tally(rounds: Iterable[Facts], missing: int) -> Counts:
    """Count the rounds of a shoe that are not voided; ``missing`` is the number of its gaps."""
    wins = {"banker": 0, "player": 0, "tie": 0}
    banker_pair = player_pair = natural = 0
    for facts in rounds:
        wins[facts.outcome] += 1
        banker_pair += facts.banker_pair is True
        player_pair += facts.player_pair is True
        natural += facts.player_natural is True or facts.banker_natural is True
    return Counts(
        rounds=sum(wins.values()),
        missing=missing,
        banker_pair=banker_pair,
        player_pair=player_pair,
        natural=natural,
        **wins,
    )
