"""Ratios made of sums: by published examples, by hand, and the same for a whole as for its parts."""

from fractions import Fraction

import pytest

from contract.figures import Likely, bet_statistics, money_statistics, pace, rounded, summed, wilson
from contract.statistics import BetStatistics, MoneyStatistics, Pace, ShoeStatistics


# R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3: the score interval.
@pytest.mark.parametrize(
    ("hits", "rounds", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_wilsons(hits: int, rounds: int, low: float, high: float) -> None:
    assert wilson(hits, rounds) == pytest.approx((low, high), abs=5e-5)


def test_all_and_nothing_end_at_one_and_zero_and_mirror_each_other() -> None:
    assert (wilson(0, 7)[0], wilson(7, 7)[1]) == (0.0, 1.0)
    assert wilson(7, 7)[0] == pytest.approx(1 - wilson(0, 7)[1], abs=1e-6)


def test_money_is_rounded_half_to_even_once() -> None:
    said = money_statistics(
        slips=3, stake=8, paid=7, expected_hold=Fraction(25, 10_000), hold_variance=Fraction(35, 10_000)
    )
    assert said == MoneyStatistics(
        slips=3, stake=8, paid=7, hold=1, hold_percent=12.5, average_bet=2.667, expected_hold=0.002, hold_variance=0.004
    )


def test_nothing_staked_has_no_ratio_and_what_is_not_expected_is_absent() -> None:
    said = money_statistics(slips=0, stake=0, paid=0)
    assert (said.hold, said.hold_percent, said.average_bet, said.expected_hold) == (0, None, None, None)


def test_z_is_how_far_the_hits_lie_from_what_is_expected() -> None:
    said = bet_statistics(hits=60, likely=[Likely(100, 1, 2)], exact_probability=0.5, money={})
    assert (said.rounds, said.observed_rate, said.z) == (100, 0.6, 2.0)
    halves = bet_statistics(hits=60, likely=[Likely(50, 1, 2), Likely(50, 2, 4)], exact_probability=0.5, money={})
    assert halves == said
    none = bet_statistics(hits=0, likely=[], exact_probability=0.5, money={})
    assert none == BetStatistics(rounds=0, hits=0, exact_probability=0.5, money={})
    assert bet_statistics(hits=0, likely=[Likely(7, 0, 1)], exact_probability=0.0, money={}).z is None


def test_pace_counts_the_time_between_the_rounds_of_a_shoe() -> None:
    assert pace(rounds=61, shoes=1, milliseconds=3_600_000).rounds_per_hour == 60.0
    assert pace(rounds=122, shoes=2, milliseconds=7_200_000).rounds_per_hour == 60.0
    assert pace(rounds=1, shoes=1, milliseconds=0) == Pace(rounds=1, shoes=1, seconds=0.0)


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        ((1, 3), "0.333"),
        ((-1, 3), "-0.333"),
        ((5, 1), "5.0"),
        ((25, 10_000), "0.002"),
        ((35, 10_000), "0.004"),
        ((-25, 10_000), "-0.002"),
    ],
)
def test_numbers_have_three_decimals_half_to_even(ratio: tuple[int, int], text: str) -> None:
    assert repr(rounded(*ratio)) == text


def shoe(number: int, hits: int, rounds: int, p: float, money: dict[str, MoneyStatistics]) -> ShoeStatistics:
    return ShoeStatistics(
        table_id="B07",
        occurred_at="2026-11-30T18:00:00.000Z",
        shoe_no=number,
        version=1,
        decks=8,
        gaming_day="2026-11-30",
        pace=Pace(rounds=rounds, shoes=1, seconds=60.0 * (rounds - 1)),
        bets={"tie": BetStatistics(rounds=rounds, hits=hits, exact_probability=p, money=money)},
    )


def euros(stake: int, expected: float | None) -> MoneyStatistics:
    return MoneyStatistics(
        slips=1,
        stake=stake,
        paid=0,
        hold=stake,
        expected_hold=expected,
        hold_variance=None if expected is None else 4.1,
    )


def test_a_period_is_made_anew_from_the_sums_of_its_shoes() -> None:
    parts = [
        shoe(1, 3, 20, 0.25, {"EUR": euros(100, 0.1)}),
        shoe(2, 7, 60, 0.5, {"EUR": euros(50, 0.2), "USD": euros(7, 1)}),
    ]
    period = summed(parts)
    tie = period.bets["tie"]
    assert (period.shoes, period.pace) == (2, Pace(rounds=80, shoes=2, seconds=4680.0, rounds_per_hour=60.0))
    assert (tie.rounds, tie.hits, tie.exact_probability) == (80, 10, (20 * 0.25 + 60 * 0.5) / 80)
    assert tie.interval == wilson(10, 80)
    assert tie.z == pytest.approx((10 - 35) / (20 * 0.25 * 0.75 + 60 * 0.25) ** 0.5, abs=1e-6)
    assert (tie.money["EUR"].stake, tie.money["EUR"].expected_hold, tie.money["EUR"].hold_variance) == (150, 0.3, 8.2)
    assert tie.money["USD"].stake == 7


def test_a_part_of_which_nothing_was_expected_leaves_the_whole_without() -> None:
    parts = [shoe(1, 3, 20, 0.25, {"EUR": euros(100, 0.1)}), shoe(2, 7, 60, 0.5, {"EUR": euros(50, None)})]
    assert summed(parts).bets["tie"].money["EUR"].expected_hold is None


def test_one_shoe_and_no_shoe() -> None:
    assert summed([]).bets == {}
    one = summed([shoe(1, 3, 20, 0.25, {})])
    assert one.bets["tie"].hits == 3
