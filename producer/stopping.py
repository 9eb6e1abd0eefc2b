"""How a command that runs for long is stopped: by Ctrl-C or SIGTERM, which end its work and let it finish in order."""

import asyncio
import signal
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Result = TypeVar("Result")


@contextmanager
def stop_signals() -> Iterator[asyncio.Event]:
    """An event that SIGINT and SIGTERM set while the block runs. Main thread only."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        loop.add_signal_handler(number, stop.set)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)  # asyncio would put back Python's own, not what was there


async def run_until(stop: asyncio.Event, work: Coroutine[Any, Any, Result]) -> Result | None:
    """What ``work`` returns, or None where ``stop`` was set first; then it has been cancelled.

    Whatever ``work`` raises comes out.
    """
    working, stopping = asyncio.create_task(work), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (working, stopping):
            task.cancel()
        await to_the_end(asyncio.wait({working, stopping}))
    return None if working.cancelled() else working.result()


async def to_the_end(work: Coroutine[Any, Any, Any]) -> None:
    """Run ``work`` to its end even where whoever waits for it is cancelled meanwhile; that comes out afterwards."""
    working = asyncio.create_task(work)
    cancelled: asyncio.CancelledError | None = None
    while not working.done():
        try:
            await asyncio.wait({working})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    working.result()
