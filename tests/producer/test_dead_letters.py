"""Dead letters as an operator works with them: reading them, choosing them, and what a replay can help."""

import re
import uuid
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, ConsumerRecord, TopicPartition

from baccarat.paytables import Paytable, UnknownPaytable, load
from broker.closing import opened
from broker.connection import Connection
from contract.codec import encode
from contract.dead_letters import CODES, DeadLetter, DeadLetterCode
from contract.partitions import partition_of
from contract.topics import BETS, DEAD_LETTERS, ROUNDS, SETTLEMENTS
from processors.effects import Effects, Fold, Record
from processors.scoreboards import Scoreboards
from processors.settlements import Settlements
from processors.statistics import Statistics
from producer.dead_letters import FUTILE, HOPEFUL, BadChoice, Choice, Letter, Place, letter, moment
from producer.letter_replay import REPEATED, as_it_was, replay
from producer.publisher import RecordRefused
from tests.producer.conftest import Reader
from tests.producer.floor_events import TABLE, dealt, started

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
HEADERS = DeadLetter("scoreboards", ROUNDS.name, 7, 15023, "shoe_jump", "shoe 421 comes after 412")


def record(
    headers: Iterable[tuple[str, bytes | None]] = tuple(HEADERS.headers()),
    key: bytes | None = b"B07",
    value: bytes | None = b'{"table_id":"B07"}',
    **more: Any,
) -> Any:
    place = {"topic": DEAD_LETTERS.name, "partition": 7, "offset": 12, "timestamp": int(NOON.timestamp() * 1000)}
    return SimpleNamespace(**{"headers": tuple(headers), "key": key, "value": value, **place, **more})


def read(code: str = "shoe_jump", topic: str = ROUNDS.name, **more: Any) -> Letter:
    return letter(record([*HEADERS._replace(code=code, topic=topic).headers()], **more))  # type: ignore[arg-type]


def test_a_letter_says_where_it_stands_and_where_its_record_was() -> None:
    found = letter(record())
    assert (found.place, found.source) == (Place(DEAD_LETTERS.name, 7, 12), Place(ROUNDS.name, 7, 15023))
    assert (found.processor, found.code, found.message) == ("scoreboards", "shoe_jump", "shoe 421 comes after 412")
    assert (found.at, found.key, found.value) == (NOON, b"B07", b'{"table_id":"B07"}')


@pytest.mark.parametrize(
    "headers",
    [
        (),
        (("topic", b"baccarat.rounds.v1"), ("partition", b"-1"), ("offset", b"5")),
        (("topic", b"baccarat.rounds.v1"), ("partition", "٣".encode()), ("offset", b"5")),
        (("topic", b""), ("partition", b"1"), ("offset", b"5")),
        (("topic", b"baccarat.rounds.v1"), ("partition", b"1"), ("offset", b"9" * 5000)),
        (("topic", b"baccarat.rounds.v1"), ("partition", None), ("offset", b"\xff\xfe")),
    ],
)
def test_whatever_the_headers_are_the_letter_can_be_read_and_is_never_published(
    headers: tuple[tuple[str, bytes | None], ...],
) -> None:
    found = letter(record(headers))
    assert (found.source, found.code, found.processor) == (None, "unknown", "unknown")
    assert Choice(places=frozenset({found.place})).hindrance(found) == "its headers do not say where it was"


def test_of_a_header_that_stands_twice_the_first_counts_and_any_timestamp_will_do() -> None:
    assert letter(record([*HEADERS.headers(), ("topic", b"other")])).source == Place(ROUNDS.name, 7, 15023)
    assert letter(record(timestamp=1 << 62)).at.year == 1970


@pytest.mark.parametrize("topic", [SETTLEMENTS.name, DEAD_LETTERS.name, "payroll", "__consumer_offsets"])
def test_only_sources_are_published_to_whatever_a_header_names(topic: str) -> None:
    found = read(topic=topic)
    for choice in (Choice(), Choice(places=frozenset({found.place})), Choice(codes=frozenset({found.code}))):
        assert str(choice.hindrance(found)).endswith("only rounds and bets are published to")


def test_a_record_without_key_and_value_cannot_be_published() -> None:
    assert Choice().hindrance(read(key=None, value=None)) == "it has neither key nor value"


def test_every_code_is_futile_or_hopeful() -> None:
    assert sorted([*FUTILE, *HOPEFUL]) == sorted(CODES) == sorted(get_args(DeadLetterCode))


