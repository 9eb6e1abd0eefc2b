"""Statistics of bets: one table's running shoe and lifetime, and all tables together."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from contract.statistics import BetStatistics, MoneyStatistics, TableStatistics
from dashboards.views.money import amount
from dashboards.words import Words

_ORDER: Final = ("banker", "player", "tie", "banker_pair", "player_pair")
_SCOPES: Final = ("shoe", "lifetime")


class MoneyRow(NamedTuple):
    """One currency of one bet, as text."""

    currency: str
    slips: str
    stake: str
    paid: str
    hold: str
    hold_percent: str


class BetRow(NamedTuple):
    """One bet, as text; rates are percent. ``money`` has a row per currency, or none."""

    bet: str
    rounds: str
    hits: str
    rate: str
    exact: str
    money: Sequence[MoneyRow]


class Scope(NamedTuple):
    """The bets of one scope under its title, and what all of them together took and paid per currency."""

    title: str
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
        _scope(words.scope[scope].format(event.shoe_no), event.scopes[scope], words)
        for scope in _SCOPES
        if scope in event.scopes
    ]
    return StatisticsView(event.shoe_no, event.version, scopes)


def house_statistics(events: Iterable[TableStatistics], words: Words) -> Scope:
    """All tables together: the sums of their lifetimes."""
    bets: dict[str, list[BetStatistics]] = {}
    for event in events:
        for bet, statistics in event.scopes.get("lifetime", {}).items():
            bets.setdefault(bet, []).append(statistics)
    return _scope(words.scope["lifetime"], {bet: _sum(parts) for bet, parts in bets.items()}, words)


def _sum(parts: Sequence[BetStatistics]) -> BetStatistics:
    """Several tables' statistics of one bet as one; the exact probability is the mean over their rounds."""
    rounds = sum(part.rounds for part in parts)
    weights = [part.rounds for part in parts] if rounds else [1] * len(parts)
    exact = sum((weight * part.exact_probability for weight, part in zip(weights, parts, strict=True)), 0.0)
    money: dict[str, list[MoneyStatistics]] = {}
    for part in parts:
        for currency, sums in part.money.items():
            money.setdefault(currency, []).append(sums)
    return BetStatistics(
        rounds=rounds,
        hits=sum(part.hits for part in parts),
        exact_probability=exact / sum(weights),
        money={currency: _sum_money(sums) for currency, sums in money.items()},
    )


def _sum_money(parts: Sequence[MoneyStatistics]) -> MoneyStatistics:
    stake, paid = sum(part.stake for part in parts), sum(part.paid for part in parts)
    percent = round(Fraction(100 * (stake - paid), stake), 3) if stake else None
    return MoneyStatistics(
        slips=sum(part.slips for part in parts),
        stake=stake,
        paid=paid,
        hold=stake - paid,
        hold_percent=None if percent is None else float(percent),
    )


def _scope(title: str, bets: Mapping[str, BetStatistics], words: Words) -> Scope:
    money: dict[str, list[MoneyStatistics]] = {}
    for statistics in bets.values():
        for currency, sums in statistics.money.items():
            money.setdefault(currency, []).append(sums)
    return Scope(
        title,
        [_bet_row(bet, bets[bet], words) for bet in sorted(bets, key=_rank)],
        _money_rows({currency: _sum_money(sums) for currency, sums in money.items()}),
    )


def _rank(bet: str) -> tuple[int, str]:
    """The usual bets first, then the others by name."""
    return (_ORDER.index(bet), "") if bet in _ORDER else (len(_ORDER), bet)


def _bet_row(bet: str, statistics: BetStatistics, words: Words) -> BetRow:
    rounds = statistics.rounds
    return BetRow(
        bet=words.bets.get(bet) or bet.replace("_", " ").capitalize(),
        rounds=f"{rounds:,}",
        hits=f"{statistics.hits:,}",
        rate=_percent(100 * statistics.hits / rounds) if rounds else "–",
        exact=_percent(100 * statistics.exact_probability),
        money=_money_rows(statistics.money),
    )


def _money_rows(money: Mapping[str, MoneyStatistics]) -> list[MoneyRow]:
    return [
        MoneyRow(
            currency,
            f"{sums.slips:,}",
            amount(sums.stake, currency),
            amount(sums.paid, currency),
            amount(sums.hold, currency),
            "–" if sums.hold_percent is None else _percent(sums.hold_percent, digits=3),
        )
        for currency, sums in sorted(money.items())
    ]


def _percent(value: float, digits: int = 2) -> str:
    return f"{value:.{digits}f} %".replace("-", "−")
