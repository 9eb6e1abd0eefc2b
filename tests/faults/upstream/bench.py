"""A whole worker of Faust on a broker in memory: everything of Faust's is real but the thread that talks to Kafka.

Tests of Faust's faults run on it with the stock classes and with ours. The races that need luck on a real broker are
arranged here: the answer to a seek travels a little longer than a fetch, an acknowledgement of a send comes when the
test says so.
"""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import faust
import mode
from faust.assignor.client_assignment import ClientAssignment
from faust.events import Event
from faust.types import TP
from faust.types.tuples import ConsumerMessage

from contract.topics import PROCESSORS, SETTLEMENTS
from processors.effects import Drop, Effects, Out, Record, Row
from processors.engine import CommitFirstConsumer, IdempotentProducer
from processors.recovery import SafeTableManager

TOPIC: Final = "rounds"
ROUNDS: Final = TP(TOPIC, 0)
DEADLINE_S: Final = 30.0


class Fetched(NamedTuple):
    """A record as aiokafka hands it over."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    timestamp: int = 1_764_525_600_000
    timestamp_type: int = 1
    headers: tuple[tuple[str, bytes], ...] = ()
    checksum: None = None
    serialized_key_size: int = 0
    serialized_value_size: int = 0


@dataclass
class Broker:
    """Logs and committed offsets; ``answers`` decides what becomes of a send, ``commits`` whether a commit succeeds."""

    logs: dict[TP, list[Fetched]] = field(default_factory=dict)
    committed: dict[TP, int] = field(default_factory=dict)
    sent: list[tuple[str, asyncio.Future[Any]]] = field(default_factory=list)
    answers: Callable[[str, asyncio.Future[Any]], None] = lambda _, future: future.set_result(None)
    commits: bool = True

    def fill(self, records: int, *, topic: str = TOPIC) -> TP:
        """Put so many more records on a topic's partition; their values are their offsets."""
        tp = TP(topic, 0)
        log = self.logs.setdefault(tp, [])
        log += [Fetched(topic, 0, at, b"T01", b"%d" % at) for at in range(len(log), len(log) + records)]
        return tp

    def answer_all(self) -> None:
        """Acknowledge every send that still waits, and every later one at once."""
        self.answers = lambda _, future: future.set_result(None)
        for _, future in self.sent:
            if not future.done():
                future.set_result(None)


class Client:
    """Stands where aiokafka's producer does."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    async def start(self) -> None:
        """Nothing to connect to."""

    async def stop(self) -> None:
        """Nothing to close."""

    async def send(self, topic: str, *_args: Any, **_options: Any) -> asyncio.Future[Any]:
        """Queue a record; the broker decides when and how it is answered."""
        future = asyncio.get_running_loop().create_future()
        self._broker.sent.append((topic, future))
        self._broker.answers(topic, future)
        return future

    async def flush(self) -> None:
        """As aiokafka's: waits until each send has an answer, whatever it is."""
        if waiting := [future for _, future in self._broker.sent if not future.done()]:
            await asyncio.wait(waiting)


