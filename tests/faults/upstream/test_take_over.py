"""Faults of faust-streaming 0.15.3 where a worker takes partitions over; each is shown beside its mend.

Where the stock classes no longer show the fault, upstream has mended it and the mend may go.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from faust.tables.manager import TableManager
from faust.transport.drivers import aiokafka as driver
from faust.types import TP

from processors.engine import CommitFirstConsumer
from processors.recovery import SafeTableManager
from tests.faults.upstream.bench import Broker, app_on, consumer_of, raw_topic, running, until

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
