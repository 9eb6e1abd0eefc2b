"""The hold of one bet as it grew shoe by shoe, beside the band in which it lies 19 times in 20 if every card is fair.

All money of a bet in a currency is summed from the first shoe of the chart on. The band is what the pay tables keep on
average, 1.96 standard deviations of that sum to either side; it is left out where they are not known of every shoe.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from math import ceil, floor, log10, sqrt
from typing import Final, NamedTuple

from contract.figures import Z_95
from contract.periods import Part
from contract.statistics import MoneyStatistics
from dashboards.views.numbers import percent
from dashboards.words import Words

LEFT, RIGHT, TOP, BOTTOM = 70, 1030, 20, 250
"""The plot's edges, in units of a picture of 1200 x 290."""
FEWEST: Final = 2
"""One shoe makes no line."""
_TICKS: Final = 5
_LABELS: Final = 7
_SETTLED: Final = 4
"""The height of the picture is that of the band after a fourth of the shoes: before, it is as wide as the screen."""


class Tick(NamedTuple):
    """A line across the picture, or a place below it, with its text."""

    at: float
    text: str


class Chart(NamedTuple):
    """The picture: ``line`` and ``band`` are points of a polyline and a polygon, ``band`` empty where there is none."""

    currency: str
    shoes: int
    line: str
    end: tuple[float, float]
    band: str
    expected: str
    y_ticks: Sequence[Tick]
    x_ticks: Sequence[Tick]
    hold: str
    edge: str


class _Point(NamedTuple):
    """What has come together up to a shoe, in percent of the stake; the band is None where it is not known."""

    hold: Decimal
    edge: float | None
    half: float


def hold_charts(parts: Iterable[Part], bet: str, words: Words) -> list[Chart]:
    """A picture for each currency in which the bet was made; none where it was in fewer than two shoes."""
    of_bet = [part.bets[bet].money for part in parts if bet in part.bets]
    currencies = sorted({currency for money in of_bet for currency in money})
    charts = [
        _chart(currency, [money[currency] for money in of_bet if currency in money], words) for currency in currencies
    ]
    return [chart for chart in charts if chart is not None]


def _points(money: Sequence[MoneyStatistics]) -> list[_Point]:
    stake = hold = 0
    expected = variance = Decimal(0)
    known, points = True, []
    for each in money:
        stake, hold = stake + each.stake, hold + each.hold
        known = known and each.expected_hold is not None and each.hold_variance is not None
        expected += Decimal(str(each.expected_hold or 0))
        variance += Decimal(str(each.hold_variance or 0))
        if stake:
            half = Z_95 * sqrt(variance) / stake * 100
            points.append(_Point(Decimal(hold) / stake * 100, float(expected / stake * 100) if known else None, half))
    return points


def _chart(currency: str, money: Sequence[MoneyStatistics], words: Words) -> Chart | None:
    points = _points(money)
    if len(points) < FEWEST:
        return None
    low, high, step = _range(points)

    def y(value: float) -> float:
        return round(BOTTOM - (min(high, max(low, value)) - low) / (high - low) * (BOTTOM - TOP), 1)

    def x(index: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * index / (len(points) - 1), 1)

    edges: list[tuple[float, float]] = []
    upper, lower = edges.copy(), edges.copy()
    for at, point in enumerate(points if points[-1].edge is not None else ()):
        edge = point.edge or 0.0
        edges.append((x(at), y(edge)))
        upper.append((x(at), y(edge + point.half)))
        lower.append((x(at), y(edge - point.half)))
    line = [(x(at), y(float(point.hold))) for at, point in enumerate(points)]
    digits = max(0, -floor(log10(step)))
    last = points[-1]
    return Chart(
        currency=currency,
        shoes=len(points),
        line=_text(line),
        end=line[-1],
        band=_text([*upper, *reversed(lower)]),
        expected=_text(edges),
        y_ticks=[
            Tick(y(low + step * at), percent(low + step * at, digits, words))
            for at in range(round((high - low) / step) + 1)
        ],
        x_ticks=[Tick(x(at), str(at + 1)) for at in _spread(len(points))],
        hold=percent(last.hold, 2, words),
        edge="" if last.edge is None else percent(last.edge, 2, words),
    )


def _range(points: Sequence[_Point]) -> tuple[float, float, float]:
    """Bottom, top and distance of the lines: whole steps around the line and the settled part of the band."""
    settled = points[len(points) // _SETTLED :]
    ends = [edge + way * point.half for point in settled if (edge := point.edge) is not None for way in (1, -1)]
    values = [*(float(point.hold) for point in settled), *ends, 0.0]
    span = max(max(values) - min(values), 0.01)
    rough = span / _TICKS
    size = 10 ** floor(log10(rough))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough)
    return floor(min(values) / step) * step, ceil(max(values) / step) * step or step, step


def _spread(count: int) -> list[int]:
    """Places of the labels below: the first, the last and some between."""
    if count <= _LABELS:
        return list(range(count))
    return sorted({round(at * (count - 1) / (_LABELS - 1)) for at in range(_LABELS)})


def _text(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)
