"""Odds against an independent exact enumeration, to the last digit."""

import itertools
import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from baccarat.odds import BadDecks, edges, outcomes, probability
from baccarat.odds.deals import deals, total_orders
from baccarat.paytables import load, parse
from baccarat.rounds import Facts

EXACT = {
    int(decks): figures
    for decks, figures in json.loads((Path(__file__).parents[1] / "data" / "odds_exact.json").read_text()).items()
    if decks.isdigit()
}


def count(decks: int, which: Callable[[Facts], bool]) -> int:
    return sum(orders for facts, orders in deals(decks) if which(facts))


def total(facts: Facts) -> int:
    assert facts.player_total is not None
    assert facts.banker_total is not None
    return max(facts.player_total, facts.banker_total)


def margin(facts: Facts) -> int:
    assert facts.player_total is not None
    assert facts.banker_total is not None
    return abs(facts.player_total - facts.banker_total)


def cards(hand: tuple[str, ...] | None) -> int:
    return len(hand or ())


def natural(facts: Facts) -> bool:
    return bool(facts.player_natural or facts.banker_natural)


COUNTS: dict[str, Callable[[Facts], bool]] = {
    "player": lambda facts: facts.outcome == "player",
    "banker": lambda facts: facts.outcome == "banker",
    "tie": lambda facts: facts.outcome == "tie",
    "natP": lambda facts: facts.player_natural is True,
    "natB": lambda facts: facts.banker_natural is True,
    "natAny": natural,
    "natBoth": lambda facts: facts.player_natural is True and facts.banker_natural is True,
    "natwinP": lambda facts: facts.outcome == "player" and facts.player_natural is True,
    "natwinB": lambda facts: facts.outcome == "banker" and facts.banker_natural is True,
    "nattie": lambda facts: facts.outcome == "tie" and natural(facts),
    "pp": lambda facts: facts.player_pair is True,
    "bp": lambda facts: facts.banker_pair is True,
    "either": lambda facts: facts.player_pair is True or facts.banker_pair is True,
    "both": lambda facts: facts.player_pair is True and facts.banker_pair is True,
}
# Lists with one number for each winning total or margin, 0 to 9. "marP" and "marB" leave natural wins out.
LISTS: dict[str, tuple[Callable[[Facts], bool], Callable[[Facts], int]]] = {
    "tieT": (lambda facts: facts.outcome == "tie", total),
    "winP2": (lambda facts: facts.outcome == "player" and cards(facts.player) == 2, total),
    "winP3": (lambda facts: facts.outcome == "player" and cards(facts.player) == 3, total),
    "winB2": (lambda facts: facts.outcome == "banker" and cards(facts.banker) == 2, total),
    "winB3": (lambda facts: facts.outcome == "banker" and cards(facts.banker) == 3, total),
    "marP": (lambda facts: facts.outcome == "player" and not natural(facts), margin),
    "marB": (lambda facts: facts.outcome == "banker" and not natural(facts), margin),
}


@pytest.mark.parametrize("decks", EXACT)
@pytest.mark.parametrize("name", COUNTS)
def test_orders_are_those_of_the_independent_enumeration(decks: int, name: str) -> None:
    assert count(decks, COUNTS[name]) == EXACT[decks]["raw"][name]


@pytest.mark.parametrize("decks", EXACT)
@pytest.mark.parametrize("name", LISTS)
def test_orders_by_total_and_margin_are_those_of_the_independent_enumeration(decks: int, name: str) -> None:
    which, of = LISTS[name]
    orders: Counter[int] = Counter()
    for facts, ways in deals(decks):
        if which(facts):
            orders[of(facts)] += ways
    assert [orders[number] for number in range(10)] == EXACT[decks]["raw"][name]


@pytest.mark.parametrize("decks", EXACT)
@pytest.mark.parametrize("number", [4, 5, 6])
def test_orders_by_number_of_cards_are_those_of_the_independent_enumeration(decks: int, number: int) -> None:
    dealt = count(decks, lambda facts: cards(facts.player) + cards(facts.banker) == number)
    assert dealt == EXACT[decks]["raw"]["cards"][str(number)]


@pytest.mark.parametrize("decks", EXACT)
def test_outcomes_are_exact_to_the_last_digit_of_a_double(decks: int) -> None:
    exact = EXACT[decks]
    likely = {outcome: float(fraction) for outcome, fraction in outcomes(decks).items()}
    assert likely == {"banker": exact["B"], "player": exact["P"], "tie": exact["T"]}
    assert total_orders(decks) == exact["raw"]["total"]


