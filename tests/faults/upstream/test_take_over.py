"""Faults of faust-streaming 0.15.3 where a worker takes partitions over; each is shown beside its mend.

Where the stock classes no longer show the fault, upstream has mended it and the mend may go.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from faust.tables.manager import TableManager
from faust.transport.drivers import aiokafka as driver
from faust.types import TP

from processors.engine import CommitFirstConsumer
from processors.recovery import SafeTableManager
from tests.faults.upstream.bench import Broker, Fetched, Thread, app_on, consumer_of, raw_topic, running, until

SEEK_TRAVELS_S = 1.2
"""Longer than one fetch of Faust's: whatever was asked for before the sources were resumed is over by then."""


def _backlog(committed: int) -> Broker:
    """Thirty records, of which so many are committed; 0 stands for none."""
    broker = Broker()
    tp = broker.fill(30)
    if committed:
        broker.committed[tp] = committed
    return broker


async def _take_over(broker: Broker, datadir: Path, table_manager: Any, consumer: Any) -> list[int]:
    """Offsets that the agent of a worker sees that restores five rows and takes thirty records over, then one more."""
    app, seen = (
        app_on(broker, datadir, consumer=consumer, table_manager=table_manager, travel=SEEK_TRAVELS_S),
        list[int](),
    )
    broker.fill(5, topic=app.rows.changelog_topic_name)

    async def agent(stream: Any) -> None:
        async for event in stream.events():
            seen.append(event.message.offset)
            await until(lambda: bool(app.tables.actives_ready), "the rows are restored")  # slower than the fetches

    app.agent(raw_topic(app), name="agent", concurrency=1)(agent)
    async with running(app):
        await until(lambda: bool(app.tables.actives_ready), "the rows are restored")
        await until(lambda: app.consumer._thread.positions[TP("rounds", 0)] == 30, "the backlog has been fetched")
        tp = broker.fill(1)
        await until(lambda: seen[-1:] == [30], "the last record has come")
        if broker.committed.get(tp, 0) >= 10:  # where nothing was, Faust sees the gap and never commits again
            await until(lambda: broker.committed[tp] == 31, "the last record is committed")
    return seen


@pytest.mark.asyncio
@pytest.mark.parametrize("committed", [0, 10])
async def test_596_stock_recovery_throws_records_away_and_commits_past_them(committed: int, tmp_path: Path) -> None:
    seen = await _take_over(_backlog(committed), tmp_path, TableManager, driver.Consumer)
    assert seen == [committed, 30], "upstream issue 596 seems to be mended: look whether SafeRecovery may go"


@pytest.mark.asyncio
@pytest.mark.parametrize("committed", [0, 10])
async def test_596_safe_recovery_loses_nothing(committed: int, tmp_path: Path) -> None:
    seen = await _take_over(_backlog(committed), tmp_path, SafeTableManager, CommitFirstConsumer)
    assert seen == list(range(committed, 31))


def _moved_on(tmp_path: Path) -> tuple[Any, TP]:
    """An app whose consumer stands at 5, where fetches have brought it; nothing is committed."""
    broker = Broker()
    tp = broker.fill(30)
    app = app_on(broker, tmp_path, consumer=CommitFirstConsumer, table_manager=SafeTableManager)
    app.consumer._thread.positions = {tp: 5}
    return app, tp


@pytest.mark.asyncio
async def test_596_stock_seek_passes_over_a_partition_with_nothing_committed(tmp_path: Path) -> None:
    app, tp = _moved_on(tmp_path)
    await app.consumer.perform_seek()
    assert app.consumer._thread.positions == {tp: 5}, "Faust's seek seems to be mended: look at SafeRecovery._stand"


@pytest.mark.asyncio
async def test_596_safe_recovery_stands_at_the_beginning_where_nothing_is_committed(tmp_path: Path) -> None:
    app, tp = _moved_on(tmp_path)
    await app.tables.recovery._stand(app.consumer, {tp})
    assert app.consumer._thread.positions == {tp: 0}


