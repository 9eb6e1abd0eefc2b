"""From a fold to a Faust application that stands safely on faust-streaming 0.15.3."""

import logging
from typing import Any, Final

import faust
from faust.transport.drivers import aiokafka as driver

from broker.connection import Connection
from processors.delivery import NotedFetches, QuietMonitor, UndisputedDelivery
from processors.effects import Fold
from processors.progress import Recovered
from processors.recovery import SafeTableManager
from processors.runner import Pipeline

SESSION_TIMEOUT_S: Final = 10.0
HEARTBEAT_S: Final = 3.0
COMMIT_INTERVAL_S: Final = 1.0
MAX_REQUEST_BYTES: Final = 4 << 20
MAX_BATCH_BYTES: Final = 512 << 10
"""Of one partition in one request; well below the 1 MiB that a topic takes, for the limit there is a batch's too."""


FAUST_LOG: Final = logging.getLogger("faust.beadplate")
"""Faust's services log by the module of their class; ours shall be as quiet as Faust's own."""


class EngineUnsafe(RuntimeError):
    """Faust was installed without what the runner stands on; the message says what to do."""


class IdempotentProducer(driver.Producer):  # type: ignore[misc] # Faust is untyped
    """Faust's own producer (it outlives the consumer, as it must), made idempotent."""

    logger = FAUST_LOG

    def _settings_extra(self) -> dict[str, Any]:
        return {"acks": "all", "enable_idempotence": True}


class CommitFirstConsumer(UndisputedDelivery, NotedFetches, driver.Consumer):  # type: ignore[misc] # Faust is untyped
    """Commits before Faust handles a revocation; Faust forgets what is acknowledged before it commits.

    It also forgets to forget which partitions were held back because the agent's queue was full: while the rows of the
    next generation are restored, the emptied queue would let them be fetched again.
    """

    logger = FAUST_LOG

    async def on_partitions_revoked(self, revoked: Any) -> None:
        """Called by Faust when the group rebalances."""
        self.app.pipeline.revoked()
        self._buffered_partitions.clear()
        await self.commit()
        await super().on_partitions_revoked(revoked)

    def on_buffer_full(self, tp: Any) -> None:
        """Called by Faust to hold a partition back."""
        if self.app.pipeline.ready:
            super().on_buffer_full(tp)

    def verify_event_path(self, now: float, tp: Any) -> None:
        """Faust's own suspicion of partitions that stand still, which errs on quiet ones: ours asks the broker."""


class App(faust.App):  # type: ignore[misc] # Faust is untyped
    """A Faust app with the runner's pipeline, which the recovery speaks to."""

    logger = FAUST_LOG
    pipeline: Pipeline

    def _create_directories(self) -> None:
        """Called by Faust at its start: rows stand in memory and in Kafka, and no file is left by who is killed."""


def build(fold: Fold, connection: Connection, *, partitions: int, window: int) -> App:
    """Make the application of a fold; nothing connects yet. Raises ``EngineUnsafe``."""
    _check_streams()
    processor = fold.processor
    app = App(
        processor.group,
        broker=[f"kafka://{server}" for server in connection.servers],
        broker_credentials=_credentials(connection),
        store="memory://",
        processing_guarantee="at_least_once",
        broker_commit_interval=COMMIT_INTERVAL_S,
        broker_session_timeout=SESSION_TIMEOUT_S,
        broker_heartbeat_interval=HEARTBEAT_S,
        consumer_auto_offset_reset="earliest",
        producer_acks=-1,
        producer_max_batch_size=MAX_BATCH_BYTES,
        producer_max_request_size=MAX_REQUEST_BYTES,
        stream_wait_empty=True,
        table_standby_replicas=0,
        topic_partitions=partitions,
        topic_disable_leader=True,
        topic_allow_declare=False,
        web_enabled=False,
        worker_redirect_stdouts=False,
        Monitor=QuietMonitor,
        TableManager=SafeTableManager,
    )
    app.transport.Producer, app.transport.Consumer = IdempotentProducer, CommitFirstConsumer  # before their first use
    table = app.Table(processor.table, key_type=bytes, value_type=bytes, partitions=partitions)  # bytes: stored raw
    app.pipeline = Pipeline(app, table, fold, partitions=partitions, window=window)
    sources = app.topic(
        *(topic.name for topic in processor.sources),
        key_type=bytes,
        value_type=bytes,
        key_serializer="raw",
        value_serializer="raw",
        allow_empty=True,
    )
    app.agent(sources, name=f"{processor.group}-agent", concurrency=1)(app.pipeline.run)
    return app


def recovery_of(app: App) -> Recovered:
    """How far the app's recovery has come."""
    recovery = app.tables.recovery
    left = sum(max(0, each) for each in recovery.active_remaining().values())
    read = sum(offset for offset in recovery.active_offsets.values() if offset is not None)
    return Recovered(left, (app.consumer_generation_id, read))


def _check_streams() -> None:
    """Refuse the pure-Python stream iterator, which acknowledges records that it skips."""
    try:
        import faust._cython.streams  # noqa: F401, PLC0415 - that it can be imported is the question
    except ImportError as error:
        raise EngineUnsafe(
            "faust-streaming was installed without its compiled parts, which loses records: "
            "install its wheel for this platform (make install)"
        ) from error


def _credentials(connection: Connection) -> Any:
    options = connection.client_options()
    context = options.get("ssl_context")
    if connection.security_protocol.startswith("SASL"):
        return faust.SASLCredentials(
            username=connection.sasl_username,
            password=connection.sasl_password,
            mechanism=connection.sasl_mechanism,
            ssl_context=context,
        )
    return faust.SSLCredentials(context=context) if context is not None else None
