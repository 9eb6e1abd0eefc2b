"""Reads the compacted topics for ever, without a consumer group: every page server reads all of them for itself.

From the beginning at first; after trouble from where it was. It never gives up: a page that has lost Kafka keeps its
last picture and says so. What stands in the way is logged in a sentence, once, and again each minute.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from broker.catalogue import TopicsNotReady, require
from broker.closing import opened
from broker.connection import BrokerAway, Connection
from contract.topics import SCOREBOARDS, Topic
from dashboards.intake import TOPICS, Record
from dashboards.source import Source

RETRY_S: Final = 1.0
"""Seconds between tries to reach Kafka."""
ANEW_AFTER_MS: Final = 30_000
"""Without an answer for this long a new client is made: Kafka may have come back under other addresses."""
_TURN_MS: Final = 1000
"""How long Kafka, its client and we wait at the most for a record; one that comes is handed out at once."""
_LOOK_MS: Final = 250
"""Milliseconds for which a contact is fresh enough."""
_AT_ONCE: Final = 500
"""Records taken before other work has its turn."""
_SAY_AGAIN_S: Final = 60.0

_log = structlog.get_logger("page")


class _NoAnswer(RuntimeError):
    """The client has not heard from Kafka for too long."""


class _Part:
    """Topics with a client of their own: where it stands, what it must reach, and when Kafka last answered it."""

    def __init__(self, topics: Sequence[Topic]) -> None:
        self.topics = {topic.name: topic for topic in topics}
        self.positions: dict[TopicPartition, int] = {}
        self.ends: dict[TopicPartition, int] | None = None
        self.contact_ms = 0

    @property
    def caught_up(self) -> bool:
        """Whether everything that was there at the start has been read."""
        return self.ends == {}


class Reader:
    """Hands each record to ``take`` and keeps ``source`` up to date; ``now_ms`` is the server's clock.

    Scoreboards have a client of their own: an answer of Kafka costs it as much as it has partitions, and a round should
    not pay for all the others.
    """

    def __init__(
        self, connection: Connection, take: Callable[[Record], None], source: Source, now_ms: Callable[[], int]
    ) -> None:
        self._connection, self._take, self._source, self._now_ms = connection, take, source, now_ms
        self._parts = [_Part([SCOREBOARDS]), _Part([topic for topic in TOPICS if topic != SCOREBOARDS])]
        self._said, self._said_at = "", 0.0

    async def run(self) -> None:
        """Read until cancelled."""
        tasks = [asyncio.create_task(each) for each in (self._turn(), *map(self._keep_reading, self._parts))]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep_reading(self, part: _Part) -> None:
        while True:
            try:
                await self._read(part)
            except (BrokerAway, TopicsNotReady, _NoAnswer) as trouble:
                self._say(str(trouble))
            except (KafkaError, OSError, TimeoutError) as error:
                self._say(f"Kafka at {self._connection.bootstrap_servers} cannot be read ({error!r})")
            await asyncio.sleep(RETRY_S)

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

    async def _read(self, part: _Part) -> None:
        number = await require(self._connection, TOPICS)
        partitions = [TopicPartition(topic, index) for topic in part.topics for index in range(number)]
        client = AIOKafkaConsumer(
            **self._connection.client_options(),
            client_id="beadplate-dashboards",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            fetch_max_wait_ms=_TURN_MS,
            consumer_timeout_ms=_TURN_MS,
        )
        async with opened(client) as consumer:
            consumer.assign(partitions)
            for partition, position in part.positions.items():
                consumer.seek(partition, position)
            if part.ends is None:
                part.ends = await consumer.end_offsets(partitions)
            await self._follow(part, consumer, partitions)

    async def _follow(self, part: _Part, consumer: Any, partitions: list[TopicPartition]) -> None:
        started_ms = self._now_ms()
        while True:
            batches = await consumer.getmany(timeout_ms=_TURN_MS, max_records=_AT_ONCE)
            for partition, messages in batches.items():
                for message in messages:
                    self._take(_record(part.topics[message.topic], message))
                part.positions[partition] = messages[-1].offset + 1
            self._note_contact(part, consumer, partitions)
            if not part.caught_up and part.contact_ms:
                await self._note_caught_up(part, consumer)
            if self._now_ms() - max(started_ms, part.contact_ms) > ANEW_AFTER_MS:
                raise _NoAnswer(
                    f"Kafka at {self._connection.bootstrap_servers} has not answered for {ANEW_AFTER_MS // 1000} s"
                )

    def _note_contact(self, part: _Part, consumer: Any, partitions: list[TopicPartition]) -> None:
        """A part is as fresh as its partition from which we have not heard for longest, the source as its oldest part.

        It is looked at now and then, since a look asks for every partition.
        """
        if part.caught_up and self._now_ms() - part.contact_ms < _LOOK_MS:
            return
        heard = [consumer.last_poll_timestamp(partition) for partition in partitions]
        part.contact_ms = max(part.contact_ms, min((at or 0 for at in heard), default=0))
        contact = min(each.contact_ms for each in self._parts)
        if contact > self._source.contact_ms:
            self._source.contact_ms, self._source.trouble = contact, ""
            self._said = ""

    async def _note_caught_up(self, part: _Part, consumer: Any) -> None:
        assert part.ends is not None
        for partition, end in list(part.ends.items()):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_TURN_MS / 1000):
                    if await consumer.position(partition) < end:
                        return
                    del part.ends[partition]
        if all(each.caught_up for each in self._parts):
            self._source.caught_up = True
            _log.info("caught up with Kafka")


def _record(topic: Any, message: Any) -> Record:
    return Record(topic, message.partition, message.offset, message.key, message.value, message.timestamp)