class Thread(mode.Service):  # type: ignore[misc] # mode is untyped
    """Stands where Faust's thread with aiokafka's consumer does.

    The answer to a seek takes ``travel`` seconds to the main thread, as fetches go on meanwhile: in the real thread
    the committed offsets are asked for partition by partition.
    """

    def __init__(self, consumer: Any, broker: Broker, travel: float) -> None:
        super().__init__()
        self.consumer, self.broker, self.travel = consumer, broker, travel
        self.positions: dict[TP, int] = {}
        self.generation = 0
        self.joining: asyncio.Task[None] | None = None

    async def subscribe(self, topics: Iterable[str]) -> None:
        """The one worker of its group gets everything, in a while."""
        everything = {tp for tp in self.broker.logs if tp.topic in set(topics)}
        self.joining = asyncio.create_task(self.rebalance(everything))

    async def rebalance(self, assigned: set[TP]) -> None:
        """What the group does: revoke everything, then assign; the call returns when Faust has taken it in."""
        app, consumer = self.consumer.app, self.consumer
        if self.positions:
            app.on_rebalance_start()
            await consumer.on_partitions_revoked(set(self.positions))
        self.generation += 1
        app.consumer_generation_id = self.generation
        actives: dict[str, list[int]] = {}
        for topic, partition in assigned:
            actives.setdefault(topic, []).append(partition)
        app.assignor._assignment = ClientAssignment(actives=actives, standbys={})
        self.positions = {tp: self.broker.committed.get(tp, 0) for tp in assigned}
        await consumer.on_partitions_assigned(set(assigned), self.generation)

    async def getmany(self, active: set[TP], timeout: float) -> dict[TP, list[Fetched]]:  # noqa: ASYNC109 - Faust's
        """Up to three records of each partition; the position moves on."""
        ends = asyncio.get_running_loop().time() + timeout
        while asyncio.get_running_loop().time() < ends and self.consumer.flow_active:
            found = {}
            for tp in [tp for tp in active if tp in self.positions]:
                at = self.positions[tp]
                if records := self.broker.logs[tp][at : at + 3]:
                    found[tp] = records
                    self.positions[tp] = at + len(records)
            if found:
                return found
            await asyncio.sleep(0.005)  # the broker's long poll
        return {}

    async def seek_to_committed(self) -> Mapping[TP, int | None]:
        """As aiokafka's: a partition with nothing committed stays where it is."""
        for tp in self.positions:
            if self.broker.committed.get(tp):
                self.positions[tp] = self.broker.committed[tp]
        answer = {tp: self.broker.committed.get(tp) for tp in self.positions}
        await asyncio.sleep(self.travel)
        return answer

    async def seek_wait(self, offsets: Mapping[TP, int]) -> None:
        """Seek for certain."""
        for tp, offset in offsets.items():
            self.positions[tp] = offset
            if offset > 0:
                self.consumer._read_offset[tp] = offset
            else:
                self.consumer._read_offset.pop(tp, None)

    async def commit(self, offsets: Mapping[TP, int]) -> bool:
        """Commit, where the broker lets it."""
        if self.broker.commits:
            self.broker.committed.update(offsets)
        return self.broker.commits

    async def position(self, tp: TP) -> int:
        """Offset that is fetched next."""
        return self.positions[tp]

    def assignment(self) -> set[TP]:
        """All partitions."""
        return set(self.positions)

    def highwater(self, tp: TP) -> int:
        """End of a log."""
        return len(self.broker.logs[tp])

    async def highwaters(self, *tps: TP) -> dict[TP, int]:
        """Ends of logs."""
        return {tp: self.highwater(tp) for tp in tps}

    async def earliest_offsets(self, *tps: TP) -> dict[TP, int]:
        """Beginnings of logs."""
        return dict.fromkeys(tps, 0)

    def topic_partitions(self, topic: str) -> int:
        """How many partitions a topic has."""
        return sum(tp.topic == topic for tp in self.broker.logs)

    def verify_event_path(self, now: float, tp: TP) -> None:
        """Faust's watch only logs."""

    verify_recovery_event_path = verify_event_path

    def close(self) -> None:
        """Nothing to close."""


def consumer_of(kind: Any, broker: Broker, travel: float = 0.0) -> type[Any]:
    """A class of consumers (the driver's or ours) whose thread is the bench's."""

    class OnTheBench(kind):  # type: ignore[misc] # chosen at run time
        def _new_consumer_thread(self) -> Thread:
            return Thread(self, broker, travel)

    return OnTheBench


def producer_of(broker: Broker) -> type[Any]:
    """Our producer, whose client is the bench's."""

    class OnTheBench(IdempotentProducer):
        def _new_producer(self, *_: Any) -> Client:
            return Client(broker)

    return OnTheBench


_numbers = itertools.count()


