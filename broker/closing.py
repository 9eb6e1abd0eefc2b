"""Takes up a Kafka client and lets go of it, whatever state Kafka is in."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from aiokafka.errors import KafkaError


@contextlib.asynccontextmanager
async def opened(client: Any) -> AsyncIterator[Any]:
    """A started aiokafka consumer or producer for the block; closed at its end, and also where it could not start.

    ``async with`` on the client itself leaves one open whose start fails. Raises what its start raises.
    """
    try:
        await client.start()
        yield client
    finally:
        await close(client)


async def close(client: Any) -> None:
    """Stop an aiokafka consumer or producer and close its sockets. What its end complains about concerns nobody.

    While Kafka is away, a consumer's ``stop`` of aiokafka 0.14 cancels a fetch that waits out a failure, lets that
    cancellation out as if it were its caller's, and leaves the sockets open: ``tests/broker/test_closing.py`` shows it.
    """
    stopping = asyncio.ensure_future(client.stop())
    await asyncio.wait([stopping])
    if stopping.cancelled():
        await client._client.close()  # noqa: SLF001 - what stop would have done next
    else:
        with contextlib.suppress(KafkaError, OSError):
            stopping.result()
