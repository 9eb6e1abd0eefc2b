"""Ends a process that stood still: stopped from outside for longer than its session, or hung in its own loop.

It looks from a thread of its own, since a loop that hangs cannot look at itself, and a process that wakes from SIGSTOP
or from a machine's sleep must not first send what it holds: its partitions may be another worker's now.
"""

import threading
import time
from collections.abc import Callable
from typing import Final

POLL_S: Final = 0.5
SESSION_PART: Final = 0.8
"""This part of the session time-out may pass; then the group may have given our partitions away."""
HUNG_S: Final = 60.0
"""So long the loop may be busy with one thing, beside the rows of a recovery."""


def _clock() -> float:
    """Seconds of a clock that goes on while the machine sleeps, where there is one."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class Standstill:
    """Knows when the loop last turned and when the thread last looked; times in seconds of ``clock``.

    ``end`` is called with the sentence to end with, from the loop or from the thread.
    """

    def __init__(
        self,
        session_s: float,
        end: Callable[[str], object],
        *,
        clock: Callable[[], float] = _clock,
        hung_s: float | None = None,
    ) -> None:
        self._limit_s, self._hung_s = SESSION_PART * session_s, HUNG_S if hung_s is None else hung_s
        self._end, self._clock = end, clock
        self._turned = self._looked = clock()
        self._busy = False

    def start(self) -> None:
        """Look every half second from now on, until the process ends."""
        self._turned = self._looked = self._clock()
        threading.Thread(target=self._look_always, name="standstill", daemon=True).start()

    def turn(self) -> None:
        """The loop turns; called from it every half second."""
        self._judge(self._clock() - self._turned)
        self._turned = self._clock()

    def busy(self, *, busy: bool) -> None:
        """The loop begins something long that it does at once (the rows of a recovery), or has done it."""
        self._busy = busy
        self._turned = self._clock()

    def look(self) -> None:
        """The thread looks; called from it every half second."""
        now = self._clock()
        self._judge(now - self._looked)
        self._looked = now
        if not self._busy and now - self._turned > self._hung_s:
            self._end(
                f"the loop has hung for {now - self._turned:.0f} s in one step: nothing past it is committed; a "
                "restart reads it again, and where that hangs too, the fault is in this version"
            )

    def _judge(self, stood_s: float) -> None:
        if stood_s > self._limit_s:
            self._end(
                f"the process stood still for {stood_s:.1f} s, longer than its session with the group allows: its "
                "partitions may be another worker's now, and nothing more is sent; a restart joins the group anew"
            )

    def _look_always(self) -> None:
        while True:
            time.sleep(POLL_S)
            self.look()
