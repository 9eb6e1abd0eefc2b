"""Gaming days, counted again: the local clock put back by the hour at which days begin says the day."""

import datetime as dt
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from contract.days import GamingDays
from contract.scalars import parse_instant


def gaming_day(instant: str, time_zone: str | None, days: GamingDays) -> str:
    """The gaming day of an instant at a table with this time zone."""
    moment = parse_instant(instant)
    try:
        local = moment.astimezone(_zone(time_zone) or ZoneInfo(days.casino_time_zone))
        hours, minutes = map(int, days.day_starts.split(":"))
        return (local.replace(tzinfo=None) - dt.timedelta(hours=hours, minutes=minutes)).date().isoformat()
    except OverflowError:  # at either end of the calendar
        return moment.date().isoformat()


def _zone(name: str | None) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