class _Deaf(Thread):
    """A thread whose fetch, once it has begun, does not hear that the flow was stopped, as the real one."""

    async def getmany(self, active: set[TP], timeout: float) -> dict[TP, list[Fetched]]:  # noqa: ASYNC109 - Faust's
        ends = asyncio.get_running_loop().time() + timeout
        while asyncio.get_running_loop().time() < ends:
            for tp in [tp for tp in active if tp in self.positions]:
                at = self.positions[tp]
                if records := self.broker.logs[tp][at : at + 3]:
                    self.positions[tp] = at + len(records)
                    return {tp: records}
            await asyncio.sleep(0.005)
        return {}


async def _restored(kind: Any, table_manager: Any, tmp_path: Path) -> int:
    """Where a worker begins to read five rows, for whom a fetch of the last generation is still on its way."""
    broker = Broker()
    app = app_on(broker, tmp_path, consumer=kind, table_manager=table_manager)
    changelog = broker.fill(5, topic=app.rows.changelog_topic_name)
    app.consumer._thread = _Deaf(app.consumer, broker, 0.0)
    app.consumer._thread.positions = {changelog: 5}
    fetch = asyncio.create_task(app.consumer._getmany({changelog}, 0.3))
    await asyncio.sleep(0.01)  # it is on its way
    app.consumer.stop_flow()
    await app.tables.recovery._seek_offsets(app.consumer, {changelog}, Counter({changelog: -1}), "active")
    await fetch  # and thrown away, for the flow is stopped
    position: int = app.consumer._thread.positions[changelog]
    return position


@pytest.mark.asyncio
async def test_596_stock_recovery_passes_over_rows_that_a_fetch_on_its_way_brought(tmp_path: Path) -> None:
    position = await _restored(driver.Consumer, TableManager, tmp_path)
    assert position == 3, "Faust seems to wait for its fetches now: look whether SafeRecovery._seek_offsets may go"


@pytest.mark.asyncio
async def test_596_safe_recovery_waits_for_the_fetch_and_begins_with_the_first_row(tmp_path: Path) -> None:
    assert await _restored(CommitFirstConsumer, SafeTableManager, tmp_path) == 0


async def _held_back(kind: Any, held: Callable[[Any, TP], None], tmp_path: Path) -> set[TP]:
    """Partitions that may be fetched while the rows of the next generation are restored, after the queue was full."""
    broker = Broker()
    tp = broker.fill(30)
    app = app_on(broker, tmp_path, consumer=kind, table_manager=SafeTableManager)

    async def done(*_: Any) -> None:
        """Nothing more is done at a revocation or an assignment."""

    consumer = consumer_of(kind, broker)(
        app.transport, callback=done, on_partitions_revoked=done, on_partitions_assigned=done
    )
    await consumer.on_partitions_assigned({tp})
    app.pipeline.ready = True
    consumer.on_buffer_full(tp)
    await consumer.on_partitions_revoked({tp})
    app.pipeline.ready = False
    await consumer.on_partitions_assigned({tp})
    consumer.pause_partitions({tp})
    held(consumer, tp)
    consumer.on_buffer_drop(tp)  # the agent empties its queue
    return set(consumer._active_partitions)


def _full_before(_consumer: Any, _tp: TP) -> None:
    """The queue was full in the last generation only."""


def _full_again(consumer: Any, tp: TP) -> None:
    """The queue fills while the rows are restored: Faust is not in recovery yet, so it takes that for a full agent."""
    consumer.on_buffer_full(tp)


@pytest.mark.asyncio
@pytest.mark.parametrize("held", [_full_before, _full_again])
async def test_596_stock_consumer_fetches_a_held_back_partition_too_early(
    held: Callable[[Any, TP], None], tmp_path: Path
) -> None:
    assert await _held_back(driver.Consumer, held, tmp_path) == {TP("rounds", 0)}, (
        "Faust now forgets partitions that were held back: look whether on_buffer_full and the clearing in "
        "CommitFirstConsumer may go"
    )


@pytest.mark.asyncio
@pytest.mark.parametrize("held", [_full_before, _full_again])
async def test_596_our_consumer_forgets_what_was_held_back(held: Callable[[Any, TP], None], tmp_path: Path) -> None:
    assert await _held_back(CommitFirstConsumer, held, tmp_path) == set()
