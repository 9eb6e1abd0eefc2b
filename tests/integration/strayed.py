"""A worker whose position on the source partitions has strayed to their end, as a fetch that is thrown away leaves it.

``python -m tests.integration.strayed BOOTSTRAP before|after`` runs the scoreboards processor; ``before`` strays before
the recovery takes its stand, ``after`` when it has.
"""

import sys
from typing import Any

from broker.connection import Connection
from broker.groups import Place
from processors.recovery import SafeRecovery
from processors.worker import Worker, run

stand = SafeRecovery._stand


async def stray(consumer: Any, sources: set[Any]) -> None:
    await consumer.seek_wait(await consumer.highwaters(*sources))


async def stray_before(self: SafeRecovery, consumer: Any, sources: set[Any]) -> list[Place]:
    await stray(consumer, sources)
    return await stand(self, consumer, sources)


async def stray_after(self: SafeRecovery, consumer: Any, sources: set[Any]) -> list[Place]:
    places = await stand(self, consumer, sources)
    await stray(consumer, sources)
    return places


if __name__ == "__main__":
    bootstrap, when = sys.argv[1:]
    SafeRecovery._stand = {"before": stray_before, "after": stray_after}[when]  # type: ignore[method-assign]
    sys.exit(run("scoreboards", Worker(), Connection(bootstrap_servers=bootstrap)))
