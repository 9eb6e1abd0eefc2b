"""News goes straight to viewers that read; one that does not read, or fails, is left to its own task."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from dashboards.frames import FrameId
from dashboards.hub import AT_ONCE, Hub, NewestFrame, Subject
from dashboards.streams import EventStream

TABLE = Subject("table", "T1")


class House:
    """A hub with one table, whose version is set by hand."""

    def __init__(self, send_timeout: float = 5) -> None:
        self.version, self.renders = 1, 0
        self.hub = Hub(10_000, lambda: b"event: beat\n\n")
        self.feed = NewestFrame("table", lambda: FrameId("b", "T1", 1, self.version), self._render)
        self._send_timeout = send_timeout

    def _render(self) -> str:
        self.renders += 1
        return f"version {self.version}"

    def change(self) -> None:
        self.version += 1
        self.hub.changed(TABLE)

    @asynccontextmanager
    async def viewer(self, send: Callable[[Any], Any]) -> AsyncIterator[asyncio.Task[None]]:
        """An open stream that has sent its first frame."""

        async def receive() -> dict[str, Any]:
            await asyncio.Event().wait()
            return {}

        stream = EventStream(self.hub, TABLE, self.feed, None, self._send_timeout)
        task = asyncio.create_task(stream({"method": "GET"}, receive, send))
        try:
            yield task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def until(condition: Callable[[], bool]) -> None:
    deadline = asyncio.get_running_loop().time() + 5
    while True:
        if condition():
            return
        assert asyncio.get_running_loop().time() < deadline, "it did not come to pass"
        await asyncio.sleep(0)


@pytest.mark.asyncio
async def test_a_viewer_that_reads_has_the_frame_before_anybody_else_had_a_turn() -> None:
    house, got = House(), list[bytes]()

    async def send(message: Any) -> None:
        got.append(message.get("body", b""))

    async with house.viewer(send):
        await until(lambda: any(b"version 1" in body for body in got))
        house.change()
        assert b"version 2" in got[-1]  # no await in between
        house.hub.beat()
        assert got[-1] == b"event: beat\n\n"
        house.hub.changed(TABLE)
        assert got[-1] == b"event: beat\n\n"  # nothing new, nothing sent


@pytest.mark.asyncio
async def test_a_viewer_that_is_slow_gets_the_newest_when_it_reads_again_and_delays_nobody() -> None:
    house, slow, quick, gate = House(), list[bytes](), list[bytes](), asyncio.Event()
    gate.set()

    async def slowly(message: Any) -> None:
        await gate.wait()
        slow.append(message.get("body", b""))

    async def quickly(message: Any) -> None:
        quick.append(message.get("body", b""))

    async with house.viewer(slowly), house.viewer(quickly):
        await until(lambda: b"version 1" in b"".join(slow) and b"version 1" in b"".join(quick))
        gate.clear()
        for _ in range(50):
            house.change()
        assert sum(b"version" in body for body in quick) == 51
        await asyncio.sleep(0)
        gate.set()
        await until(lambda: b"version 51" in b"".join(slow))
        # what it was being sent when it stopped, and the newest
        assert [body.split(b"version ")[1][:2] for body in slow if b"version" in body] == [b"1\n", b"2\n", b"51"]
        house.change()
        assert b"version 52" in slow[-1]


@pytest.mark.asyncio
async def test_a_viewer_that_never_reads_is_dropped_after_the_deadline_though_others_began_to_send() -> None:
    house, gate = House(send_timeout=0.05), asyncio.Event()
    gate.set()

    async def send(_: Any) -> None:
        await gate.wait()

    async with house.viewer(send) as task:
        await until(lambda: house.renders == 1)
        gate.clear()
        house.change()
        await asyncio.wait([task], timeout=5)
        assert task.done()
        assert task.exception() is None
    assert (house.hub.dropped, house.hub.viewers) == (1, 0)


@pytest.mark.asyncio
async def test_a_failure_is_the_viewers_own() -> None:
    house, got, broken = House(), list[bytes](), False

    async def fails(_: Any) -> None:
        if broken:
            raise RuntimeError("no more")

    async def send(message: Any) -> None:
        got.append(message.get("body", b""))

    async with house.viewer(fails) as failing, house.viewer(send):
        await until(lambda: any(b"version 1" in body for body in got))
        broken = True
        house.change()
        assert b"version 2" in got[-1]
        await asyncio.wait([failing], timeout=5)
        assert isinstance(failing.exception(), RuntimeError)
        assert house.hub.viewers == 1


@pytest.mark.asyncio
async def test_a_viewer_that_left_costs_the_others_nothing() -> None:
    house = House()

    async def gone(message: Any) -> None:
        if b"version 2" in message.get("body", b""):
            raise ConnectionResetError

    async with house.viewer(gone) as task:
        await until(lambda: house.renders == 1)
        house.change()
        await asyncio.wait([task], timeout=5)
        assert task.exception() is None
    assert house.hub.viewers == 0


@pytest.mark.asyncio
async def test_many_viewers_are_served_in_turns_that_leave_room_for_others() -> None:
    house, got = House(), list[bytes]()

    async def send(message: Any) -> None:
        got.append(message.get("body", b""))

    count = 3 * AT_ONCE
    streams = [house.viewer(send) for _ in range(count)]
    for stream in streams:
        await stream.__aenter__()
    await until(lambda: sum(b"version 1" in body for body in got) == count)
    house.change()
    assert sum(b"version 2" in body for body in got) == AT_ONCE
    await until(lambda: sum(b"version 2" in body for body in got) == count)
    assert house.renders == 2
    for stream in streams:
        await stream.__aexit__(None, None, None)


@pytest.mark.asyncio
async def test_a_closed_hub_still_says_goodbye() -> None:
    house, got = House(), list[bytes]()

    async def send(message: Any) -> None:
        got.append(message.get("body", b""))

    async with house.viewer(send) as task:
        await until(lambda: any(b"version 1" in body for body in got))
        house.change()
        house.hub.close()
        await asyncio.wait([task], timeout=5)
        assert task.exception() is None
        assert b"event: bye" in got[-1]
