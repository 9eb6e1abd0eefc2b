"""Rounds: facts from cards and from the keypad, and everything that cannot have happened."""

import contextlib
import functools
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat import rounds
from baccarat.rounds import Facts, ImpossibleRound, Outcome, judge, letter

DATA = Path(__file__).parents[1] / "data"
SETTLEMENTS = json.loads((DATA / "settlements.json").read_text())
ROUNDS = SETTLEMENTS["rounds"]
IMPOSSIBLE = [case for case in SETTLEMENTS["rejections"] if "player" in case]
OUTCOMES: dict[str, Outcome] = {"P": "player", "B": "banker", "T": "tie"}
RECORDED = ("player_total", "banker_total", "player_natural", "banker_natural", "player_pair", "banker_pair")

# The house rules in words, apart from the code: the thirds of Player on which Banker draws, by her total.
BANKER_DRAWS_ON = {0: "0123456789", 1: "0123456789", 2: "0123456789", 3: "012345679", 4: "234567", 5: "4567", 6: "67"}


def may_happen(player: list[int], banker: list[int]) -> bool:
    player_two, banker_two = sum(player[:2]) % 10, sum(banker[:2]) % 10
    if player_two >= 8 or banker_two >= 8:
        return len(player) == len(banker) == 2
    if (player_two <= 5) != (len(player) == 3):
        return False
    banker_draws = banker_two <= 5 if len(player) == 2 else str(player[2]) in BANKER_DRAWS_ON.get(banker_two, "")
    return banker_draws == (len(banker) == 3)


def hands() -> Iterator[list[int]]:
    """Yield every hand that differs to the rules: two cards of each total, without and with each third card."""
    for total in range(10):
        yield [0, total]
        yield from ([0, total, third] for third in range(10))


def texts(hand: list[int]) -> list[str]:
    return ["KH" if value == 0 else "AS" if value == 1 else f"{value}D" for value in hand]


@pytest.mark.parametrize("case", ROUNDS, ids=lambda case: case["id"])
def test_the_facts_of_recorded_rounds(case: dict[str, Any]) -> None:
    facts = judge(player=case["player"], banker=case["banker"])
    assert facts.outcome == OUTCOMES[case["expected"]["winner"]]
    assert {field: getattr(facts, field) for field in RECORDED} == {
        field: case["expected"][field] for field in RECORDED
    }
    assert facts.player == tuple(case["player"])
    assert facts.banker == tuple(case["banker"])


@pytest.mark.parametrize("case", IMPOSSIBLE, ids=lambda case: case["id"])
def test_recorded_impossible_hands_are_refused(case: dict[str, Any]) -> None:
    with pytest.raises(ImpossibleRound):
        judge(player=case["player"], banker=case["banker"])


def test_exactly_the_hands_that_the_tableau_allows_are_accepted() -> None:
    wrong, accepted = [], 0
    for player, banker in itertools.product(hands(), hands()):
        try:
            facts = judge(player=texts(player), banker=texts(banker))
        except ImpossibleRound:
            happened = False
        else:
            happened = True
            totals = sum(player) % 10, sum(banker) % 10
            assert (facts.player_total, facts.banker_total) == totals
            assert facts.outcome == (
                "tie" if totals[0] == totals[1] else "player" if totals[0] > totals[1] else "banker"
            )
            accepted += 1
        if happened is not may_happen(player, banker):
            wrong.append((player, banker))
    assert wrong == []
    # 36 pairs of starts with a natural; Player stands on 6 or 7: 2x2 stand-offs and 2x6 starts with ten Banker thirds;
    # Player draws from 6 starts and ten thirds: Banker draws ten each on 48 of 80 (her total, his third), else stands
    assert accepted == 36 + 4 + 120 + 6 * ((10 + 10 + 10 + 9 + 6 + 4 + 2) * 10 + (1 + 4 + 6 + 8 + 10))


@pytest.mark.parametrize(
    ("player", "banker", "message"),
    [
        ("6H KD", "7C KS 2D", "Banker drew on 7: 7C KS 2D"),
        ("6H KD 2C", "5C KS", "Player drew on 6: 6H KD 2C"),
        ("2H KD", "7C KS", "Player stood on 2: 2H KD"),
        ("2H KD 6C", "6C KS", "Banker stood on 6 against a third card of 6: 6C KS"),
        ("2H KD 8C", "3C KS 2D", "Banker drew on 3 against a third card of 8: 3C KS 2D"),
        ("2H KD 5C", "2C KS", "Banker stood on 2: 2C KS"),
        ("2H KD 5C", "7C KS 2D", "Banker drew on 7: 7C KS 2D"),
        ("2H KD TC", "5C KS 2D", "Banker drew on 5 against a third card of 0: 5C KS 2D"),
        ("6H KD", "5C KS", "Banker stood on 5: 5C KS"),
        ("8H KD", "2C 3S 4D", "Banker drew after Player's natural 8H KD, which ends the round: 2C 3S 4D"),
        ("8H KD 2C", "2C 3S", "Player drew after Player's natural 8H KD, which ends the round: 8H KD 2C"),
        ("2H KD 5C", "9C KS", "Player drew after Banker's natural 9C KS, which ends the round: 2H KD 5C"),
    ],
)
def test_a_hand_that_cannot_be_is_refused_by_its_fault(player: str, banker: str, message: str) -> None:
    with pytest.raises(ImpossibleRound) as refusal:
        judge(player=player.split(), banker=banker.split())
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("player", "banker", "message"),
    [
        (["4H", "5S"], None, "Player's cards came without Banker's: send both hands or neither"),
        (None, ["KD", "3C"], "Banker's cards came without Player's: send both hands or neither"),
    ],
)
def test_one_hand_without_the_other_is_refused(
    player: list[str] | None, banker: list[str] | None, message: str
) -> None:
    with pytest.raises(ImpossibleRound, match=message):
        judge(player=player, banker=banker, outcome="player")


