"""``beadplate stats``: what the bets did, in a shoe, on a gaming day, in a table's life."""

import csv
import io
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final, Literal

import msgspec
from cyclopts import Parameter
from cyclopts.validators import Number

from beadplate import running
from beadplate.endings import CHECK_FAILED, DONE, Misuse, kafka_meaning
from beadplate.logs import quiet
from beadplate.settings import KAFKA
from broker.connection import Connection
from broker.reading import read_topic
from contract.codec import BadRecord, UnknownType, decode
from contract.periods import Part, day_figures, is_day, lifetime_figures, part_of, running_part, shoe_figures
from contract.statistics import BetStatistics, Figures, MoneyStatistics, TableStatistics
from contract.topics import SHOE_STATISTICS, STATISTICS, Topic

Form = Literal["text", "json", "csv"]


def stats(
    *,
    table: str | None = None,
    shoe: Annotated[int | None, Parameter(validator=Number(gte=1))] = None,
    day: str | None = None,
    form: Annotated[Form, Parameter(name="--format")] = "text",
    connection: Annotated[Connection, KAFKA] = Connection(),
) -> int:
    """Show statistics of the bets: handle, hold, hits beside the exact odds, and what was expected.

    Without options the life of every table; with --table its running shoe and its life; with --shoe one shoe; with
    --day a gaming day, of the table or of all together. Exit code 1 where there is nothing of what was asked for.

    Parameters
    ----------
    table
        This table alone.
    shoe
        This shoe of the table alone.
    day
        This gaming day, YYYY-MM-DD.
    form
        Tables to read, one JSON object a line as the API has it, or CSV with a row per bet and currency.
    """
    if shoe is not None and table is None:
        raise Misuse("--shoe names a shoe of a table: say which with --table")
    if shoe is not None and day is not None:
        raise Misuse("--shoe and --day are two periods: name one of them")
    if day is not None and not is_day(day):
        raise Misuse(f"--day is a date such as 2026-11-30, not {day!r}")
    quiet()
    with kafka_meaning():
        return running.run(_show(connection, table, shoe, day, form))


async def _show(connection: Connection, table: str | None, shoe: int | None, day: str | None, form: Form) -> int:
    tables: dict[str, TableStatistics] = {}
    async for event in _newest(connection, STATISTICS, table):
        tables[event.table_id] = event
    parts = [running_part(event) for event in tables.values()]
    if shoe is not None or day is not None:
        parts += [part_of(event) async for event in _newest(connection, SHOE_STATISTICS, table)]
    found = list(chosen(tables.values(), parts, table, shoe, day))
    if not found:
        what = (
            f"of shoe {shoe} of table {table}"
            if shoe is not None
            else f"of {day}"
            if day
            else f"of {table or 'any table'}"
        )
        print(f"beadplate: there are no statistics {what}", file=sys.stderr)
        return CHECK_FAILED
    print(*written(found, form), sep="\n")
    return DONE


async def _newest(connection: Connection, topic: Topic, table: str | None) -> Any:
    """The events of the highest version under each key, of one table or of all; what cannot be read is passed over."""
    kept: dict[bytes, Any] = {}
    async for record in read_topic(connection, topic.name):
        key = record.key or b""
        if table is not None and key.partition(b"/")[0] != table.encode():
            continue
        if record.value is None:
            kept.pop(key, None)
            continue
        try:
            event = decode(topic, record.value)
        except (BadRecord, UnknownType):
            continue
        held = kept.get(key)
        if held is None or (event.shoe_no, event.version) >= (held.shoe_no, held.version):
            kept[key] = event
    for event in kept.values():
        yield event


def chosen(
    tables: Iterable[TableStatistics], parts: list[Part], table: str | None, shoe: int | None, day: str | None
) -> Iterator[Figures]:
    """The figures that were asked for; ``parts`` are the shoes that may be among them."""
    if shoe is not None:
        of_shoe = [part for part in parts if part.shoe_no == shoe]
        if of_shoe:
            yield shoe_figures(min(of_shoe, key=lambda part: part.running))
    elif day is not None:
        figures = day_figures(day, parts, table)
        if figures.shoes:
            yield figures
    else:
        for event in sorted(tables, key=lambda event: event.table_id):
            if table is not None:
                yield shoe_figures(running_part(event))
            yield lifetime_figures(event)


