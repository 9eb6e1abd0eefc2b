"""The runner: rows first, outputs in flight, acknowledgement in order.

It turns a fold into the body of a Faust agent and keeps these rules (faust-streaming 0.15.3, aiokafka 0.14,
at-least-once, concurrency 1, memory table, raw bytes); each prevents a loss that was measured:

* a record is acknowledged only when all its rows and all its outputs are acknowledged by the broker;
* records are acknowledged strictly in the order in which they were read (Faust's own gap check is off by one);
* any failure of ours (fold, send, changelog, time-out, a gap in the offsets, a process that slept past its session)
  ends the process without a commit: what is not committed is delivered again;
* at most ``window`` records are in flight; reading stops when it is full and goes on when half of it is free;
* the first record after a pause is sent at once, the next ones ``linger`` later at most; when more than ``BUSY``
  records a second come, a batch goes out only every ``busy_linger`` seconds, for each costs as much as many records;
* records of an earlier generation are neither sent nor acknowledged: their partition may be another worker's now;
* a shoe is forgotten only when the broker's own committed offsets have passed all that may still need it.
"""

import asyncio
import os
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, NoReturn

import structlog

from contract.partitions import partition_of
from processors.effects import Drop, Effects, Fold, Record
from processors.letters import FaultIsOurs

log: Final = structlog.get_logger("processors")

TROUBLE: Final = 3
"""Exit code of a fault that a restart may cure."""
REFUSED: Final = 1
"""Exit code where a restart cures nothing: the records cannot be understood by this program."""

BUSY: Final = 1000
"""Records a second from which on larger batches are worth a few milliseconds."""

Offsets = Mapping[tuple[str, int], int]
"""Per topic and partition the offset that is read next."""


def die(why: str, *, code: int = TROUBLE, exc_info: bool = False, **facts: object) -> NoReturn:
    """End now, without a commit."""
    try:
        log.critical(why, exc_info=exc_info, **facts)
    finally:
        os._exit(code)


class _Work(NamedTuple):
    """Effects on their way out, made in a generation of the group; ``partition`` None stands for the key's.

    ``event`` is the one to acknowledge for them, if any.
    """

    event: Any
    generation: int
    partition: int | None
    effects: Effects


class _Wish(NamedTuple):
    """A drop, and what must be committed before it is granted."""

    drop: Drop
    needs: dict[tuple[str, int], int]


