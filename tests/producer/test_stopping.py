import asyncio
import os
import signal

import pytest

from producer.stopping import run_until, stop_signals, to_the_end

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_sets_the_event_and_afterwards_means_what_it_meant_before(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with stop_signals() as stop:
        os.kill(os.getpid(), number)
        async with asyncio.timeout(10):
            await stop.wait()
    assert signal.getsignal(number) is before


async def test_work_that_ends_by_itself_gives_its_result() -> None:
    assert await run_until(asyncio.Event(), asyncio.sleep(0, "done")) == "done"


async def test_work_that_is_stopped_is_cancelled() -> None:
    stop = asyncio.Event()
    cancelled = []

    async def work() -> bool:
        stop.set()
        try:
            return await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    assert await run_until(stop, work()) is None
    assert cancelled == [True]


async def test_what_work_raises_comes_out() -> None:
    async def work() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await run_until(asyncio.Event(), work())


async def test_whoever_is_cancelled_while_waiting_cancels_the_work() -> None:
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(run_until(asyncio.Event(), work()), 0.05)
    assert ended.is_set()


async def test_work_that_has_to_end_ends_though_whoever_waits_is_cancelled_twice() -> None:
    gate, ended = asyncio.Event(), []

    async def work() -> None:
        await gate.wait()
        ended.append(True)

    waiting = asyncio.create_task(to_the_end(work()))
    for _ in range(2):
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.sleep(0)
    assert not waiting.done()
    gate.set()
    await asyncio.wait({waiting})
    assert waiting.cancelled()
    assert ended == [True]
