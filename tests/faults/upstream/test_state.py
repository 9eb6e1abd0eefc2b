"""Faults of faust-streaming 0.15.3 in rows and their recovery; each is shown beside its mend."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from faust.tables.manager import TableManager
from faust.tables.recovery import Recovery
from faust.transport.drivers import aiokafka as driver
from faust.types import TP

from broker.groups import Place
from contract.partitions import partition_of
from processors.engine import CommitFirstConsumer
from processors.progress import Progress, Recovered, RecoveryDeadline, Watch
from processors.recovery import SafeTableManager
from processors.runner import Pipeline
from tests.faults.upstream.bench import DEADLINE_S, ROUNDS, TOPIC, Broker, Copying, app_on, idle

IMPATIENT = {"broker_request_timeout": 0.05, "broker_session_timeout": 0.04, "broker_heartbeat_interval": 0.01}
HERE, GONE = partition_of(b"T01", 12), partition_of(b"T02", 12)


@pytest.mark.asyncio
async def test_stock_keeps_the_rows_of_partitions_that_it_has_lost_the_runner_purges_them(tmp_path: Path) -> None:
    app = idle(Broker(), tmp_path)
    rows = app.rows.data
    rows[b"T01/1"], rows[b"T02/1"] = b"mine", b"a ghost, should its partition come back"
    assert HERE != GONE
    await app.rows.on_recovery_completed({TP(app.rows.changelog_topic_name, HERE)}, set())
    assert b"T02/1" in rows, "Faust's memory store seems to purge now: look whether the runner still has to"
    pipeline = Pipeline(app, app.rows, Copying(), partitions=12)
    pipeline.restore([Place(topic=TOPIC, partition=HERE, begin=0, end=0, committed=0)])
    assert dict(rows) == {b"T01/1": b"mine"}


class _Silent:
    """A broker's answer that never comes."""

    async def __call__(self, *_: Any) -> Any:
        await asyncio.Event().wait()


@pytest.mark.asyncio
async def test_523_stock_recovery_that_gets_no_answer_ends_in_silence_and_the_worker_lives(tmp_path: Path) -> None:
    app = app_on(Broker(), tmp_path, consumer=driver.Consumer, table_manager=TableManager, **IMPATIENT)
    app.consumer._thread.highwaters = _Silent()
    recovery = app.tables.recovery
    recovery.signal_recovery_start.set()
    await asyncio.wait_for(Recovery._restart_recovery.fun(recovery), DEADLINE_S)  # ends, and raises nothing
    assert (recovery.should_stop, recovery.completed.is_set()) == (False, False), (
        "a recovery without answer now fails: look whether the deadline of recoveries may go (175, 523, 532, 640)"
    )


@pytest.mark.asyncio
async def test_523_our_watch_ends_a_worker_whose_recovery_does_not_move(tmp_path: Path) -> None:
    app = app_on(Broker(), tmp_path, consumer=CommitFirstConsumer, table_manager=SafeTableManager)
    pipeline = Pipeline(app, app.rows, Copying(), partitions=1)
    watch = Watch(pipeline, Progress(), RecoveryDeadline(limit_s=120.0), lambda: Recovered(left=5, mark=0))
    assert [watch.judge(now) is not None for now in (0.0, 120.0, 121.0)] == [False, False, True]


@pytest.mark.asyncio
async def test_523_safe_recovery_fails_loudly_where_kafka_does_not_tell_where_to_begin(tmp_path: Path) -> None:
    app = app_on(Broker(), tmp_path, consumer=CommitFirstConsumer, table_manager=SafeTableManager, **IMPATIENT)
    app.consumer._thread.earliest_offsets = _Silent()
    with pytest.raises(TimeoutError, match="did not tell in time"):
        await app.tables.recovery._stand(app.consumer, {ROUNDS})
