"""The bets: how a round ends for each, and what it takes to know."""

import json
from pathlib import Path
from typing import Any

import pytest

from baccarat.bets import BETS, LOST, PUSHED, WON, Bet
from baccarat.rounds import Facts, judge

DATA = Path(__file__).parents[1] / "data"
ROUNDS = json.loads((DATA / "settlements.json").read_text())["rounds"]
# The recorded net of a stake of 100, by the name that the vectors give to bet and pay.
NETS = {
    "player": "player",
    "banker": "banker_5pct",
    "tie": "tie_9",
    "player_pair": "player_pair_11",
    "banker_pair": "banker_pair_11",
}


@pytest.mark.parametrize("bet", NETS)
@pytest.mark.parametrize("case", ROUNDS, ids=lambda case: case["id"])
def test_recorded_rounds_end_as_recorded(case: dict[str, Any], bet: str) -> None:
    net = case["expected"]["net_per_100"][NETS[bet]]
    facts = judge(player=case["player"], banker=case["banker"])
    assert BETS[bet].end(facts) == (WON if net > 0 else LOST if net < 0 else PUSHED)
    assert BETS[bet].wins(facts) is (net > 0)


@pytest.mark.parametrize("bet", ["player_pair", "banker_pair"])
def test_a_pair_that_nobody_keyed_is_unknown_not_lost(bet: str) -> None:
    assert BETS[bet].end(Facts(outcome="player")) is None
    assert BETS[bet].wins(Facts(outcome="player")) is None


@pytest.mark.parametrize("bet", ["player", "banker", "tie"])
def test_the_outcome_alone_decides_the_main_bets(bet: str) -> None:
    assert BETS[bet].end(Facts(outcome="tie")) == (WON if bet == "tie" else PUSHED)


def test_each_bet_stands_under_its_own_name_and_needs_facts_that_exist() -> None:
    assert [bet.name for bet in BETS.values()] == list(BETS)
    assert {field for bet in BETS.values() for field in bet.needs} <= set(Facts.__slots__)


def test_a_bet_may_win_in_several_ways_and_rest_on_the_cards() -> None:
    """What the entries of side bets will look like: Lucky 6 pays more for a six of three cards."""
    lucky_6 = Bet(
        name="lucky_6",
        needs=("banker_total", "banker"),
        classes=("two_cards", "three_cards"),
        decide=lambda facts: (
            LOST
            if (facts.outcome, facts.banker_total) != ("banker", 6)
            else "three_cards"
            if len(facts.banker or ()) == 3
            else "two_cards"
        ),
    )
    ends = {-100: LOST, 1200: "two_cards", 2000: "three_cards"}
    for case in ROUNDS:
        facts = judge(player=case["player"], banker=case["banker"])
        assert lucky_6.end(facts) == ends[case["expected"]["net_per_100"]["lucky6_12_20"]]
    assert lucky_6.end(judge(outcome="banker", banker_total=6)) is None
