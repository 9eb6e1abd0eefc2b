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
* a shoe is forgotten only when the broker's own committed offsets have passed all that may still need it;
* while the state of a partition is made anew, its compacted outputs are held back (``processors.rebuilding``).
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

import structlog

from broker.groups import Place
from contract.topics import DEAD_LETTERS
from processors.effects import Effects, Fold, Out, Record
from processors.endings import REFUSED, RestartIsNoCure, die
from processors.guard import GapGuard, OffsetGap
from processors.marks import first_marks, is_mark, marks_of, partition_of_row
from processors.rebuilding import Rebuilding
from processors.retention import lost_notice, lost_sentence
from processors.standstill import POLL_S, Standstill
from processors.wishes import Offsets, Wishes

log: Final = structlog.get_logger("processors")

BUSY: Final = 1000
"""Records a second from which on larger batches are worth a few milliseconds."""


class _Work(NamedTuple):
    """Effects on their way out, made in a generation of the group; ``partition`` None stands for the key's.

    ``event`` is the one to acknowledge for them, if any.
    """

    event: Any
    generation: int
    partition: int | None
    effects: Effects


class Pipeline:
    """Takes records of one Faust app through a fold.

    ``table`` is the app's Faust table; its rows are written here alone, never with ``table[key] = value``.
    ``linger``, ``busy_linger`` and ``ack_timeout`` are in seconds; ``clock`` tells seconds since 1970, for notices.
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
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.app, self.table, self.fold, self.partitions = app, table, fold, partitions
        self.window, self.linger, self.busy_linger, self.ack_timeout = window, linger, busy_linger, ack_timeout
        self.taken = self.acked = self.dropped = 0
        self.ready = False
        self.assigned: frozenset[int] = frozenset()
        self.last_taken_ms = 0
        self.letters: Counter[str] = Counter()
        self.rebuilding = Rebuilding(partitions)
        self._clock = clock
        self._read: deque[_Work] = deque()  # folded, not yet sent
        self._sent: deque[tuple[_Work, list[asyncio.Future[Any]]]] = deque()  # sent, not yet acknowledged
        self._to_send, self._to_ack, self._room = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._guard = GapGuard()
        self._wishes = Wishes()
        self._standstill: Standstill | None = None

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

    async def announce(self, lost: Iterable[Place]) -> None:
        """Tell people what was deleted before it was read; returns when the broker has acknowledged the notices."""
        name, now = self.fold.processor.name, self._clock()
        for place in lost:
            log.error(lost_sentence(name, place), processor=name)
        work = _Work(None, self._generation, None, Effects(outs=[lost_notice(name, place, now) for place in lost]))
        for future in await self._send(work):
            await self._acknowledged(future, work)

    def restore(self, places: Iterable[Place]) -> None:
        """Begin anew after a recovery, with the rows of the assigned partitions alone.

        Faust's memory store keeps rows of partitions that it has lost; they would come back as ghosts. ``places`` are
        the assigned partitions of the sources.
        """
        places = tuple(places)
        assigned = frozenset(place.partition for place in places)
        self._start()
        assert self._standstill is not None
        self._standstill.busy(busy=True)
        try:
            self._restore(places, assigned)
        except RestartIsNoCure as error:
            die(str(error), code=REFUSED)
        except Exception:  # noqa: BLE001 - whatever it is: end before anything is decided on half a state
            die("the rows could not be restored", exc_info=True, partitions=sorted(assigned))
        self._standstill.busy(busy=False)

    def _restore(self, places: tuple[Place, ...], assigned: frozenset[int]) -> None:
        rows, name = self.table.data, self.fold.processor.name
        of = {key: partition_of_row(key, self.partitions) for key in rows}
        for key in [key for key, partition in of.items() if partition not in assigned]:
            del rows[key]
        marks = marks_of(rows.items())
        if marks.asked:
            die(f"a replay of {name} was begun and has not come to its end: {_ASK_AGAIN.format(name)}", code=REFUSED)
        begins = {(place.topic, place.partition): place.next_offset for place in places}
        self._guard.restore(begins)
        self._wishes.clear()
        effects = self.fold.restore([(key, value) for key, value in rows.items() if not is_mark(key)])
        effects = self.rebuilding.restore(marks.replays, begins, effects)
        effects.rows += first_marks(places, marks, {of[key] for key in rows})
        self._write(effects)
        self._wishes.add(effects.drops, self._guard)
        self._queue(_Work(None, self._generation, None, effects))
        self.assigned, self.ready = assigned, True
        log.info("ready", processor=name, partitions=sorted(assigned), rows=len(rows), replay=self.rebuilding.left)

    def committed(self, offsets: Offsets) -> None:
        """The broker's own committed offsets, now and then: grants the drops that waited for them."""
        if not self.ready:
            return
        for drop in self._wishes.granted(offsets):
            effects = self.fold.forget(drop)
            self.rebuilding.forgotten(drop, effects)
            self._write(effects)
            self._queue(_Work(None, self._generation, drop.partition, effects))

    def _start(self) -> None:
        if not self._tasks:  # once in the life of the app, also across restarts of the agent
            self._standstill = Standstill(self.app.conf.broker_session_timeout, die)
            self._standstill.start()
            loop = asyncio.get_running_loop()
            jobs = (self._send_all(), self._ack_all(), self._turn(self._standstill))
            self._tasks = [loop.create_task(job) for job in jobs]
            for task in self._tasks:
                task.add_done_callback(_ended)

    def _take(self, event: Any) -> None:  # no await in here: a record is taken wholly or not at all
        message = event.message
        try:
            self._guard.check(message)
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
            if self.rebuilding:
                effects = self.rebuilding.take(message.topic, message.partition, message.offset, effects)
            self._write(effects)
        except OffsetGap as error:
            die(str(error))
        except RestartIsNoCure as error:
            die(str(error), code=REFUSED)
        except Exception:  # noqa: BLE001 - whatever it is: end before anything is committed past it
            die("a record could not be folded", exc_info=True, tp=str(message.tp), offset=message.offset)
        self.taken += 1
        self.last_taken_ms = round(message.timestamp * 1000)
        self._wishes.add(effects.drops, self._guard)
        self._queue(_Work(event, message.generation_id, message.partition, effects))

    def _write(self, effects: Effects) -> None:
        rows = self.table.data
        for key, value in effects.rows:
            if value is None:
                rows.pop(key, None)
            else:
                rows[key] = value

    def _queue(self, work: _Work) -> None:
        self._read.append(work)
        for out in work.effects.outs:
            if out.topic is DEAD_LETTERS:
                self.letters[_code(out)] += 1
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

    async def _turn(self, standstill: Standstill) -> None:
        """Show that the loop turns; ends a process that slept past its session before it sends what it holds."""
        while True:
            await asyncio.sleep(POLL_S)
            standstill.turn()

    @property
    def _generation(self) -> int:
        """The group's generation: it grows with every rebalance."""
        return int(self.app.consumer_generation_id)

    def _partition(self, key: bytes | None) -> int:
        """The partition of a row or an output: that of its table."""
        assert key is not None
        return partition_of_row(key, self.partitions)


_ASK_AGAIN: Final = "keep its workers stopped and run `beadplate replay {}` once more"


def _code(letter: Out) -> str:
    return next(value.decode() for name, value in letter.headers or () if name == "code")


def _is_acknowledged(future: asyncio.Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _ended(task: asyncio.Task[None]) -> None:
    if not task.cancelled():
        die("the runner ended", answer=repr(task.exception()))
