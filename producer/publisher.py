"""Carries records to Kafka: pipelined, in order, and again after a failure until the broker has acknowledged them.

Sent again under the same identity, a record that was written after all is a duplicate, which every reader ignores.
Within a table no record is ever sent before an earlier one that waits to be sent again.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import structlog

from broker.connection import Connection
from contract.rounds import Event
from contract.topics import Topic
from producer.link import REFUSALS, TROUBLE, KafkaLink, Link
from producer.records import Record, record
from producer.stopping import to_the_end

_log = structlog.stdlib.get_logger(__name__)


class RecordRefused(RuntimeError):
    """The broker will never take this record; the message names it and gives the broker's reason.

    Where the record was too large to be sent at all, everything that was taken before it is written.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How many records may be on their way, and what is done about a broker that does not answer; seconds."""

    in_flight: int = 2000
    first_pause: float = 0.1
    longest_pause: float = 5.0
    complain_every: float = 10.0
    new_link_after: float = 60.0


DEFAULT_PATIENCE: Final = Patience()


class Publisher:
    """Takes records in order and sends them until they are acknowledged; made by ``publishing``."""

    def __init__(self, make_link: Callable[[], Link], patience: Patience = DEFAULT_PATIENCE) -> None:
        self._make_link = make_link
        self._patience = patience
        self._room = asyncio.Semaphore(patience.in_flight)
        self._waiting: deque[_Posted] = deque()
        self._sent: dict[int, _Posted] = {}
        self._arrived, self._answered = asyncio.Event(), asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._taken = 0
        self._progress = 0.0
        self._last_complaint = float("-inf")
        self.acknowledged = 0
        """Records that the broker has acknowledged, each counted once."""

    @property
    def unacknowledged(self) -> int:
        """Records that were taken and not yet acknowledged."""
        return self._taken - self.acknowledged

    async def publish(self, topic: Topic, event: Event) -> None:
        """Take one event; waits only while too many records are on their way."""
        await self._post(record(topic, event), None)

    async def forward(self, forwarded: Record) -> None:
        """Take a record as it is; waits only while too many records are on their way."""
        await self._post(forwarded, None)

    async def deliver(self, topic: Topic, event: Event) -> None:
        """Take one event and wait until the broker has acknowledged it."""
        acknowledged: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await self._post(record(topic, event), acknowledged)
        await acknowledged

    async def flush(self) -> None:
        """Wait until everything taken so far is acknowledged."""
        await self._idle.wait()

    async def _post(self, posted: Record, acknowledged: "asyncio.Future[None] | None") -> None:
        await self._room.acquire()
        self._waiting.append(_Posted(self._taken, posted, acknowledged))
        if not self.unacknowledged:
            self._progress = asyncio.get_running_loop().time()
        self._taken += 1
        self._idle.clear()
        self._arrived.set()

    async def run(self) -> None:
        """Send for ever, through one link after the other. Raises ``RecordRefused``."""
        pause = self._patience.first_pause
        while True:
            before = self.acknowledged
            try:
                await self._use(self._make_link())
            except TROUBLE as error:
                self._complain(_said(error))
            pause = self._patience.first_pause if self.acknowledged > before else pause
            await asyncio.sleep(pause)
            pause = min(2 * pause, self._patience.longest_pause)

    async def _use(self, link: Link) -> None:
        """Send through one link until it fails; what it leaves unacknowledged waits again, in order, in front."""
        failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        feeder = asyncio.create_task(self._feed(link, failed))
        try:
            await self._watch(feeder, failed)
        finally:
            await to_the_end(self._leave(link, feeder, failed))

    async def _leave(self, link: Link, feeder: "asyncio.Task[None]", failed: "asyncio.Future[None]") -> None:
        link.cut()
        feeder.cancel()
        await asyncio.wait({feeder})
        await link.close()
        if failed.done():
            failed.exception()  # it has been seen: a failure that came while we were ending is no news
        self._waiting.extendleft(reversed(self._sent.values()))
        self._sent = {}

    async def _feed(self, link: Link, failed: "asyncio.Future[None]") -> None:
        await link.start()
        while True:
            while self._waiting:
                posted = self._waiting[0]
                try:
                    future = await link.send(posted.record)
                except REFUSALS as error:
                    await self._landed(failed)
                    raise RecordRefused(_refusal(posted.record, error)) from error
                self._waiting.popleft()
                self._sent[posted.number] = posted
                future.add_done_callback(partial(self._settle, link, self._sent, failed, posted))
            self._arrived.clear()
            await self._arrived.wait()

    async def _landed(self, failed: "asyncio.Future[None]") -> None:
        """Wait until what went before is acknowledged, or has failed and is sent again."""
        while self._sent and not failed.done():
            self._answered.clear()
            await self._answered.wait()

    async def _watch(self, feeder: "asyncio.Task[None]", failed: "asyncio.Future[None]") -> None:
        """Return never: raises what went wrong, or TimeoutError where the broker has been silent for too long."""
        now = asyncio.get_running_loop().time
        begun = now()
        while True:
            await asyncio.wait(
                {feeder, failed}, timeout=self._patience.complain_every / 5, return_when=asyncio.FIRST_COMPLETED
            )
            for ended in (failed, feeder):
                if ended.done():
                    ended.result()
            silent = now() - self._progress if self.unacknowledged else 0.0
            if min(silent, now() - begun) >= self._patience.new_link_after:
                raise TimeoutError(f"no answer for {silent:.0f} s")
            if silent >= self._patience.complain_every:
                self._complain(f"no answer for {silent:.0f} s")

    def _settle(
        self,
        link: Link,
        sent: "dict[int, _Posted]",
        failed: "asyncio.Future[None]",
        posted: "_Posted",
        future: "asyncio.Future[Any]",
    ) -> None:
        error = asyncio.CancelledError() if future.cancelled() else future.exception()
        self._answered.set()
        if error is None:
            if sent.pop(posted.number, None) is not None:
                self._acknowledge(posted)
            return
        link.cut()
        if failed.done():
            return
        if isinstance(error, REFUSALS):
            failed.set_exception(RecordRefused(_refusal(posted.record, error)))
        else:
            failed.set_exception(error if isinstance(error, TROUBLE) else ConnectionError(_said(error)))

    def _acknowledge(self, posted: "_Posted") -> None:
        self.acknowledged += 1
        self._progress = asyncio.get_running_loop().time()
        self._room.release()
        if posted.acknowledged is not None and not posted.acknowledged.done():
            posted.acknowledged.set_result(None)
        if not self.unacknowledged:
            self._idle.set()

    def _complain(self, why: str) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._last_complaint >= self._patience.complain_every:
            self._last_complaint = now
            _log.warning("Kafka does not take the records, trying again", why=why, unacknowledged=self.unacknowledged)


@dataclass(frozen=True, slots=True)
class _Posted:
    number: int
    record: Record
    acknowledged: "asyncio.Future[None] | None"


def _refusal(refused: Record, error: BaseException) -> str:
    return f"Kafka refuses the {refused} ({len(refused.value or b'')} bytes) in {refused.topic}: {_said(error)}"


def _said(error: BaseException) -> str:
    return str(error) or type(error).__name__


@asynccontextmanager
async def publishing(connection: Connection, patience: Patience = DEFAULT_PATIENCE) -> AsyncIterator[Publisher]:
    """A publisher that sends while the block runs; the block flushes, leaving it does not wait.

    Raises ``RecordRefused`` out of the block as soon as the broker refuses a record for good.
    """
    publisher = Publisher(partial(KafkaLink, connection), patience)
    async with running(publisher):
        yield publisher


@asynccontextmanager
async def running(publisher: Publisher) -> AsyncIterator[None]:
    """Runs the publisher beside the block. Where it fails the block is cancelled, and its error comes out."""
    owner = asyncio.current_task()
    assert owner is not None
    sending = asyncio.create_task(publisher.run())

    def ended(task: "asyncio.Task[None]") -> None:
        if not task.cancelled():
            owner.cancel()

    sending.add_done_callback(ended)
    try:
        yield
    except asyncio.CancelledError:
        if sending.done() and not sending.cancelled():
            owner.uncancel()
            sending.result()
        raise
    finally:
        sending.remove_done_callback(ended)
        sending.cancel()
        await to_the_end(asyncio.wait({sending}))
