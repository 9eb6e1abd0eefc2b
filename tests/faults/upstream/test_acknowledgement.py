"""Faults of faust-streaming 0.15.3 in what it acknowledges and commits; each is shown beside its mend.

Where the stock classes no longer show the fault, upstream has mended it and the mend may go.
"""

import sys
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

import pytest
from aiokafka.errors import KafkaError
from faust.tables.manager import TableManager
from faust.transport.drivers import aiokafka as driver
from faust.types import TP

from broker.connection import Connection
from broker.groups import Place
from processors import engine
from processors.delivery import NotedFetches
from processors.engine import CommitFirstConsumer, EngineUnsafe
from processors.progress import Progress
from processors.recovery import SafeTableManager
from processors.runner import Pipeline
from tests.faults.upstream.bench import (
    ROUNDS,
    TOPIC,
    Broker,
    Copying,
    app_on,
    idle,
    message,
    raw_topic,
    running,
    until,
)


class Given:
    """A stream of events that are all there."""

    enable_acks = True

    def __init__(self, events: Iterable[Any]) -> None:
        self._events = list(events)

    async def events(self) -> AsyncIterator[Any]:
        """One after the other."""
        for event in self._events:
            yield event


def _pipeline(app: Any, fold: Any, *, committed: int | None = None) -> Pipeline:
    pipeline = Pipeline(app, app.rows, fold, partitions=1)
    pipeline.restore([Place(topic=TOPIC, partition=0, begin=0, end=100, committed=committed)])
    app.pipeline = pipeline
    return pipeline


def _committable(app: Any) -> dict[TP, int]:
    """What a commit would commit now."""
    return dict(app.consumer._filter_committable_offsets([ROUNDS]))


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("committed", "unfinished"), [pytest.param(37, 37, id="one below"), pytest.param(None, 0, id="nothing committed")]
)
async def test_606_stock_commits_past_an_unfinished_record(
    committed: int | None, unfinished: int, tmp_path: Path
) -> None:
    app = idle(Broker(), tmp_path, driver.Consumer)
    app.consumer._committed_offset[ROUNDS] = committed
    for offset in (unfinished + 1, unfinished + 2):
        message(app, ROUNDS, offset).ack()
    assert _committable(app) == {ROUNDS: unfinished + 3}, (
        "Faust's books seem to be mended (606): look whether the runner must still acknowledge in reading order"
    )


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("committed", "unfinished"), [pytest.param(37, 37, id="one below"), pytest.param(None, 0, id="nothing committed")]
)
async def test_606_the_runner_acknowledges_in_reading_order(
    committed: int | None, unfinished: int, tmp_path: Path
) -> None:
    broker = Broker(answers=lambda _topic, _future: None)
    app = idle(broker, tmp_path)
    app.consumer._committed_offset[ROUNDS] = committed
    pipeline = _pipeline(app, Copying(), committed=committed)
    offsets = range(unfinished, unfinished + 3)
    await pipeline.run(Given([message(app, ROUNDS, offset, generation=1) for offset in offsets]))
    await until(lambda: len(broker.sent) >= 6, "rows and outputs are sent")
    first = broker.sent[-6:][0][1]
    for _, future in broker.sent:
        if future is not first:
            future.set_result(None)
    await until(lambda: not pipeline._to_ack.is_set(), "the answers were looked at")
    assert (pipeline.acked, _committable(app)) == (0, {})
    first.set_result(None)
    await until(lambda: pipeline.acked == 3, "all are acknowledged")
    assert _committable(app) == {ROUNDS: unfinished + 3}


async def _worker(broker: Broker, tmp_path: Path, agent: Any, ended: Any, *, manager: Any, consumer: Any) -> None:
    app = app_on(broker, tmp_path, consumer=consumer, table_manager=manager)
    app.agent(raw_topic(app), name="agent", concurrency=1)(lambda stream: agent(app, stream))
    async with running(app):
        await until(ended, "the worker is done")


@pytest.mark.asyncio
async def test_189_stock_agent_acknowledges_the_record_that_it_failed_on(tmp_path: Path) -> None:
    broker, done = Broker(), list[int]()
    broker.fill(6)

    async def agent(_: Any, stream: Any) -> None:
        async for event in stream.events():
            if event.message.offset == 2:
                raise ZeroDivisionError("this record is not for us")
            done.append(event.message.offset)

    await _worker(
        broker,
        tmp_path,
        agent,
        lambda: broker.committed.get(ROUNDS) == 6,
        manager=TableManager,
        consumer=driver.Consumer,
    )
    assert done == [0, 1, 3, 4, 5], "upstream issues 315 and 189 seem to be mended: look whether the runner may raise"


