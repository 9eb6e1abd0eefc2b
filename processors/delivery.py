"""The way of a record through Faust, without what costs most there and serves nobody here.

Faust delivers each record in a race of four new tasks (the delivery, the flow that may be suspended, the service that
may stop or crash), although a delivery hardly ever waits; and its monitor keeps a dozen counters a record that only
its web server shows, which is off. Both together were a quarter of the CPU of a processor. It stands on names of
0.15.3 that ``tests/processors/test_delivery.py`` watches.
"""

import asyncio
import logging
from collections.abc import Coroutine, Generator, Iterable
from typing import Any

from faust.sensors import Monitor
from mode.services import WaitResults


class QuietMonitor(Monitor):  # type: ignore[misc] # Faust is untyped
    """Faust's monitor without its books on single records."""

    logger = logging.getLogger("faust.beadplate")

    def on_message_in(self, tp: Any, offset: int, message: Any) -> None:
        """A record was read."""

    def on_stream_event_in(self, tp: Any, offset: int, stream: Any, event: Any) -> None:
        """A record goes to the agent."""

    def on_stream_event_out(self, tp: Any, offset: int, stream: Any, event: Any, state: Any = None) -> None:
        """The agent is done with a record."""

    def on_message_out(self, tp: Any, offset: int, message: Any) -> None:
        """A record was acknowledged."""


class UndisputedDelivery:
    """For a Faust consumer: a delivery that need not wait is done at once, and only another one is put in the race."""

    async def wait_first(self, *rivals: Any, **limits: Any) -> Any:
        """Called by Faust with a delivery and the flow's suspension; the first one decides."""
        delivery, *others = rivals
        if self.should_stop or not isinstance(delivery, Coroutine):  # type: ignore[attr-defined]
            return await super().wait_first(*rivals, **limits)  # type: ignore[misc]
        try:
            waits_for = delivery.send(None)
        except StopIteration as ended:
            _withdraw(others)
            return WaitResults([delivery], [ended.value], stopped=False)
        except BaseException:
            _withdraw(others)
            raise
        return await super().wait_first(_Begun(delivery, waits_for), *others, **limits)  # type: ignore[misc]


class NotedFetches:
    """For a Faust consumer: a recovery can wait until no fetch is on its way."""

    _fetch: asyncio.Future[None] | None = None

    async def _getmany(self, active_partitions: Any, timeout: float) -> Any:  # noqa: ASYNC109 - Faust's own word
        """Called by Faust for each fetch, which blocks in the consumer's thread for up to a second."""
        self._fetch = fetch = asyncio.get_running_loop().create_future()
        try:
            return await super()._getmany(active_partitions, timeout)  # type: ignore[misc] # the driver's
        finally:
            fetch.set_result(None)

    async def landed(self) -> None:
        """Wait until no fetch is on its way; with the flow stopped none begins. Faust's own word for it never waits."""
        if self._fetch is not None:
            await asyncio.wait([self._fetch])


def _withdraw(others: Iterable[Any]) -> None:
    """Close coroutines that are not run after all, or Python complains of each."""
    for other in others:
        other.close()


class _Begun:
    """A coroutine that has run to its first wait, as something that can be awaited."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any], waits_for: Any) -> None:
        self._coroutine, self._waits_for = coroutine, waits_for

    def __await__(self) -> Generator[Any, Any, Any]:
        waits_for = self._waits_for
        try:
            while True:
                try:
                    answer = yield waits_for
                except BaseException as error:  # noqa: BLE001 - a cancellation, for one, is the coroutine's to answer
                    waits_for = self._coroutine.throw(error)
                else:
                    waits_for = self._coroutine.send(answer)
        except StopIteration as ended:
            return ended.value
