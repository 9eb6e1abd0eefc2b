"""Exact odds of a full shoe, by enumeration of every deal; nothing is simulated and nothing rounded."""

import functools
from fractions import Fraction

from baccarat.bets import BETS, LOST, PUSHED
from baccarat.odds.deals import MOST_DECKS, BadDecks, deals, total_orders
from baccarat.paytables import Paytable
from baccarat.quoting import quote
from baccarat.rounds import Outcome

__all__ = ["MOST_DECKS", "BadDecks", "edges", "outcomes", "probability"]


def outcomes(decks: int) -> dict[Outcome, Fraction]:
    """Return how likely each outcome is with this many full decks. Raises `BadDecks` unless they are 1 to 8."""
    orders: dict[Outcome, int] = {"banker": 0, "player": 0, "tie": 0}
    for facts, ways in deals(decks):
        orders[facts.outcome] += ways
    return {outcome: Fraction(ways, total_orders(decks)) for outcome, ways in orders.items()}


@functools.cache
def probability(bet: str, decks: int) -> Fraction:
    """Return how likely the bet wins. Raises `BadDecks`, and ValueError for a bet that there is not."""
    if bet not in BETS:
        raise ValueError(f"There is no bet {quote(bet)}")
    return Fraction(sum(ways for facts, ways in deals(decks) if BETS[bet].wins(facts)), total_orders(decks))


def edges(paytable: Paytable, decks: int) -> dict[str, Fraction]:
    """Return, for each bet of the pay table, what the house keeps of a stake on average.

    Pays are taken exactly, before any rounding to minor units. Raises `BadDecks`.
    """
    return {bet: _edge(bet, paytable, decks) for bet in paytable.pays}


def _edge(bet: str, paytable: Paytable, decks: int) -> Fraction:
    nets = {LOST: Fraction(-1), PUSHED: Fraction(0), **paytable.pays[bet]}
    net = Fraction(0)
    for facts, ways in deals(decks):
        end = BETS[bet].end(facts)
        assert end is not None, "the facts of a deal are complete"
        net += nets[end] * ways
    return -net / total_orders(decks)
