"""Bodies of shoe records, fetched from Kafka when somebody asks: the page itself keeps only an index of them."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from broker.closing import close
from broker.connection import BrokerAway, Connection, told_as_away
from contract.topics import SHOES
from dashboards.store import Shoe

FETCH_S: Final = 5.0
"""Seconds in which Kafka must have answered; a person waits."""
KEPT: Final = 32
"""Bodies kept after a fetch: a page and its download ask for the same."""
_TRIES: Final = 3

_log = structlog.get_logger("page")


class Gone(LookupError):
    """The record is no longer in Kafka."""


class Archive:
    """Fetches by partition and offset. ``index`` gives a shoe's present place: compaction and corrections move it."""

    def __init__(self, connection: Connection, index: Callable[[str, int], Shoe | None]) -> None:
        self._connection, self._index = connection, index
        self._consumer: Any = None
        self._one_at_a_time = asyncio.Lock()
        self._kept: OrderedDict[tuple[int, int], bytes] = OrderedDict()

    async def body(self, table_id: str, shoe_no: int) -> bytes:
        """The value of the shoe's newest record.

        Raises ``Gone`` where Kafka has none any more, and ``BrokerAway`` where it does not answer.
        """
        for _ in range(_TRIES):
            shoe = self._index(table_id, shoe_no)
            if shoe is None:
                break
            place = (shoe.partition, shoe.offset)
            if place in self._kept:
                self._kept.move_to_end(place)
                return self._kept[place]
            async with self._one_at_a_time:
                value = await self._fetch(*place, key=f"{table_id}/{shoe_no}".encode())
            if value is not None:
                self._keep(place, value)
                return value
            if self._index(table_id, shoe_no) is shoe:
                break  # not merely overtaken by a newer copy
        raise Gone(f"shoe {shoe_no} of table {table_id}")

    async def close(self) -> None:
        """Let go of Kafka."""
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            await close(consumer)

    def _keep(self, place: tuple[int, int], value: bytes) -> None:
        self._kept[place] = value
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    async def _fetch(self, partition: int, offset: int, key: bytes) -> bytes | None:
        """The value at that place; None where another record, or none, is there now."""
        try:
            with told_as_away(self._connection):
                async with asyncio.timeout(FETCH_S):
                    message = await self._message(TopicPartition(SHOES.name, partition), offset)
        except BrokerAway:
            await self.close()
            raise
        except (KafkaError, OSError) as error:
            await self.close()
            _log.warning("shoe record not fetched", partition=partition, offset=offset, reason=repr(error))
            raise BrokerAway(f"Kafka at {self._connection.bootstrap_servers} cannot be read: {error!r}") from error
        if message is None or message.key != key:
            return None
        value: bytes | None = message.value
        return value

    async def _message(self, place: TopicPartition, offset: int) -> Any:
        if self._consumer is None:
            self._consumer = await self._connected()
        consumer = self._consumer
        consumer.assign([place])
        first, end = await consumer.beginning_offsets([place]), await consumer.end_offsets([place])
        if not first[place] <= offset < end[place]:
            return None
        consumer.seek(place, offset)
        return await consumer.getone(place)

    async def _connected(self) -> Any:
        consumer = AIOKafkaConsumer(
            **self._connection.client_options(), client_id="beadplate-dashboards-shoes", enable_auto_commit=False
        )
        try:
            await consumer.start()
        except BaseException:
            await close(consumer)
            raise
        return consumer
