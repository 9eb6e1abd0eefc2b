"""The newest records of topics: what the doctor judges. Read without a group, leaving no trace on the broker."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from aiokafka import AIOKafkaConsumer, TopicPartition

from broker.closing import opened
from broker.connection import Connection, told_as_away

NEWEST: Final = 3
"""Records of each partition that are looked at."""
WITHIN_S: Final = 15.0
POLL_MS: Final = 300


class Sample(NamedTuple):
    """One record; ``timestamp`` in milliseconds since 1970."""

    topic: str
    partition: int
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: Mapping[str, str] = {}


async def newest(connection: Connection, topics: Iterable[str], partitions: int) -> list[Sample]:
    """The last records of each partition of these topics, as far as they can be had in 15 s. Raises ``BrokerAway``."""
    places = [TopicPartition(topic, partition) for topic in topics for partition in range(partitions)]
    with told_as_away(connection):
        async with opened(_client(connection)) as consumer:
            begins, ends = await consumer.beginning_offsets(places), await consumer.end_offsets(places)
            starts = {place: max(begins[place], ends[place] - NEWEST) for place in places}
            samples: list[Sample] = []
            await _between(consumer, starts, ends, samples.append)
            return samples


async def since(
    connection: Connection, topic: str, partitions: int, timestamp: int, take: Callable[[Sample], None]
) -> bool:
    """Hands the records from a time on (milliseconds since 1970) to ``take``; False where 15 s were too short for all.

    Raises ``BrokerAway``.
    """
    places = [TopicPartition(topic, partition) for partition in range(partitions)]
    with told_as_away(connection):
        async with opened(_client(connection)) as consumer:
            ends = await consumer.end_offsets(places)
            found = await consumer.offsets_for_times(dict.fromkeys(places, timestamp))
            starts = {place: at.offset for place, at in found.items() if at is not None}
            return await _between(consumer, starts, ends, take)


def _client(connection: Connection) -> AIOKafkaConsumer:
    return AIOKafkaConsumer(**connection.client_options(), auto_offset_reset="earliest", enable_auto_commit=False)


async def _between(
    consumer: AIOKafkaConsumer,
    starts: Mapping[TopicPartition, int],
    ends: Mapping[TopicPartition, int],
    take: Callable[[Sample], None],
) -> bool:
    wanted = [place for place, start in starts.items() if start < ends[place]]
    consumer.assign(wanted)
    for place in wanted:
        consumer.seek(place, starts[place])
    until = time.monotonic() + WITHIN_S
    while wanted and time.monotonic() < until:
        batches = await consumer.getmany(*wanted, timeout_ms=POLL_MS)
        for record in (record for batch in batches.values() for record in batch):
            take(_sample(record))
        wanted = [place for place in wanted if not await _at(consumer, place, ends[place])]
    return not wanted


async def _at(consumer: AIOKafkaConsumer, place: TopicPartition, end: int) -> bool:
    async with asyncio.timeout(WITHIN_S):
        return bool(await consumer.position(place) >= end)


def _sample(record: Any) -> Sample:
    headers = {name: value.decode(errors="replace") for name, value in record.headers or ()}
    return Sample(record.topic, record.partition, record.offset, record.timestamp, record.key, record.value, headers)
