"""Statistics of bets: one table's running shoe and lifetime, all tables together, and any period that is asked for."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from math import sqrt
from typing import Final, NamedTuple

from contract.figures import summed, together
from contract.periods import Part
from contract.statistics import BetStatistics, Figures, MoneyStatistics, Pace, TableStatistics
from dashboards.views.money import amount, major
from dashboards.views.numbers import NONE, decimal, integer, percent, signed
from dashboards.views.times import day
from dashboards.words import Words

_ORDER: Final = ("banker", "player", "tie", "banker_pair", "player_pair")
_SCOPES: Final = ("shoe", "lifetime")
_MIDDLE: Final = 80.0
"""Where the exact probability stands in a plot; left and right of it lie four standard errors."""
_ERRORS: Final = 4.0
_BAND: Final = 1.96


class MoneyRow(NamedTuple):
    """One currency of one bet, as text; ``values`` are the figures as numbers, none at all as 0."""

    currency: str
    slips: str
    stake: str
    paid: str
    hold: str
    hold_percent: str
    expected: str
    average: str
    values: tuple[float | str, ...] = ()


class Plot(NamedTuple):
    """An interval beside what is exact: places from the left, 0 to 160. ``far`` beyond the band of 95 %."""

    low: float
    high: float
    at: float
    band_x: float
    band_width: float
    far: bool
    label: str


class BetRow(NamedTuple):
    """One bet, as text; rates are percent. ``money`` has a row per currency, or none; no plot without a round.

    ``key`` is its name in the contract, ``values`` are rounds, hits, rate, exact probability and z as numbers, by which
    a table is sorted; ``off``: z lies beyond the band of 95 %.
    """

    key: str
    bet: str
    rounds: str
    hits: str
    rate: str
    interval: str
    exact: str
    z: str
    plot: Plot | None
    off: bool
    values: tuple[float | str, ...]
    money: Sequence[MoneyRow]


class Scope(NamedTuple):
    """The bets of one scope under its title, and what all of them together took and paid per currency."""

    title: str
    pace: str
    bets: Sequence[BetRow]
    together: Sequence[MoneyRow]


class StatisticsView(NamedTuple):
    """A statistics page's data."""

    shoe_no: int
    version: int
    scopes: Sequence[Scope]


def table_statistics(event: TableStatistics, words: Words) -> StatisticsView:
    """One table: the running shoe, then all shoes."""
    scopes = [
        _scope(words.scope[scope].format(event.shoe_no), event.scopes[scope], event.pace.get(scope), words)
        for scope in _SCOPES
        if scope in event.scopes
    ]
    return StatisticsView(event.shoe_no, event.version, scopes)


def house_statistics(events: Iterable[TableStatistics], words: Words) -> Scope:
    """All tables together: the sums of their lifetimes."""
    none = Pace(rounds=0, shoes=0, seconds=0.0)
    parts = [
        Part(event.table_id, 0, None, event.pace.get("lifetime", none), event.scopes.get("lifetime", {}))
        for event in events
    ]
    whole = summed(parts)
    return _scope(words.scope["lifetime"], whole.bets, whole.pace, words)


def period_scope(figures: Figures, words: Words) -> Scope:
    """One shoe, or one gaming day."""
    if figures.scope == "shoe":
        title = words.scope["shoe"].format(figures.shoe_no)
        title += f" · {day(figures.gaming_day, words)}" if figures.gaming_day else ""
    else:
        title = f"{words.gaming_day} {day(figures.gaming_day or '', words)}: "
        title += f"{words.tables_counted(figures.tables)}, {words.shoes_counted(figures.shoes)}"
    return _scope(title, figures.bets, figures.pace, words)


def _scope(title: str, bets: Mapping[str, BetStatistics], pace: Pace | None, words: Words) -> Scope:
    money: dict[str, list[MoneyStatistics]] = {}
    for statistics in bets.values():
        for currency, sums in statistics.money.items():
            money.setdefault(currency, []).append(sums)
    return Scope(
        title,
        _how_fast(pace, words),
        [_bet_row(bet, bets[bet], words) for bet in sorted(bets, key=_rank)],
        _money_rows({currency: together(sums) for currency, sums in money.items()}, words),
    )