def written(found: Iterable[Figures], form: Form) -> Iterator[str]:
    """The figures in this form, line by line."""
    match form:
        case "json":
            yield from (msgspec.json.encode(figures).decode() for figures in found)
        case "csv":
            yield from _csv(found)
        case "text":
            for place, figures in enumerate(found):
                yield from ([""] if place else [])
                yield from _text(figures)


_COLUMNS: Final = (
    "scope", "table_id", "shoe_no", "gaming_day", "tables", "shoes", "rounds_per_hour", "bet", "rounds", "hits",
    "observed_rate", "interval_low", "interval_high", "exact_probability", "z", "currency", "slips", "stake", "paid",
    "hold", "hold_percent", "average_bet", "expected_hold", "hold_variance",
)  # fmt: skip


def _csv(found: Iterable[Figures]) -> Iterator[str]:
    """A row per bet and currency; a bet without money has one row."""
    yield ",".join(_COLUMNS)
    for figures in found:
        for bet, said in figures.bets.items():
            for currency, money in said.money.items() or [("", None)]:
                buffer = io.StringIO()
                csv.writer(buffer, lineterminator="").writerow(_row(figures, bet, said, currency, money))
                yield buffer.getvalue()


def _row(figures: Figures, bet: str, said: BetStatistics, currency: str, money: MoneyStatistics | None) -> list[object]:
    low, high = said.interval or (None, None)
    period = [figures.scope, figures.table_id, figures.shoe_no, figures.gaming_day, figures.tables, figures.shoes]
    rates = [said.rounds, said.hits, said.observed_rate, low, high, said.exact_probability, said.z]
    fields = money.__struct_fields__ if money else ()
    amounts = [getattr(money, field) for field in fields] or [None] * len(MoneyStatistics.__struct_fields__)
    return [*period, figures.pace.rounds_per_hour, bet, *rates, currency, *amounts]


def _text(figures: Figures) -> Iterator[str]:
    hourly = figures.pace.rounds_per_hour
    fast = "" if hourly is None else f", {hourly:.1f} rounds an hour"
    yield f"{_title(figures)}: {figures.pace.rounds:,} rounds of {_count(figures.shoes, 'shoe')}{fast}"
    yield (
        f"{'bet':<22}{'rounds':>9}{'hits':>8}{'observed':>10}  {'95 % interval':<19}{'exact':>9}{'z':>7}  "
        f"{'':<3}{'slips':>9}{'stake':>16}{'paid':>16}{'hold':>14}{'hold %':>9}{'expected':>14}{'average':>12}"
    )
    for bet, said in figures.bets.items():
        yield from _lines(bet, said)


def _title(figures: Figures) -> str:
    match figures.scope:
        case "shoe":
            return f"{figures.table_id} shoe {figures.shoe_no}, gaming day {figures.gaming_day or 'unknown'}"
        case "day":
            where = figures.table_id or _count(figures.tables, "table")
            return f"{figures.gaming_day}, {where}"
        case "lifetime":
            return f"{figures.table_id}, all shoes"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _lines(bet: str, said: BetStatistics) -> Iterator[str]:
    interval = "" if said.interval is None else f"{said.interval[0]:.4%} - {said.interval[1]:.4%}"
    rate = "" if said.observed_rate is None else f"{said.observed_rate:.4%}"
    z = "" if said.z is None else f"{said.z:+.2f}"
    start = f"{bet:<22}{said.rounds:>9,}{said.hits:>8,}{rate:>10}  {interval:<19}{said.exact_probability:>9.4%}{z:>7}"
    rows = [_amounts(currency, money) for currency, money in said.money.items()] or [""]
    yield f"{start}  {rows[0]}".rstrip()
    yield from (f"{'':<{len(start)}}  {row}".rstrip() for row in rows[1:])


def _amounts(currency: str, money: MoneyStatistics) -> str:
    percent = "" if money.hold_percent is None else f"{money.hold_percent:.3f}"
    expected = "" if money.expected_hold is None else f"{money.expected_hold:,.1f}"
    average = "" if money.average_bet is None else f"{money.average_bet:,.1f}"
    return (
        f"{currency:<3}{money.slips:>9,}{money.stake:>16,}{money.paid:>16,}{money.hold:>14,}{percent:>9}"
        f"{expected:>14}{average:>12}"
    )
