"""Reads a topic from its beginning, without a group and without leaving a trace on the broker."""

import asyncio
import time
from collections.abc import AsyncGenerator
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, TopicPartition

from broker.catalogue import TopicsNotReady
from broker.closing import opened
from broker.connection import BrokerAway, Connection, admin_client, told_as_away

SILENT_S: Final = 30.0
"""So long without an answer while records are due, and the broker counts as away."""
POLL_MS: Final = 500


async def read_topic(connection: Connection, topic: str, *, follow: bool = False) -> AsyncGenerator[Any]:
    """Every record of the topic, each partition in its order; up to the ends that hold at the start, or for ever.

    Raises ``TopicsNotReady`` where there is no such topic, and ``BrokerAway``.
    """
    places = await _partitions(connection, topic)
    client = AIOKafkaConsumer(**connection.client_options(), auto_offset_reset="earliest", enable_auto_commit=False)
    with told_as_away(connection):
        async with opened(client) as consumer:
            consumer.assign(places)
            ends = await consumer.end_offsets(places)
            silent_since = time.monotonic()
            while follow or (places := [place for place in places if not await _at(consumer, place, ends[place])]):
                batches = await consumer.getmany(*places, timeout_ms=POLL_MS)
                for record in (record for batch in batches.values() for record in batch):
                    if follow or record.offset < ends[TopicPartition(record.topic, record.partition)]:
                        yield record
                silent_since = time.monotonic() if batches or follow else silent_since
                _give_up(connection, time.monotonic() - silent_since)


def _give_up(connection: Connection, silent_s: float) -> None:
    if silent_s > SILENT_S:
        raise BrokerAway(f"Kafka at {connection.bootstrap_servers} has not answered for {silent_s:.0f} s: look at it")


async def _partitions(connection: Connection, topic: str) -> list[TopicPartition]:
    async with admin_client(connection) as admin:
        described = {found["topic"]: found["partitions"] for found in await admin.describe_topics()}
    if topic not in described:
        raise TopicsNotReady(
            f"there is no topic {topic} on the Kafka at {connection.bootstrap_servers}: run `beadplate topics apply`"
        )
    return [TopicPartition(topic, partition["partition"]) for partition in described[topic]]


async def _at(consumer: AIOKafkaConsumer, place: TopicPartition, end: int) -> bool:
    """Whether the partition has been read to its end; an offset that compaction removed counts as read."""
    async with asyncio.timeout(SILENT_S):
        return bool(await consumer.position(place) >= end)
