"""Reads partitions of Kafka between offsets, one after the other, without a group and without leaving a trace."""

import contextlib
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, TopicPartition

from audit.records import Stored
from broker.closing import opened
from broker.connection import BrokerAway, Connection, told_as_away
from contract.topics import Topic

POLL_MS: Final = 500
SILENT_S: Final = 30.0
"""So long without a record while some are due, and the broker counts as away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Of some partitions: the first offset that is kept, and the offset after the last record."""

    begins: Mapping[TopicPartition, int]
    ends: Mapping[TopicPartition, int]

    @property
    def complete(self) -> bool:
        """Whether nothing was deleted at the beginning."""
        return not any(self.begins.values())

    def begins_of(self, partition: int) -> dict[str, int]:
        """The first offset of each topic in one partition."""
        return {place.topic: offset for place, offset in self.begins.items() if place.partition == partition}

    def ends_of(self, partition: int) -> dict[str, int]:
        """The end of each topic in one partition."""
        return {place.topic: offset for place, offset in self.ends.items() if place.partition == partition}

    def with_(self, other: "Bounds") -> "Bounds":
        """These and those of other partitions."""
        return Bounds(begins={**self.begins, **other.begins}, ends={**self.ends, **other.ends})


class Reader:
    """One consumer that reads what it is told."""

    def __init__(self, connection: Connection, consumer: Any) -> None:
        self._connection, self._consumer = connection, consumer

    async def bounds(self, topics: Iterable[Topic], numbers: Sequence[int]) -> Bounds:
        """Where these partitions of the topics begin and end now."""
        places = [TopicPartition(topic.name, number) for topic in topics for number in numbers]
        with told_as_away(self._connection):
            begins = await self._consumer.beginning_offsets(places)
            return Bounds(begins=begins, ends=await self._consumer.end_offsets(places))

    async def read(self, place: TopicPartition, bounds: Bounds) -> AsyncIterator[Stored]:
        """The records of one partition within the bounds. Raises ``BrokerAway``."""
        begin, end = bounds.begins[place], bounds.ends[place]
        if begin >= end:
            return
        with told_as_away(self._connection):
            self._consumer.assign([place])
            self._consumer.seek(place, begin)
            silent_since = time.monotonic()
            while await self._consumer.position(place) < end:  # compaction may have removed the last records
                batches = await self._consumer.getmany(place, timeout_ms=POLL_MS)
                for record in batches.get(place, ()):
                    if record.offset < end:
                        yield _stored(record)
                silent_since = time.monotonic() if batches else silent_since
                if time.monotonic() - silent_since > SILENT_S:
                    servers = self._connection.bootstrap_servers
                    raise BrokerAway(f"Kafka at {servers} has not answered for {SILENT_S:.0f} s: look at it")


def _stored(record: Any) -> Stored:
    place = (record.topic, record.partition, record.offset, record.timestamp)
    return Stored(*place, record.key, record.value, tuple(record.headers))


@contextlib.asynccontextmanager
async def reader(connection: Connection) -> AsyncIterator[Reader]:
    """A reader on its own consumer, closed at the end. Raises ``BrokerAway``."""
    client = AIOKafkaConsumer(
        **connection.client_options(), auto_offset_reset="earliest", enable_auto_commit=False, max_poll_records=None
    )
    async with contextlib.AsyncExitStack() as until_the_end:
        with told_as_away(connection):  # not around what is done with it: a report whose reader has gone is no Kafka
            consumer = await until_the_end.enter_async_context(opened(client))
        yield Reader(connection, consumer)
