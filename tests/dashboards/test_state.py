"""Two signs: the age of the data and what keeps it from being fresh."""

import pytest

from dashboards.views.boards import silence_limit
from dashboards.views.state import Source, Subject, silent, state
from dashboards.words import ENGLISH
from tests.dashboards.tables import NOON_MS

WELL = Source(lost=False, contact_ms=NOON_MS)


def test_fresh_data_raises_nothing() -> None:
    shown = state(Subject(NOON_MS - 400, "UTC", 180, 58), NOON_MS, WELL, ENGLISH)
    assert (shown.cause, shown.title, shown.age, shown.clock) == ("", "", "Data 0.4 s ago", "12:00:00")


def test_a_silent_table_is_told_with_the_time_of_its_last_word() -> None:
    shown = state(Subject(NOON_MS - 200_000, "Asia/Macau", 180, 58), NOON_MS, WELL, ENGLISH)
    assert shown.cause == "silent"
    assert shown.title == "No rounds from the table since 19:56:40"
    assert shown.text == "Nothing for 3 min 20 s. This is the board after round 58."


def test_a_lost_source_is_told_before_a_silent_table() -> None:
    away = Source(lost=True, contact_ms=NOON_MS - 129_000)
    shown = state(Subject(NOON_MS - 200_000, "UTC", 180, 58), NOON_MS, away, ENGLISH)
    assert shown.cause == "source"
    assert shown.title == "No live data since 11:57:51"
    assert shown.text == "The data service is lost for 2 min 09 s. This is the board after round 58."


def test_a_page_of_all_tables_names_no_round() -> None:
    shown = state(Subject(NOON_MS, "UTC"), NOON_MS, Source(lost=True, contact_ms=NOON_MS - 9_000), ENGLISH)
    assert shown.text == "The data service is lost for 9 s."


def test_without_any_data_there_is_no_age() -> None:
    assert state(Subject(0, "UTC"), NOON_MS, WELL, ENGLISH).age == "No data yet"


@pytest.mark.parametrize(
    ("status", "limit"),
    [("closed", 0), ("unknown", 0), ("shuffling", 900), ("betting", 180), ("dealing", 180), ("dealt", 180)],
)
def test_a_closed_table_may_be_silent_and_a_shuffling_one_longer(status: str, limit: float) -> None:
    assert silence_limit(status, 180) == limit  # type: ignore[arg-type]


def test_silence_begins_after_its_limit() -> None:
    assert not silent(NOON_MS - 180_000, 180, NOON_MS)
    assert silent(NOON_MS - 180_001, 180, NOON_MS)
    assert not silent(0, 0, NOON_MS)
