"""One idempotent producer, from its start to its first failure.

An idempotent producer keeps the order of a partition until a batch fails for good; after that the library would go on
with the next batch, and a later record of a table could be written before an earlier one that is sent again. So the
owner cuts a link in the very callback that tells of the first failure: nothing more is sent then, and what is still
unacknowledged goes, in order, through a new link.
"""

import asyncio
from typing import Any, Final, Protocol

from aiokafka import AIOKafkaProducer
from aiokafka.errors import (
    ClusterAuthorizationFailedError,
    InvalidTopicError,
    KafkaConnectionError,
    KafkaError,
    MessageSizeTooLargeError,
    PolicyViolationError,
    RecordListTooLargeError,
    TopicAuthorizationFailedError,
)

from broker.connection import BrokerAway, Connection, told_as_away
from producer.records import Record

REFUSALS: Final = (
    ClusterAuthorizationFailedError,
    InvalidTopicError,
    MessageSizeTooLargeError,
    PolicyViolationError,
    RecordListTooLargeError,
    TopicAuthorizationFailedError,
)
"""What another try would not change."""
TROUBLE: Final = (BrokerAway, KafkaError, OSError, TimeoutError)
"""What another producer, later, may not meet."""

_BATCH_BYTES: Final = 128 * 1024
_REQUEST_MS: Final = 30_000
_LARGEST: Final = 2 * 1024 * 1024
"""Above what any source takes: the library's estimate is some bytes too high, and the broker is the one to judge."""
_START_S: Final = 30.0
_PAUSE_S: Final = 0.2
_LAST_ANSWERS_S: Final = 1.0


class Link(Protocol):
    """A way to the broker that is used until it first fails, and then thrown away."""

    async def start(self) -> None:
        """Connect. Raises one of ``TROUBLE``."""

    async def send(self, record: Record) -> "asyncio.Future[Any]":
        """Hand over one record, in order; the future is done when the broker has acknowledged it.

        Raises one of ``REFUSALS`` or ``TROUBLE``, and so does the future.
        """

    def cut(self) -> None:
        """From now on nothing more is sent."""

    async def close(self) -> None:
        """Let go of all connections without waiting for records; futures that are not done stay so."""


class KafkaLink:
    """A link made of an ``AIOKafkaProducer`` with idempotence and acks from all replicas."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._is_cut = False
        self._producer = AIOKafkaProducer(
            **connection.client_options(),
            client_id="beadplate-producer",
            enable_idempotence=True,
            acks="all",
            max_batch_size=_BATCH_BYTES,
            request_timeout_ms=_REQUEST_MS,
            max_request_size=_LARGEST,
        )
        client = self._producer.client
        self._request, client.send = client.send, self._request_unless_cut
        self._ask, client._metadata_update = client._metadata_update, self._ask_unhurried  # noqa: SLF001 - see there

    async def start(self) -> None:
        """Connect and get a producer id; raises ``BrokerAway`` where nobody answers."""
        with told_as_away(self._connection):
            async with asyncio.timeout(_START_S):
                await self._producer.start()

    async def send(self, record: Record) -> "asyncio.Future[Any]":
        """Put the record into the batch of its partition; waits where that batch is full."""
        future: asyncio.Future[Any] = await self._producer.send(
            record.topic, record.value, record.key, record.partition
        )
        return future

    def cut(self) -> None:
        """Stop the library's sender before it takes up another batch."""
        sender = self._producer._sender.sender_task  # noqa: SLF001 - stop() would send the rest
        if sender is not None and not self._is_cut:
            self._is_cut = True  # a second cancel would abandon the requests on their way
            sender.cancel()

    async def _request_unless_cut(self, *arguments: Any, **options: Any) -> Any:
        """The client's own ``send``: a batch taken up in the same turn of the loop as the failure stays here too."""
        if self._is_cut:
            raise KafkaConnectionError("the link is cut")
        return await self._request(*arguments, **options)

    async def _ask_unhurried(self, *arguments: Any) -> Any:
        """The client's own question for the leaders, with a pause after no answer.

        Without one it asks a broker that is away thousands of times a second, on the core that a restart needs.
        """
        answered = await self._ask(*arguments)
        if not answered:
            await asyncio.sleep(_PAUSE_S)
        return answered

    async def close(self) -> None:
        """Give requests on their way a moment to be answered, then close the connections."""
        self.cut()
        sender = self._producer._sender.sender_task  # noqa: SLF001 - see cut
        if sender is not None:
            await asyncio.wait({sender}, timeout=_LAST_ANSWERS_S)
        await self._producer.client.close()
        if sender is not None:
            await asyncio.wait({sender}, timeout=_LAST_ANSWERS_S)
        self._producer._closed = True  # noqa: SLF001 - or the library warns that stop() was not called
