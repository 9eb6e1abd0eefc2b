"""Waits until the processors have come up to the sources, by what they have committed to Kafka."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Final

from aiokafka.admin import AIOKafkaAdminClient

from audit.reading import Bounds, Reader
from broker.connection import Connection, admin_client
from broker.groups import look_at_groups
from contract.topics import PROCESSORS, SETTLEMENTS, ProcessorName

LOOK_S: Final = 0.5


class ProcessorBehind(Exception):
    """A processor has not come up to the sources in time; the message says which and by how much."""


async def caught_up(
    connection: Connection, source: Reader, snapshot: Bounds, numbers: Sequence[int], *, partitions: int, wait_s: float
) -> None:
    """Wait until every processor has committed all that stands in its sources before the snapshot's ends.

    Statistics read the settlements: those that are there when the settlements processor has come up count for them.
    Raises ``ProcessorBehind``.
    """
    deadline = time.monotonic() + wait_s
    async with admin_client(connection) as admin:
        first: tuple[ProcessorName, ...] = ("scoreboards", "settlements")
        wait = _Wait(connection, admin, numbers, partitions, deadline)
        await wait.until(first, snapshot)
        settlements = await source.bounds((SETTLEMENTS,), numbers)
        await wait.until(("statistics",), snapshot.with_(settlements))


class _Wait:
    def __init__(
        self,
        connection: Connection,
        admin: AIOKafkaAdminClient,
        numbers: Sequence[int],
        partitions: int,
        deadline: float,
    ) -> None:
        self._connection, self._admin, self._numbers = connection, admin, numbers
        self._partitions, self._deadline = partitions, deadline

    async def until(self, names: Sequence[ProcessorName], bounds: Bounds) -> None:
        """Wait for these processors."""
        while behind := await self._behind(names, bounds):
            if time.monotonic() > self._deadline:
                told = ", ".join(f"{name} by {count:,} records" for name, count in behind.items())
                raise ProcessorBehind(f"processors are behind the sources: {told}; let them come up, then verify again")
            await asyncio.sleep(LOOK_S)

    async def _behind(self, names: Sequence[ProcessorName], bounds: Bounds) -> Mapping[ProcessorName, int]:
        topics = {PROCESSORS[name].group: [topic.name for topic in PROCESSORS[name].sources] for name in names}
        groups = await look_at_groups(self._connection, self._admin, topics, self._partitions)
        behind = {}
        for name, group in zip(names, groups, strict=True):
            ends = {(place.topic, place.partition): end for place, end in bounds.ends.items()}
            mine = [place for place in group.places if place.partition in self._numbers]
            lags = [ends[place.topic, place.partition] - place.next_offset for place in mine]
            if (lag := sum(lag for lag in lags if lag > 0)) > 0:
                behind[name] = lag
        return behind
