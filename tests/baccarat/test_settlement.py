"""Settlement: recorded rounds, the house's order of verdicts, and money to the last minor unit."""

import json
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.paytables import Paytable, Rounding, load, parse
from baccarat.rounds import Facts, judge
from baccarat.settlement import Ruling, Settler, winnings

DATA = Path(__file__).parents[1] / "data"
ROUNDS = json.loads((DATA / "settlements.json").read_text())["rounds"]
NETS = {
    ("classic@1", "player"): "player",
    ("classic@1", "banker"): "banker_5pct",
    ("classic@1", "tie"): "tie_9",
    ("classic-8@1", "tie"): "tie_8",
    ("classic@1", "player_pair"): "player_pair_11",
    ("classic@1", "banker_pair"): "banker_pair_11",
}
CLOSED = "2026-11-30T18:00:58.000Z"
IN_TIME = "2026-11-30T18:00:50.000Z"
TOO_LATE = "2026-11-30T18:00:58.001Z"
LARGEST = 2**53 - 1

BANKER_WON = judge(player=["7H", "KD"], banker=["8C", "KS"])
PLAYER_WON = judge(player=["8C", "KS"], banker=["7H", "KD"])
TIED = judge(player=["8C", "KS"], banker=["8H", "KD"])


@dataclass(frozen=True)
class Slip:
    bet: str
    stake: int = 100
    bettor: str = "seat-1"
    placed_at: str | None = IN_TIME


def rule(
    facts: Facts | None, *slips: Slip, paytable: str | Paytable | None = "classic@1", closed: str | None = CLOSED,
    free_hand: bool = False,
) -> list[Ruling]:  # fmt: skip
    table = load(paytable) if isinstance(paytable, str) else paytable
    return Settler(facts, table, betting_closed_at=closed, free_hand=free_hand).rule(slips)


def rounding_by(rule_name: Rounding) -> Paytable:
    text = f'id = "t"\nversion = 1\nrounding = "{rule_name}"\nopposite_bets = "allowed"\n[pays]\nbanker = "19:20"\n'
    return parse("t@1", text)


@pytest.mark.parametrize(("paytable", "bet"), NETS)
@pytest.mark.parametrize("case", ROUNDS, ids=lambda case: case["id"])
def test_recorded_rounds_pay_as_recorded(case: dict[str, Any], paytable: str, bet: str) -> None:
    net = case["expected"]["net_per_100"][NETS[paytable, bet]]
    facts = judge(player=case["player"], banker=case["banker"])
    (ruling,) = rule(facts, Slip(bet), paytable=paytable)
    assert ruling == ("won" if net > 0 else "lost" if net < 0 else "pushed", 100 + net, None)


@pytest.mark.parametrize("name", ["bets_settled", "bets_settled_corrected", "bets_settled_voided"])
def test_the_published_batch_settles_as_published(name: str) -> None:
    placed = json.loads((DATA / "examples" / "bets_placed.json").read_text())
    settled = json.loads((DATA / "examples" / f"{name}.json").read_text())
    slips = [Slip(slip["bet"], slip["stake"], slip["bettor"], slip["placed_at"]) for slip in placed["slips"]]
    facts = Facts(outcome=settled["outcome"], player_pair=False, banker_pair=False) if "outcome" in settled else None
    paytable = load(settled["paytable"]) if "paytable" in settled else None
    rulings = Settler(facts, paytable, betting_closed_at=CLOSED, free_hand=False).rule(slips)
    assert [(ruling.result, ruling.payout, ruling.reason) for ruling in rulings] == [
        (slip["result"], slip["payout"], slip.get("reason")) for slip in settled["settlements"]
    ]


# Money.


@pytest.mark.parametrize(
    ("facts", "bet", "pay"),
    [
        (BANKER_WON, "banker", Fraction(95, 100)),
        (PLAYER_WON, "player", Fraction(1)),
        (TIED, "tie", Fraction(9)),
        (judge(player=["4H", "4D"], banker=["5S", "5H"]), "player_pair", Fraction(11)),
        (judge(player=["4H", "4D"], banker=["5S", "5H"]), "banker_pair", Fraction(11)),
    ],
)
def test_every_stake_to_ten_thousand_pays_the_exact_winnings_rounded_down(
    facts: Facts, bet: str, pay: Fraction
) -> None:
    rulings = rule(facts, *(Slip(bet, stake) for stake in range(1, 10_001)))
    assert rulings == [("won", stake + floor(stake * pay), None) for stake in range(1, 10_001)]


def nearest(amount: Fraction, *, half_up: bool) -> int:
    below = floor(amount)
    part = amount - below
    if part == Fraction(1, 2):
        return below + 1 if half_up or below % 2 else below
    return below + (part > Fraction(1, 2))


