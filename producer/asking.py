"""How a table stands now, asked of Kafka: its partition of ``rounds`` is read from what is there to its end.

Only this one partition is read, without a group; records of other tables are passed over undecoded.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple

from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition

from broker.catalogue import require
from broker.closing import opened
from broker.connection import BrokerAway, Connection, told_as_away
from contract.codec import BadRecord, UnknownType, decode
from contract.partitions import partition_of
from contract.rounds import RoundsEvent
from contract.topics import ROUNDS, SCOREBOARDS
from producer.standing import Standing, Verdict

_FETCH_BYTES: Final = 4 << 20
_SILENT_S: Final = 30


class Judged(NamedTuple):
    """One record of the table, what it says, and what processors will make of it."""

    offset: int
    value: bytes
    event: RoundsEvent
    verdict: Verdict


@dataclass(slots=True)
class Log:
    """A table's partition as far as it was read: the standing, the offset to go on from, and where it began."""

    place: TopicPartition
    standing: Standing
    begun: int
    next: int

    @property
    def whole(self) -> bool:
        """Whether the topic still had the partition's first record."""
        return self.begun == 0


async def ask(connection: Connection, table_id: str) -> Log:
    """The table's log, read to the end that holds now. Raises ``TopicsNotReady`` and ``BrokerAway``."""
    partitions = await require(connection, (ROUNDS,))
    place = TopicPartition(ROUNDS.name, partition_of(table_id.encode(), partitions))
    log = Log(place, Standing(table_id), 0, 0)
    async with _reading(connection) as consumer:
        consumer.assign([place])
        log.begun = log.next = (await consumer.beginning_offsets([place]))[place]
        await _read(consumer, log)
    return log


async def go_on(connection: Connection, log: Log) -> list[Judged]:
    """Read what has come since, to the end that holds now; the table's records with their verdicts."""
    async with _reading(connection) as consumer:
        consumer.assign([log.place])
        return await _read(consumer, log, keep=True)


async def tables(connection: Connection) -> set[str]:
    """The tables that have a scoreboard."""
    partitions = await require(connection, (SCOREBOARDS,))
    places = [TopicPartition(SCOREBOARDS.name, number) for number in range(partitions)]
    found: set[str] = set()
    async with _reading(connection) as consumer:
        consumer.assign(places)
        ends, firsts = await consumer.end_offsets(places), await consumer.beginning_offsets(places)
        for place in places:
            async for record in _records(consumer, place, firsts[place], ends[place]):
                found.add((record.key or b"").decode(errors="backslashreplace"))
    return found


@asynccontextmanager
async def _reading(connection: Connection) -> AsyncIterator[AIOKafkaConsumer]:
    client = AIOKafkaConsumer(
        **connection.client_options(),
        enable_auto_commit=False,
        auto_offset_reset="earliest",  # retention may take what we were about to read
        max_partition_fetch_bytes=_FETCH_BYTES,
    )
    with told_as_away(connection):
        async with opened(client) as consumer:
            yield consumer


async def _read(consumer: AIOKafkaConsumer, log: Log, *, keep: bool = False) -> list[Judged]:
    end = (await consumer.end_offsets([log.place]))[log.place]
    key, kept = log.standing.table_id.encode(), list[Judged]()
    async for record in _records(consumer, log.place, log.next, end):
        if record.key != key:
            continue
        try:
            event = decode(ROUNDS, record.value)
        except (BadRecord, UnknownType):
            continue
        if event.table_id == log.standing.table_id:
            verdict = log.standing.take(event)
            if keep:
                kept.append(Judged(record.offset, record.value, event, verdict))
    log.next = end
    return kept


async def _records(
    consumer: AIOKafkaConsumer, place: TopicPartition, start: int, end: int
) -> AsyncIterator[ConsumerRecord]:
    """The records of one partition from ``start``, ``end`` not included."""
    consumer.seek(place, start)
    silent = 0
    while await consumer.position(place) < end:
        batches = await consumer.getmany(place, timeout_ms=1000)
        silent = 0 if batches else silent + 1
        if silent >= _SILENT_S:
            raise BrokerAway(f"Kafka has not answered for {silent} s while {place.topic} was read: look at it")
        for record in batches.get(place, ()):
            if record.offset < end:
                yield record