def _how_fast(pace: Pace | None, words: Words) -> str:
    if pace is None:
        return ""
    said = [words.counted(pace.rounds, integer(pace.rounds, words)), words.shoes_counted(pace.shoes)]
    if pace.rounds_per_hour is not None:
        said.append(words.per_hour.format(decimal(pace.rounds_per_hour, 1, words)))
    return " · ".join(said)


def bet_name(bet: str, words: Words) -> str:
    """The bet as people call it."""
    if bet.startswith("egalite_"):
        return words.bets["egalite"].format(bet.removeprefix("egalite_"))
    return words.bets.get(bet) or bet.replace("_", " ").capitalize()


def _rank(bet: str) -> tuple[int, str]:
    """The usual bets first, then the others by name."""
    return (_ORDER.index(bet), "") if bet in _ORDER else (len(_ORDER), bet)


def _bet_row(bet: str, said: BetStatistics, words: Words) -> BetRow:
    low, high = said.interval or (0.0, 0.0)
    name = bet_name(bet, words)
    rate = _rate(said.hits / said.rounds, words) if said.rounds else NONE
    interval = f"{_rate(low, words)} – {_rate(high, words)}" if said.interval else NONE
    exact = _rate(said.exact_probability, words)
    return BetRow(
        key=bet,
        bet=name,
        rounds=integer(said.rounds, words),
        hits=integer(said.hits, words),
        rate=rate,
        interval=interval,
        exact=exact,
        z=NONE if said.z is None else signed(said.z, 2, words),
        plot=_plot(said, words.plot_label.format(name, rate, interval, exact)),
        off=abs(said.z or 0.0) > _BAND,
        values=_values(
            said.rounds, said.hits, said.hits / said.rounds if said.rounds else None, said.exact_probability, said.z
        ),
        money=_money_rows(said.money, words),
    )


def _values(*numbers: float | str | None) -> tuple[float | str, ...]:
    return tuple("" if number is None else number for number in numbers)


def _rate(rate: float, words: Words) -> str:
    """A rate of 0 to 1 as percent."""
    return percent(Decimal(str(rate)) * 100, 2, words)


def _plot(said: BetStatistics, label: str) -> Plot | None:
    """The observed rate and its interval in standard errors from what is exact; ends at four of them."""
    p = said.exact_probability
    if said.interval is None or not 0 < p < 1:
        return None
    error = sqrt(p * (1 - p) / said.rounds)

    def place(rate: float) -> float:
        errors = max(-_ERRORS, min(_ERRORS, (rate - p) / error))
        return round(_MIDDLE * (1 + errors / _ERRORS), 1)

    band = round(_MIDDLE * _BAND / _ERRORS, 1)
    return Plot(
        low=place(said.interval[0]),
        high=place(said.interval[1]),
        at=place(said.hits / said.rounds),
        band_x=round(_MIDDLE - band, 1),
        band_width=round(2 * band, 1),
        far=abs(said.z or 0.0) > _BAND,
        label=label,
    )


def _money_rows(money: Mapping[str, MoneyStatistics], words: Words) -> list[MoneyRow]:
    return [
        MoneyRow(
            currency,
            integer(sums.slips, words),
            amount(sums.stake, currency, words),
            amount(sums.paid, currency, words),
            amount(sums.hold, currency, words),
            NONE if sums.hold_percent is None else percent(sums.hold_percent, 3, words),
            NONE if sums.expected_hold is None else amount(round(sums.expected_hold), currency, words),
            NONE if sums.average_bet is None else amount(round(sums.average_bet), currency, words),
            _values(
                sums.slips,
                major(sums.stake, currency),
                major(sums.paid, currency),
                major(sums.hold, currency),
                sums.hold_percent,
                None if sums.expected_hold is None else major(sums.expected_hold, currency),
                None if sums.average_bet is None else major(sums.average_bet, currency),
            ),
        )
        for currency, sums in sorted(money.items())
    ]
