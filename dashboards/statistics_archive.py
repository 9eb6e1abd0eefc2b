"""Bodies of shoe statistics, fetched from Kafka when somebody asks for a period: the page keeps an index of them alone.

The shoes of a day lie near each other in their partition, so each partition is read through from the first to the
last of them, and skipped over where they lie far apart.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable
from typing import Final

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from broker.closing import opened
from broker.connection import BrokerAway, Connection, told_as_away
from contract.codec import BadRecord, UnknownType, decode
from contract.periods import Part, part_of
from contract.topics import SHOE_STATISTICS
from dashboards.days import Found

FETCH_S: Final = 20.0
"""Seconds in which a period must have been read; a person waits."""
FAR: Final = 2000
"""Over more offsets than this between two shoes the reading jumps."""
KEPT: Final = 8
"""Periods kept after they were read: a page and its download ask for the same."""
_POLL_MS: Final = 500

_log = structlog.get_logger("page")
Places = tuple[Found, ...]


class StatisticsArchive:
    """Reads periods, one at a time."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._one_at_a_time = asyncio.Lock()
        self._kept: OrderedDict[Places, tuple[Part, ...]] = OrderedDict()

    async def parts(self, places: Iterable[Found]) -> tuple[Part, ...]:
        """The statistics at these places; what is no longer there is left out.

        Raises ``BrokerAway`` where Kafka does not answer, or not in time.
        """
        wanted = tuple(sorted(places, key=lambda found: (found.partition, found.offset)))
        if not wanted:
            return ()
        async with self._one_at_a_time:
            if wanted not in self._kept:
                self._kept[wanted] = await self._read(wanted)
            self._kept.move_to_end(wanted)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return self._kept[wanted]

    async def _read(self, wanted: Places) -> tuple[Part, ...]:
        client = AIOKafkaConsumer(
            **self._connection.client_options(),
            client_id="beadplate-dashboards-days",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
        )
        started = time.monotonic()
        try:
            with told_as_away(self._connection):
                async with asyncio.timeout(FETCH_S), opened(client) as consumer:
                    parts = [part for each in _by_partition(wanted) async for part in _of_partition(consumer, each)]
        except (KafkaError, OSError) as error:
            raise BrokerAway(f"Kafka at {self._connection.bootstrap_servers} cannot be read: {error!r}") from error
        _log.info("a period was read", shoes=len(parts), seconds=round(time.monotonic() - started, 3))
        return tuple(parts)


def _by_partition(wanted: Places) -> list[list[Found]]:
    numbers = sorted({found.partition for found in wanted})
    return [[found for found in wanted if found.partition == number] for number in numbers]


async def _of_partition(consumer: AIOKafkaConsumer, wanted: list[Found]) -> AsyncIterator[Part]:
    """Yield the parts of one partition, whose places are given in order."""
    place = TopicPartition(SHOE_STATISTICS.name, wanted[0].partition)
    consumer.assign([place])
    end = (await consumer.end_offsets([place]))[place]
    keys = {found.offset: f"{found.table_id}/{found.shoe_no}".encode() for found in wanted if found.offset < end}
    left, position = sorted(keys), -FAR - 1
    while left:
        if left[0] - position > FAR:
            consumer.seek(place, left[0])
        for record in (await consumer.getmany(place, timeout_ms=_POLL_MS)).get(place, ()):
            if keys.get(record.offset) == record.key and (part := _part(record.value)) is not None:
                yield part
        position = await consumer.position(place)  # behind the last that was read, over all that is no longer there
        left = [offset for offset in left if offset >= position]


def _part(value: bytes | None) -> Part | None:
    try:
        return part_of(decode(SHOE_STATISTICS, value))
    except (BadRecord, UnknownType):
        return None
