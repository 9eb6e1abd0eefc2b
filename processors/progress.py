"""Progress by the broker's own committed offsets: what Faust believes to be committed may not be.

Two watches end the process: over the committed offsets while it works, and over the recovery before it works.
"""

import asyncio
import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Final

import structlog
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from broker.closing import opened
from broker.connection import Connection, admin_client
from contract.topics import Processor
from processors.endings import die
from processors.guard import TP
from processors.runner import Pipeline
from processors.wishes import Offsets

log: Final = structlog.get_logger("processors")

EVERY_S: Final = 2.0
TELL_AFTER: Final = 5
"""A broker that has just started knows no coordinator yet; so many answers later it is worth a line."""
STALLED_S: Final = 60.0
"""A lag that does not move for this long ends the process: consumers are known to live and consume nothing."""
PARTITION_STALLED_S: Final = 300.0
"""The same for a single partition while others move: under a backlog each has to wait for its turn."""


@dataclass(slots=True)
class Progress:
    """Committed and end offsets of the source partitions, as last asked; ``lag`` in records, of the whole group."""

    committed: dict[TP, int] = field(default_factory=dict)
    ends: dict[TP, int] = field(default_factory=dict)
    moved_at: dict[TP, float] = field(default_factory=dict)

    @property
    def lag(self) -> int:
        """Records that are not committed yet, over all source partitions of the group."""
        return sum(map(self._lag, self.ends))

    def lag_of(self, partitions: Iterable[int]) -> int:
        """The same of some partitions alone."""
        wanted = set(partitions)
        return sum(self._lag(tp) for tp in self.ends if tp[1] in wanted)

    def _lag(self, tp: TP) -> int:
        return max(0, self.ends[tp] - self.committed.get(tp, 0))

    def update(self, committed: Offsets, ends: Offsets, now: float) -> None:
        """Take in an answer of the broker; ``now`` in seconds of any steady clock."""
        before, self.committed, self.ends = self.committed, dict(committed), dict(ends)
        for tp in ends:
            if tp not in self.moved_at or committed.get(tp) != before.get(tp) or not self._lag(tp):
                self.moved_at[tp] = now

    def excuse(self, now: float) -> None:
        """What could not be asked for, or was not ours, does not count as standing still."""
        self.moved_at = dict.fromkeys(self.moved_at, now)

    def stalled(self, partitions: Iterable[int], now: float) -> str | None:
        """What stands still among these partitions, in words: all that waits for a minute, or one for five."""
        mine = set(partitions)
        waiting = {tp: now - self.moved_at[tp] for tp in self.ends if tp[1] in mine and self._lag(tp)}
        moved = [now - at for tp, at in self.moved_at.items() if tp[1] in mine and tp in waiting]
        if not waiting:
            return None
        longest = max(waiting, key=lambda tp: waiting[tp])
        if min(moved) <= STALLED_S and waiting[longest] <= PARTITION_STALLED_S:
            return None
        return (
            f"{sum(map(self._lag, waiting))} records wait, and nothing of {longest[0]} partition {longest[1]} was "
            f"committed for {waiting[longest]:.0f} s (offset {self.committed.get(longest, 0)} of "
            f"{self.ends[longest]}): ending, so that a restart reads on from there. If it comes again, look at the "
            "broker's log and at the load of this machine"
        )


@dataclass(slots=True)
class RecoveryDeadline:
    """How long a recovery may go without any movement; one that is slow and moves may take as long as it takes."""

    limit_s: float
    _seen: Hashable = None
    _moved_at: float | None = None

    def late(self, seen: Hashable, now: float) -> float | None:
        """Seconds without movement, where there are too many; ``seen`` is anything that differs when it has moved."""
        if self._moved_at is None or seen != self._seen:
            self._seen, self._moved_at = seen, now
        stood = now - self._moved_at
        return stood if stood > self.limit_s else None

    def excuse(self) -> None:
        """No recovery is on its way, or the broker is away."""
        self._moved_at = None


@dataclass(frozen=True, slots=True)
class Recovered:
    """How far a recovery has come: changelog records that are still to be read, and what differs when it moves."""

    left: int
    mark: Hashable


@dataclass(slots=True)
class Watch:
    """Both watches of one process; ``recovered`` tells how far its recovery has come."""

    pipeline: Pipeline
    progress: Progress
    deadline: RecoveryDeadline
    recovered: Callable[[], Recovered]

    def judge(self, now: float) -> str | None:
        """Why the process has to end, if it has to."""
        if self.pipeline.ready:
            self.deadline.excuse()
            return self.progress.stalled(self.pipeline.assigned, now)
        self.progress.excuse(now)
        recovered = self.recovered()
        stood = self.deadline.late(recovered.mark, now)
        if stood is None:
            return None
        return (
            f"the recovery has made no progress for {stood:.0f} s, with {recovered.left} changelog records still to be "
            "read: ending, so that a restart tries again. If it comes again, look at the broker's log and run "
            "`beadplate doctor`; --recovery-deadline sets how long it may stand still"
        )

    def excuse(self, now: float) -> None:
        """An outage of the broker is no stall of ours."""
        self.progress.excuse(now)
        self.deadline.excuse()


async def watch(processor: Processor, looking: Watch, connection: Connection) -> None:
    """Ask the broker every two seconds, for ever; tells the pipeline what is committed. Ends a stalled process."""
    pipeline, progress = looking.pipeline, looking.progress
    sources = [
        TopicPartition(topic.name, partition) for topic in processor.sources for partition in range(pipeline.partitions)
    ]
    failures = 0
    while True:
        try:
            async with (
                admin_client(connection) as admin,
                opened(AIOKafkaConsumer(**connection.client_options(), group_id=None)) as reader,
            ):
                while True:
                    found = await admin.list_consumer_group_offsets(processor.group)
                    ends = await reader.end_offsets(sources)
                    committed = {(tp.topic, tp.partition): meta.offset for tp, meta in found.items() if tp in ends}
                    now = time.monotonic()
                    progress.update(committed, {(tp.topic, tp.partition): end for tp, end in ends.items()}, now)
                    failures = 0
                    pipeline.committed(progress.committed)
                    if (why := looking.judge(now)) is not None:
                        die(why)
                    await asyncio.sleep(EVERY_S)
        except (KafkaError, OSError, RuntimeError) as error:
            failures += 1
            if failures == TELL_AFTER:
                log.warning("the broker does not tell committed offsets", error=str(error))
            looking.excuse(time.monotonic())
            await asyncio.sleep(EVERY_S)
