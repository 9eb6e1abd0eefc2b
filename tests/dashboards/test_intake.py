"""Records into the store: what cannot be taken is counted and skipped, and the last good state stays."""

import json
from collections.abc import Iterator

import pytest
import structlog

from contract.codec import encode
from contract.topics import SCOREBOARDS, SHOE_STATISTICS, SHOES, STATISTICS, Topic
from dashboards.days import Found
from dashboards.intake import Change, Intake, Record
from dashboards.store import Store
from tests.dashboards.tables import example, record, scoreboard, shoe_record


@pytest.fixture(autouse=True)
def said() -> Iterator[list[structlog.typing.EventDict]]:
    with structlog.testing.capture_logs() as logs:
        yield logs


def test_each_output_finds_its_place() -> None:
    store = Store()
    intake = Intake(store)
    assert intake.take(record(example("scoreboard"))) == Change("board", "B07")
    assert intake.take(record(example("bet_statistics"))) == Change("statistics", "B07")
    assert intake.take(record(example("shoe_record"), partition=3, offset=77)) is None
    assert intake.take(record(example("shoe_statistics"), partition=3, offset=78)) is None
    assert store.days.of_day("2026-11-30") == [Found("B07", 412, 3, 78)]
    assert store.boards["B07"].raw == example("scoreboard")
    shoe = store.shoes["B07"][412]
    assert (shoe.partition, shoe.offset, shoe.head.version) == (3, 77, 12)
    assert set(intake.taken.values()) == {1}
    assert set(intake.skipped.values()) == {0}


def test_a_repeat_changes_nothing_on_the_screens() -> None:
    intake = Intake(Store())
    intake.take(record(example("scoreboard")))
    assert intake.take(record(example("scoreboard"))) is None


RUBBISH = [b"", b"{", b"\xff\xfe", b"null", b"[" * 100_000, b'{"type":"scoreboard"}', b'{"type":"tomorrow"}']


@pytest.mark.parametrize("topic", [SCOREBOARDS, STATISTICS, SHOES, SHOE_STATISTICS], ids=lambda topic: topic.name)
@pytest.mark.parametrize("value", RUBBISH, ids=lambda value: repr(value[:12]))
def test_rubbish_is_counted_and_skipped(topic: object, value: bytes) -> None:
    store = Store()
    intake = Intake(store)
    intake.take(record(example("scoreboard")))
    assert intake.take(Record(topic, 0, 1, b"B07", value, 0)) is None  # type: ignore[arg-type]
    assert sum(intake.skipped.values()) == 1
    assert store.boards["B07"].raw == example("scoreboard")


def test_a_skipped_record_is_told_with_its_place(said: list[structlog.typing.EventDict]) -> None:
    Intake(Store()).take(Record(SCOREBOARDS, 4, 99, b"B07", b"{", 0))
    assert [(line["topic"], line["partition"], line["offset"]) for line in said] == [("baccarat.scoreboards.v1", 4, 99)]


@pytest.mark.parametrize("event", ["scoreboard", "bet_statistics", "shoe_record", "shoe_statistics"])
def test_a_record_under_another_tables_key_is_skipped(event: str) -> None:
    store = Store()
    intake = Intake(store)
    assert intake.take(record(example(event))._replace(key=b"T99")) is None
    assert sum(intake.skipped.values()) == 1
    assert (store.boards, store.statistics, store.shoes) == ({}, {}, {})
    assert store.days.shoe("B07", 412) == []


@pytest.mark.parametrize(("topic", "event"), [(SHOES, "shoe_statistics"), (SHOE_STATISTICS, "shoe_record")])
def test_what_is_said_of_a_shoe_on_the_other_topic_is_skipped(topic: Topic, event: str) -> None:
    intake = Intake(Store())
    assert intake.take(Record(topic, 0, 1, b"B07/412", example(event), 0)) is None
    assert sum(intake.skipped.values()) == 1


def test_a_deleted_key_is_forgotten() -> None:
    store = Store()
    intake = Intake(store)
    for event in ("scoreboard", "bet_statistics", "shoe_record", "shoe_statistics"):
        intake.take(record(example(event)))
    assert intake.take(Record(SCOREBOARDS, 0, 9, b"B07", None, 0)) == Change("gone", "B07")
    assert intake.take(Record(STATISTICS, 0, 9, b"B07", None, 0)) == Change("statistics", "B07")
    assert intake.take(Record(SHOES, 0, 9, b"B07/412", None, 0)) is None
    assert intake.take(Record(SHOES, 0, 9, b"\xff/x", None, 0)) is None
    assert store.days.shoe("B07", 412) != []
    assert intake.take(Record(SHOE_STATISTICS, 0, 9, b"B07/412", None, 0)) is None
    assert store.days.shoe("B07", 412) == []
    assert (store.boards, store.statistics, store.shoes) == ({}, {}, {"B07": {}})


def test_fields_of_a_newer_program_are_ignored() -> None:
    newer = json.loads(encode(scoreboard())) | {"weather": "fine"}
    store = Store()
    assert Intake(store).take(record(json.dumps(newer).encode())) == Change("board", "B07")


def test_a_shoes_rounds_are_not_kept() -> None:
    store = Store()
    Intake(store).take(record(shoe_record(scoreboard())))
    assert not hasattr(store.shoes["B07"][412].head, "rounds")
