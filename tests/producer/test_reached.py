"""Where a floor goes on: the highest numbers of a table, whatever else stands in the topics."""

import asyncio
import uuid
from typing import Any

import msgspec
import pytest
from aiokafka import AIOKafkaProducer
from hypothesis import given, settings
from hypothesis import strategies as st

from broker.closing import opened
from broker.connection import Connection
from contract.partitions import partition_of
from contract.topics import PARTITIONS, ROUNDS, SCOREBOARDS, Topic
from producer import reached as module
from producer.reached import Followed, Head, Reached, follow, reached


def round_of(shoe_no: int) -> Head:
    return Head(type="round_dealt", table_id="T01", shoe_no=shoe_no)


def start_of(shoe_no: int, *, force: bool = False) -> Head:
    return Head(type="shoe_started", table_id="T01", shoe_no=shoe_no, force=force)


@pytest.mark.parametrize(
    ("heads", "shoe_no", "leapt"),
    [
        ([], 0, False),
        ([round_of(412)], 412, False),
        ([round_of(1), round_of(2), round_of(1)], 2, False),
        ([start_of(1), start_of(51)], 51, False),
        ([start_of(1), start_of(52)], 1, True),
        ([start_of(1), start_of(1000, force=True), round_of(1000)], 1000, False),
        ([start_of(1), round_of(3)], 1, True),
        ([start_of(1), start_of(3), round_of(3)], 3, False),
        ([round_of(3), round_of(10**9), round_of(4)], 4, True),
    ],
)
def test_shoes_are_followed_as_processors_follow_them(heads: list[Head], shoe_no: int, *, leapt: bool) -> None:
    assert follow(heads) == Followed(shoe_no, 0, leapt)


@given(st.lists(st.integers(1, 10**6), min_size=1))
@settings(deadline=None)
def test_the_highest_settings_are_found_in_any_order(numbers: list[int]) -> None:
    heads = [Head(type="table_opened", table_id="T01", config_no=number) for number in numbers]
    assert follow(heads).config_no == max(numbers)


async def put(connection: Connection, topic: Topic, values: list[tuple[str, dict[str, Any] | bytes]]) -> None:
    async with opened(AIOKafkaProducer(**connection.client_options())) as producer:
        acknowledged = [
            await producer.send(
                topic.name, value if isinstance(value, bytes) else msgspec.json.encode(value), table_id.encode()
            )
            for table_id, value in values
        ]
        await asyncio.gather(*acknowledged)


def event(kind: str, table_id: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    return table_id, {"type": kind, "table_id": table_id, "occurred_at": "2026-11-30T18:00:00.000Z", **fields}


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_the_highest_numbers_of_each_table_are_read_from_kafka(floor: Connection) -> None:
    one, two, three = (uuid.uuid4().hex for _ in range(3))
    await put(
        floor,
        ROUNDS,
        [
            event("table_opened", one, config_no=6),
            event("shoe_started", one, shoe_no=41, decks=8),
            event("round_dealt", one, shoe_no=42),
            event("round_voided", one, shoe_no=41),
            event("shoe_started", two, shoe_no=7, decks=8),
            (one, b"rubbish"),
            (one, b"[" * 100_000),
            (one, b'{"type": "round_dealt", "shoe_no": 43}'),
            (two, event("shoe_started", one, shoe_no=43)[1]),
        ],
    )
    await put(floor, SCOREBOARDS, [event("scoreboard", two, shoe_no=9), event("scoreboard", one, shoe_no=40)])
    assert await reached(floor, [one, two, three], PARTITIONS) == {
        one: Reached(shoe_no=42, config_no=6),
        two: Reached(shoe_no=9),
        three: Reached(),
    }


def neighbours(count: int) -> list[str]:
    """Table ids of one partition."""
    ids = (uuid.uuid4().hex for _ in range(1000))
    return [table_id for table_id in ids if partition_of(table_id.encode(), PARTITIONS) == 5][:count]


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_a_table_is_found_however_far_back_it_stands(floor: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet, busy = neighbours(2)
    monkeypatch.setitem(module._BLOCKS, ROUNDS, 3)
    history = [event("shoe_started", quiet, shoe_no=5), event("round_dealt", quiet, shoe_no=5)]
    noise = [event("round_dealt", busy, shoe_no=1 + number // 80) for number in range(500)]
    await put(floor, ROUNDS, [*history, *noise])
    assert await reached(floor, [quiet, busy], PARTITIONS) == {quiet: Reached(shoe_no=5), busy: Reached(shoe_no=7)}


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_an_old_recording_at_the_end_does_not_hide_a_later_shoe(
    floor: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    (table,) = neighbours(1)
    monkeypatch.setitem(module._BLOCKS, ROUNDS, 5)
    await put(
        floor,
        ROUNDS,
        [
            *(event("shoe_started", table, shoe_no=shoe_no) for shoe_no in range(1, 101)),
            *(event("round_dealt", table, shoe_no=1, round_no=number) for number in range(2)),
            event("shoe_started", table, shoe_no=101),
            event("round_dealt", table, shoe_no=101),
        ],
    )
    assert await reached(floor, [table], PARTITIONS) == {table: Reached(shoe_no=101)}
