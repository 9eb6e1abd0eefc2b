"""The bets: how a round ends for each, by the recorded rounds, and what may be said of a round without its cards."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from baccarat.bets import BETS, LOST, MAINS, OPPOSITES, PUSHED, WON
from baccarat.paytables import load
from baccarat.rounds import Facts, judge
from baccarat.settlement import Settler
from beadplate.offline.settle import Slip

DATA = Path(__file__).parents[1] / "data"
ROUNDS = json.loads((DATA / "settlements.json").read_text())["rounds"]
# By the name that the vectors give to bet and pay: the pay table that pays so, and the bet.
NETS = {
    "player": ("classic@1", "player"),
    "banker_5pct": ("classic@1", "banker"),
    "banker_no_commission_6_half": ("no-commission@1", "banker"),
    "banker_ez": ("ez@1", "banker"),
    "tie_8": ("classic-8@1", "tie"),
    "tie_9": ("classic@1", "tie"),
    "player_pair_11": ("full@1", "player_pair"),
    "banker_pair_11": ("full@1", "banker_pair"),
    "either_pair_5": ("full@1", "either_pair"),
    "perfect_pair_25_200": ("full@1", "perfect_pair"),
    "small_1.5": ("full@1", "small"),
    "big_0.54": ("full@1", "big"),
    "dragon7_40": ("full@1", "dragon_7"),
    "panda8_25": ("full@1", "panda_8"),
    "super6_12": ("full@1", "super_6"),
    "lucky6_12_20": ("full@1", "lucky_6"),
    "dragon_bonus_player": ("full@1", "dragon_bonus_player"),
    "dragon_bonus_banker": ("full@1", "dragon_bonus_banker"),
    "egalite_5": ("egalite@1", "egalite_5"),
    "egalite_6": ("egalite@1", "egalite_6"),
    "egalite_8": ("egalite@1", "egalite_8"),
}
RECORDED = [(case, name) for case in ROUNDS for name in case["expected"]["net_per_100"]]


def net(facts: Facts, paytable: str, bet: str, stake: int = 100) -> int:
    settler = Settler(facts, load(paytable), betting_closed_at=None, free_hand=False)
    (ruling,) = settler.rule([Slip(slip_id="a", bettor="1", bet=bet, stake=stake)])
    assert ruling.reason is None
    return ruling.payout - stake


def test_every_recorded_bet_is_one_of_ours() -> None:
    assert {name for _, name in RECORDED} == set(NETS)


@pytest.mark.parametrize(("case", "name"), RECORDED, ids=lambda it: it if isinstance(it, str) else it["id"])
def test_recorded_rounds_pay_as_recorded(case: dict[str, Any], name: str) -> None:
    facts = judge(player=case["player"], banker=case["banker"])
    assert net(facts, *NETS[name]) == case["expected"]["net_per_100"][name]


def test_each_bet_stands_under_its_own_name_and_needs_facts_that_exist() -> None:
    assert [bet.name for bet in BETS.values()] == list(BETS)
    assert {field for bet in BETS.values() for field in bet.needs} <= set(Facts.__slots__)
    assert OPPOSITES < MAINS < set(BETS)


@pytest.mark.parametrize("bet", BETS.values(), ids=lambda bet: bet.name)
def test_with_the_cards_there_is_one_end(bet: Any) -> None:
    for case in ROUNDS:
        (end,) = bet.ends(judge(player=case["player"], banker=case["banker"]))
        assert end in {*bet.classes, LOST, PUSHED}


# What each bet is, in words of its own: cards in, whether it wins. Only where no vector has it.
def by_cards(player: str, banker: str) -> Facts:
    return judge(player=player.split(), banker=banker.split())


TWO_CARD_6 = by_cards("KH 6S", "2H 4S")  # a tie on six
SIX_OF_TWO = by_cards("2H QS KD", "2S 4S")
SIX_OF_THREE = by_cards("2H QS 2D", "2S KS 4D")


@pytest.mark.parametrize(
    ("bet", "facts", "end"),
    [
        ("small_tiger", SIX_OF_TWO, WON),
        ("small_tiger", SIX_OF_THREE, LOST),
        ("small_tiger", TWO_CARD_6, LOST),
        ("big_tiger", SIX_OF_TWO, LOST),
        ("big_tiger", SIX_OF_THREE, WON),
        ("tiger", SIX_OF_TWO, "two_cards"),
        ("tiger", SIX_OF_THREE, "three_cards"),
        ("tiger", TWO_CARD_6, LOST),
        ("tiger_tie", TWO_CARD_6, WON),
        ("tiger_tie", by_cards("KH 7S", "3H 4S"), LOST),
        ("tiger_pair", by_cards("4H 4S", "KD QS"), "one"),
        ("tiger_pair", by_cards("KH QS 7D", "3D 3S 2C"), "one"),
        ("tiger_pair", by_cards("4H 4S", "9D 9S"), "both"),
        ("tiger_pair", by_cards("4H 4S", "4D 4C"), "alike"),
        ("tiger_pair", by_cards("KH QS 7D", "4D 3S"), LOST),
        ("egalite_6", TWO_CARD_6, WON),
        ("egalite_7", TWO_CARD_6, LOST),
        ("egalite_0", by_cards("KH QS JD", "KD QD TC"), WON),
        ("player_natural", by_cards("KH 9S", "KD 9D"), WON),
        ("player_natural", by_cards("KH 7S", "KD 9D"), LOST),
        ("player_natural", by_cards("2H QS 7D", "KD 7D"), LOST),
        ("banker_natural", by_cards("KH 9S", "KD 8D"), WON),
        ("any_natural", by_cards("KH 7S", "KD 9D"), WON),
        ("any_natural", TWO_CARD_6, LOST),
        ("dragon_bonus_player", by_cards("KH 9S", "KD 8D"), "natural"),
        ("dragon_bonus_player", by_cards("KH 9S", "KD 9D"), PUSHED),
        ("dragon_bonus_player", TWO_CARD_6, LOST),
        ("dragon_bonus_banker", by_cards("2H QS KD", "2S 5S"), "margin_5"),
        ("dragon_bonus_banker", by_cards("2H QS 2D", "2S 5S"), LOST),
    ],
)
def test_bets_that_the_recorded_rounds_do_not_have(bet: str, facts: Facts, end: str) -> None:
    assert BETS[bet].ends(facts) == (end,)


# Rounds without cards.

KEYED: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("player", {"outcome": "tie"}, (PUSHED,)),
    ("tie", {"outcome": "tie"}, (WON,)),
    ("banker", {"outcome": "banker"}, (WON, "on_6", "three_card_7")),
    ("banker", {"outcome": "banker", "banker_total": 6}, ("on_6",)),
    ("banker", {"outcome": "banker", "banker_total": 5}, (WON,)),
    ("banker", {"outcome": "banker", "banker_total": 7}, (WON, "three_card_7")),
    ("banker", {"outcome": "banker", "banker_natural": True}, (WON,)),
    ("player_pair", {"outcome": "player"}, (WON, LOST)),
    ("player_pair", {"outcome": "player", "player_total": 9, "player_natural": True}, (WON, LOST)),
    ("player_pair", {"outcome": "player", "player_pair": False}, (LOST,)),
    ("either_pair", {"outcome": "player", "player_pair": True}, (WON,)),
    ("either_pair", {"outcome": "player", "player_pair": False}, (WON, LOST)),
    ("perfect_pair", {"outcome": "player", "player_pair": False, "banker_pair": False}, (LOST,)),
    ("perfect_pair", {"outcome": "player", "player_pair": True, "banker_pair": False}, ("one_hand", LOST)),
    ("small", {"outcome": "player", "player_natural": True}, (WON,)),
    ("big", {"outcome": "player", "player_natural": True}, (LOST,)),
    ("small", {"outcome": "player", "player_natural": False, "banker_natural": False}, (LOST, WON)),
    ("big", {"outcome": "player", "player_total": 9, "player_natural": False}, (WON,)),
    ("super_6", {"outcome": "player"}, (LOST,)),
    ("super_6", {"outcome": "banker"}, (WON, LOST)),
    ("super_6", {"outcome": "banker", "banker_total": 6}, (WON,)),
    ("lucky_6", {"outcome": "banker", "banker_total": 6}, ("three_cards", "two_cards")),
    ("dragon_7", {"outcome": "banker", "banker_total": 6}, (LOST,)),
    ("dragon_7", {"outcome": "banker", "banker_total": 7}, (WON, LOST)),
    ("panda_8", {"outcome": "player", "player_total": 8, "player_natural": False}, (WON,)),
    ("panda_8", {"outcome": "player", "player_total": 8, "player_natural": True}, (LOST,)),
    ("panda_8", {"outcome": "player", "player_total": 8}, (WON, LOST)),
    ("dragon_bonus_player", {"outcome": "banker"}, (LOST,)),
    ("dragon_bonus_player", {"outcome": "tie", "player_total": 5, "banker_total": 5}, (LOST,)),
    ("dragon_bonus_player", {"outcome": "tie"}, (PUSHED, LOST)),
    ("dragon_bonus_player", {"outcome": "player", "player_total": 7, "banker_total": 2}, ("margin_5",)),
    ("dragon_bonus_player", {"outcome": "player", "player_total": 9, "banker_total": 2}, ("natural", "margin_7")),
    ("dragon_bonus_player", {"outcome": "player", "player_natural": True}, ("natural",)),
    ("tiger_tie", {"outcome": "tie", "player_total": 6}, (WON,)),
    ("tiger_tie", {"outcome": "tie"}, (WON, LOST)),
    ("tiger_pair", {"outcome": "tie", "player_pair": True, "banker_pair": False}, ("one",)),
    ("tiger_pair", {"outcome": "tie", "player_pair": True, "banker_pair": True}, ("alike", "both")),
    ("any_natural", {"outcome": "player", "banker_natural": True}, (WON,)),
    ("any_natural", {"outcome": "player", "banker_natural": False}, (WON, LOST)),
]


@pytest.mark.parametrize(("bet", "keyed", "ends"), KEYED)
def test_what_was_keyed_decides_as_far_as_it_goes(bet: str, keyed: dict[str, Any], ends: tuple[str, ...]) -> None:
    assert set(BETS[bet].ends(judge(**keyed))) == set(ends)


FIELDS = ("player_total", "banker_total", "player_natural", "banker_natural", "player_pair", "banker_pair")


def keyed_of(facts: Facts, fields: tuple[str, ...]) -> Facts:
    return judge(outcome=facts.outcome, **{field: getattr(facts, field) for field in fields})


@pytest.mark.parametrize("case", ROUNDS, ids=lambda case: case["id"])
def test_whatever_part_of_a_round_was_keyed_its_true_end_is_possible(case: dict[str, Any]) -> None:
    facts = judge(player=case["player"], banker=case["banker"])
    for size in range(len(FIELDS) + 1):
        for fields in itertools.combinations(FIELDS, size):
            keyed = keyed_of(facts, fields)
            for bet in BETS.values():
                assert bet.ends(facts)[0] in bet.ends(keyed), (bet.name, fields)


@pytest.mark.parametrize("bet", BETS.values(), ids=lambda bet: bet.name)
def test_what_is_keyed_tells_of_all_rounds_whether_a_bet_wins_or_of_none(bet: Any) -> None:
    dealt = [judge(player=case["player"], banker=case["banker"]) for case in ROUNDS]
    for size in range(len(FIELDS) + 1):
        for fields in itertools.combinations(FIELDS, size):
            said = [bet.wins(keyed_of(facts, fields)) for facts in dealt]
            assert said in ([None] * len(dealt), [bet.wins(facts) for facts in dealt]), fields


WON_OR_NOT = [
    ("banker", {"outcome": "banker"}, True),
    ("tie", {"outcome": "player"}, False),
    ("super_6", {"outcome": "player"}, None),
    ("super_6", {"outcome": "player", "banker_total": 3}, False),
    ("super_6", {"outcome": "banker", "banker_total": 6}, True),
    ("either_pair", {"outcome": "tie", "player_pair": True}, None),
    ("either_pair", {"outcome": "tie", "player_pair": True, "banker_pair": False}, True),
    ("small", {"outcome": "player", "player_natural": True}, None),
    ("perfect_pair", {"player": ["4", "5H"], "banker": ["KC", "QC"]}, None),
    ("perfect_pair", {"player": ["4H", "5H"], "banker": ["KC", "QC"]}, False),
    ("tiger_pair", {"player": ["4", "5"], "banker": ["K", "Q"]}, False),
]


@pytest.mark.parametrize(("bet", "told", "won"), WON_OR_NOT)
def test_a_round_counts_for_a_bet_only_where_it_would_whatever_its_result(
    bet: str, told: dict[str, Any], *, won: bool | None
) -> None:
    assert BETS[bet].wins(judge(**told)) is won


def test_a_card_without_its_suit_leaves_a_perfect_pair_open_and_settles_all_else() -> None:
    facts = judge(player=["4", "4H"], banker=["K", "Q"])
    assert set(BETS["perfect_pair"].ends(facts)) == {"one_hand", LOST}
    assert all(len(bet.ends(facts)) == 1 for bet in BETS.values() if bet.name != "perfect_pair")
    assert BETS["perfect_pair"].ends(judge(player=["4", "5"], banker=["K", "Q"])) == (LOST,)