@pytest.mark.parametrize("decks", EXACT)
def test_edges_are_exact_to_the_last_digit_of_a_double(decks: int) -> None:
    exact = EXACT[decks]
    figures = {bet: float(edge) for bet, edge in edges(load("classic@1"), decks).items()}
    assert figures == {
        "player": exact["edge_player"],
        "banker": exact["edge_banker_5pct"],
        "tie": exact["edge_tie9"],
        "player_pair": exact["edge_pair11"],
        "banker_pair": exact["edge_pair11"],
    }
    assert float(edges(load("classic-8@1"), decks)["tie"]) == exact["edge_tie8"]


@pytest.mark.parametrize("decks", EXACT)
def test_probabilities_of_bets_are_exact_to_the_last_digit_of_a_double(decks: int) -> None:
    exact = EXACT[decks]
    expected = {"player": "P", "banker": "B", "tie": "T", "player_pair": "pair", "banker_pair": "pair"}
    for bet, name in expected.items():
        assert float(probability(bet, decks)) == exact[name]


def test_the_edge_takes_the_pay_itself_not_a_rounded_one() -> None:
    text = 'id = "t"\nversion = 1\nrounding = "{}"\nopposite_bets = "allowed"\n[pays]\nbanker = "24:25"\n'
    figures = {edges(parse("t@1", text.format(rule)), 8)["banker"] for rule in ("down", "half_up", "half_even")}
    assert [float(figure) for figure in figures] == [EXACT[8]["edge_banker_4pct"]]


@pytest.mark.parametrize("decks", range(1, 9))
def test_all_deals_together_are_all_orders_of_six_cards(decks: int) -> None:
    assert sum(deal.orders for deal in deals(decks)) == total_orders(decks)
    assert sum(outcomes(decks).values()) == 1


@pytest.mark.parametrize("decks", range(1, 9))
def test_a_pair_is_as_likely_as_the_second_card_of_the_rank_of_the_first(decks: int) -> None:
    expected = Fraction(4 * decks - 1, 52 * decks - 1)
    assert probability("player_pair", decks) == probability("banker_pair", decks) == expected


@pytest.mark.parametrize("decks", range(1, 9))
def test_both_hands_have_a_natural_equally_often(decks: int) -> None:
    assert count(decks, COUNTS["natP"]) == count(decks, COUNTS["natB"])


# The house rules in words: on which third cards of Player's Banker draws, by her total.
DRAWS = {0: "0123456789", 1: "0123456789", 2: "0123456789", 3: "012345679", 4: "234567", 5: "4567", 6: "67", 7: ""}


def test_a_plain_walk_through_every_order_of_six_cards_agrees() -> None:
    """One deck, where cards run out soonest: a million orders of worths, each settled by the house rules in words."""
    orders: Counter[str] = Counter()
    for first_four in itertools.product(range(10), repeat=4):
        left = [16] + [4] * 9
        starts = ways_to_take(left, first_four)
        for fifth, sixth in itertools.product(range(10), repeat=2):
            orders[winner(first_four, fifth, sixth)] += starts * ways_to_take(left.copy(), (fifth, sixth))
    assert orders == {outcome: share * total_orders(1) for outcome, share in outcomes(1).items()}


def ways_to_take(left: list[int], worths: tuple[int, ...]) -> int:
    """Take these cards out of what is left, and return in how many ways that can be done."""
    ways = 1
    for worth in worths:
        ways *= left[worth]
        left[worth] -= 1
    return ways


def winner(first_four: tuple[int, ...], fifth: int, sixth: int) -> str:
    player, banker = (first_four[0] + first_four[2]) % 10, (first_four[1] + first_four[3]) % 10
    if player < 8 and banker < 8:
        if player <= 5:
            banker_draws, banker_third = str(fifth) in DRAWS[banker], sixth
            player = (player + fifth) % 10
        else:
            banker_draws, banker_third = banker <= 5, fifth
        banker = (banker + banker_third) % 10 if banker_draws else banker
    return "tie" if player == banker else "player" if player > banker else "banker"


@pytest.mark.parametrize("decks", [0, 9, -1, 100])
def test_a_shoe_that_no_table_has_is_refused(decks: int) -> None:
    for ask in (outcomes, lambda decks: probability("tie", decks), lambda decks: edges(load("classic@1"), decks)):
        question: Any = ask
        with pytest.raises(BadDecks, match="1 to 8 decks"):
            question(decks)


def test_a_bet_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="no bet 'martingale'"):
        probability("martingale", 8)