@pytest.mark.parametrize("rounding", ["down", "half_even", "half_up"])
def test_every_rounding_rule_at_every_stake_to_ten_thousand(rounding: Rounding) -> None:
    rulings = rule(BANKER_WON, *(Slip("banker", stake) for stake in range(1, 10_001)), paytable=rounding_by(rounding))
    for stake, ruling in enumerate(rulings, 1):
        exact = Fraction(19, 20) * stake
        rounded = floor(exact) if rounding == "down" else nearest(exact, half_up=rounding == "half_up")
        assert ruling == ("won", stake + rounded, None)


@pytest.mark.parametrize(("rounding", "payouts"), [("down", [19, 58]), ("half_even", [20, 58]), ("half_up", [20, 59])])
def test_rounding_at_a_half_is_of_the_winnings_not_of_the_payout(rounding: Rounding, payouts: list[int]) -> None:
    # 10 wins 9.5 and 30 wins 28.5: half even makes 10 and 28 of them
    rulings = rule(BANKER_WON, Slip("banker", 10), Slip("banker", 30), paytable=rounding_by(rounding))
    assert [ruling.payout for ruling in rulings] == payouts
    assert [stake + winnings(stake, Fraction(19, 20), rounding) for stake in (10, 30)] == payouts


@given(st.integers(1, LARGEST), st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=1000))
def test_winnings_are_exact_for_any_stake_and_pay(stake: int, pay: Fraction) -> None:
    assert winnings(stake, pay, "down") == floor(stake * pay)
    assert winnings(stake, pay, "half_up") == nearest(stake * pay, half_up=True)
    assert winnings(stake, pay, "half_even") == nearest(stake * pay, half_up=False)


def test_the_largest_stake_loses_no_minor_unit() -> None:
    (ruling,) = rule(BANKER_WON, Slip("banker", LARGEST))
    assert ruling.payout == LARGEST + LARGEST * 19 // 20


def test_the_commission_on_a_small_stake_is_rounded_down() -> None:
    (ruling,) = rule(BANKER_WON, Slip("banker", 25))
    assert ruling == ("won", 48, None)  # 23.75 of winnings


def test_a_tie_gives_player_and_banker_stakes_back_whole() -> None:
    rulings = rule(TIED, Slip("player", 100, "a"), Slip("banker", 300, "b"))
    assert rulings == [("pushed", 100, None), ("pushed", 300, None)]


# Verdicts that give the stake back.


def test_a_voided_round_voids_every_slip_and_needs_no_pay_table() -> None:
    slips = [Slip("player"), Slip("no such bet", 7), Slip("tie", 9, placed_at=TOO_LATE), Slip("banker", 5)]
    assert rule(None, *slips, paytable=None) == [("voided", slip.stake, "round_voided") for slip in slips]


def test_a_voided_free_hand_is_voided() -> None:
    assert rule(None, Slip("player"), free_hand=True) == [("voided", 100, "round_voided")]


def test_a_free_hand_refuses_every_slip() -> None:
    slips = [Slip("player"), Slip("no such bet", 7), Slip("tie", 9, placed_at=TOO_LATE)]
    assert rule(PLAYER_WON, *slips, free_hand=True) == [("refused", slip.stake, "free_hand") for slip in slips]


def test_a_bet_that_the_pay_table_does_not_offer_is_refused_before_it_is_late() -> None:
    assert rule(PLAYER_WON, Slip("dragon_7", placed_at=TOO_LATE)) == [("refused", 100, "unknown_bet")]


def test_a_late_slip_is_refused_before_it_is_opposite_and_holds_no_side() -> None:
    rulings = rule(
        BANKER_WON,
        Slip("player", placed_at=TOO_LATE),
        Slip("banker"),
        Slip("player", placed_at=TOO_LATE),
        Slip("player"),
    )
    assert [ruling.reason for ruling in rulings] == ["late", None, "late", "opposite_bet"]


@pytest.mark.parametrize(
    ("placed", "closed", "late"),
    [
        (CLOSED, CLOSED, False),
        (TOO_LATE, CLOSED, True),
        ("2026-11-30T18:00:58.000500Z", CLOSED, True),
        ("2026-11-30T18:00:58.000000Z", CLOSED, False),
        ("2026-11-30T18:00:57.999999Z", CLOSED, False),
        ("2026-11-30T18:00:58.000Z", "2026-11-30T18:00:58.000500Z", False),
        ("2026-11-30T18:00:58.001Z", "2026-11-30T18:00:58.000500Z", True),
        ("2026-12-01T00:00:00.000Z", CLOSED, True),
        ("2026-11-30T18:00:58.000501Z", "2026-11-30T18:00:58.000500Z", True),
        (None, CLOSED, False),
        (TOO_LATE, None, False),
    ],
)
def test_lateness_compares_instants(placed: str | None, closed: str | None, late: bool) -> None:  # noqa: FBT001
    (ruling,) = rule(PLAYER_WON, Slip("player", placed_at=placed), closed=closed)
    assert (ruling.reason == "late") is late