def app_on(
    broker: Broker, datadir: Path, *, consumer: Any, table_manager: Any, travel: float = 0.0, **settings: Any
) -> Any:
    """A Faust app on the bench, set as ``processors.engine`` sets it; it has one table, ``app.rows``."""
    app = faust.App(
        f"bench-{next(_numbers)}",
        broker="kafka://nowhere",
        datadir=datadir,
        store="memory://",
        broker_commit_interval=0.05,
        topic_disable_leader=True,
        topic_allow_declare=False,
        topic_partitions=1,
        table_standby_replicas=0,
        web_enabled=False,
        TableManager=table_manager,
        stream_wait_empty=False,  # at the end of a test nobody waits for what is never acknowledged
        **settings,
    )
    app.transport.Producer = producer_of(broker)
    app.transport.Consumer = consumer_of(consumer, broker, travel)
    app.rows = app.Table("rows", key_type=bytes, value_type=bytes, partitions=1)
    broker.logs.setdefault(TP(app.rows.changelog_topic_name, 0), [])
    app.pipeline, app.let_go = Idle(), broker.answer_all
    return app


def idle(broker: Broker, datadir: Path, consumer: Any = CommitFirstConsumer) -> Any:
    """An app that is not started, whose one source partition is assigned in generation 1."""
    app = app_on(broker, datadir, consumer=consumer, table_manager=SafeTableManager)
    app.topics._acking_topics.add(TOPIC)
    app.consumer_generation_id = 1
    app.consumer._thread.positions = {ROUNDS: 0}
    app.producer._producer = Client(broker)
    return app


def raw_topic(app: Any) -> Any:
    """The source topic, as the engine reads it."""
    return app.topic(
        TOPIC, key_type=bytes, value_type=bytes, key_serializer="raw", value_serializer="raw", allow_empty=True
    )


class Copying:
    """The smallest fold: of each record one row and one output; refuses the offsets it is told to."""

    processor = PROCESSORS["settlements"]

    def __init__(self, *, fails_at: int | None = None) -> None:
        self.seen: list[int] = []
        self._fails_at = fails_at

    def step(self, record: Record) -> Effects:
        """Copy a record."""
        if record.offset == self._fails_at:
            raise ZeroDivisionError("this record is not for us")
        self.seen.append(record.offset)
        key = b"T01/%d" % record.offset
        return Effects(rows=[Row(key, record.value)], outs=[Out(SETTLEMENTS, b"T01", record.value)])

    def restore(self, rows: list[tuple[bytes, bytes]]) -> Effects:  # noqa: ARG002 - the fold's interface
        """Nothing is kept beside the rows."""
        return Effects()

    def forget(self, drop: Drop) -> Effects:  # noqa: ARG002 - the fold's interface
        """Nothing is ever dropped."""
        return Effects()

    def counters(self) -> dict[str, int]:
        """Nothing is counted."""
        return {}


class Idle:
    """Stands where the pipeline does, for agents that need none."""

    ready = True

    def revoked(self) -> None:
        """Nothing to forget."""

    def restore(self, begins: Mapping[Any, int]) -> None:
        """Nothing to restore."""


@contextlib.asynccontextmanager
async def running(app: Any) -> AsyncIterator[Any]:
    """The app started; stopped afterwards."""
    starting = asyncio.create_task(app.start())
    try:
        yield app
    finally:
        app.let_go()  # or the end waits for answers that never come
        await app.stop()
        starting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await starting


async def until(condition: Callable[[], bool | Awaitable[bool]], what: str) -> None:
    """Wait for a condition with a deadline."""
    ends = asyncio.get_running_loop().time() + DEADLINE_S
    while True:
        answer = condition()
        if answer if isinstance(answer, bool) else await answer:
            return
        assert asyncio.get_running_loop().time() < ends, f"waited in vain: {what}"
        await asyncio.sleep(0.01)


def message(app: Any, tp: TP, offset: int, *, generation: int = 0) -> Any:
    """A record as Faust's consumer hands it to its streams, counted once."""
    made = ConsumerMessage(
        tp.topic,
        tp.partition,
        offset,
        1_764_525_600.0,
        1,
        (),
        b"T01",
        b"%d" % offset,
        None,
        tp=tp,
        generation_id=generation,
    )
    made.incref()
    return Event(app, made.key, made.value, {}, made)
