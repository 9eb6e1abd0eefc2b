"""Gaming days, counted again: the local clock put back by the hour at which days begin says the day."""

import datetime as dt
from zoneinfo import ZoneInfo

from contract.days import GamingDays
from contract.scalars import parse_instant


def gaming_day(instant: str, days: GamingDays) -> str:
    """The gaming day of an instant."""
    moment = parse_instant(instant)
    try:
        local = moment.astimezone(ZoneInfo(days.casino_time_zone))
        hours, minutes = map(int, days.day_starts.split(":"))
        return (local.replace(tzinfo=None) - dt.timedelta(hours=hours, minutes=minutes)).date().isoformat()
    except OverflowError:  # at either end of the calendar
        return moment.date().isoformat()
