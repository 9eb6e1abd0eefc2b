"""Every way in which a round can be dealt from a full shoe, counted exactly.

What is counted are orders of six cards: a round that ends after four or five stands for all orders that begin with
it, so all rounds together are the number of ways to draw six cards one by one. Cards are told apart by their worth
alone, which leaves ten kinds instead of 52; ranks and suits are counted only where the first two cards of a hand may
be a pair (``starts``).
"""

import functools
import itertools
from collections import Counter
from collections.abc import Iterator
from math import perm
from typing import Final, NamedTuple, TypeAlias

from baccarat.odds.starts import CARDS_IN_A_DECK, RANKS_OF_NOUGHT, SUITS, Pairs, starts
from baccarat.rounds import Facts, judge
from baccarat.tableau import NATURALS, banker_draws, player_draws

MOST_DECKS: Final = 8
_MOST_CARDS: Final = 6
_SUIT: Final = "CDHS"


class BadDecks(ValueError):
    """Odds of a shoe that no table has: it holds one to eight decks."""


class Deal(NamedTuple):
    """One sort of round: facts that all its rounds share, and in how many orders of six cards it is dealt.

    The facts are complete; their cards are one example: totals, the number of cards, pairs, suited pairs, and whether
    two pairs are of one rank hold for every round of the sort, the cards themselves do not.
    """

    facts: Facts
    orders: int


@functools.cache
def deals(decks: int) -> tuple[Deal, ...]:
    """Return every sort of round that a full shoe of this many decks can deal. Raises `BadDecks`."""
    if decks not in range(1, MOST_DECKS + 1):
        raise BadDecks(f"A shoe holds 1 to {MOST_DECKS} decks, not {decks}")
    orders: Counter[tuple[object, ...]] = Counter()
    examples: dict[tuple[object, ...], tuple[_Hand, _Hand, Pairs]] = {}
    for player, banker, pairs, ways in _rounds(decks):
        sort = (sum(player) % 10, len(player), sum(banker) % 10, len(banker), pairs)
        orders[sort] += ways
        examples.setdefault(sort, (player, banker, pairs))
    return tuple(Deal(_facts(*examples[sort]), ways) for sort, ways in orders.items() if ways)


def total_orders(decks: int) -> int:
    """Return in how many orders six cards come from the shoe."""
    return perm(CARDS_IN_A_DECK * decks, _MOST_CARDS)


#: Worths of a hand, in the order dealt.
_Hand: TypeAlias = tuple[int, ...]


def _facts(player: _Hand, banker: _Hand, pairs: Pairs) -> Facts:
    """Judge an example of these worths and pairs."""
    noughts = ("K", "K") if pairs.alike else ("K", "Q")
    return judge(
        player=_cards(player, pairs.player, suited=pairs.player_suited, nought=noughts[0]),
        banker=_cards(banker, pairs.banker, suited=pairs.banker_suited, nought=noughts[1]),
    )


def _cards(worths: _Hand, pair: bool, *, suited: bool, nought: str) -> list[str]:  # noqa: FBT001
    other = nought if pair else "J"
    ranks = [
        (nought if place == 0 else other) if worth == 0 else "A" if worth == 1 else str(worth)
        for place, worth in enumerate(worths)
    ]
    suits = "HHS" if suited else "HDS"
    return [rank + suit for rank, suit in zip(ranks, suits, strict=False)]


def _rounds(decks: int) -> Iterator[tuple[_Hand, _Hand, Pairs, int]]:
    """Yield both hands of every round by worths, and its orders; the two first cards of a hand in one order only."""
    cards = CARDS_IN_A_DECK * decks
    twos = list(itertools.combinations_with_replacement(range(10), 2))
    for player, banker in itertools.product(twos, repeat=2):
        left = [SUITS * decks * (1 if worth else RANKS_OF_NOUGHT) for worth in range(10)]
        for worth in (*player, *banker):
            left[worth] -= 1
        thirds = list(_thirds(sum(player) % 10, sum(banker) % 10, left, cards - 4))
        for pairs, begun in starts(player, banker, decks).items():
            for player_third, banker_third, ways in thirds:
                yield (*player, *player_third), (*banker, *banker_third), pairs, begun * ways


_Third: TypeAlias = tuple[int, ...]


def _thirds(player: int, banker: int, left: list[int], cards: int) -> Iterator[tuple[_Third, _Third, int]]:
    """Yield the third cards that the tableau draws on two totals, and the orders of the fifth and sixth card.

    ``left`` has how many cards of each worth are in the shoe, ``cards`` all of them.
    """
    if player in NATURALS or banker in NATURALS:
        yield (), (), cards * (cards - 1)
        return
    for player_third in range(10) if player_draws(player) else (None,):
        player_ways = 1 if player_third is None else left[player_third]
        drawn: _Third = () if player_third is None else (player_third,)
        if not banker_draws(banker, player_third):
            yield drawn, (), player_ways * (cards - 1 if drawn else cards * (cards - 1))
            continue
        for banker_third in range(10):
            ways = left[banker_third] - (banker_third == player_third)
            yield drawn, (banker_third,), player_ways * ways * (1 if drawn else cards - 1)
