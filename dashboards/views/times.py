"""Times for people: ages, durations, and the clock of the table's own time zone.

Moments are milliseconds since 1970. The display's clock and zone are never used.
"""

import functools
import math
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from babel.dates import format_skeleton

from dashboards.views.numbers import NONE, decimal
from dashboards.words import Words

FINE_S: Final = 10
"""Below this an age is shown with a tenth of a second."""
_MINUTES_FROM_S: Final = 120


@functools.cache
def zone(name: str) -> str:
    """The name of a time zone that we and a browser know; UTC where this one is none."""
    return name if name in _known() else "UTC"


@functools.cache
def _known() -> frozenset[str]:
    """The zones of the tz database; two names that stand beside them mean something on this machine alone."""
    return frozenset(available_timezones()) - {"localtime", "Factory"}


def clock(at_ms: float, zone_name: str) -> str:
    """The time of day as ``14:05:31``."""
    return datetime.fromtimestamp(at_ms / 1000, ZoneInfo(zone_name)).strftime("%H:%M:%S")


def moment(instant: str | None, zone_name: str) -> datetime | None:
    """A contract's instant in the table's zone."""
    return None if instant is None else datetime.fromisoformat(instant).astimezone(ZoneInfo(zone_name))


def day_and_time(at: datetime | None, words: Words) -> str:
    """``30 Nov 2026 14:05``, or a dash."""
    return NONE if at is None else f"{format_skeleton('yMMMd', at, locale=words.locale)} {at:%H:%M}"


def said_until(at_ms: int, zone_name: str, words: Words) -> str:
    """Day and time of the newest that is known, in the table's zone; empty where nothing is."""
    return day_and_time(datetime.fromtimestamp(at_ms / 1000, ZoneInfo(zone_name)), words) if at_ms else ""


def day(date: str, words: Words) -> str:
    """``30 Nov 2026`` for ``2026-11-30``."""
    return format_skeleton("yMMMd", datetime.fromisoformat(date), locale=words.locale)


def now_ms() -> int:
    """The server's time, the one clock of every display."""
    return int(datetime.now(UTC).timestamp() * 1000)


def duration(seconds: float, words: Words) -> str:
    """``45 s``, ``2 min 09 s``, ``3 h 05 min``; the script of the page writes it alike."""
    whole = math.floor(max(0.0, seconds))
    if whole < _MINUTES_FROM_S:
        return words.duration[0].format(whole)
    minutes, left = divmod(whole, 60)
    if minutes < _MINUTES_FROM_S:
        return words.duration[1].format(minutes, f"{left:02}")
    hours, minutes = divmod(minutes, 60)
    return words.duration[2].format(hours, f"{minutes:02}")


def age(seconds: float, words: Words) -> str:
    """How old the data is: ``Data 0.4 s ago``."""
    if seconds < FINE_S:
        return words.age.format(decimal(max(0.0, seconds), 1, words))
    return words.age_long.format(duration(seconds, words))
