"""The index of shoe statistics: the highest version wins, wherever it lies, and days are found."""

from dashboards.days import Days, Found, ShoeStatisticsHead


def head(shoe_no: int, version: int, day: str | None = "2026-11-30", table_id: str = "B07") -> ShoeStatisticsHead:
    return ShoeStatisticsHead(table_id=table_id, shoe_no=shoe_no, version=version, gaming_day=day)


def test_the_highest_version_stays_and_an_equal_one_is_found_at_its_last_copy() -> None:
    days = Days()
    days.keep(head(1, 7), 3, 100)
    days.keep(head(1, 6, "2026-11-29"), 3, 101)
    assert days.shoe("B07", 1) == [Found("B07", 1, 3, 100)]
    days.keep(head(1, 7), 3, 102)
    assert days.shoe("B07", 1) == [Found("B07", 1, 3, 102)]
    days.keep(head(1, 8, "2026-12-01"), 3, 103)
    assert (days.of_day("2026-11-30"), days.of_day("2026-12-01")) == ([], [Found("B07", 1, 3, 103)])


def test_days_are_found_of_one_table_and_of_all() -> None:
    days = Days()
    days.keep(head(1, 1), 3, 1)
    days.keep(head(2, 1), 3, 2)
    days.keep(head(9, 1, table_id="C01"), 5, 7)
    days.keep(head(3, 1, None), 3, 3)
    assert len(days.of_day("2026-11-30")) == 3
    assert days.of_day("2026-11-30", "C01") == [Found("C01", 9, 5, 7)]
    assert days.of_day("2026-11-30", "nobody") == days.of_day("2026-02-31") == days.of_day("") == []


def test_the_last_days_of_the_house_are_whole_days_or_a_part_of_the_last() -> None:
    days = Days()
    for shoe_no in range(1, 7):
        days.keep(head(shoe_no, 1, "2026-11-30" if shoe_no < 4 else "2026-12-01"), 3, shoe_no)
    assert [found.shoe_no for found in days.newest_days(6)] == [4, 5, 6, 1, 2, 3]
    assert [found.shoe_no for found in days.newest_days(5)] == [4, 5, 6]
    assert len(days.newest_days(2)) == 2


def test_large_numbers_keep_apart() -> None:
    days = Days()
    days.keep(head(10**9, 2**50), 11, 2**47)
    assert days.shoe("B07", 10**9) == days.of_day("2026-11-30") == [Found("B07", 10**9, 11, 2**47)]
    days.keep(head(10**9, 2**50 - 1), 11, 2**47 + 1)
    assert days.shoe("B07", 10**9)[0].offset == 2**47


def test_what_kafka_has_forgotten_is_forgotten() -> None:
    days = Days()
    days.keep(head(1, 1), 3, 1)
    days.forget("B07", 1)
    days.forget("B07", 2)
    assert days.of_day("2026-11-30") == []
