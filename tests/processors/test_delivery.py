import asyncio
import inspect
from collections.abc import AsyncIterator
from typing import Any

import mode
import pytest
import pytest_asyncio
from faust.sensors import Monitor
from faust.transport.consumer import Consumer
from faust.types import TP

from processors.delivery import QuietMonitor, UndisputedDelivery
from processors.engine import CommitFirstConsumer


class Service(UndisputedDelivery, mode.Service):  # type: ignore[misc] # mode is untyped
    """Stands where Faust's consumer does: a service of mode with the undisputed delivery before it."""


@pytest_asyncio.fixture
async def service() -> AsyncIterator[Service]:
    one = Service()
    await one.start()
    yield one
    await one.stop()


@pytest.mark.asyncio
async def test_a_delivery_that_need_not_wait_is_done_without_any_task(service: Service) -> None:
    before, suspended = asyncio.all_tasks(), asyncio.Event()

    async def deliver() -> str:
        assert asyncio.all_tasks() == before
        return "delivered"

    answer = await service.wait_first(deliver(), suspended.wait())
    assert (answer.results, answer.stopped) == (["delivered"], False)
    assert asyncio.all_tasks() == before


@pytest.mark.asyncio
async def test_a_delivery_that_waits_goes_on_where_it_was_when_its_wait_is_over(service: Service) -> None:
    room, steps, loop = asyncio.Event(), list[str](), asyncio.get_running_loop()

    async def deliver() -> str:
        steps.append("begun")
        await room.wait()
        await asyncio.sleep(0)
        steps.append("ended")
        return "delivered"

    loop.call_soon(room.set)
    answer = await service.wait_first(deliver(), asyncio.Event().wait())
    assert steps == ["begun", "ended"]
    assert (answer.results, answer.stopped) == (["delivered"], False)


@pytest.mark.asyncio
async def test_a_delivery_that_waits_is_cancelled_when_the_flow_is_suspended(service: Service) -> None:
    suspended, steps = asyncio.Event(), list[str]()

    async def deliver() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            steps.append("cancelled")
            raise

    asyncio.get_running_loop().call_soon(suspended.set)
    answer = await service.wait_first(deliver(), suspended.wait())
    assert answer.results == [True]
    await asyncio.sleep(0)
    assert steps == ["cancelled"]


@pytest.mark.asyncio
async def test_a_delivery_that_waits_ends_when_the_service_stops(service: Service) -> None:
    asyncio.get_running_loop().call_soon(service._stopped.set)
    answer = await service.wait_first(asyncio.Event().wait(), asyncio.Event().wait())
    assert answer.stopped is True


@pytest.mark.asyncio
@pytest.mark.parametrize("waits", [False, True])
async def test_the_failure_of_a_delivery_is_raised(service: Service, *, waits: bool) -> None:
    async def deliver() -> None:
        if waits:
            await asyncio.sleep(0)
        raise ValueError("no such channel")

    with pytest.raises(ValueError, match="no such channel"):
        await service.wait_first(deliver(), asyncio.Event().wait())


@pytest.mark.asyncio
async def test_other_races_are_run_as_ever(service: Service) -> None:
    event = mode.utils.locks.Event()
    event.set()
    answer = await service.wait_first(event)
    assert (answer.results, answer.stopped) == ([True], False)


def test_the_engine_still_races_each_delivery_with_the_suspension() -> None:
    assert "await self.wait_first(\n" in inspect.getsource(Consumer._drain_messages)
    assert "callback(message), self.suspend_flow.wait()\n" in inspect.getsource(Consumer._drain_messages)


@pytest.mark.parametrize("name", [name for name, member in vars(QuietMonitor).items() if inspect.isfunction(member)])
def test_the_engine_still_asks_its_monitor(name: str) -> None:
    assert list(inspect.signature(getattr(Monitor, name)).parameters) == list(
        inspect.signature(getattr(QuietMonitor, name)).parameters
    )


def test_the_monitor_keeps_nothing_of_a_record() -> None:
    monitor, partition, nothing = QuietMonitor(), TP("rounds", 3), object()
    message: Any = nothing
    monitor.on_message_in(partition, 1, message)
    monitor.on_stream_event_in(partition, 1, nothing, nothing)
    monitor.on_stream_event_out(partition, 1, nothing, nothing)
    monitor.on_message_out(partition, 1, message)
    assert not monitor.stream_inbound_time
    assert (monitor.messages_received_total, monitor.events_total) == (0, 0)


def test_the_monitor_is_as_quiet_as_the_engines_own_services() -> None:
    assert QuietMonitor.logger.name.startswith("faust.")


def test_the_engines_own_watch_over_partitions_says_nothing_of_a_quiet_one() -> None:
    consumer: Any = object.__new__(CommitFirstConsumer)  # without a thread to ask
    assert consumer.verify_event_path(1e9, TP("rounds", 3)) is None