@pytest.mark.parametrize("hand", [[], ["4H"], ["2H", "AH", "AS", "AC"]])
def test_a_hand_has_two_or_three_cards(hand: list[str]) -> None:
    with pytest.raises(ImpossibleRound, match="two or three"):
        judge(player=hand, banker=["KD", "7C"])


def test_a_card_that_is_none_is_quoted() -> None:
    with pytest.raises(ImpossibleRound, match="Banker holds '10H'"):
        judge(player=["4H", "5S"], banker=["10H", "7C"])


def test_the_suit_never_matters_and_may_be_missing() -> None:
    with_suits = judge(player=["4H", "4S"], banker=["KD", "3C"])
    without = judge(player=["4", "4"], banker=["K", "3"])
    assert [getattr(with_suits, field) for field in RECORDED] == [getattr(without, field) for field in RECORDED]


def test_both_naturals_are_told_also_of_the_loser_and_in_a_tie() -> None:
    lost = judge(player=["8H", "KD"], banker=["9C", "QS"])
    assert (lost.player_natural, lost.banker_natural, lost.outcome) == (True, True, "banker")
    tied = judge(player=["TS", "8D"], banker=["AH", "7C"])
    assert (tied.player_natural, tied.banker_natural, tied.outcome) == (True, True, "tie")


def test_a_three_card_nine_is_no_natural() -> None:
    assert judge(player=["2H", "KD", "7C"], banker=["KC", "KS", "TD"]).player_natural is False


def test_ten_and_jack_are_no_pair() -> None:
    assert judge(player=["TH", "JD", "9C"], banker=["7S", "TD"]).player_pair is False


@pytest.mark.parametrize(
    "keyed",
    [
        {"outcome": "tie"},
        {"player_total": 8},
        {"banker_total": 4},
        {"player_natural": False},
        {"banker_natural": True},
        {"player_pair": True},
        {"banker_pair": True},
        {"player_total": 10**5000},
    ],
    ids=lambda keyed: next(iter(keyed)),
)
def test_what_is_keyed_beside_the_cards_must_agree_with_them(keyed: dict[str, Any]) -> None:
    with pytest.raises(ImpossibleRound, match=next(iter(keyed))):
        judge(player=["4H", "5S"], banker=["KD", "3C"], **keyed)


def test_what_is_keyed_rightly_beside_the_cards_changes_nothing() -> None:
    facts = judge(player=["4H", "5S"], banker=["KD", "3C"])
    keyed = {field: getattr(facts, field) for field in ("outcome", *RECORDED)}
    assert judge(player=["4H", "5S"], banker=["KD", "3C"], **keyed) == facts


def test_what_is_not_keyed_stays_unknown() -> None:
    assert judge(outcome="tie", player_total=7) == Facts(outcome="tie", player_total=7)


def test_a_keypad_round_as_published_is_accepted() -> None:
    event = json.loads((DATA / "examples" / "round_dealt_keypad.json").read_text())
    keyed = {field: event[field] for field in ("outcome", *RECORDED) if field in event}
    facts = judge(**keyed)
    assert {field: getattr(facts, field) for field in keyed} == keyed
    assert (facts.player_natural, facts.banker_natural, facts.player, facts.banker) == (None, None, None, None)


