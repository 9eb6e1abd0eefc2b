"""Gaming days: a casino's day begins when its night is over, at an hour of its own in its own time zone."""

import contextlib
import datetime as dt
import functools
import re
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from contract.scalars import parse_instant

_CLOCK: Final = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")


@dataclass(frozen=True, kw_only=True)
class GamingDays:
    """When a gaming day begins, and where."""

    day_starts: str = "06:00"
    "Local time at which a gaming day begins, HH:MM."
    casino_time_zone: str = "UTC"
    "The casino's time zone, as the IANA database names it."

    def __post_init__(self) -> None:
        """Refuse what cannot be right."""
        if _CLOCK.fullmatch(self.day_starts) is None:
            raise ValueError(f"--day-starts is a time of day such as 06:00, not {self.day_starts!r}.")
        if zone_of(self.casino_time_zone) is None:
            raise ValueError(f"There is no time zone {self.casino_time_zone!r}: write one such as Asia/Macau.")

    def day_of(self, instant: str) -> str:
        """The gaming day of an instant, as ``2026-11-30``.

        Between midnight and the hour at which days begin it is the day before. What counts is the local clock, so that
        the day on which it is put forward has 23 hours.
        """
        return _day_of(instant, self.casino_time_zone, self.day_starts)


@functools.lru_cache(maxsize=4096)  # a shoe is told some hundred times, always by the same instant
def _day_of(instant: str, time_zone: str, day_starts: str) -> str:
    moment = parse_instant(instant)
    with contextlib.suppress(OverflowError):  # a source's time at either end of the calendar stays as it is
        moment = moment.astimezone(zone_of(time_zone))
        early = f"{moment:%H:%M}" < day_starts
        return str(moment.date() - dt.timedelta(days=early))
    return str(moment.date())


@functools.lru_cache(maxsize=1024)
def zone_of(name: str) -> ZoneInfo | None:
    """The time zone of this name, None where there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
