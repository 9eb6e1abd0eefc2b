"""Lets go of a Kafka client, whatever state Kafka is in."""

import asyncio
import contextlib
from typing import Any

from aiokafka.errors import KafkaError


async def close(consumer: Any) -> None:
    """Stop an aiokafka consumer and close its sockets. What its end complains about is nobody's concern any more.

    While Kafka is away, ``stop`` of aiokafka 0.14 cancels a fetch that waits out a failure, lets that cancellation out
    as if it were its caller's, and leaves the sockets open: ``tests/broker/test_closing.py`` shows it.
    """
    stopping = asyncio.ensure_future(consumer.stop())
    await asyncio.wait([stopping])
    if stopping.cancelled():
        await consumer._client.close()  # noqa: SLF001 - what stop would have done next
    else:
        with contextlib.suppress(KafkaError, OSError):
            stopping.result()
