"""Periods of statistics: which shoes are in one, and their figures together."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final, NamedTuple

from contract.figures import pace, summed
from contract.statistics import BetStatistics, Figures, Pace, ShoeStatistics, TableStatistics

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def is_day(text: str) -> bool:
    """Whether the text is a date of the calendar, as 2026-11-30."""
    if _DAY.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


class Part(NamedTuple):
    """What one shoe adds to a period; ``running`` where its table's statistics tell it, and it has none of its own."""

    table_id: str
    shoe_no: int
    gaming_day: str | None
    pace: Pace
    bets: Mapping[str, BetStatistics]
    running: bool = False


def part_of(event: ShoeStatistics) -> Part:
    """A shoe that is over."""
    return Part(event.table_id, event.shoe_no, event.gaming_day, event.pace, event.bets)


def running_part(event: TableStatistics) -> Part:
    """The running shoe of a table."""
    none = pace(rounds=0, shoes=0, milliseconds=0)
    scope, how_fast = event.scopes.get("shoe", {}), event.pace.get("shoe", none)
    return Part(event.table_id, event.shoe_no, event.gaming_day, how_fast, scope, running=True)


def each_once(parts: Iterable[Part]) -> list[Part]:
    """Each shoe once, by table and number: one that is over by its own statistics."""
    kept: dict[tuple[str, int], Part] = {}
    for part in parts:
        held = kept.get((part.table_id, part.shoe_no))
        if held is None or held.running:
            kept[part.table_id, part.shoe_no] = part
    return [kept[place] for place in sorted(kept)]


def shoe_figures(part: Part) -> Figures:
    """One shoe."""
    return Figures(
        scope="shoe",
        table_id=part.table_id,
        shoe_no=part.shoe_no,
        gaming_day=part.gaming_day,
        tables=1,
        shoes=1,
        pace=part.pace,
        bets=dict(part.bets),
    )


def day_figures(day: str, parts: Iterable[Part], table_id: str | None = None) -> Figures:
    """A gaming day of one table, or of all; ``parts`` of other days and tables are left out."""
    of_day = [part for part in each_once(parts) if part.gaming_day == day and table_id in (None, part.table_id)]
    whole = summed(of_day)
    return Figures(
        scope="day",
        table_id=table_id,
        gaming_day=day,
        tables=len({part.table_id for part in of_day}),
        shoes=whole.shoes,
        pace=whole.pace,
        bets=whole.bets,
    )


def lifetime_figures(event: TableStatistics) -> Figures:
    """A table's life."""
    how_fast = event.pace.get("lifetime", pace(rounds=0, shoes=0, milliseconds=0))
    return Figures(
        scope="lifetime",
        table_id=event.table_id,
        tables=1,
        shoes=how_fast.shoes,
        pace=how_fast,
        bets=event.scopes.get("lifetime", {}),
    )
