"""Carries a floor's records to Kafka in their order, however often it breaks off, and tells how far it has come."""

import asyncio
from collections.abc import Callable, Sequence

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError

from broker.closing import opened
from tests.faults.floor import Sent

AT_ONCE = 50
"""Records that are on their way together."""


class Feed:
    """Publishes records at a pace; ``taken`` hears each that the broker has acknowledged.

    What was sent and not acknowledged is sent again through a new producer, in order: it may stand there twice.
    """

    def __init__(self, bootstrap: str, records: Sequence[Sent], taken: Callable[[Sent], None], pace: float) -> None:
        self._bootstrap, self._records, self._taken = bootstrap, records, taken
        self._pause = AT_ONCE / pace if pace else 0.0
        self._done = 0
        self._moved = asyncio.Event()
        self._hurry = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    async def reach(self, share: float) -> None:
        """Wait until this share of the records has been acknowledged."""
        while self._done < share * len(self._records) and not self._task.done():
            self._moved.clear()
            await asyncio.wait([asyncio.create_task(self._moved.wait()), self._task], return_when="FIRST_COMPLETED")

    async def finish(self) -> None:
        """Publish the rest without a pause; returns when all is acknowledged."""
        self._hurry.set()
        await self._task

    def cancel(self) -> None:
        """Stop where it stands."""
        self._task.cancel()

    async def _run(self) -> None:
        while self._done < len(self._records):
            try:
                client = AIOKafkaProducer(bootstrap_servers=self._bootstrap, enable_idempotence=True)
                async with opened(client) as producer:
                    await self._through(producer)
            except (KafkaError, OSError):  # a broker that is away: again, with a new producer
                await asyncio.sleep(0.2)

    async def _through(self, producer: AIOKafkaProducer) -> None:
        while some := self._records[self._done : self._done + AT_ONCE]:
            sends = [await producer.send(r.topic, r.value, r.key, r.partition) for r in some]
            for record, acknowledged in zip(some, sends, strict=True):
                await acknowledged
                self._taken(record)
                self._done += 1
                self._moved.set()
            if self._pause:
                await asyncio.wait([asyncio.create_task(self._hurry.wait())], timeout=self._pause)
