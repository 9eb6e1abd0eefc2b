"""The odds of every bet against the independent enumeration, to the last digit, and against the published edges."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from baccarat.bets import BETS, LOST, PUSHED
from baccarat.odds import Moments, edges, ends, moments, outcomes, probability
from baccarat.odds.deals import deals, total_orders
from baccarat.paytables import load, parse, published
from baccarat.rounds import Facts

EXACT = json.loads((Path(__file__).parents[1] / "data" / "odds_exact.json").read_text())["8"]


def paying(**pays: str) -> Callable[[str], float]:
    """The edge of one bet by a pay table made for it; a class is joined to the bet by a double underscore."""
    lines: dict[str, list[str]] = {}
    for name, ratio in pays.items():
        bet, _, end = name.partition("__")
        lines.setdefault(bet, []).append(f'{end} = "{ratio}"' if end else f'"{ratio}"')
    text = 'id = "t"\nversion = 1\nrounding = "down"\nopposite_bets = "allowed"\n[pays]\n'
    text += "".join(
        f"{bet} = {{ {', '.join(said)} }}\n" if "=" in said[0] else f"{bet} = {said[0]}\n"
        for bet, said in lines.items()
    )
    table = parse("t@1", text)
    return lambda bet: float(edges(table, 8)[bet])


def bonus(side: str, *margins: int) -> dict[str, str]:
    bet = f"dragon_bonus_{side}"
    return {f"{bet}__natural": "1:1"} | {f"{bet}__margin_{4 + n}": f"{pay}:1" for n, pay in enumerate(margins)}


EGALITE = (150, 215, 225, 200, 120, 110, 45, 45, 80, 80)

EDGES: list[tuple[str, str, dict[str, str]]] = [
    ("edge_player", "player", {"player": "1:1"}),
    ("edge_banker_5pct", "banker", {"banker": "19:20"}),
    ("edge_banker_4pct", "banker", {"banker": "24:25"}),
    ("edge_tie8", "tie", {"tie": "8:1"}),
    ("edge_tie9", "tie", {"tie": "9:1"}),
    ("edge_banker_super6", "banker", {"banker__won": "1:1", "banker__on_6": "1:2", "banker__three_card_7": "1:1"}),
    ("edge_banker_ez", "banker", {"banker__won": "1:1", "banker__on_6": "1:1", "banker__three_card_7": "push"}),
    ("edge_dragon7_40", "dragon_7", {"dragon_7": "40:1"}),
    ("edge_panda8_25", "panda_8", {"panda_8": "25:1"}),
    ("edge_small_1.5", "small", {"small": "3:2"}),
    ("edge_small_1.45", "small", {"small": "29:20"}),
    ("edge_big_0.54", "big", {"big": "27:50"}),
    ("edge_big_0.5", "big", {"big": "1:2"}),
    ("edge_pair11", "player_pair", {"player_pair": "11:1"}),
    ("edge_either5", "either_pair", {"either_pair": "5:1"}),
    ("edge_perfect_25_200", "perfect_pair", {"perfect_pair__one_hand": "25:1", "perfect_pair__both_hands": "200:1"}),
    ("edge_perfect_25_flat", "perfect_pair", {"perfect_pair": "25:1"}),
    ("edge_super6_12_flat", "super_6", {"super_6": "12:1"}),
    ("edge_super6_15_flat", "super_6", {"super_6": "15:1"}),
    ("edge_lucky6_12_20", "lucky_6", {"lucky_6__two_cards": "12:1", "lucky_6__three_cards": "20:1"}),
    ("edge_lucky6_12_23", "lucky_6", {"lucky_6__two_cards": "12:1", "lucky_6__three_cards": "23:1"}),
    ("edge_bigtiger50", "big_tiger", {"big_tiger": "50:1"}),
    ("edge_smalltiger22", "small_tiger", {"small_tiger": "22:1"}),
    ("edge_tigertie35", "tiger_tie", {"tiger_tie": "35:1"}),
    ("edge_tigertie40", "tiger_tie", {"tiger_tie": "40:1"}),
    ("edge_tigertie45", "tiger_tie", {"tiger_tie": "45:1"}),
    (
        "edge_tigerpair_4_20_100",
        "tiger_pair",
        {"tiger_pair__one": "4:1", "tiger_pair__both": "20:1", "tiger_pair__alike": "100:1"},
    ),
    ("edge_dragonbonus_P", "dragon_bonus_player", bonus("player", 1, 2, 4, 6, 10, 30)),
    ("edge_dragonbonus_B", "dragon_bonus_banker", bonus("banker", 1, 2, 4, 6, 10, 30)),
    ("edge_longbao_P_1_2_3_5_10_30", "dragon_bonus_player", bonus("player", 1, 2, 3, 5, 10, 30)),
    ("edge_longbao_B_1_2_3_5_10_30", "dragon_bonus_banker", bonus("banker", 1, 2, 3, 5, 10, 30)),
]


@pytest.mark.parametrize(("name", "bet", "pays"), EDGES, ids=[name for name, _, _ in EDGES])
def test_edges_are_exact_to_the_last_digit_of_a_double(name: str, bet: str, pays: dict[str, str]) -> None:
    assert paying(**pays)(bet) == EXACT[name]


@pytest.mark.parametrize("total", range(10))
def test_edges_of_ties_by_total_are_exact_to_the_last_digit_of_a_double(total: int) -> None:
    bet = f"egalite_{total}"
    assert (
        paying(**{bet: f"{EGALITE[total]}:1"})(bet) == EXACT["edge_egalite_150_215_225_200_120_110_45_45_80_80"][total]
    )
    assert float(probability(bet, 8)) == EXACT["tie_by_total"][total]


LIKELY: dict[str, Callable[[], Fraction]] = {
    "P": lambda: outcomes(8)["player"],
    "B": lambda: outcomes(8)["banker"],
    "T": lambda: outcomes(8)["tie"],
    "banker_win_6": lambda: probability("super_6", 8),
    "banker6_2c": lambda: probability("small_tiger", 8),
    "banker6_3c": lambda: probability("big_tiger", 8),
    "dragon7_p": lambda: probability("dragon_7", 8),
    "panda8_p": lambda: probability("panda_8", 8),
    "cards4": lambda: probability("small", 8),
    "natP": lambda: probability("player_natural", 8),
    "natB": lambda: probability("banker_natural", 8),
    "natAny": lambda: probability("any_natural", 8),
    "natwinP": lambda: ends("dragon_bonus_player", 8)["natural"],
    "natwinB": lambda: ends("dragon_bonus_banker", 8)["natural"],
    "natwin_P": lambda: ends("dragon_bonus_player", 8)["natural"],
    "natwin_B": lambda: ends("dragon_bonus_banker", 8)["natural"],
    "nattie": lambda: ends("dragon_bonus_player", 8)[PUSHED],
    "pair": lambda: probability("player_pair", 8),
    "either_pair": lambda: probability("either_pair", 8),
    "both_pair": lambda: ends("tiger_pair", 8)["both"] + ends("tiger_pair", 8)["alike"],
    "both_pair_same_rank": lambda: ends("tiger_pair", 8)["alike"],
    "suited_either": lambda: probability("perfect_pair", 8),
    "suited_both": lambda: ends("perfect_pair", 8)["both_hands"],
    "suited_pair_one_hand": lambda: (
        (ends("perfect_pair", 8)["one_hand"] + 2 * ends("perfect_pair", 8)["both_hands"]) / 2
    ),
    "tigertie_p": lambda: probability("tiger_tie", 8),
}


@pytest.mark.parametrize("name", LIKELY)
def test_probabilities_are_exact_to_the_last_digit_of_a_double(name: str) -> None:
    assert float(LIKELY[name]()) == EXACT[name]


@pytest.mark.parametrize(("side", "name"), [("player", "margins_P"), ("banker", "margins_B")])
def test_margins_of_wins_without_a_natural_are_exact(side: str, name: str) -> None:
    likely = ends(f"dragon_bonus_{side}", 8)
    assert [float(likely[f"margin_{margin}"]) for margin in range(4, 10)] == EXACT[name][4:]


def test_the_counts_of_pairs_are_those_of_the_independent_enumeration() -> None:
    raw, both = EXACT["raw"], ends("tiger_pair", 8)
    assert both["alike"] * total_orders(8) == raw["bothsame"]
    assert (both["alike"] + both["both"]) * total_orders(8) == raw["both"]


# As the trade publishes them, in percent; eight decks.
PUBLISHED = {
    ("classic@1", "player"): 1.2351,
    ("classic@1", "banker"): 1.0579,
    ("classic-8@1", "tie"): 14.3596,
    ("classic@1", "tie"): 4.8440,
    ("no-commission@1", "banker"): 1.4581,
    ("ez@1", "banker"): 1.0183,
    ("full@1", "player_pair"): 10.3614,
    ("full@1", "banker_pair"): 10.3614,
    ("full@1", "either_pair"): 13.7099,
    ("full@1", "perfect_pair"): 8.0470,
    ("full@1", "small"): 5.2829,
    ("full@1", "big"): 4.3457,
    ("full@1", "super_6"): 29.977,
    ("full@1", "lucky_6"): 16.6836,
    ("full@1", "dragon_7"): 7.6113,
    ("full@1", "panda_8"): 10.1876,
    ("full@1", "dragon_bonus_player"): 2.6517,
    ("full@1", "dragon_bonus_banker"): 9.3731,
}


@pytest.mark.parametrize(("paytable", "bet"), PUBLISHED)
def test_edges_are_the_published_ones(paytable: str, bet: str) -> None:
    assert float(edges(load(paytable), 8)[bet]) * 100 == pytest.approx(PUBLISHED[paytable, bet], abs=5.1e-4)


# Any number of decks.


@pytest.mark.parametrize("decks", range(1, 9))
def test_the_deals_tell_apart_what_any_bet_rests_on(decks: int) -> None:
    sorts = set()
    for facts, orders in deals(decks):
        assert orders > 0
        sorts.add(_sort(facts))
        assert all(len(bet.ends(facts)) == 1 for bet in BETS.values())
    assert len(sorts) == len(deals(decks))
    assert sum(deal.orders for deal in deals(decks)) == total_orders(decks)


def _sort(facts: Facts) -> tuple[object, ...]:
    assert facts.player is not None
    assert facts.banker is not None
    suited = [hand[0] == hand[1] for hand in (facts.player, facts.banker)]
    alike = facts.player_pair and facts.banker_pair and facts.player[0][0] == facts.banker[0][0]
    return (facts.player_total, len(facts.player), facts.banker_total, len(facts.banker), facts.player_pair,
            facts.banker_pair, *suited, alike)  # fmt: skip


@pytest.mark.parametrize("decks", range(1, 9))
def test_suited_pairs_are_as_likely_as_the_second_card_says(decks: int) -> None:
    """The second card is the same again in decks − 1 of the cards that are left."""
    one = Fraction(decks - 1, 52 * decks - 1)
    likely = ends("perfect_pair", decks)
    assert likely["one_hand"] + 2 * likely["both_hands"] == 2 * one
    both = ends("tiger_pair", decks)
    four = 4 * decks
    alike = Fraction((four - 1) * (four - 2) * (four - 3), (52 * decks - 1) * (52 * decks - 2) * (52 * decks - 3))
    assert both["alike"] == alike


def test_one_deck_has_no_suited_pair() -> None:
    assert probability("perfect_pair", 1) == 0


@pytest.mark.parametrize("decks", [1, 8])
@pytest.mark.parametrize("bet", BETS)
def test_the_ends_of_a_bet_are_all_there_is(bet: str, decks: int) -> None:
    assert sum(ends(bet, decks).values()) == 1
    assert set(ends(bet, decks)) <= {*BETS[bet].classes, LOST, PUSHED}


def test_moments_go_by_what_a_table_pays_and_not_by_its_name() -> None:
    text = 'id = "t"\nversion = {}\nrounding = "down"\nopposite_bets = "allowed"\n[pays]\ntie = "8:1"\n'
    one, other = (moments(parse(f"t@{n}", text.format(n)), 8)["tie"] for n in (1, 2))
    assert one is other
    p = outcomes(8)["tie"]
    assert one == Moments(mean=9 * p - 1, variance=81 * p * (1 - p))


def test_every_published_table_has_an_edge_for_each_bet() -> None:
    for name in published():
        assert all(Fraction(0) < edge < 1 for edge in edges(load(name), 8).values()), name
