"""The mend for faust-streaming issue 596: the switch from the changelog to the source partitions, free of the race.

After restoring, Faust resumes the source partitions, then seeks, then clears the queues; what was fetched in between
is thrown away while the position has moved on. Here nothing is fetched from a source partition until the consumer
stands where this group has to begin and the queues have been cleared. That is the committed offset, and the beginning
of the log where nothing is committed yet: Faust's own seek passes such a partition over and leaves it wherever the
fetches before have brought it, so that a worker which takes over before the first commit would never read those
records. Before the changelog is read, the fetches of the last generation are waited for, for the same reason.

It stands on private names of 0.15.3, which ``tests/faults/upstream/test_fingerprints.py`` watches.
"""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Final

from faust.tables.manager import TableManager
from faust.tables.recovery import Recovery, ServiceStopped
from faust.types import TP

from broker.groups import Place
from processors.endings import REFUSED, die
from processors.retention import beyond_sentence

FETCH_DRAINS_S: Final = 1.2
"""A fetch in the consumer's thread blocks for up to one second; its result is discarded while the flow is stopped."""

END_SHOWN_S: Final = 5
"""A leader that has just been elected may show for a moment an end before what was committed."""


class SafeRecovery(Recovery):  # type: ignore[misc] # Faust is untyped
    """Recovery that fetches from the sources only once nothing can be thrown away."""

    logger = logging.getLogger("faust.beadplate")

    async def _seek_offsets(self, consumer: Any, tps: Any, offsets: Any, title: str) -> None:
        """Called by Faust before it reads the changelog.

        A fetch of the last generation may still be on its way and bring the first of what is read now: Faust throws it
        away, since the flow is stopped, and the position has moved on. Then it waits for those rows for ever.
        """
        consumer.stop_flow()
        await consumer.landed()
        await super()._seek_offsets(consumer, tps, offsets, title)

    async def on_recovery_completed(self, generation_id: int = 0) -> None:
        """Called by Faust when the changelog has been read."""
        consumer = self.app.consumer
        await self.app.on_rebalance_complete.send()
        self._set_recovery_ended()
        for table in self.tables.values():
            await table.on_recovery_completed(self.actives_for_table[table], self.standbys_for_table[table])
        assignment = consumer.assignment()
        if self.app.consumer_generation_id != generation_id:
            return  # another rebalance has begun and comes here in its turn
        consumer.stop_flow()
        self.app.flow_control.suspend()
        await asyncio.sleep(FETCH_DRAINS_S)
        sources = {tp for tp in assignment if not self._is_changelog_tp(tp)}
        places = await self._stand(consumer, sources) if sources else []
        if self.app.consumer_generation_id != generation_id:
            return
        await self._make_good(consumer, places)
        if self.app.consumer_generation_id != generation_id:
            return
        self.app.pipeline.restore(places)
        self.app.flow_control.resume()  # clears the queues, before any source partition is active
        consumer.resume_partitions(sources)
        self.completed.set()
        consumer.resume_flow()
        await self.app._fetcher.maybe_start()  # noqa: SLF001 - upstream's own line
        self.tables.on_actives_ready()
        self.tables.on_standbys_ready()
        self.app.on_rebalance_end()

    async def _stand(self, consumer: Any, sources: set[Any]) -> list[Place]:
        """Stand at the beginning of each source partition for this group; returns the places."""
        places: list[Place] = []

        async def stand() -> None:
            await consumer.perform_seek()
            committed = {tp: consumer._read_offset.get(tp) for tp in sources}  # noqa: SLF001 - there is no public word
            found = await _look(consumer, committed)
            for _ in range(END_SHOWN_S):
                if not any(place.beyond for place in found):
                    break
                await asyncio.sleep(1)
                found = await _look(consumer, committed)
            await consumer.seek_wait({TP(place.topic, place.partition): place.next_offset for place in found})
            places.extend(found)

        try:
            await self._wait(stand(), timeout=self.app.conf.broker_request_timeout)
        except ServiceStopped:
            if self.should_stop:
                raise
            # Faust takes its own time-out for a stop: the recovery would end in silence, and the worker live on
            raise TimeoutError("Kafka did not tell in time where the source partitions begin") from None
        return places

    async def _make_good(self, consumer: Any, places: list[Place]) -> None:
        """See to places where what is committed is not where the group goes on.

        More committed than there is: ends the process. Less than is still there: people are told, once, and what is
        there is committed, or Faust would see a gap for ever and never commit again. Nothing committed: where the group
        begins is, so that what is deleted later is known to be lost.
        """
        if beyond := [place for place in places if place.beyond]:
            die(beyond_sentence(self.app.pipeline.fold.processor.name, beyond), code=REFUSED)
        if lost := [place for place in places if place.lost]:
            await self._wait(self.app.pipeline.announce(lost))
        moved = {
            TP(place.topic, place.partition): place.next_offset
            for place in places
            if place.committed is None or place.lost
        }
        if moved:
            await self._wait(consumer._commit(moved))  # noqa: SLF001 - commit() takes only what was acknowledged
            consumer._committed_offset.update({tp: at or None for tp, at in moved.items()})  # noqa: SLF001 - see above


async def _look(consumer: Any, committed: Mapping[Any, int | None]) -> list[Place]:
    starts, ends = await consumer.earliest_offsets(*committed), await consumer.highwaters(*committed)
    return [
        Place(topic=tp.topic, partition=tp.partition, begin=starts[tp], end=ends[tp], committed=at)
        for tp, at in committed.items()
    ]


class SafeTableManager(TableManager):  # type: ignore[misc] # Faust is untyped
    """Faust's table manager with the safe recovery in it."""

    logger = logging.getLogger("faust.beadplate")
    _recovery: Any

    @property
    def recovery(self) -> Any:
        """The recovery service, made at its first use."""
        if self._recovery is None:
            self._recovery = SafeRecovery(self.app, self, beacon=self.beacon, loop=self.loop)
        return self._recovery
