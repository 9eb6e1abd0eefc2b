from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat.paytables import load
from baccarat.rounds import Outcome
from contract.scalars import MAX_SLIPS
from producer.bettors import place

LIMITS = {
    "player": (5000, 500_000),
    "banker": (5000, 500_000),
    "tie": (1000, 50_000),
    "player_pair": (1000, 30_000),
    "banker_pair": (1000, 30_000),
}
LAST = st.sampled_from([None, "player", "banker", "tie"])


@given(st.integers(), st.integers(0, 700), LAST)
@settings(max_examples=50, deadline=None)
def test_all_slips_of_a_bettor_are_in_one_batch_and_no_batch_is_too_large(
    seed: int, bettors: int, last: Outcome | None
) -> None:
    batches = place(Random(seed), bettors, LIMITS, last)
    homes = Counter(bettor for batch in batches for bettor in {slip.bettor for slip in batch})
    assert set(homes.values()) <= {1}
    assert all(1 <= len(batch) <= MAX_SLIPS for batch in batches)


@given(st.integers(), st.integers(1, 200), LAST)
@settings(max_examples=50, deadline=None)
def test_stakes_keep_the_limits_and_times_the_order(seed: int, bettors: int, last: Outcome | None) -> None:
    slips = [slip for batch in place(Random(seed), bettors, LIMITS, last) for slip in batch]
    assert all(LIMITS[slip.bet][0] <= slip.stake <= LIMITS[slip.bet][1] for slip in slips)
    assert all(0 <= slip.when <= 1 for slip in slips)
    assert [slip.when for slip in slips] == sorted(slip.when for slip in slips)


def test_a_batch_has_so_few_seats_that_a_thousand_slips_are_always_enough() -> None:
    batches = place(Random(1), 2345, LIMITS, None)
    assert len(batches) == 24
    assert max(len({slip.bettor for slip in batch}) for batch in batches) * (len(LIMITS) + 1) <= MAX_SLIPS


def test_no_stake_is_above_the_limit_however_low_it_is() -> None:
    narrow = dict.fromkeys(LIMITS, (5000, 7000))
    stakes = {slip.stake for seed in range(50) for batch in place(Random(seed), 20, narrow, None) for slip in batch}
    assert stakes == {5000, 7000}


def test_a_table_of_twenty_sends_two_records_a_round() -> None:
    assert {len(place(Random(seed), 20, LIMITS, None)) for seed in range(20)} == {2}


def test_nobody_bets_where_nobody_sits() -> None:
    assert place(Random(1), 0, LIMITS, None) == ()


def test_every_bet_is_played_and_now_and_then_both_sides_at_once() -> None:
    played: Counter[str] = Counter()
    opposite = 0
    for seed in range(500):
        slips = [slip for batch in place(Random(seed), 20, LIMITS, "banker") for slip in batch]
        played.update(slip.bet for slip in slips)
        sides = Counter(slip.bettor for slip in slips if slip.bet in ("player", "banker"))
        opposite += sum(count == 2 for count in sides.values())
    assert set(played) == set(LIMITS)
    assert played["banker"] > played["player"] > played["tie"]
    assert 0 < opposite < 100


def test_on_a_table_of_many_bets_all_are_played_and_now_and_then_a_side_bet_alone() -> None:
    limits = dict.fromkeys(load("full@1").pays, (2000, 20000))
    seen: Counter[str] = Counter()
    alone = 0
    for seed in range(300):
        for batch in place(Random(seed), 40, limits, "banker"):
            assert len(batch) <= 40 * 10
            seen.update(slip.bet for slip in batch)
            mains = {slip.bettor for slip in batch if slip.bet in ("player", "banker")}
            alone += len({slip.bettor for slip in batch} - mains)
    assert set(seen) == set(limits)
    assert alone > 20


def test_nobody_bets_on_what_the_table_does_not_have() -> None:
    batches = [place(Random(seed), 40, {"tie": (1, 9), "dragon_7": (1, 9)}, None) for seed in range(20)]
    assert {slip.bet for round_ in batches for batch in round_ for slip in batch} == {"tie", "dragon_7"}


def test_followers_bet_on_the_last_winner_and_others_against_it() -> None:
    mains = Counter[tuple[int, str]]()
    for seed in range(200):
        for batch in place(Random(seed), 6, LIMITS, "banker"):
            mains.update((int(slip.bettor.removeprefix("seat-")), slip.bet) for slip in batch)
    assert mains[3, "banker"] > 20 * mains[3, "player"]
    assert mains[5, "player"] > 20 * mains[5, "banker"]
