"""A stream of server-sent events as a plain ASGI application: nothing stands between it and the viewer.

It answers at once, sends a heartbeat and what the viewer lacks, then waits to be woken. Each send has a deadline: who
does not read is dropped, and comes back by itself. HEAD is answered without a stream.
"""

import asyncio
import random
import types
from collections.abc import Awaitable, Callable, Generator
from typing import Any, Final

from dashboards.chunks import Message, Outlet, Send, outlet
from dashboards.frames import HELLO, FrameId, bye
from dashboards.hub import Feed, Hub, Subject, Viewer
from dashboards.security import PAST_WRAPPERS

Receive = Callable[[], Awaitable[Message]]

HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
]
_DONE: Final = object()
_BACK_MS: Final = (500, 3000)
"""Between these a viewer comes back after a goodbye, so that not all come at once."""


class EventStream:
    """One stream of one subject; ``last`` is the id of the frame that the viewer already shows, if any."""

    def __init__(self, hub: Hub, subject: Subject, feed: Feed, last: FrameId | None, send_timeout: float) -> None:
        self._hub, self._subject, self._feed, self._last = hub, subject, feed, last
        self._send_timeout = send_timeout

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer until the viewer leaves or the hub closes. Raises ``Full`` or ``Closed`` before the first byte."""
        if scope["method"] == "HEAD":
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await send({"type": "http.response.body", "body": b""})
            return
        with self._hub.watch(self._subject) as viewer:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            left = asyncio.create_task(_left(receive, viewer))
            try:
                send = scope.get(PAST_WRAPPERS, send)
                if await self._serve(outlet(scope, send), viewer, left):
                    await _within(self._send_timeout, send(_goodbye()))
            except TimeoutError:
                self._hub.dropped += 1
            except OSError:  # the viewer went away while we were sending
                pass
            finally:
                left.cancel()

    async def _serve(self, out: Outlet, viewer: Viewer, left: asyncio.Task[None]) -> bool:
        """Until the viewer leaves or the hub closes; True where it is still there."""
        hub, feed, seen, beats = self._hub, self._feed, self._last, self._hub.beats

        async def catch_up() -> None:
            nonlocal seen, beats
            frames, seen = feed.news(seen)
            for one in frames:
                await out(one)
            if hub.beats != beats:
                beats = hub.beats
                await out(hub.heartbeat)

        await _within(self._send_timeout, out(HELLO + hub.newest_heartbeat()))
        viewer.catch_up = catch_up
        try:
            while not (hub.closed or left.done()):
                await viewer.wake.wait()
                viewer.wake.clear()
                await self._go_on(viewer, catch_up)
        finally:
            viewer.catch_up = None
        return not left.done()

    async def _go_on(self, viewer: Viewer, catch_up: Callable[[], Awaitable[None]]) -> None:
        """Finish what others have begun, then send what has come since. Raises what went wrong meanwhile."""
        if viewer.failed is not None:
            raise viewer.failed
        viewer.busy = True
        try:
            if viewer.begun is not None:
                steps, waits_for = viewer.begun
                async with asyncio.timeout(self._send_timeout):
                    await _rest(steps, waits_for)
            await _within(self._send_timeout, catch_up())
        finally:
            viewer.busy, viewer.begun = False, None


def _goodbye() -> Message:
    said = bye(random.randint(*_BACK_MS))  # noqa: S311 - spreads the return, guards nothing
    return {"type": "http.response.body", "body": said, "more_body": False}


async def _within(seconds: float, sending: Awaitable[None]) -> None:
    """Await it, at most so long. Most sends are done at once and never wait: those need no timer, which is dear."""
    steps = sending.__await__()
    try:
        waited_for = next(steps)
    except StopIteration:
        return
    async with asyncio.timeout(seconds):
        await _rest(steps, waited_for)


@types.coroutine
def _rest(steps: Generator[Any, Any, None], waited_for: Any) -> Generator[Any, Any, None]:
    """What is left of an awaitable that has been begun and waits for this."""
    while True:
        try:
            told = yield waited_for
        except BaseException as error:  # noqa: BLE001 - a cancellation, for one, is the awaitable's to handle
            waited_for = _step(steps.throw, error)
        else:
            waited_for = _step(steps.send, told)
        if waited_for is _DONE:
            return


def _step(go_on: Callable[[Any], Any], value: Any) -> Any:
    try:
        return go_on(value)
    except StopIteration:
        return _DONE


async def _left(receive: Receive, viewer: Viewer) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    viewer.wake.set()
