"""Progress by the broker's own committed offsets: what Faust believes to be committed may not be."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Final

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from broker.connection import Connection, admin_client
from contract.topics import Processor
from processors.endings import die
from processors.runner import Offsets, Pipeline

log: Final = structlog.get_logger("processors")

EVERY_S: Final = 2.0
TELL_AFTER: Final = 5
"""A broker that has just started knows no coordinator yet; so many answers later it is worth a line."""
STALLED_S: Final = 60.0
"""A lag that does not move for this long ends the process: consumers are known to live and consume nothing."""


@dataclass(slots=True)
class Progress:
    """Committed and end offsets of the source partitions, as last asked; ``lag`` in records."""

    committed: dict[tuple[str, int], int] = field(default_factory=dict)
    ends: dict[tuple[str, int], int] = field(default_factory=dict)
    moved_at: float = 0.0

    @property
    def lag(self) -> int:
        """Records that are not committed yet, over all source partitions of the group."""
        return sum(max(0, end - self.committed.get(tp, 0)) for tp, end in self.ends.items())

    def update(self, committed: Offsets, ends: Offsets, now: float) -> None:
        """Take in an answer of the broker; ``now`` in seconds of any steady clock."""
        if dict(committed) != self.committed or not self.moved_at:
            self.moved_at = now
        self.committed, self.ends = dict(committed), dict(ends)
        if not self.lag:
            self.moved_at = now

    def stalled(self, now: float) -> bool:
        """Whether there has been a lag for a minute, and no movement."""
        return self.lag > 0 and now - self.moved_at > STALLED_S


async def watch(processor: Processor, pipeline: Pipeline, connection: Connection, progress: Progress) -> None:
    """Ask the broker every two seconds, for ever; tells the pipeline what is committed. Ends a stalled process."""
    sources = [
        TopicPartition(topic.name, partition) for topic in processor.sources for partition in range(pipeline.partitions)
    ]
    failures = 0
    while True:
        try:
            async with (
                admin_client(connection) as admin,
                AIOKafkaConsumer(**connection.client_options(), group_id=None) as reader,
            ):
                while True:
                    found = await admin.list_consumer_group_offsets(processor.group)
                    ends = await reader.end_offsets(sources)
                    committed = {(tp.topic, tp.partition): meta.offset for tp, meta in found.items() if tp in ends}
                    now = time.monotonic()
                    progress.update(committed, {(tp.topic, tp.partition): end for tp, end in ends.items()}, now)
                    failures = 0
                    pipeline.committed(progress.committed)
                    if pipeline.ready and progress.stalled(now):
                        die("nothing was committed for a minute although records wait", lag=progress.lag)
                    await asyncio.sleep(EVERY_S)
        except (KafkaError, OSError, RuntimeError) as error:
            failures += 1
            if failures == TELL_AFTER:
                log.warning("the broker does not tell committed offsets", error=str(error))
            progress.moved_at = time.monotonic()  # an outage is no stall of ours
            await asyncio.sleep(EVERY_S)
