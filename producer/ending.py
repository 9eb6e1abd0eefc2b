"""How a producing command ends: what is on its way is waited for, and what the broker has acknowledged is said."""

import asyncio
from typing import Final

import structlog

from producer.publisher import Publisher

LAST_FLUSH_S: Final = 3.0
"""How long a command that was stopped waits for the last acknowledgements."""
UNSENT: Final = 3
"""Exit status where records were left: a fault that another start may cure."""
_log = structlog.stdlib.get_logger(__name__)


async def end(publisher: Publisher, *, finished: bool) -> int:
    """The exit status; a command that was stopped before it had finished gets a moment to flush."""
    if not finished:
        try:
            async with asyncio.timeout(LAST_FLUSH_S):
                await publisher.flush()
        except TimeoutError:
            pass
    if publisher.unacknowledged:
        _log.error(
            "Stopped before Kafka acknowledged everything",
            acknowledged=publisher.acknowledged,
            unacknowledged=publisher.unacknowledged,
        )
        return UNSENT
    _log.info("Kafka acknowledged every record", acknowledged=publisher.acknowledged)
    return 0


def nothing_published() -> int:
    """The exit status of a command that was stopped before it had anything to send."""
    _log.info("Stopped before anything was published", acknowledged=0)
    return 0
