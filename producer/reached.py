"""How far each table has come, read from Kafka: where a simulated floor goes on.

Shoe numbers rise along a partition, so the newest records tell the highest; they are read backwards, block by block,
until every wanted table has been seen. The scoreboards, which are kept for ever, are a second witness where the
newest rounds are those of an old recording, or gone with the retention.
"""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec
from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition

from broker.closing import opened
from broker.connection import BrokerAway, Connection, told_as_away
from contract.partitions import partition_of
from contract.topics import ROUNDS, SCOREBOARDS, Topic

LEAP: Final = 50
"""A ``shoe_started`` without ``force`` more than this above the highest is a mistyped one, and not taken."""
_BLOCKS: Final = {ROUNDS: 10_000, SCOREBOARDS: 200}
"""How many of the newest records of a partition are read first; every further block is twice as large."""
_FETCH_BYTES: Final = 4 << 20
_SILENT_S: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """The highest numbers of one table; 0 where there is none yet."""

    shoe_no: int = 0
    config_no: int = 0


class Head(msgspec.Struct, frozen=True, gc=False):
    """What is looked at of an event."""

    type: str
    table_id: str
    shoe_no: int = 0
    config_no: int = 0
    force: bool = False


_head = msgspec.json.Decoder(Head)


def head_of(record: ConsumerRecord) -> Head | None:
    """The head of a record's event; None for what no processor would take."""
    try:
        head = _head.decode(record.value or b"")
    except (msgspec.DecodeError, RecursionError):
        return None
    return head if record.key == head.table_id.encode("utf-8", "replace") else None


class Followed(NamedTuple):
    """The highest numbers in one table's records; ``leapt`` where a shoe was too far above what came before it."""

    shoe_no: int
    config_no: int
    leapt: bool


def follow(heads: Iterable[Head]) -> Followed:
    """Follow one table's records in their order; a leap that processors would refuse counts for nothing."""
    shoe_no = config_no = 0
    leapt = False
    for head in heads:
        config_no = max(config_no, head.config_no)
        if shoe_no == 0 or head.shoe_no <= shoe_no + 1 or _announced(head, shoe_no):
            shoe_no = max(shoe_no, head.shoe_no)
        else:
            leapt = True
    return Followed(shoe_no, config_no, leapt)


def _announced(head: Head, highest: int) -> bool:
    return head.type == "shoe_started" and (head.force or head.shoe_no <= highest + LEAP)


async def reached(connection: Connection, table_ids: Iterable[str], partitions: int) -> dict[str, Reached]:
    """How far each of these tables has come; ``partitions`` is what every topic has. Raises ``BrokerAway``."""
    wanted = set(table_ids)
    async with _consumer(connection) as consumer:
        rounds = await _newest(consumer, ROUNDS, wanted, partitions)
        scoreboards = await _newest(consumer, SCOREBOARDS, wanted, partitions)
    return {table_id: _highest(rounds[table_id], scoreboards[table_id]) for table_id in wanted}


def _highest(rounds: Iterable[Head], scoreboards: Iterable[Head]) -> Reached:
    followed = follow(rounds)
    shown = max((head.shoe_no for head in scoreboards), default=0)
    return Reached(shoe_no=max(followed.shoe_no, shown), config_no=followed.config_no)


@asynccontextmanager
async def _consumer(connection: Connection) -> AsyncIterator[AIOKafkaConsumer]:
    client = AIOKafkaConsumer(
        **connection.client_options(), enable_auto_commit=False, max_partition_fetch_bytes=_FETCH_BYTES
    )
    with told_as_away(connection):
        async with opened(client) as consumer:
            yield consumer


class _Block(NamedTuple):
    """Offsets of one partition: from ``start``, ``end`` not included; ``first`` is the oldest that is still there."""

    start: int
    end: int
    first: int

    def older(self, size: int) -> "_Block":
        return _Block(max(self.first, self.start - size), self.start, self.first)


async def _newest(consumer: AIOKafkaConsumer, topic: Topic, wanted: set[str], partitions: int) -> dict[str, list[Head]]:
    """Heads of each wanted table, back to where its highest shoe is certain or to the beginning."""
    homes: dict[TopicPartition, set[str]] = {}
    for table_id in wanted:
        homes.setdefault(TopicPartition(topic.name, partition_of(table_id.encode(), partitions)), set()).add(table_id)
    consumer.assign(list(homes))
    ends, firsts = await consumer.end_offsets(homes), await consumer.beginning_offsets(homes)
    size = _BLOCKS[topic]
    blocks = {home: _Block(ends[home], ends[home], firsts[home]).older(size) for home in homes}
    heads: dict[str, list[Head]] = {table_id: [] for table_id in wanted}
    while blocks:
        found = await _read(consumer, blocks, wanted)
        heads = {table_id: found[table_id] + heads[table_id] for table_id in wanted}
        size *= 2
        blocks = {
            home: block.older(size)
            for home, block in blocks.items()
            if block.start > block.first and not all(_certain(topic, heads[table_id]) for table_id in homes[home])
        }
    return heads


def _certain(topic: Topic, heads: list[Head]) -> bool:
    """Whether older records can change nothing; a leap may be one, or what came before it an old recording."""
    return any(head.shoe_no for head in heads) and (topic is not ROUNDS or not follow(heads).leapt)


async def _read(
    consumer: AIOKafkaConsumer, blocks: Mapping[TopicPartition, _Block], wanted: set[str]
) -> dict[str, list[Head]]:
    """The heads of each wanted table in these blocks, equal neighbours once."""
    heads: dict[str, list[Head]] = {table_id: [] for table_id in wanted}
    for home, block in blocks.items():
        consumer.seek(home, block.start)
    silent = 0
    while unread := [home for home in blocks if await consumer.position(home) < blocks[home].end]:
        batches = await consumer.getmany(*unread, timeout_ms=1000)
        silent = 0 if batches else silent + 1
        if silent >= _SILENT_S:
            raise BrokerAway(f"Kafka has not answered for {silent} s while {unread[0].topic} was read: look at it")
        for home, records in batches.items():
            for record in records:
                head = head_of(record) if record.offset < blocks[home].end else None
                if head is not None and head.table_id in heads and [head] != heads[head.table_id][-1:]:
                    heads[head.table_id].append(head)
    return heads