@pytest.mark.parametrize(
    ("keyed", "message"),
    [
        ({}, "needs its outcome"),
        ({"player_total": 3, "banker_total": 3}, "needs its outcome"),
        (
            {"outcome": "tie", "player_total": 7, "banker_total": 6},
            "outcome tie with player_total 7 and banker_total 6",
        ),
        ({"outcome": "player", "player_total": 6, "banker_total": 6}, "outcome player with player_total 6"),
        ({"outcome": "player", "player_total": 6, "banker_total": 7}, "outcome player with player_total 6"),
        ({"outcome": "player", "player_total": 0}, "outcome player with player_total 0"),
        ({"outcome": "banker", "player_total": 9}, "outcome banker with player_total 9"),
        ({"outcome": "player", "player_total": 7, "player_natural": True}, "player_total 7 with player_natural true"),
        (
            {"outcome": "banker", "player_natural": True, "banker_natural": False},
            "outcome banker with player_natural true",
        ),
        ({"outcome": "tie", "player_natural": True, "banker_natural": False}, "outcome tie with player_natural true"),
        ({"outcome": "player", "player_total": 8, "banker_natural": True}, "outcome player with player_total 8"),
        ({"outcome": "player", "banker_natural": True, "player_natural": False}, "outcome player with"),
        # a natural leaves the other side with two cards, and a pair of cards makes an even total
        ({"outcome": "player", "player_total": 9, "player_natural": True, "player_pair": True}, "player_pair true"),
        ({"outcome": "player", "player_natural": True, "banker_total": 7, "banker_pair": True}, "banker_pair true"),
        ({"outcome": "tie", "player_total": 8, "player_natural": True, "banker_natural": False}, "outcome tie"),
        ({"outcome": "player", "player_total": 10}, "Player's total is out of range"),
        ({"outcome": "banker", "banker_total": -1}, "Banker's total is out of range"),
        ({"outcome": "banker", "banker_total": 10**5000}, "Banker's total is out of range"),
        ({"outcome": "dealer"}, "'dealer' is no outcome"),
    ],
)
def test_keyed_fields_that_contradict_each_other_are_refused(keyed: dict[str, Any], message: str) -> None:
    with pytest.raises(ImpossibleRound) as refusal:
        judge(**keyed)
    assert message in str(refusal.value)


CARDS = st.sampled_from([f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "HS"])


@given(st.tuples(CARDS, CARDS, CARDS, CARDS, CARDS, CARDS), st.sets(st.sampled_from(RECORDED)))
def test_whatever_was_dealt_may_be_keyed_in_part(cards: tuple[str, ...], left_out: set[str]) -> None:
    p1, b1, p2, b2, *thirds = cards
    possible = []
    for player, banker in itertools.product(([p1, p2], [p1, p2, thirds[0]]), ([b1, b2], [b1, b2, thirds[1]])):
        try:
            possible.append(judge(player=player, banker=banker))
        except ImpossibleRound:
            continue
    (facts,) = possible  # whatever the six cards, the tableau leaves the house no choice
    keyed: dict[str, Any] = {field: getattr(facts, field) for field in RECORDED if field not in left_out}
    assert judge(outcome=facts.outcome, **keyed) == Facts(outcome=facts.outcome, **keyed)


KEYED = st.fixed_dictionaries(
    {"outcome": st.sampled_from(["player", "banker", "tie"])},
    optional={field: st.integers(-1, 10) if field.endswith("total") else st.booleans() for field in RECORDED},
)


@given(KEYED)
def test_a_keyed_round_is_accepted_exactly_if_some_deal_ends_so(keyed: dict[str, Any]) -> None:
    if any(keyed.items() <= end.items() for end in deal_ends()):
        assert judge(**keyed) == Facts(**keyed)
    else:
        with pytest.raises(ImpossibleRound):
            judge(**keyed)


@functools.cache
def deal_ends() -> tuple[dict[str, object], ...]:
    """Return how rounds end, by the house rules in words above."""
    ends = set()
    starts = sorted({(sum(two) % 10, pair) for two in itertools.product(range(10), repeat=2) for pair in may_pair(two)})
    drawn = [None, *range(10)]
    for (player, pp), (banker, bp), p3, b3 in itertools.product(starts, starts, drawn, drawn):
        if may_happen([0, player, *([] if p3 is None else [p3])], [0, banker, *([] if b3 is None else [b3])]):
            totals = (player + (p3 or 0)) % 10, (banker + (b3 or 0)) % 10
            winner = "tie" if totals[0] == totals[1] else "player" if totals[0] > totals[1] else "banker"
            ends.add((winner, *totals, player >= 8, banker >= 8, pp, bp))
    return tuple(dict(zip(("outcome", *RECORDED), end, strict=True)) for end in ends)


def test_the_ends_that_the_code_knows_are_all_that_the_rules_can_deal() -> None:
    assert rounds._ends() == {tuple(end.values()) for end in deal_ends()}


def may_pair(two: tuple[int, ...]) -> tuple[bool, ...]:
    return {0: (False, True)}.get(two[0], (True,)) if two[0] == two[1] else (False,)


@given(
    st.lists(st.text(max_size=3) | CARDS, max_size=4) | st.none(),
    st.lists(st.text(max_size=3) | CARDS, max_size=4) | st.none(),
    st.none() | st.sampled_from(["player", "banker", "tie"]),
    st.none() | st.integers(),
)
def test_nothing_but_an_impossible_round_is_ever_raised(
    player: list[str] | None, banker: list[str] | None, outcome: Outcome | None, total: int | None
) -> None:
    with contextlib.suppress(ImpossibleRound):
        judge(player=player, banker=banker, outcome=outcome, player_total=total)


def test_outcomes_have_their_letters_on_the_roads() -> None:
    assert [letter(outcome) for outcome in ("player", "banker", "tie")] == ["P", "B", "T"]
