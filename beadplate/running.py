"""Runs a command's coroutine in a loop of its own, and ends it in order on Ctrl-C or SIGTERM."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any

from beadplate.endings import DONE


def run(main: Coroutine[Any, Any, int]) -> int:
    """The coroutine's exit code; 0 where a signal ended it.

    It is cancelled by the first signal, unless it has handlers of its own.
    """
    return asyncio.run(_signalled(main))


async def _signalled(main: Coroutine[Any, Any, int]) -> int:
    loop, told_to_stop = asyncio.get_running_loop(), False
    task = asyncio.ensure_future(main)

    def stop() -> None:
        nonlocal told_to_stop
        if not told_to_stop:
            told_to_stop = True
            task.cancel()

    for told in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(told, stop)
    try:
        return await task
    except asyncio.CancelledError:
        if told_to_stop:
            return DONE
        raise
