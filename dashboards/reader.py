"""Reads the compacted topics for ever, without a consumer group: every page server reads all of them for itself.

From the beginning at first; after trouble from where it was. It never gives up: a page that has lost Kafka keeps its
last picture and says so. What stands in the way is logged in a sentence, once, and again each minute.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Final

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from broker.catalogue import TopicsNotReady, require
from broker.closing import opened
from broker.connection import BrokerAway, Connection
from dashboards.intake import TOPICS, Record
from dashboards.source import Source

RETRY_S: Final = 1.0
"""Seconds between tries to reach Kafka."""
ANEW_AFTER_MS: Final = 30_000
"""Without an answer for this long a new client is made: Kafka may have come back under other addresses."""
_TURN_MS: Final = 500
_LOOK_MS: Final = 250
"""Milliseconds for which a contact is fresh enough not to look again: a look asks for every partition."""
_AT_ONCE: Final = 500
"""Records taken before other work has its turn."""
_SAY_AGAIN_S: Final = 60.0

_log = structlog.get_logger("page")


class _NoAnswer(RuntimeError):
    """The client has not heard from Kafka for too long."""


class Reader:
    """Hands each record to ``take`` and keeps ``source`` up to date; ``now_ms`` is the server's clock."""

    def __init__(
        self, connection: Connection, take: Callable[[Record], None], source: Source, now_ms: Callable[[], int]
    ) -> None:
        self._connection, self._take, self._source, self._now_ms = connection, take, source, now_ms
        self._topics = {topic.name: topic for topic in TOPICS}
        self._positions: dict[TopicPartition, int] = {}
        self._ends: dict[TopicPartition, int] | None = None
        self._said, self._said_at = "", 0.0

    async def run(self) -> None:
        """Read until cancelled."""
        turning = asyncio.create_task(self._turn())
        try:
            while True:
                try:
                    await self._read()
                except (BrokerAway, TopicsNotReady, _NoAnswer) as trouble:
                    self._say(str(trouble))
                except (KafkaError, OSError, TimeoutError) as error:
                    self._say(f"Kafka at {self._connection.bootstrap_servers} cannot be read ({error!r})")
                await asyncio.sleep(RETRY_S)
        finally:
            turning.cancel()

    async def _turn(self) -> None:
        """Says that the process is well, also while Kafka is away."""
        while True:
            self._source.turn_ms = self._now_ms()
            await asyncio.sleep(RETRY_S)

    def _say(self, sentence: str) -> None:
        self._source.trouble = sentence
        now = asyncio.get_running_loop().time()
        if sentence != self._said or now - self._said_at > _SAY_AGAIN_S:
            self._said, self._said_at = sentence, now
            _log.error(sentence, next="trying again")

    async def _read(self) -> None:
        number = await require(self._connection, TOPICS)
        partitions = [TopicPartition(topic.name, index) for topic in TOPICS for index in range(number)]
        client = AIOKafkaConsumer(
            **self._connection.client_options(),
            client_id="beadplate-dashboards",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
        )
        async with opened(client) as consumer:
            consumer.assign(partitions)
            for partition, position in self._positions.items():
                consumer.seek(partition, position)
            if self._ends is None:
                self._ends = await consumer.end_offsets(partitions)
            await self._follow(consumer, partitions)

    async def _follow(self, consumer: Any, partitions: list[TopicPartition]) -> None:
        started_ms = self._now_ms()
        while True:
            batches = await consumer.getmany(timeout_ms=_TURN_MS, max_records=_AT_ONCE)
            for partition, messages in batches.items():
                for message in messages:
                    self._take(_record(self._topics[message.topic], message))
                self._positions[partition] = messages[-1].offset + 1
            self._note_contact(consumer, partitions)
            if not self._source.caught_up and self._source.contact_ms:
                await self._note_caught_up(consumer)
            if self._now_ms() - max(started_ms, self._source.contact_ms) > ANEW_AFTER_MS:
                raise _NoAnswer(
                    f"Kafka at {self._connection.bootstrap_servers} has not answered for {ANEW_AFTER_MS // 1000} s"
                )

    def _note_contact(self, consumer: Any, partitions: list[TopicPartition]) -> None:
        """The source is as fresh as the partition from which we have not heard for longest; looked at now and then."""
        if self._source.caught_up and self._now_ms() - self._source.contact_ms < _LOOK_MS:
            return
        heard = [consumer.last_poll_timestamp(partition) for partition in partitions]
        contact = min((at or 0 for at in heard), default=0)
        if contact > self._source.contact_ms:
            self._source.contact_ms, self._source.trouble = contact, ""
            self._said = ""

    async def _note_caught_up(self, consumer: Any) -> None:
        assert self._ends is not None
        for partition, end in list(self._ends.items()):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_TURN_MS / 1000):
                    if await consumer.position(partition) < end:
                        return
                    del self._ends[partition]
        if not self._ends:
            self._source.caught_up = True
            _log.info("caught up with Kafka")


def _record(topic: Any, message: Any) -> Record:
    return Record(topic, message.partition, message.offset, message.key, message.value, message.timestamp)
