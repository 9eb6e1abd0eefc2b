"""Bad and largest records on a real Kafka: refused at their sender, or taken, or one dead letter each."""

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aiokafka import AIOKafkaProducer
from aiokafka.errors import MessageSizeTooLargeError

from broker.closing import opened
from broker.connection import Connection
from contract.bets import BetsPlaced, Slip
from contract.codec import encode
from contract.partitions import partition_of
from contract.rounds import ShoeEnded
from contract.topics import BETS, PARTITIONS, ROUNDS
from producer.publisher import RecordRefused, publishing
from tests.integration.house import House, house, newest
from tests.processors.reading import example

pytestmark = [pytest.mark.asyncio, pytest.mark.kafka, pytest.mark.timeout(240)]

MIB = 1 << 20
PLACED_AT = "2026-11-30T18:00:00.000Z"
ALL = ("scoreboards", "settlements", "statistics")
BATCH_OVERHEAD = 100
"""Bytes that Kafka adds to a record that is alone in its batch, and a few more."""


def batch(table_id: str, *, slips: int, letters: int) -> BetsPlaced:
    """A batch whose slips and bettors have long names."""
    return BetsPlaced(
        table_id=table_id,
        occurred_at=PLACED_AT,
        shoe_no=1,
        round_no=1,
        batch_id=f"{table_id}-1-1",
        currency="EUR",
        slips=tuple(
            Slip(
                slip_id=f"{number:04}".ljust(128, "\U0001f0a1")[:letters],
                bettor="\U0001f0a1" * 128,
                bet="player",
                stake=100,
                placed_at=PLACED_AT,
            )
            for number in range(slips)
        ),
    )


def largest(table_id: str) -> bytes:
    """A thousand slips, filled up to the last byte that the topic takes with a field that is not ours."""
    value = encode(batch(table_id, slips=1000, letters=68))
    room = MIB - BATCH_OVERHEAD - len(table_id) - len(value) - len(', "x": ""')
    assert 0 < room < MIB // 4
    return value[:-1] + b', "x": "' + b"x" * room + b'"}'


async def test_what_a_source_topic_takes_goes_through_and_what_it_cannot_take_is_refused_at_its_sender(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    rubbish = {
        "a megabyte of brackets": (ROUNDS.name, b"D01", b"[" * (MIB - BATCH_OVERHEAD), "undecodable"),
        "a megabyte that is quoted": (
            BETS.name,
            b"D02",
            json.dumps(example("bets_placed", table_id="D02", currency="\x80" * 520_000), ensure_ascii=False).encode(),
            "invalid",
        ),
        "a hundred thousand slips": (
            BETS.name, b"D03", json.dumps(example("bets_placed", table_id="D03", slips=[{}] * 100_000)).encode(),
            "invalid",
        ),
        "no key": (ROUNDS.name, None, json.dumps(example("round_dealt")).encode(), "wrong_key"),
        "a key of a megabyte": (BETS.name, b"k" * (MIB - BATCH_OVERHEAD), None, "undecodable"),
    }  # fmt: skip
    async with house(fresh_kafka(), tmp_path) as built:
        for name in ALL:
            built.start(name)
        places = {name: await post(built, *record[:3]) for name, record in rubbish.items()}
        await post(built, BETS.name, b"L01", largest("L01"))
        event = example("round_dealt", table_id="L01", shoe_no=1, round_no=1)
        await post(built, ROUNDS.name, b"L01", json.dumps(event).encode(), headers=[("trace", b"\xff" * 1000)])
        await built.settled(*ALL)
        letters = await built.read("baccarat.dead-letters.v1")
        settled = [json.loads(record.value) for record in await built.read("baccarat.settlements.v1")]
        board = newest(await built.read("baccarat.scoreboards.v1"))[b"L01"]
    found = {(letter.headers["topic"], int(letter.headers["offset"]), int(letter.headers["partition"])): letter
             for letter in letters}  # fmt: skip
    assert len(letters) == len(found) == len(rubbish)
    for name, (_, key, value, code) in rubbish.items():
        letter = found[places[name]]
        assert (letter.key, letter.value, letter.headers["code"]) == (key, value, code), name
    assert {len(event["settlements"]) for event in settled if event["table_id"] == "L01"} == {1000}
    assert board["roads"]["rounds"] == "P"


async def post(
    built: House, topic: str, key: bytes | None, value: bytes | None, headers: Any = None
) -> tuple[str, int, int]:
    """One record as it is; where it stands."""
    async with opened(AIOKafkaProducer(bootstrap_servers=built.bootstrap, max_request_size=2 * MIB)) as producer:
        partition = partition_of(key, PARTITIONS) if key else 0
        place = await producer.send_and_wait(topic, value, key, partition, headers=headers)
    return topic, place.offset, place.partition


async def test_a_record_of_two_megabytes_is_refused_by_name_and_those_before_it_are_written(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    before = [ShoeEnded(table_id=f"A{number:02}", occurred_at=PLACED_AT, shoe_no=1, rounds=0) for number in range(40)]

    async def publish_all(connection: Connection) -> None:
        async with publishing(connection) as publisher:
            for event in before:
                await publisher.publish(ROUNDS, event)
            await publisher.publish(BETS, batch("Z01", slips=2000, letters=128))
            await publisher.flush()

    async with house(fresh_kafka(), tmp_path) as built:
        with pytest.raises(RecordRefused, match=r"bets_placed of table Z01 .* batch Z01-1-1 \(\d{7} bytes\)"):
            await publish_all(Connection(bootstrap_servers=built.bootstrap))
        written = await built.read(ROUNDS.name)
        assert sorted(record.key for record in written) == [event.table_id.encode() for event in before]
        assert await built.read(BETS.name) == []


@pytest.mark.parametrize("compression", ["gzip", "lz4", "zstd"])
async def test_a_record_is_measured_unpacked_so_that_its_dead_letter_will_fit(kafka: str, compression: str) -> None:
    async with house(kafka, Path()):
        pass
    value = json.dumps(example("bets_placed", slips=[example("bets_placed")["slips"][0]] * 100_000)).encode()
    assert len(value) > 8 * MIB
    assert len(zlib.compress(value)) < MIB
    async with opened(
        AIOKafkaProducer(bootstrap_servers=kafka, compression_type=compression, max_request_size=16 * MIB)
    ) as producer:
        with pytest.raises(MessageSizeTooLargeError):
            await producer.send_and_wait(BETS.name, value, b"packed")
