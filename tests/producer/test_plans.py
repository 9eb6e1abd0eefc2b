"""A simulated shoe is a shoe: dealt by the rules, out of its own cards, the same again from the same seed."""

from collections import Counter
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat.cards import RANKS, SUITS
from baccarat.rounds import judge
from producer.floor import Table, tables
from producer.plans import RoundPlan, plan_shoe

SEEDS = st.integers(0, 2**53)
SHOES = st.integers(1, 1000)


def table(*, decks: int = 8, bettors: int = 20, number: int = 1) -> Table:
    floor = tables(prefix="T", count=number, bettors=bettors, decks=decks, paytable="classic@1", currency="EUR")
    return floor[-1]


def rounds(of: Table, shoe_no: int = 1, *, seed: int = 1, corrections: float = 0.0) -> list[RoundPlan]:
    return list(plan_shoe(of, shoe_no, seed=seed, corrections=corrections).rounds)


@given(SEEDS, SHOES, st.integers(1, 8), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_every_round_is_possible_as_dealt_and_as_first_read(
    seed: int, shoe_no: int, decks: int, corrections: float
) -> None:
    for plan in rounds(table(decks=decks), shoe_no, seed=seed, corrections=corrections):
        judge(player=plan.player, banker=plan.banker)
        judge(player=plan.read[0], banker=plan.read[1])


@given(SEEDS, SHOES, st.integers(1, 8))
@settings(max_examples=40, deadline=None)
def test_no_card_comes_more_often_than_the_decks_have_it(seed: int, shoe_no: int, decks: int) -> None:
    shoe = plan_shoe(table(decks=decks), shoe_no, seed=seed, corrections=0)
    dealt = Counter(chain.from_iterable((*plan.player, *plan.banker) for plan in shoe.rounds))
    dealt[shoe.burn_card] += 1
    assert set(dealt) <= {rank + suit for rank in RANKS for suit in SUITS}
    assert max(dealt.values()) <= decks


@given(SEEDS)
@settings(max_examples=20, deadline=None)
def test_a_shoe_of_eight_decks_has_the_usual_number_of_rounds_counted_from_one(seed: int) -> None:
    numbers = [plan.round_no for plan in rounds(table(bettors=0), seed=seed)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert 70 <= len(numbers) <= 95


@given(SEEDS, SHOES)
@settings(max_examples=20, deadline=None)
def test_the_same_seed_gives_the_same_shoe(seed: int, shoe_no: int) -> None:
    assert rounds(table(), shoe_no, seed=seed, corrections=0.2) == rounds(table(), shoe_no, seed=seed, corrections=0.2)


def test_seed_table_and_shoe_each_make_another_shoe() -> None:
    hands = {
        tuple(plan.player + plan.banker for plan in rounds(of, shoe_no, seed=seed))
        for of in (table(), table(number=2))
        for shoe_no in (1, 2)
        for seed in (1, 2)
    }
    assert len(hands) == 8


def test_bettors_and_mistakes_do_not_change_the_cards() -> None:
    plain = [(plan.player, plan.banker) for plan in rounds(table(bettors=0))]
    busy = [(plan.player, plan.banker) for plan in rounds(table(bettors=50), corrections=0.5)]
    assert plain == busy


def test_a_misread_card_is_another_card_and_a_voided_round_was_read_right() -> None:
    plans = rounds(table(), corrections=1)
    assert {plan.mistake for plan in plans} == {"corrected", "voided"}
    for plan in plans:
        differing = [
            (read, dealt)
            for read, dealt in zip(chain(*plan.read), plan.player + plan.banker, strict=True)
            if read != dealt
        ]
        assert len(differing) == (1 if plan.mistake == "corrected" else 0)


def test_without_corrections_there_is_no_mistake() -> None:
    assert {plan.mistake for plan in rounds(table(), corrections=0)} == {None}


def test_the_part_of_rounds_with_a_mistake_is_about_what_was_asked_for() -> None:
    plans = [plan for shoe_no in range(1, 21) for plan in rounds(table(bettors=0), shoe_no, corrections=0.1)]
    assert sum(plan.mistake is not None for plan in plans) / len(plans) == pytest.approx(0.1, abs=0.03)


def test_rounds_last_about_one_pace() -> None:
    lasting = [plan.lasts for plan in rounds(table())]
    assert all(0.9 <= part <= 1.1 for part in lasting)
    assert len(set(lasting)) > 1
