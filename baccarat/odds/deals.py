"""Every way in which a round can be dealt from a full shoe, counted exactly.

What is counted are orders of six cards: a round that ends after four or five stands for all orders that begin with
it, so all rounds together are the number of ways to draw six cards one by one. Cards are told apart by their worth
alone, which leaves ten kinds instead of 52; only for pairs the four ranks that are worth nothing are counted apart.
"""

import functools
import itertools
from collections import Counter
from collections.abc import Iterator
from math import perm
from typing import Final, NamedTuple, TypeAlias

from baccarat.rounds import Facts, judge
from baccarat.tableau import NATURALS, banker_draws, player_draws

MOST_DECKS: Final = 8
_CARDS_IN_A_DECK: Final = 52
_SUITS: Final = 4
#: Ten, jack, queen and king are worth nothing.
_RANKS_OF_NOUGHT: Final = 4
_MOST_CARDS: Final = 6

#: Worths of a hand, and whether its first two cards are of one rank.
_Hand: TypeAlias = tuple[tuple[int, ...], bool]


class BadDecks(ValueError):
    """Odds of a shoe that no table has: it holds one to eight decks."""


class Deal(NamedTuple):
    """One sort of round: facts that all its rounds share, and in how many orders of six cards it is dealt.

    The facts are complete; their cards are one example, without suits: totals, pairs and the number of cards hold for
    every round of the sort, the cards themselves do not.
    """

    facts: Facts
    orders: int


@functools.cache
def deals(decks: int) -> tuple[Deal, ...]:
    """Return every sort of round that a full shoe of this many decks can deal. Raises `BadDecks`."""
    if decks not in range(1, MOST_DECKS + 1):
        raise BadDecks(f"A shoe holds 1 to {MOST_DECKS} decks, not {decks}")
    orders: Counter[tuple[object, ...]] = Counter()
    examples: dict[tuple[object, ...], tuple[_Hand, _Hand]] = {}
    for player, banker, ways in _rounds(decks):
        sort = (_sort(player), _sort(banker))
        orders[sort] += ways
        examples.setdefault(sort, (player, banker))
    return tuple(
        Deal(judge(player=_cards(examples[sort][0]), banker=_cards(examples[sort][1])), ways)
        for sort, ways in orders.items()
        if ways
    )


def total_orders(decks: int) -> int:
    """Return in how many orders six cards come from the shoe."""
    return perm(_CARDS_IN_A_DECK * decks, _MOST_CARDS)


def _sort(hand: _Hand) -> tuple[int, int, bool]:
    """Reduce a hand to what a bet can rest on: its total, how many cards it has, and whether it began with a pair."""
    worths, pair = hand
    return sum(worths) % 10, len(worths), pair


def _cards(hand: _Hand) -> list[str]:
    worths, pair = hand
    noughts = iter("KKK" if pair else "KQJ")
    return [next(noughts) if worth == 0 else "A" if worth == 1 else str(worth) for worth in worths]


def _rounds(decks: int) -> Iterator[tuple[_Hand, _Hand, int]]:
    """Yield both hands of every round by worths, and its orders; the two first cards of a hand in one order only."""
    cards = _CARDS_IN_A_DECK * decks
    twos = list(itertools.combinations_with_replacement(range(10), 2))
    for player, banker in itertools.product(twos, repeat=2):
        left = [_SUITS * decks * (1 if worth else _RANKS_OF_NOUGHT) for worth in range(10)]
        for worth in (*player, *banker):
            left[worth] -= 1
        for player_pair, banker_pair, starts in _starts(player, banker, decks):
            for player_third, banker_third, ways in _thirds(sum(player) % 10, sum(banker) % 10, left, cards - 4):
                yield (
                    ((*player, *player_third), player_pair),
                    ((*banker, *banker_third), banker_pair),
                    starts * ways,
                )


def _starts(player: tuple[int, ...], banker: tuple[int, ...], decks: int) -> Iterator[tuple[bool, bool, int]]:
    """Yield, for the first two cards of both hands, who has a pair and in how many orders such cards come."""
    dealt = Counter((*player, *banker))
    swaps = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
    others = swaps
    for worth, times in dealt.items():
        if worth:
            others *= perm(_SUITS * decks, times)
    for player_pair, banker_pair, ways in _noughts(dealt[0], decks, player=player == (0, 0), banker=banker == (0, 0)):
        yield player_pair or 0 < player[0] == player[1], banker_pair or 0 < banker[0] == banker[1], others * ways


def _noughts(dealt: int, decks: int, *, player: bool, banker: bool) -> Iterator[tuple[bool, bool, int]]:
    """Yield who has a pair of tens or court cards, and the orders of all ``dealt`` cards that are worth nothing.

    ``player`` and ``banker`` say who holds two of them, which are then a pair (the same rank twice) or none.
    """
    one_rank = _SUITS * decks
    all_ranks = one_rank * _RANKS_OF_NOUGHT
    everything = perm(all_ranks, dealt)
    # A pair first; whatever else is dealt of the noughts comes from all of those left.
    pair = _RANKS_OF_NOUGHT * perm(one_rank, 2) * perm(all_ranks - 2, max(dealt - 2, 0))
    if player and banker:
        two_ranks = _RANKS_OF_NOUGHT * (_RANKS_OF_NOUGHT - 1) * perm(one_rank, 2) ** 2
        both = _RANKS_OF_NOUGHT * perm(one_rank, 4) + two_ranks
        yield True, True, both
        yield True, False, pair - both
        yield False, True, pair - both
        yield False, False, everything - 2 * pair + both
    elif player or banker:
        yield player, banker, pair
        yield False, False, everything - pair
    else:
        yield False, False, everything


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