def test_the_later_of_two_opposite_slips_is_refused_whoever_wins() -> None:
    for facts in (PLAYER_WON, BANKER_WON, TIED):
        assert [r.reason for r in rule(facts, Slip("player"), Slip("banker"))] == [None, "opposite_bet"]
        assert [r.reason for r in rule(facts, Slip("banker"), Slip("player"))] == [None, "opposite_bet"]


def test_a_refused_opposite_slip_does_not_change_the_side_held() -> None:
    rulings = rule(PLAYER_WON, Slip("player"), Slip("banker"), Slip("player"), Slip("banker"), Slip("tie"))
    assert [ruling.reason for ruling in rulings] == [None, "opposite_bet", None, "opposite_bet", None]


def test_different_bettors_may_hold_opposite_sides() -> None:
    assert [r.reason for r in rule(PLAYER_WON, Slip("player", 1, "a"), Slip("banker", 1, "b"))] == [None, None]


def test_opposite_slips_in_different_batches_do_not_see_each_other() -> None:
    settler = Settler(PLAYER_WON, load("classic@1"), betting_closed_at=CLOSED, free_hand=False)
    assert settler.rule([Slip("player")])[0].reason is None
    assert settler.rule([Slip("banker")])[0].reason is None


def test_a_pay_table_may_allow_opposite_bets() -> None:
    text = (
        'id = "t"\nversion = 1\nrounding = "down"\nopposite_bets = "allowed"\n[pays]\nplayer = "1:1"\nbanker = "1:1"\n'
    )
    rulings = rule(PLAYER_WON, Slip("player"), Slip("banker"), paytable=parse("t@1", text))
    assert rulings == [("won", 200, None), ("lost", 0, None)]


def test_a_pair_bet_on_a_round_without_pairs_keyed_is_voided_never_guessed() -> None:
    rulings = rule(Facts(outcome="player", banker_pair=True), Slip("player_pair", 70), Slip("banker_pair", 30))
    assert rulings == [("voided", 70, "unknown_fact"), ("won", 360, None)]


def test_a_late_slip_on_an_unknown_fact_is_late() -> None:
    assert rule(Facts(outcome="player"), Slip("player_pair", placed_at=TOO_LATE)) == [("refused", 100, "late")]


def test_a_round_that_is_not_voided_needs_a_pay_table() -> None:
    with pytest.raises(ValueError, match="none was given"):
        rule(PLAYER_WON, Slip("player"), paytable=None)


def test_a_correction_rules_the_whole_batch_as_if_it_had_been_right_at_first() -> None:
    slips = [Slip("player", 100, "a"), Slip("banker", 200, "b"), Slip("tie", 50, "c")]
    rule(PLAYER_WON, *slips)
    assert rule(BANKER_WON, *slips) == [("lost", 0, None), ("won", 390, None), ("lost", 0, None)]


BETS = st.sampled_from(["player", "banker", "tie", "player_pair", "banker_pair", "no such bet"])
SLIPS = st.lists(
    st.builds(
        Slip,
        BETS,
        st.integers(1, LARGEST),
        st.sampled_from(["a", "b", "c"]),
        st.sampled_from([IN_TIME, TOO_LATE, None]),
    ),
    max_size=30,
)
FACTS = st.none() | st.builds(
    Facts,
    outcome=st.sampled_from(["player", "banker", "tie"]),
    player_pair=st.none() | st.booleans(),
    banker_pair=st.none() | st.booleans(),
)


@given(FACTS, SLIPS, st.booleans())
def test_every_slip_is_ruled_once_and_its_stake_never_lost_without_a_verdict(
    facts: Facts | None,
    slips: list[Slip],
    free_hand: bool,  # noqa: FBT001
) -> None:
    rulings = rule(facts, *slips, free_hand=free_hand)
    assert len(rulings) == len(slips)
    for slip, ruling in zip(slips, rulings, strict=True):
        match ruling.result:
            case "won":
                assert slip.stake <= ruling.payout <= 12 * slip.stake
            case "lost":
                assert ruling.payout == 0
            case _:
                assert ruling.payout == slip.stake
        assert (ruling.reason is not None) == (ruling.result in ("refused", "voided"))


@given(SLIPS)
def test_no_bettor_holds_both_sides_in_one_batch(slips: list[Slip]) -> None:
    held = {(slip.bettor, slip.bet) for slip, r in zip(slips, rule(TIED, *slips), strict=True) if r.result == "pushed"}
    assert not {bettor for bettor, bet in held if bet == "player"} & {bettor for bettor, bet in held if bet == "banker"}