def test_operations_say_of_every_code_whether_a_replay_helps() -> None:
    said = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z_]+)` \| (never|yes|once)", said, re.MULTILINE))
    assert sorted(rows) == sorted(CODES)
    assert {code for code, helps in rows.items() if helps == "never"} == set(FUTILE)


@pytest.mark.parametrize("code", FUTILE)
def test_what_no_fix_cures_is_passed_over_unless_it_is_named(code: str) -> None:
    found = read(code)
    assert Choice(table="B07").hindrance(found) == FUTILE[code]
    assert Choice(codes=frozenset({code})).hindrance(found) is None
    assert Choice(places=frozenset({Place(ROUNDS.name, 7, 15023)})).hindrance(found) is None


@pytest.mark.parametrize("code", HOPEFUL)
def test_what_a_fix_cures_is_published(code: str) -> None:
    assert Choice(table="B07").hindrance(read(code)) is None


@pytest.mark.parametrize("text", ["rounds/7/15023", "baccarat.rounds.v1/7/15023"])
def test_a_place_is_written_with_the_short_name_or_the_full_one(text: str) -> None:
    assert Place.parse(text) == Place(ROUNDS.name, 7, 15023)
    assert str(Place.parse(text)) == "rounds/7/15023"


@pytest.mark.parametrize("text", ["", "rounds", "rounds/7", "rounds/7/x", "rounds/-1/2", "rounds/1/2/3"])
def test_a_place_that_is_none_is_quoted(text: str) -> None:
    with pytest.raises(BadChoice, match=f"not {text!r}"):
        Place.parse(text)


def test_a_place_in_a_topic_that_there_is_not_is_told() -> None:
    with pytest.raises(BadChoice, match="there is no topic 'nothing'"):
        Place.parse("nothing/1/2")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2026-11-30T11:00:00Z", datetime(2026, 11, 30, 11, tzinfo=UTC)),
        ("2026-11-30T20:00:00+08:00", NOON),
        ("90m", datetime(2026, 11, 30, 10, 30, tzinfo=UTC)),
        ("12h", datetime(2026, 11, 30, tzinfo=UTC)),
        ("2d", datetime(2026, 11, 28, 12, tzinfo=UTC)),
        ("30s", datetime(2026, 11, 30, 11, 59, 30, tzinfo=UTC)),
        ("99999d", NOON - timedelta(days=99_999)),
    ],
)
def test_since_when_is_said_as_a_time_or_as_a_time_ago(text: str, meant: datetime) -> None:
    assert moment(text, NOON) == meant


@pytest.mark.parametrize("text", ["", "yesterday", "2026-11-30", "5w", "999999999d"])
def test_a_time_that_is_none_is_quoted(text: str) -> None:
    with pytest.raises(BadChoice, match=repr(text)):
        moment(text, NOON)


@pytest.mark.parametrize(
    ("choice", "taken"),
    [
        ({}, True),
        ({"codes": frozenset({"shoe_jump", "too_old"})}, True),
        ({"codes": frozenset({"too_old"})}, False),
        ({"processor": "scoreboards"}, True),
        ({"processor": "settlements"}, False),
        ({"since": NOON}, True),
        ({"since": datetime(2026, 11, 30, 12, 0, 1, tzinfo=UTC)}, False),
        ({"table": "B07"}, True),
        ({"table": "B08"}, False),
        ({"places": frozenset({Place(ROUNDS.name, 7, 15023)})}, True),
        ({"places": frozenset({Place(DEAD_LETTERS.name, 7, 12)})}, True),
        ({"places": frozenset({Place(ROUNDS.name, 7, 12)})}, False),
        ({"table": "B07", "codes": frozenset({"too_old"})}, False),
    ],
)
def test_letters_are_chosen_by_all_that_is_said(choice: dict[str, Any], *, taken: bool) -> None:
    assert Choice(**choice).takes(letter(record())) is taken


@pytest.mark.parametrize(
    ("key", "value", "concerns"),
    [
        (b"B07", b"rubbish", True),
        (None, b'{"table_id":"B07"}', True),
        (b"B08", b'{"table_id":"B07"}', True),
        (b"B08", b'{"table_id":7}', False),
        (None, None, False),
        (b"\xff", b"\xff", False),
        (b"B0", b"[" * 100_000, False),
    ],
)
def test_a_letter_concerns_the_table_of_its_key_and_of_its_value(
    key: bytes | None, value: bytes | None, *, concerns: bool
) -> None:
    assert letter(record(key=key, value=value)).concerns("B07") is concerns


def test_a_code_that_there_is_not_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadChoice, match="there is no code 'too_late'; there are undecodable, invalid, "):
        Choice(codes=frozenset({"too_late"}))


def test_letters_of_the_same_record_have_one_fingerprint() -> None:
    found = letter(record())
    again = replace(found, place=Place(DEAD_LETTERS.name, 7, 99), source=Place(ROUNDS.name, 7, 16000), code="too_old")
    assert found.fingerprint() == again.fingerprint()
    others = [
        replace(found, key=None),
        replace(found, key=b""),
        replace(found, value=None),
        replace(found, key=b"B0", value=b'7{"table_id":"B07"}'),
        replace(found, source=Place(BETS.name, 7, 15023)),
    ]
    assert len({found.fingerprint(), *(other.fingerprint() for other in others)}) == 1 + len(others)


def test_a_record_without_a_key_goes_back_to_its_own_partition() -> None:
    assert as_it_was(read("invalid", key=None), 12)[:5] == (
        ROUNDS.name,
        None,
        b'{"table_id":"B07"}',
        None,
        7,
    )
    assert as_it_was(read("invalid"), 12).partition is None


def stepped(fold: Fold, offset: int, value: bytes) -> Effects:
    partition = partition_of(TABLE.encode(), 12)
    return fold.step(Record(ROUNDS.name, partition, offset, 1_795_975_200_000, TABLE.encode(), value))


def test_replaying_the_letter_of_a_round_once_its_pay_table_is_known_settles_its_batches_and_disturbs_nobody() -> None:
    deployed: dict[str, Paytable] = {}

    def paytables(name: str) -> Paytable:
        if name not in deployed:
            raise UnknownPaytable(f"There is no pay table {name}")
        return deployed[name]

    settlements, boards, statistics = Settlements(12, paytables), Scoreboards(12), Statistics(12)
    round_2 = encode(dealt(412, 2))
    batch = (
        b'{"type":"bets_placed","table_id":"B07","occurred_at":"2026-11-30T18:00:00.000Z","shoe_no":412,"round_no":2,'
        b'"batch_id":"a","currency":"EUR","slips":[{"slip_id":"a1","bettor":"1","bet":"player","stake":100,'
        b'"placed_at":"2026-11-30T18:00:00.000Z"}]}'
    )
    for fold in (settlements, boards, statistics):
        stepped(fold, 0, encode(started(412)))
    partition = partition_of(TABLE.encode(), 12)
    settlements.step(Record(BETS.name, partition, 0, 1_795_975_200_000, TABLE.encode(), batch))
    refused = stepped(settlements, 1, round_2)
    before = [stepped(fold, 1, round_2).outs for fold in (boards, statistics)]
    (out,) = [out for out in refused.outs if out.topic is DEAD_LETTERS]
    found = letter(record(out.headers or (), out.key, out.value))
    assert (found.code, Choice(table=TABLE).hindrance(found)) == ("unknown_paytable", None)
    again = as_it_was(found, 12)
    assert (again.topic, again.key, again.value) == (ROUNDS.name, TABLE.encode(), round_2)

    deployed["classic@1"] = load("classic@1")
    (settled,) = [out for out in stepped(settlements, 2, round_2).outs if out.topic is SETTLEMENTS]
    assert settled.value is not None
    assert b'"payout":200' in settled.value
    assert [stepped(fold, 2, round_2).outs for fold in (boards, statistics)] == [
        [out for out in outs if out.topic.cleanup != "delete"] for outs in before
    ]


async def post(floor: Connection, *letters: tuple[DeadLetter, bytes | None, bytes | None]) -> None:
    async with opened(AIOKafkaProducer(**floor.client_options(), max_request_size=1 << 22)) as producer:
        for headers, key, value in letters:
            await producer.send_and_wait(
                DEAD_LETTERS.name, value, key, partition=headers.partition, headers=headers.headers()
            )


def of(table: str, records: list[ConsumerRecord]) -> list[ConsumerRecord]:
    return [found for found in records if table.encode() in (found.key or b"") + (found.value or b"")]


def about(code: DeadLetterCode, offset: int, *, partition: int = 7, topic: str = ROUNDS.name) -> DeadLetter:
    return DeadLetter("scoreboards", topic, partition, offset, code, "why")


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_a_replay_publishes_what_is_meant_in_its_order_once_with_key_and_value_untouched(
    floor: Connection, everything_in: Reader
) -> None:
    table = f"dl-{uuid.uuid4().hex[:8]}"
    key, home = table.encode(), partition_of(table.encode(), 12)
    values = [b'{"table_id":"%s", "n": %d}' % (key, number) for number in range(3)]
    wrong = (home + 1) % 12
    await post(
        floor,
        (about("shoe_jump", 1, partition=home), key, values[0]),
        (about("too_old", 2, partition=home), key, values[1]),
        (about("shoe_jump", 3, partition=home), key, values[2]),
        (about("shoe_jump", 3, partition=home), key, values[2]),
        (about("invalid", 4, partition=home, topic=BETS.name), key, values[0]),
        (about("wrong_partition", 5, partition=wrong), key, values[1] + b" "),
        (about("invalid", 6, partition=3), None, values[0]),
        (about("invalid", 7, partition=home, topic=SETTLEMENTS.name), key, values[0]),
    )
    reports: list[tuple[str, str | None]] = []

    def report(found: Letter, hindrance: str | None) -> None:
        reports.append((str(found.source), hindrance))

    shown = await replay(floor, Choice(table=table), report, dry_run=True)
    assert of(table, await everything_in(floor, ROUNDS)) == []
    done = await replay(floor, Choice(table=table), report)
    assert shown == done
    assert done.published == {"shoe_jump": 2, "wrong_partition": 1, "invalid": 2}
    half = len(reports) // 2
    assert sorted(reports[:half], key=str) == sorted(reports[half:], key=str)
    hindered = {source: why for source, why in reports if why is not None}
    assert hindered == {
        f"rounds/{home}/2": FUTILE["too_old"],
        f"rounds/{home}/3": REPEATED,
        f"settlements/{home}/7": "it was in settlements, and only rounds and bets are published to",
    }
    published = of(table, await everything_in(floor, ROUNDS))
    mine = [found.value for found in published if found.key == key]
    assert [value for value in mine if value != values[1] + b" "] == [values[0], values[2]]
    assert {found.partition for found in published if found.key == key} == {home}
    assert [(found.partition, found.value) for found in published if found.key is None] == [(3, values[0])]
    assert [found.value for found in of(table, await everything_in(floor, BETS))] == [values[0]]


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_a_replay_says_which_places_have_no_letter(floor: Connection) -> None:
    here, nowhere = Place(ROUNDS.name, 5, 10**12 + 1), Place(ROUNDS.name, 5, 10**12)
    await post(floor, (about("conflict", here.offset, partition=5), b"dl-none", b"{}"))
    done = await replay(floor, Choice(places=frozenset({here, nowhere})), lambda *_: None, dry_run=True)
    assert (done.published, done.missing) == ({"conflict": 1}, {nowhere})


def test_a_letter_larger_than_its_topic_takes_is_passed_over() -> None:
    most = 1 << 20
    assert Choice().hindrance(read(key=b"B07", value=b"x" * (most - 3))) is None
    assert Choice(codes=frozenset({"shoe_jump"})).hindrance(read(key=b"B07", value=b"x" * (most - 2))) == (
        f"it has {most + 1} bytes, and rounds takes {most}"
    )


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_the_largest_record_that_a_topic_takes_can_be_published_again(
    floor: Connection, everything_in: Reader
) -> None:
    table = f"dl-{uuid.uuid4().hex[:4]}"
    largest = (1 << 20) - 72 - len(table)  # the batch and the record around key and value have 72 bytes
    letters = [b"x" * largest, b"y" * (largest + 1)]
    await post(floor, (about("invalid", 1, partition=1), table.encode(), letters[0]))
    done = await replay(floor, Choice(table=table), lambda *_: None)
    assert done.published == {"invalid": 1}
    assert [found.value for found in of(table, await everything_in(floor, ROUNDS))] == letters[:1]
    await post(floor, (about("invalid", 2, partition=1), table.encode(), letters[1]))
    with pytest.raises(RecordRefused, match=rf"{table}.*\({largest + 1} bytes\) in baccarat.rounds.v1"):
        await replay(floor, Choice(table=table), lambda *_: None)


async def _offset(floor: Connection, partition: int) -> int:
    async with opened(AIOKafkaConsumer(**floor.client_options())) as consumer:
        place = TopicPartition(DEAD_LETTERS.name, partition)
        ends: dict[TopicPartition, int] = await consumer.end_offsets([place])
        return ends[place]


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_a_letter_can_be_named_by_its_own_place(floor: Connection, everything_in: Reader) -> None:
    table = f"dl-{uuid.uuid4().hex[:8]}"
    own = Place(DEAD_LETTERS.name, 4, await _offset(floor, 4))
    await post(floor, (about("conflict", 1, partition=4), table.encode(), b"{}"))
    done = await replay(floor, Choice(places=frozenset({own})), lambda *_: None)
    assert (done.published, done.missing) == ({"conflict": 1}, set())
    assert [found.value for found in of(table, await everything_in(floor, ROUNDS))] == [b"{}"]
