"""Gaming days: the local clock decides, whatever it does in spring and autumn."""

import pytest

from contract.days import GamingDays


@pytest.mark.parametrize(
    ("instant", "zone", "day"),
    [
        ("2026-11-30T18:00:00.000Z", "Asia/Macau", "2026-11-30"),  # 02:00 on the first of December
        ("2026-11-30T21:59:59.999Z", "Asia/Macau", "2026-11-30"),
        ("2026-11-30T22:00:00.000Z", "Asia/Macau", "2026-12-01"),  # 06:00
        ("2026-11-30T05:59:59.999Z", "UTC", "2026-11-29"),
        ("2026-11-30T06:00:00.000Z", "UTC", "2026-11-30"),
        # Clocks go forward at 01:00 UTC on 2026-03-29: the day before has 23 hours.
        ("2026-03-29T03:59:59.000Z", "Europe/Berlin", "2026-03-28"),
        ("2026-03-29T04:00:00.000Z", "Europe/Berlin", "2026-03-29"),
        # And back at 01:00 UTC on 2026-10-25: 25 hours.
        ("2026-10-25T04:59:59.000Z", "Europe/Berlin", "2026-10-24"),
        ("2026-10-25T05:00:00.000Z", "Europe/Berlin", "2026-10-25"),
        ("2026-03-01T04:00:00.000Z", "UTC", "2026-02-28"),
        ("0001-01-01T00:00:00.000Z", "America/New_York", "0001-01-01"),
        ("9999-12-31T23:59:59.999Z", "Asia/Macau", "9999-12-31"),
    ],
)
def test_the_day_begins_at_six_by_the_casinos_clock(instant: str, zone: str, day: str) -> None:
    assert GamingDays(casino_time_zone=zone).day_of(instant) == day


def test_days_may_begin_at_any_minute() -> None:
    assert GamingDays(day_starts="00:00").day_of("2026-11-30T00:00:00.000Z") == "2026-11-30"
    assert GamingDays(day_starts="23:30").day_of("2026-11-30T23:29:00.000Z") == "2026-11-29"


@pytest.mark.parametrize("text", ["6", "24:00", "06:60", "6:00", "", "06:00:00", "06:00\n"])
def test_a_time_of_day_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="--day-starts is a time of day"):
        GamingDays(day_starts=text)


def test_a_zone_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="no time zone 'Mars/Olympus'"):
        GamingDays(casino_time_zone="Mars/Olympus")
