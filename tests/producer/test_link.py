"""The publisher on a real Kafka: acknowledged is written, in order, through failures and a restart of the broker."""

import asyncio
import contextlib
import random
import socket
import uuid
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiokafka import ConsumerRecord, TopicPartition

from broker.catalogue import apply
from broker.connection import BrokerAway, Connection
from broker.embedded import EmbeddedKafka
from contract.partitions import partition_of
from contract.rounds import BettingOpened, RoundVoided
from contract.topics import PARTITIONS, ROUNDS, Topic
from producer.link import KafkaLink
from producer.publisher import Patience, Publisher, RecordRefused, publishing, running
from producer.records import record

pytestmark = [pytest.mark.kafka, pytest.mark.asyncio]
Reader = Callable[[Connection, Topic], Awaitable[list[ConsumerRecord]]]
QUICK = Patience(first_pause=0.01, longest_pause=0.2)


def some_tables() -> list[str]:
    return [f"{uuid.uuid4().hex[:8]}-{number}" for number in range(5)]


def opening(table: str, number: int) -> BettingOpened:
    return BettingOpened(
        table_id=table, occurred_at="2026-11-30T18:00:00.000Z", shoe_no=1 + number // 200, round_no=1 + number % 200
    )


def numbers_by_table(records: Iterable[ConsumerRecord], tables: Iterable[str]) -> dict[str, list[int]]:
    """The numbers of ``opening`` in the order in which they stand in the log."""
    found: dict[str, list[int]] = {table: [] for table in tables}
    for one in records:
        if one.key is not None and one.key.decode() in found:
            event = msgspec.json.decode(one.value)
            assert one.key.decode() == event["table_id"]
            assert one.partition == partition_of(one.key, PARTITIONS)
            found[event["table_id"]].append((event["shoe_no"] - 1) * 200 + event["round_no"] - 1)
    return found


async def publish(publisher: Publisher, tables: list[str], numbers: Iterable[int]) -> None:
    for number in numbers:
        for table in tables:
            await publisher.publish(ROUNDS, opening(table, number))


async def test_what_is_acknowledged_stands_in_the_topic_once_and_in_order(
    floor: Connection, everything_in: Reader
) -> None:
    tables = some_tables()
    async with publishing(floor) as publisher:
        await publish(publisher, tables, range(1000))
        await publisher.flush()
        assert (publisher.acknowledged, publisher.unacknowledged) == (5000, 0)
    found = numbers_by_table(await everything_in(floor, ROUNDS), tables)
    assert found == {table: list(range(1000)) for table in tables}


async def test_a_producer_that_lost_its_sequence_is_replaced_and_order_is_kept(
    floor: Connection, everything_in: Reader
) -> None:
    """The broker answers OutOfOrderSequenceNumber, which the client library never mends by itself."""
    tables = some_tables()
    links: list[KafkaLink] = []

    def make_link() -> KafkaLink:
        links.append(KafkaLink(floor))
        return links[-1]

    publisher = Publisher(make_link, QUICK)
    async with asyncio.timeout(60), running(publisher):
        for start in range(0, 900, 300):
            await publish(publisher, tables, range(start, start + 300))
            await publisher.flush()
            for table in tables:
                partition = TopicPartition(ROUNDS.name, partition_of(table.encode(), PARTITIONS))
                links[-1]._producer._txn_manager.increment_sequence_number(partition, 7)
        await publisher.flush()
    assert publisher.acknowledged == 4500
    assert len(links) > 2
    found = numbers_by_table(await everything_in(floor, ROUNDS), tables)
    assert {table: list(dict.fromkeys(numbers)) for table, numbers in found.items()} == {
        table: list(range(900)) for table in tables
    }


async def test_after_a_cut_nothing_more_is_written(floor: Connection, everything_in: Reader) -> None:
    (table, *_) = some_tables()
    link = KafkaLink(floor)
    await link.start()
    await (await link.send(record(ROUNDS, opening(table, 0))))
    later: list[asyncio.Future[Any]] = [await link.send(record(ROUNDS, opening(table, n))) for n in range(1, 50)]
    link.cut()
    await link.close()
    assert not any(future.done() for future in later)
    assert numbers_by_table(await everything_in(floor, ROUNDS), [table]) == {table: [0]}


async def test_a_record_larger_than_a_topic_takes_is_refused_by_name(floor: Connection) -> None:
    (table, *_) = some_tables()
    voided = RoundVoided(
        table_id=table,
        occurred_at="2026-11-30T18:00:00.000Z",
        shoe_no=1,
        round_no=7,
        revision=1,
        reason="x" * (1 << 20),
        operator="pit-3/amy",
    )

    async def publish_it() -> None:
        async with asyncio.timeout(30), publishing(floor) as publisher:
            await publisher.publish(ROUNDS, voided)
            await publisher.flush()

    with pytest.raises(RecordRefused, match=f"round_voided of table {table} shoe 1 round 7"):
        await publish_it()


async def test_a_broker_that_is_not_there_is_said_in_one_sentence() -> None:
    link = KafkaLink(Connection(bootstrap_servers=f"127.0.0.1:{free_port()}"))
    try:
        with pytest.raises(BrokerAway, match="does not answer"):
            await link.start()
    finally:
        await link.close()


async def test_a_broker_that_is_away_is_not_asked_without_a_pause() -> None:
    """Regression: aiokafka 0.14 asks again at once, and takes a whole core as long as the outage lasts."""
    link = KafkaLink(Connection(bootstrap_servers=f"127.0.0.1:{free_port()}"))
    client, now = link._producer.client, asyncio.get_running_loop().time
    begun = now()
    assert await client._metadata_update(client.cluster, []) is False
    assert now() - begun >= 0.19
    await link.close()


def free_port() -> int:
    """A free port below those that outgoing connections take, so that it stays free while nobody listens there."""
    for port in random.sample(range(20_000, 30_000), 100):
        with socket.socket() as listener, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port
    raise AssertionError("a hundred ports are taken")


async def test_a_restart_of_the_broker_in_mid_stream_loses_nothing_and_keeps_order(
    tmp_path: Path, everything_in: Reader
) -> None:
    tables = some_tables()
    port = free_port()
    floor = Connection(bootstrap_servers=f"127.0.0.1:{port}")
    async with asyncio.timeout(110), EmbeddedKafka(tmp_path / "kafka", port=port) as first:
        await apply(floor)
        async with publishing(floor, QUICK) as publisher:
            flowing = asyncio.create_task(publish(publisher, tables, range(4000)))
            await until(lambda: publisher.acknowledged > 2000)
            await first.stop()
            assert publisher.acknowledged < 20_000
            async with EmbeddedKafka(tmp_path / "kafka", port=port):
                await flowing
                await publisher.flush()
                assert (publisher.acknowledged, publisher.unacknowledged) == (20_000, 0)
                found = numbers_by_table(await everything_in(floor, ROUNDS), tables)
    assert {table: list(dict.fromkeys(numbers)) for table, numbers in found.items()} == {
        table: list(range(4000)) for table in tables
    }


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - counters tell nobody
        await asyncio.sleep(0)