@pytest.mark.asyncio
async def test_189_the_runner_ends_the_process_and_commits_nothing_past_it(tmp_path: Path, deaths: list[str]) -> None:
    broker, fold = Broker(), Copying(fails_at=2)
    broker.fill(6)
    committed: list[int] = []

    async def agent(app: Any, stream: Any) -> None:
        if not isinstance(app.pipeline, Pipeline):
            _pipeline(app, fold)
        try:
            await app.pipeline.run(stream)
        finally:
            committed.append(broker.committed.get(ROUNDS, 0))  # what stands when the process is gone

    await _worker(broker, tmp_path, agent, lambda: bool(deaths), manager=SafeTableManager, consumer=CommitFirstConsumer)
    assert deaths[0] == "a record could not be folded"
    assert fold.seen[:2] == [0, 1]
    assert committed[0] <= 2


@pytest.mark.asyncio
async def test_stock_commits_records_whose_outputs_are_still_on_their_way(tmp_path: Path) -> None:
    broker = Broker(answers=lambda _topic, _future: None)
    broker.fill(6)

    async def agent(app: Any, stream: Any) -> None:
        async for event in stream.events():
            await app.producer._producer.send("settlements", event.value)

    app = app_on(broker, tmp_path, consumer=driver.Consumer, table_manager=TableManager)
    app.agent(raw_topic(app), name="agent", concurrency=1)(lambda stream: agent(app, stream))
    async with running(app):
        await until(lambda: len(broker.sent) == 6, "all are sent")
        await until(lambda: bool(app.consumer._n_acked == 6), "all are acknowledged, though the broker has none")


@pytest.mark.asyncio
async def test_the_runner_commits_nothing_whose_outputs_are_still_on_their_way(tmp_path: Path) -> None:
    broker, fold = Broker(answers=lambda _topic, _future: None), Copying()
    broker.fill(6)

    async def agent(app: Any, stream: Any) -> None:
        await app.pipeline.run(stream)

    app = app_on(broker, tmp_path, consumer=CommitFirstConsumer, table_manager=SafeTableManager)
    app.pipeline = Pipeline(app, app.rows, fold, partitions=1)
    app.agent(raw_topic(app), name="agent", concurrency=1)(lambda stream: agent(app, stream))
    async with running(app):
        await until(lambda: fold.seen == [0, 1, 2, 3, 4, 5], "all are folded")
        await until(lambda: len(broker.sent) >= 12, "rows and outputs are sent")
        assert (app.pipeline.acked, app.consumer._n_acked, broker.committed.get(ROUNDS, 0)) == (0, 0, 0)
        broker.answer_all()
        await until(lambda: broker.committed.get(ROUNDS) == 6, "all are committed")


def _refuse_rows(topic: str, future: Any) -> None:
    """The broker takes outputs and refuses changelog records."""
    if topic.endswith("-changelog"):
        future.set_exception(KafkaError("the broker refuses"))
    else:
        future.set_result(None)


@pytest.mark.asyncio
async def test_stock_commits_past_rows_that_the_broker_has_refused(tmp_path: Path) -> None:
    broker = Broker(answers=_refuse_rows)
    broker.fill(6)

    async def agent(app: Any, stream: Any) -> None:
        async for event in stream.events():
            app.rows[event.key] = event.value

    await _worker(
        broker,
        tmp_path,
        agent,
        lambda: broker.committed.get(ROUNDS) == 6,
        manager=TableManager,
        consumer=driver.Consumer,
    )
    assert [future.exception() is not None for topic, future in broker.sent if topic.endswith("-changelog")] == (
        [True] * 6
    ), "Faust's flush before a commit seems to be mended: look whether it is enough"


@pytest.mark.asyncio
async def test_the_runner_ends_the_process_when_the_broker_refuses_a_row(tmp_path: Path, deaths: list[str]) -> None:
    broker = Broker(answers=_refuse_rows)
    app = idle(broker, tmp_path)
    pipeline = _pipeline(app, Copying())
    await pipeline.run(Given([message(app, ROUNDS, 0, generation=1)]))
    await until(lambda: bool(deaths), "the process ends")
    assert deaths[0] == "the broker did not acknowledge what a record made"
    assert (pipeline.acked, _committable(app)) == (0, {})


