"""Exact odds of a full shoe, by enumeration of every deal; nothing is simulated and nothing rounded."""

import functools
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from baccarat.bets import BETS, LOST, PUSHED
from baccarat.odds.deals import MOST_DECKS, BadDecks, deals, total_orders
from baccarat.paytables import PUSH, Paytable
from baccarat.quoting import quote
from baccarat.rounds import Outcome

__all__ = ["MOST_DECKS", "BadDecks", "Moments", "edges", "ends", "moments", "outcomes", "probability"]


def outcomes(decks: int) -> dict[Outcome, Fraction]:
    """Return how likely each outcome is with this many full decks. Raises `BadDecks` unless they are 1 to 8."""
    orders: dict[Outcome, int] = {"banker": 0, "player": 0, "tie": 0}
    for facts, ways in deals(decks):
        orders[facts.outcome] += ways
    return {outcome: Fraction(ways, total_orders(decks)) for outcome, ways in orders.items()}


@functools.cache
def ends(bet: str, decks: int) -> Mapping[str, Fraction]:
    """Return how likely each end of the bet is: its pay classes, `LOST`, and `PUSHED` where the bet itself pushes.

    Raises `BadDecks`, and ValueError for a bet that there is not.
    """
    if bet not in BETS:
        raise ValueError(f"There is no bet {quote(bet)}")
    orders: Counter[str] = Counter(dict.fromkeys((*BETS[bet].classes, LOST), 0))
    for facts, ways in deals(decks):
        (end,) = BETS[bet].ends(facts)  # one: the facts of a deal are complete
        orders[end] += ways
    return MappingProxyType({end: Fraction(ways, total_orders(decks)) for end, ways in orders.items()})


def probability(bet: str, decks: int) -> Fraction:
    """Return how likely the bet wins, in any of its classes. Raises as `ends`."""
    likely = ends(bet, decks)
    return sum((likely[end] for end in BETS[bet].classes), Fraction(0))


class Moments(NamedTuple):
    """Mean and variance of what one unit staked brings a bettor, net; before any rounding to minor units."""

    mean: Fraction
    variance: Fraction


@functools.cache
def _moments(bet: str, pays: tuple[tuple[str, Fraction], ...], decks: int) -> Moments:
    nets = {LOST: Fraction(-1), PUSHED: PUSH, **dict(pays)}
    likely = ends(bet, decks)
    mean = sum((share * nets[end] for end, share in likely.items()), Fraction(0))
    square = sum((share * nets[end] ** 2 for end, share in likely.items()), Fraction(0))
    return Moments(mean, square - mean**2)


def moments(paytable: Paytable, decks: int) -> dict[str, Moments]:
    """Return mean and variance of each bet of the pay table. What it pays counts, not its name. Raises `BadDecks`."""
    return {bet: _moments(bet, tuple(pays.items()), decks) for bet, pays in paytable.pays.items()}


def edges(paytable: Paytable, decks: int) -> dict[str, Fraction]:
    """Return, for each bet of the pay table, what the house keeps of a stake on average.

    Pays are taken exactly, before any rounding to minor units. Raises `BadDecks`.
    """
    return {bet: -each.mean for bet, each in moments(paytable, decks).items()}
