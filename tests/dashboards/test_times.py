"""Ages, durations and the table's clock."""

import pytest

from dashboards.views.times import age, clock, day_and_time, duration, moment, zone
from dashboards.words import ENGLISH
from tests.dashboards.tables import NOON_MS


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-3, "0 s"),
        (0, "0 s"),
        (59.9, "59 s"),
        (119.9, "119 s"),
        (120, "2 min 00 s"),
        (129, "2 min 09 s"),
        (7199, "119 min 59 s"),
        (7200, "2 h 00 min"),
        (100_000, "27 h 46 min"),
    ],
)
def test_a_duration_is_short_and_never_negative(seconds: float, text: str) -> None:
    assert duration(seconds, ENGLISH) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-1, "Data 0.0 s ago"), (0.44, "Data 0.4 s ago"), (10, "Data 10 s ago"), (129, "Data 2 min 09 s ago")],
)
def test_an_age_is_fine_while_it_is_young(seconds: float, text: str) -> None:
    assert age(seconds, ENGLISH) == text


def test_the_clock_is_the_tables_own() -> None:
    assert clock(NOON_MS, "UTC") == "12:00:00"
    assert clock(NOON_MS, "Asia/Macau") == "20:00:00"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Nowhere/Else",
        "../../etc/passwd",
        "/etc/passwd",
        "America",
        "a\0b",
        "x" * 300,
        "posix/Asia/Macau",
        "right/Asia/Macau",
        "localtime",
        "Factory",
    ],
)
def test_what_is_no_time_zone_is_utc(name: str) -> None:
    assert zone(name) == "UTC"


def test_a_time_zone_keeps_its_name() -> None:
    assert zone("Asia/Macau") == "Asia/Macau"


def test_an_instant_is_told_in_the_tables_zone() -> None:
    assert day_and_time(moment("2026-11-30T18:05:00.000Z", "Asia/Macau"), ENGLISH) == "1 Dec 2026 02:05"
    assert day_and_time(moment(None, "UTC"), ENGLISH) == "–"
