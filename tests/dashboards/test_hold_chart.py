"""How the hold of a bet grew: sums from the first shoe on, the band by the exact variance."""

from decimal import Decimal
from math import sqrt
from typing import Any

import pytest

from contract.periods import Part
from contract.statistics import BetStatistics, MoneyStatistics, Pace
from dashboards.languages import languages
from dashboards.views.hold_chart import BOTTOM, LEFT, RIGHT, TOP, Chart, hold_charts
from dashboards.words import ENGLISH


def part(shoe_no: int, **money: tuple[int, int, float | None, float | None]) -> Part:
    """A shoe with banker money by currency: stake, hold, expected hold, its variance."""
    sums = {
        currency: MoneyStatistics(
            slips=1, stake=stake, paid=stake - hold, hold=hold, expected_hold=expected, hold_variance=variance
        )
        for currency, (stake, hold, expected, variance) in money.items()
    }
    bet = BetStatistics(rounds=1, hits=0, exact_probability=0.4585974, money=sums)
    return Part("T1", shoe_no, "2026-11-30", Pace(rounds=1, shoes=1, seconds=0.0), {"banker": bet})


def only(parts: list[Part], **changes: Any) -> Chart:
    (chart,) = hold_charts(parts, "banker", changes.get("words", ENGLISH))
    return chart


def test_the_hold_is_that_of_all_shoes_so_far() -> None:
    parts = [part(1, EUR=(1000, 100, 10.0, 400.0)), part(2, EUR=(3000, -300, 30.0, 1200.0))]
    chart = only(parts)
    assert (chart.shoes, chart.hold, chart.edge) == (2, "−5.00%", "1.00%")  # (100 - 300) / 4000, (10 + 30) / 4000
    first, last = (float(point.split(",")[0]) for point in chart.line.split())
    assert (first, last) == (LEFT, RIGHT)
    heights = [float(point.split(",")[1]) for point in chart.line.split()]
    ticks = {tick.text: tick.at for tick in chart.y_ticks}
    assert heights[-1] == pytest.approx(ticks["−5%"], abs=0.2)
    assert chart.end == (RIGHT, heights[-1])


def test_the_band_is_1_96_standard_deviations_around_what_is_expected() -> None:
    parts = [part(number, EUR=(10_000, 0, 0.0, 10_000.0)) for number in range(1, 101)]
    chart = only(parts)
    points = [tuple(map(float, point.split(","))) for point in chart.band.split()]
    upper, lower = points[99][1], points[100][1]
    half = 1.96 * sqrt(100 * 10_000) / (100 * 10_000)  # of the stake
    scale = (chart.y_ticks[0].at - chart.y_ticks[-1].at) / (len(chart.y_ticks) - 1)
    step = abs(
        float(Decimal(chart.y_ticks[1].text.rstrip("%").replace("−", "-")))
        - float(Decimal(chart.y_ticks[0].text.rstrip("%").replace("−", "-")))
    )
    assert (lower - upper) / 2 == pytest.approx(half * 100 / step * scale, abs=0.2)


def test_currencies_are_kept_apart() -> None:
    parts = [part(number, EUR=(100, 10, 1.0, 1.0), JPY=(100, -10, 1.0, 1.0)) for number in (1, 2)]
    assert [(chart.currency, chart.hold) for chart in hold_charts(parts, "banker", ENGLISH)] == [
        ("EUR", "10.00%"),
        ("JPY", "−10.00%"),
    ]


def test_there_is_no_band_where_one_shoe_does_not_know_what_to_expect() -> None:
    chart = only([part(1, EUR=(100, 10, None, None)), part(2, EUR=(100, 10, 1.0, 1.0))])
    assert (chart.band, chart.expected, chart.edge) == ("", "", "")
    assert chart.hold == "10.00%"


@pytest.mark.parametrize("parts", [[], [part(1, EUR=(100, 1, 1.0, 1.0))], [part(1, EUR=(0, 0, 0.0, 0.0))] * 2])
def test_fewer_than_two_shoes_with_money_make_no_picture(parts: list[Part]) -> None:
    assert hold_charts(parts, "banker", ENGLISH) == []
    assert hold_charts([part(1, EUR=(100, 1, 1.0, 1.0)), part(2, EUR=(100, 1, 1.0, 1.0))], "tie", ENGLISH) == []


@pytest.mark.parametrize("hold", [0, 1, -1, 10**15, -(10**15)])
def test_every_point_lies_in_the_picture(hold: int) -> None:
    chart = only([part(number, EUR=(10**15, hold * number, 1.0, 10.0**28)) for number in range(1, 30)])
    for points in (chart.line, chart.band, chart.expected):
        for point in points.split():
            x, y = map(float, point.split(","))
            assert LEFT <= x <= RIGHT
            assert TOP <= y <= BOTTOM
    assert 2 <= len(chart.y_ticks) <= 12
    assert len({tick.text for tick in chart.y_ticks}) == len(chart.y_ticks)


def test_numbers_are_the_languages() -> None:
    parts = [part(1, EUR=(1000, 15, 10.0, 400.0)), part(2, EUR=(1000, 15, 10.0, 400.0))]
    assert only(parts, words=languages()["ru"]).hold == "1,50\N{NO-BREAK SPACE}%"