@pytest.mark.asyncio
@pytest.mark.parametrize(("kind", "left"), [(driver.Consumer, None), (CommitFirstConsumer, 3)])
async def test_stock_forgets_what_is_acknowledged_before_it_commits_at_a_revocation_ours_commits_first(
    kind: Any, left: int | None, tmp_path: Path
) -> None:
    broker = Broker()
    app = idle(broker, tmp_path, kind)
    consumer = app.consumer
    consumer._on_partitions_revoked = lambda _: consumer.commit()  # what the app does in the end
    for offset in range(3):
        message(app, ROUNDS, offset).ack()
    await consumer.on_partitions_revoked({ROUNDS})
    assert broker.committed.get(ROUNDS) == left, "where stock commits too: look whether CommitFirstConsumer may go"


@pytest.mark.asyncio
async def test_stock_takes_the_acknowledgement_of_an_older_generation(tmp_path: Path) -> None:
    app = idle(Broker(), tmp_path, driver.Consumer)
    old = message(app, ROUNDS, 0, generation=1)
    app.consumer_generation_id = 2
    old.ack()
    assert _committable(app) == {ROUNDS: 1}, "Faust now looks at generations: look whether the runner still has to"


@pytest.mark.asyncio
async def test_the_runner_neither_sends_nor_acknowledges_what_is_of_an_older_generation(tmp_path: Path) -> None:
    broker = Broker(answers=lambda _topic, _future: None)
    app = idle(broker, tmp_path)
    pipeline = _pipeline(app, Copying())
    await until(lambda: not pipeline._to_send.is_set(), "the marks of the first start are sent")
    sent_before = len(broker.sent)
    await pipeline.run(Given([message(app, ROUNDS, 0, generation=1)]))
    await until(lambda: len(broker.sent) == sent_before + 2, "row and output are sent")
    app.consumer_generation_id = 2
    await pipeline.run(Given([message(app, ROUNDS, 1, generation=1)]))
    for _, future in broker.sent:
        future.set_result(None)
    await until(lambda: pipeline.dropped == 2, "both are let go")
    assert (len(broker.sent) - sent_before, pipeline.acked, _committable(app)) == (2, 0, {})


@pytest.mark.asyncio
@pytest.mark.parametrize(("iterator", "committable"), [("_py_aiter", {ROUNDS: 1}), ("_c_aiter", {})])
async def test_the_pure_python_stream_acknowledges_what_it_skips_the_compiled_one_does_not(
    iterator: str, committable: dict[TP, int], tmp_path: Path
) -> None:
    app = idle(Broker(), tmp_path)
    topic = raw_topic(app)
    stream = app.stream(topic)
    app.flow_control.resume()
    for offset, generation in ((0, 0), (1, 1)):  # the first is of an older generation: it comes again
        await stream.channel.queue.put(message(app, ROUNDS, offset, generation=generation))
    events = getattr(stream, iterator)()
    assert await anext(events) == b"1"
    assert _committable(app) == committable, "where both are equal: look whether _check_streams may go"
    await events.aclose()


def test_an_engine_without_its_compiled_streams_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "faust._cython.streams", None)
    with pytest.raises(EngineUnsafe, match="install its wheel"):
        engine.build(Copying(), Connection(), partitions=1, window=1)


@pytest.mark.asyncio
async def test_316_stock_takes_a_failed_commit_for_done_progress_goes_by_the_broker(tmp_path: Path) -> None:
    broker = Broker(commits=False)
    app = idle(broker, tmp_path, driver.Consumer)
    for offset in range(3):
        message(app, ROUNDS, offset).ack()
    assert await app.consumer.commit() is False
    assert app.consumer._committed_offset[ROUNDS] == 3, "upstream issue 316 seems to be mended"
    assert app.monitor.tp_committed_offsets[ROUNDS] == 3
    progress = Progress()
    for now in (0.0, 61.0):
        progress.update({tuple(tp): at for tp, at in broker.committed.items()}, {tuple(ROUNDS): 3}, now)
    assert progress.lag == 3
    assert progress.stalled([0], 61.0)


class StockDelivery(NotedFetches, driver.Consumer):  # type: ignore[misc] # Faust is untyped
    """The driver's own, but for what the safe recovery asks of it."""


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("consumer", "manager"), [(StockDelivery, SafeTableManager), (CommitFirstConsumer, SafeTableManager)]
)
async def test_a_worker_sees_the_same_through_our_delivery_as_through_the_stock_one(
    consumer: Any, manager: Any, tmp_path: Path
) -> None:
    broker, seen = Broker(), list[tuple[int, bytes]]()
    broker.fill(200)

    async def agent(_: Any, stream: Any) -> None:
        async for event in stream.events():
            seen.append((event.message.offset, event.value))

    await _worker(
        broker, tmp_path, agent, lambda: broker.committed.get(ROUNDS) == 200, manager=manager, consumer=consumer
    )
    assert seen == [(offset, b"%d" % offset) for offset in range(200)]