class Pipeline:
    """Takes records of one Faust app through a fold.

    ``table`` is the app's Faust table; its rows are written here alone, never with ``table[key] = value``.
    ``linger``, ``busy_linger`` and ``ack_timeout`` are in seconds.
    """

    def __init__(
        self,
        app: Any,
        table: Any,
        fold: Fold,
        *,
        partitions: int,
        window: int = 256,
        linger: float = 0.002,
        busy_linger: float = 0.01,
        ack_timeout: float = 60.0,
    ) -> None:
        self.app, self.table, self.fold, self.partitions = app, table, fold, partitions
        self.window, self.linger, self.busy_linger, self.ack_timeout = window, linger, busy_linger, ack_timeout
        self.taken = self.acked = self.dropped = 0
        self.ready = False
        self.last_taken_ms = 0
        self._read: deque[_Work] = deque()  # folded, not yet sent
        self._sent: deque[tuple[_Work, list[asyncio.Future[Any]]]] = deque()  # sent, not yet acknowledged
        self._to_send, self._to_ack, self._room = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._last: dict[Any, tuple[int, int]] = {}  # partition -> (generation, offset)
        self._begins: dict[Any, int] = {}
        self._wishes: list[_Wish] = []

    async def run(self, stream: Any) -> None:
        """The body of the agent."""
        stream.enable_acks = False  # what noack() does, without its clone of the stream
        self._start()
        async for event in stream.events():
            self._take(event)
            while self.in_flight >= self.window:
                self._room.clear()
                await self._room.wait()

    @property
    def in_flight(self) -> int:
        """Records that were taken and not yet acknowledged."""
        return self.taken - self.acked - self.dropped

    def revoked(self) -> None:
        """The group rebalances: nothing is decided until the rows are restored."""
        self.ready = False
        self._wishes.clear()

    def restore(self, begins: Mapping[Any, int]) -> None:
        """Begin anew after a recovery, with the rows of the assigned partitions alone.

        Faust's memory store keeps rows of partitions that it has lost; they would come back as ghosts. ``begins`` is
        the offset from which each assigned partition of a source has to be read.
        """
        assigned = {tp.partition for tp in begins}
        try:
            self._restore(assigned)
            self._begins = dict(begins)
        except Exception:  # noqa: BLE001 - whatever it is: end before anything is decided on half a state
            die("the rows could not be restored", exc_info=True, partitions=sorted(assigned))

    def _restore(self, assigned: set[int]) -> None:
        self._start()
        rows = self.table.data
        for key in [key for key in rows if self._partition(key) not in assigned]:
            del rows[key]
        self._wishes.clear()
        effects = self.fold.restore(list(rows.items()))
        self._wish(effects.drops)
        self._queue(_Work(None, self._generation, None, effects))
        self.ready = True
        log.info("ready", processor=self.fold.processor.name, partitions=sorted(assigned), rows=len(rows))

    def committed(self, offsets: Offsets) -> None:
        """The broker's own committed offsets, now and then: grants the drops that waited for them."""
        if not self.ready:
            return
        granted = [wish for wish in self._wishes if all(offsets.get(tp, 0) >= at for tp, at in wish.needs.items())]
        if not granted:
            return
        self._wishes = [wish for wish in self._wishes if wish not in granted]
        for wish in granted:
            effects = self.fold.forget(wish.drop)
            self._write(effects)
            self._queue(_Work(None, self._generation, wish.drop.partition, effects))

    def _start(self) -> None:
        if not self._tasks:  # once in the life of the app, also across restarts of the agent
            loop = asyncio.get_running_loop()
            self._tasks = [loop.create_task(job) for job in (self._send_all(), self._ack_all(), self._watch())]
            for task in self._tasks:
                task.add_done_callback(_ended)

    def _take(self, event: Any) -> None:  # no await in here: a record is taken wholly or not at all
        message = event.message
        try:
            self._check_gap(message)
            effects = self.fold.step(
                Record(
                    message.topic,
                    message.partition,
                    message.offset,
                    round(message.timestamp * 1000),
                    message.key,
                    message.value,
                )
            )
            self._write(effects)
        except FaultIsOurs as error:
            die(str(error), code=REFUSED)
        except Exception:  # noqa: BLE001 - whatever it is: end before anything is committed past it
            die("a record could not be folded", exc_info=True, tp=str(message.tp), offset=message.offset)
        self.taken += 1
        self.last_taken_ms = round(message.timestamp * 1000)
        self._wish(effects.drops)
        self._queue(_Work(event, message.generation_id, message.partition, effects))

    def _write(self, effects: Effects) -> None:
        rows = self.table.data
        for key, value in effects.rows:
            if value is None:
                rows.pop(key, None)
            else:
                rows[key] = value

    def _wish(self, drops: Iterable[Drop]) -> None:
        """Note drops: granted once all is committed that shows them due, and all that was read until now."""
        for drop in drops:
            needs = {(topic, drop.partition): offset + 1 for topic, offset in drop.after}
            for tp, (_, offset) in self._last.items():
                if tp.partition == drop.partition:
                    needs[tp.topic, tp.partition] = max(offset + 1, needs.get((tp.topic, tp.partition), 0))
            self._wishes.append(_Wish(drop, needs))

    def _queue(self, work: _Work) -> None:
        self._read.append(work)
        self._to_send.set()

    async def _send_all(self) -> None:
        loop, last, linger = asyncio.get_running_loop(), 0.0, self.linger
        while True:
            await self._to_send.wait()
            if (pause := last + linger - loop.time()) > 0:
                await asyncio.sleep(pause)
            now = loop.time()
            linger = self.busy_linger if len(self._read) > BUSY * (now - last) else self.linger
            last = now
            self._to_send.clear()
            while self._read:
                work = self._read.popleft()
                self._sent.append((work, await self._send(work)))  # not before its last send is queued
                self._to_ack.set()

    async def _send(self, work: _Work) -> list[asyncio.Future[Any]]:
        if work.generation != self._generation:
            return []
        send = self.app.producer._producer.send  # noqa: SLF001 - one producer for rows and outputs keeps their order
        changelog, futures = self.table.changelog_topic_name, []
        for row in work.effects.rows:
            partition = self._partition(row.key) if work.partition is None else work.partition
            futures.append(await send(changelog, row.value, row.key, partition))
        for out in work.effects.outs:
            partition = self._partition(out.key) if work.partition is None else work.partition
            futures.append(await send(out.topic.name, out.value, out.key, partition, headers=out.headers))
        return futures

    async def _ack_all(self) -> None:
        while True:
            await self._to_ack.wait()
            self._to_ack.clear()
            while self._sent:
                work, futures = self._sent[0]
                for future in futures:
                    if not _is_acknowledged(future):
                        await self._acknowledged(future, work)
                self._sent.popleft()
                if work.event is None:
                    continue
                if work.generation == self._generation:
                    work.event.ack()
                    self.acked += 1
                else:
                    self.dropped += 1
                if self.in_flight <= self.window // 2:
                    self._room.set()

    async def _acknowledged(self, future: asyncio.Future[Any], work: _Work) -> None:
        await asyncio.wait([future], timeout=self.ack_timeout)
        if not _is_acknowledged(future):
            where = None if work.event is None else (str(work.event.message.tp), work.event.message.offset)
            die("the broker did not acknowledge what a record made", record=where, answer=repr(future))

    async def _watch(self) -> None:
        """End a process that slept past its session (SIGSTOP, a suspended machine) before it sends what it holds."""
        loop, limit = asyncio.get_running_loop(), 0.8 * self.app.conf.broker_session_timeout
        seen = loop.time()
        while True:
            await asyncio.sleep(0.5)
            if loop.time() - seen > limit:
                die(f"the process stood still for {loop.time() - seen:.1f} s, longer than its session allows")
            seen = loop.time()

    def _check_gap(self, message: Any) -> None:
        generation, offset = self._last.get(message.tp, (None, -1))
        if generation != message.generation_id:
            begin = self._begins.get(message.tp, 0)
            if message.offset > begin:
                raise OffsetGap(f"{message.tp} starts at {message.offset}, but has to be read from {begin}")
        elif message.offset > offset + 1:
            raise OffsetGap(f"{message.tp} jumps from {offset} to {message.offset}")
        self._last[message.tp] = (message.generation_id, message.offset)

    @property
    def _generation(self) -> int:
        """The group's generation: it grows with every rebalance."""
        return int(self.app.consumer_generation_id)

    def _partition(self, key: bytes | None) -> int:
        """The partition of a row or an output: that of its table."""
        assert key is not None
        return partition_of(key.partition(b"/")[0], self.partitions)


class OffsetGap(Exception):
    """Records were skipped between two that were delivered: the engine has lost some."""


def _is_acknowledged(future: asyncio.Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _ended(task: asyncio.Task[None]) -> None:
    if not task.cancelled():
        die("the runner ended", answer=repr(task.exception()))
