"""What the newest records tell, in words."""

import json

import pytest

from broker.samples import Sample
from broker.symptoms import Finding, LastDay, clocks, last_day, schemas

ROUNDS, BOARDS = "baccarat.rounds.v1", "baccarat.scoreboards.v1"
NEWER = "a newer version writes there"
AT_MS = 1_796_061_600_000
"""2026-11-30T18:00:00Z."""


def dealt(occurred_at: str = "2026-11-30T18:00:00.000Z", table_id: str = "T01") -> bytes:
    event = {
        "type": "round_dealt", "table_id": table_id, "shoe_no": 1, "round_no": 1, "revision": 0,
        "occurred_at": occurred_at, "outcome": "player", "paytable": "classic@1",
    }  # fmt: skip
    return json.dumps(event).encode()


def sample(value: bytes, topic: str = ROUNDS, *, timestamp: int = AT_MS, offset: int = 7) -> Sample:
    return Sample(topic, 4, offset, timestamp, b"T01", value)


def said(findings: list[Finding]) -> list[str]:
    return [f"{finding.verdict}: {finding.sentence}" for finding in findings]


def test_records_that_can_be_read_hold() -> None:
    assert said(list(schemas([sample(dealt()), sample(dealt())]))) == [
        "holds: the newest records of 1 topics can be read (2 were looked at)"
    ]


def test_of_an_empty_topic_nothing_is_said() -> None:
    assert list(schemas([])) == []
    assert list(clocks([], AT_MS)) == []


def test_one_bad_record_of_a_source_is_a_note_and_names_its_place() -> None:
    (finding,) = schemas([sample(dealt()), sample(b"\xff\xfe", offset=8)])
    assert finding.verdict == "note"
    assert finding.sentence.startswith(f"1 of the 2 newest records of {ROUNDS} cannot be read; partition 4 offset 8: ")
    assert "dead letters" in finding.sentence


@pytest.mark.parametrize("topic", [ROUNDS, BOARDS])
def test_nothing_readable_in_a_source_or_anything_unreadable_of_ours_is_wrong(topic: str) -> None:
    (finding,) = schemas([sample(b'{"type": "round_dealt"}', topic)])
    assert finding.verdict == "wrong"
    assert "whether its version and this one fit" in finding.sentence


def test_a_type_of_a_newer_version_is_a_note() -> None:
    assert said(list(schemas([sample(b'{"type": "round_blessed"}')]))) == [
        f"note: 1 of the 1 newest records of {ROUNDS} are of a type that this version does not know and skips: {NEWER}"
    ]


def test_clocks_that_agree_hold() -> None:
    (finding,) = clocks([sample(dealt("2026-11-30T18:05:00.000Z"))], AT_MS + 1000)
    assert finding.verdict == "holds"


def test_a_broker_from_the_future_is_wrong() -> None:
    (finding,) = clocks([sample(dealt())], AT_MS - 90_000)
    assert finding.verdict == "wrong"
    assert finding.sentence.startswith(
        "the broker's clock is 90 s ahead of this machine's: set both by one time server"
    )


def test_a_source_whose_newest_record_is_far_off_is_named_and_an_older_one_is_not_held_against_it() -> None:
    records = [
        sample(dealt("2026-11-30T17:00:00.000Z", "T01"), timestamp=AT_MS),
        sample(dealt("2026-11-30T19:00:00.000Z", "T02"), timestamp=AT_MS),
        sample(dealt("2026-11-30T19:00:00.000Z", "T03"), timestamp=AT_MS),
        sample(dealt("2026-11-30T18:00:10.000Z", "T03"), timestamp=AT_MS + 10_000),
        sample(dealt("2026-11-30T18:00:10.000Z", "T04"), timestamp=AT_MS + 10_000),
        sample(dealt("2026-11-30T19:00:00.000Z", "T04"), timestamp=AT_MS),
    ]
    assert [line.partition(", or")[0] for line in said(list(clocks(records, AT_MS + 20_000)))] == [
        "note: the clock of what publishes T01 is 3600 s behind the broker's",
        "note: the clock of what publishes T02 is 3600 s ahead of the broker's",
    ]


def alert(subject: str, state: str, kind: str = "gap") -> Sample:
    event = {
        "type": "alert", "table_id": "T01", "occurred_at": "2026-11-30T18:00:00.000Z", "kind": kind,
        "subject": subject, "state": state, "message": f"Said of {subject}.",
    }  # fmt: skip
    return sample(json.dumps(event).encode(), "baccarat.alerts.v1")


def test_alerts_that_are_still_raised_are_told_by_kind_and_cleared_ones_are_not() -> None:
    day = LastDay()
    for each in (
        alert("1/3", "raised"),
        alert("1/4", "raised"),
        alert("1/3", "cleared"),
        alert("1/9", "raised", "limit"),
        alert("1/streak/banker", "raised", "good_road"),  # no trouble
    ):
        day.take_alert(each)
    assert [line.partition(" `")[0] for line in said(list(last_day(day)))] == [
        "note: 1 alerts of kind gap raised in the last day and not cleared (T01); the last: Said of 1/4.",
        "note: 1 alerts of kind limit raised in the last day and not cleared (T01); the last: Said of 1/9.",
    ]


def test_dead_letters_are_counted_by_code_and_at_least_where_time_was_short() -> None:
    day = LastDay(complete=False)
    for code in ("invalid", "invalid", "too_old"):
        day.take_letter(sample(b"x", "baccarat.dead-letters.v1")._replace(headers={"code": code}))
    assert [line.partition(": `")[0] for line in said(list(last_day(day)))] == [
        "note: at least 2 dead letters invalid in the last day (the value breaks the schema of its event)",
        "note: at least 1 dead letters too_old in the last day (the table has been shown two shoes later)",
    ]
