"""The first two cards of both hands: in how many orders they come with which pairs.

Given the worths of the four cards, a hand can only be a pair where its two cards are worth the same. Then ranks and
suits are told apart, and nowhere else: each card of such a hand is one of 4 suits of one rank, or, worth nothing, of
four ranks.
"""

import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from math import perm
from typing import Final, NamedTuple, TypeAlias

CARDS_IN_A_DECK: Final = 52
SUITS: Final = 4
#: Ten, jack, queen and king are worth nothing.
RANKS_OF_NOUGHT: Final = 4


class Pairs(NamedTuple):
    """Which first two cards are of one rank, which of one suit besides, and whether two pairs are of one rank."""

    player: bool = False
    player_suited: bool = False
    banker: bool = False
    banker_suited: bool = False
    alike: bool = False


_Two: TypeAlias = tuple[int, int]
#: A card by rank among those of its worth, and suit.
_Card: TypeAlias = tuple[int, int]


def starts(player: _Two, banker: _Two, decks: int) -> Mapping[Pairs, int]:
    """Return the orders in which cards of these worths are dealt to both hands, by their pairs.

    The two worths of a hand are given in one order; both orders are counted.
    """
    swaps = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
    of_pairs = {hand[0] for hand in (player, banker) if hand[0] == hand[1]}
    dealt = Counter((*player, *banker))
    others = swaps
    for worth, times in dealt.items():
        if worth not in of_pairs:
            others *= perm(_cards_of(worth, decks), times)
    found: dict[Pairs, int] = {Pairs(): others}
    if player[0] == player[1] == banker[0] == banker[1]:
        found = _times(found, _both_of(_ranks(player[0]), decks))
    else:
        for hand, side in ((player, "player"), (banker, "banker")):
            if hand[0] == hand[1]:
                found = _times(found, _one_of(_ranks(hand[0]), decks, dealt[hand[0]] - 2, side))
    return {pairs: ways for pairs, ways in found.items() if ways}


def _ranks(worth: int) -> int:
    return 1 if worth else RANKS_OF_NOUGHT


def _cards_of(worth: int, decks: int) -> int:
    return SUITS * decks * _ranks(worth)


def _times(found: Mapping[Pairs, int], more: Mapping[Pairs, int]) -> dict[Pairs, int]:
    """Join what two hands say of themselves; alike needs both in one look."""
    return {
        Pairs(*(one or other for one, other in zip(mine, theirs, strict=True))): ways * times
        for mine, ways in found.items()
        for theirs, times in more.items()
    }


@functools.cache
def _one_of(ranks: int, decks: int, besides: int, side: str) -> Mapping[Pairs, int]:
    """Return the orders of a hand of two cards of one worth, and of ``besides`` more of that worth elsewhere."""
    found: Counter[Pairs] = Counter()
    rest = perm(SUITS * decks * ranks - 2, besides)
    for (first, second), ways in _dealt(ranks, decks, 2):
        found[_side(side, first, second)] += ways * rest
    return found


@functools.cache
def _both_of(ranks: int, decks: int) -> Mapping[Pairs, int]:
    """Return the orders of two hands whose four cards are of one worth."""
    found: Counter[Pairs] = Counter()
    for (one, two, three, four), ways in _dealt(ranks, decks, 4):
        mine, theirs = _side("player", one, two), _side("banker", three, four)
        alike = mine.player and theirs.banker and one[0] == three[0]
        found[Pairs(mine.player, mine.player_suited, theirs.banker, theirs.banker_suited, alike)] += ways
    return found


def _dealt(ranks: int, decks: int, number: int) -> Iterator[tuple[tuple[_Card, ...], int]]:
    """Yield every row of this many cards by rank and suit, and in how many ways the shoe has it."""
    cards = list(itertools.product(range(ranks), range(SUITS)))
    for row in itertools.product(cards, repeat=number):
        ways = 1
        for times in Counter(row).values():
            ways *= perm(decks, times)
        yield row, ways


def _side(side: str, first: _Card, second: _Card) -> Pairs:
    pair, suited = first[0] == second[0], first == second
    return Pairs(pair, suited) if side == "player" else Pairs(banker=pair, banker_suited=suited)
