"""Exact odds beside a plain enumeration: six nested draws by worth, each round judged as the rules say it."""

import itertools
import time
from dataclasses import dataclass

from baccarat.bets import BETS
from baccarat.odds import edges, probability
from baccarat.odds.deals import deals, total_orders
from baccarat.paytables import load, published
from baccarat.tableau import NATURALS, banker_draws, player_draws

DECKS = 8


@dataclass(frozen=True, kw_only=True)
class Odds:
    """CPU-seconds: every bet and pay table by classes of cards; and the outcomes alone by plain enumeration."""

    classes: float
    plain: float


def odds() -> Odds:
    """Both from nothing, compared: their outcomes are equal to the last integer. Raises AssertionError otherwise."""
    deals.cache_clear()
    begun = time.process_time()
    for name in published():
        edges(load(name), DECKS)
    mine = {bet: probability(bet, DECKS) for bet in BETS}
    classes, begun = time.process_time() - begun, time.process_time()
    theirs = plain(DECKS)
    spent = time.process_time() - begun
    assert {bet: mine[bet] * total_orders(DECKS) for bet in theirs} == theirs
    return Odds(classes=classes, plain=spent)


def plain(decks: int) -> dict[str, int]:
    """Orders of six cards in which Player wins, Banker wins and both tie, by every row of six worths."""
    orders = {"player": 0, "banker": 0, "tie": 0}
    left = [16 * decks] + [4 * decks] * 9
    for one, two, three, four in itertools.product(range(10), repeat=4):
        ways = _take(left, (one, two, three, four))
        for five, six in itertools.product(range(10), repeat=2):
            orders[_winner((one + three) % 10, (two + four) % 10, five, six)] += ways * _take(left, (five, six))
            left[five] += 1
            left[six] += 1
        for worth in (one, two, three, four):
            left[worth] += 1
    return orders


def _take(left: list[int], worths: tuple[int, ...]) -> int:
    ways = 1
    for worth in worths:
        ways *= left[worth]
        left[worth] -= 1
    return ways


def _winner(player: int, banker: int, five: int, six: int) -> str:
    if not NATURALS & {player, banker}:
        third = five if player_draws(player) else None
        if banker_draws(banker, third):
            banker = (banker + (five if third is None else six)) % 10
        player = (player + (third or 0)) % 10
    return "tie" if player == banker else "player" if player > banker else "banker"
