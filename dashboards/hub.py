"""Who watches what. A viewer holds one wake-up flag and a note of what it has seen, and no queue: the newest wins.

So a slow or dead display costs no memory and delays nobody, and a frame is rendered once per version and view,
when somebody first asks for it, and the same bytes go to every viewer.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal, NamedTuple, Protocol

from dashboards.frames import GONE, FrameEvent, FrameId, frame, with_id

Kind = Literal["table", "lobby", "statistics", "house"]
"""A table, all tables, a table's statistics, all statistics."""

AT_ONCE: Final = 100
PAUSE_S: Final = 0.04
"""Viewers that get a heartbeat together, and the pause before the next: 5,000 of them take two seconds."""
HOUSE_PACE_S: Final = 1.0
"""The statistics of all tables are sent at most this often; every round of the house changes them."""


class Subject(NamedTuple):
    """What a stream shows; ``table_id`` is empty where it is of all tables."""

    kind: Kind
    table_id: str = ""


class Feed(Protocol):
    """One subject in one view. ``news`` gives the frames that a viewer lacks who has seen ``seen``, and what it has
    seen then; None is nothing.
    """

    def news(self, seen: FrameId | None) -> tuple[Sequence[bytes], FrameId | None]:
        """The frames to send, oldest first."""
        ...


class NewestFrame:
    """A feed of one picture: its newest frame, rendered when first asked for. Where ``newest`` is None there is none,
    and who has seen one is told that it is gone.
    """

    def __init__(self, event: FrameEvent, newest: Callable[[], FrameId | None], render: Callable[[], str]) -> None:
        self._event, self._newest, self._render = event, newest, render
        self._id: FrameId | None = None
        self._frames: tuple[bytes, ...] = ()

    def news(self, seen: FrameId | None) -> tuple[Sequence[bytes], FrameId | None]:
        """The newest frame, unless it is the one seen."""
        newest = self._newest()
        if newest == seen:
            return (), seen
        if newest is None:
            return (GONE,), None
        if newest != self._id:
            self._id, self._frames = newest, (with_id(newest, frame(self._event, self._render())),)
        return self._frames, newest


class Recency:
    """Keys in the order of their last change; ``count`` is the number of changes so far."""

    def __init__(self) -> None:
        self.count = 0
        self._changes: dict[str, int] = {}

    def touch(self, key: str) -> None:
        """Note a change of the key."""
        self.count += 1
        self._changes.pop(key, None)
        self._changes[key] = self.count

    def since(self, count: int) -> list[str]:
        """The keys that changed after the first ``count`` changes, in the order of their last change."""
        changed = []
        for key, number in reversed(self._changes.items()):
            if number <= count:
                break
            changed.append(key)
        return changed[::-1]


class Mosaic:
    """A feed of many pictures under one id, which counts changes: a viewer gets the pictures that changed since.

    ``subject`` must differ in every process: who comes from another is sent all, and before them the ``roll`` of their
    keys, since it may show a picture that is gone. ``newest`` names a picture's version, so that it is rendered once.
    """

    def __init__(
        self,
        build: str,
        subject: str,
        recency: Recency,
        *,
        newest: Callable[[str], object],
        render: Callable[[str], str],
        roll: Callable[[Sequence[str]], str],
    ) -> None:
        self._build, self._subject, self._recency = build, subject, recency
        self._newest, self._render, self._roll = newest, render, roll
        self._rendered: dict[str, tuple[object, bytes]] = {}

    def news(self, seen: FrameId | None) -> tuple[Sequence[bytes], FrameId | None]:
        """The pictures that changed since ``seen``, each in a frame of its own."""
        at = FrameId(self._build, self._subject, 0, self._recency.count)
        if seen == at:
            return (), seen
        if seen is not None and seen[:2] == at[:2]:
            frames = [self._picture(key) for key in self._recency.since(seen.version)]
        else:
            keys = self._recency.since(0)
            frames = [frame("lobby", self._roll(keys)), *map(self._picture, keys)]
        if frames:  # only the last is named: who is cut off in between gets all of them again
            frames[-1] = with_id(at, frames[-1])
        return frames, at

    def _picture(self, key: str) -> bytes:
        version = self._newest(key)
        held = self._rendered.get(key)
        if held is None or held[0] != version:
            held = self._rendered[key] = (version, frame("lobby", self._render(key)))
        return held[1]


class Full(Exception):
    """As many streams are open as are allowed."""


class Closed(Exception):
    """The server is ending."""


class Viewer:
    """An open stream: a wake-up flag, and what it lacks as a coroutine (``catch_up``) that may be begun by others.

    A send to a viewer that reads never waits, so who has news takes these steps in its place, and the viewer's own task
    sleeps on; only what does wait is left to it (``begun``: the steps, and what they wait for). So a frame for a
    thousand viewers costs a thousand sends, and no thousand switches between tasks.
    """

    __slots__ = ("begun", "busy", "catch_up", "failed", "wake")

    def __init__(self) -> None:
        self.wake = asyncio.Event()
        self.wake.set()
        self.catch_up: Callable[[], Awaitable[None]] | None = None
        self.begun: tuple[Generator[Any, Any, None], Any] | None = None
        self.failed: Exception | None = None
        self.busy = False

    def call(self) -> None:
        """There is news: sent at once where the viewer takes it, else its task is woken."""
        if self.catch_up is None or self.busy or self.begun is not None:
            self.wake.set()
            return
        steps = self.catch_up().__await__()
        try:
            waits_for = next(steps)
        except StopIteration:
            return
        except Exception as error:  # noqa: BLE001 - it is the viewer's, and no matter of who has the news
            self.failed = error
        else:
            self.begun = steps, waits_for
        self.wake.set()


class Hub:
    """All viewers by subject. ``beat`` wakes them all with a heartbeat, ``close`` lets every stream end by itself.

    ``heartbeat`` makes the bytes of one, with the server's time.
    """

    def __init__(self, max_viewers: int, heartbeat: Callable[[], bytes]) -> None:
        self.max_viewers = max_viewers
        self.newest_heartbeat = heartbeat
        self.viewers = 0
        self.turned_away = 0
        self.dropped = 0
        self.beats = 0
        self.heartbeat = b""
        self.closed = False
        self._watching: dict[Subject, set[Viewer]] = {}
        self._paced: dict[Subject, asyncio.TimerHandle] = {}

    @contextmanager
    def watch(self, subject: Subject) -> Iterator[Viewer]:
        """A place for one viewer, given back at the end of the block. Raises ``Full`` or ``Closed``."""
        if self.closed:
            raise Closed
        if self.viewers >= self.max_viewers:
            self.turned_away += 1
            raise Full
        viewer = Viewer()
        watching = self._watching.setdefault(subject, set())
        watching.add(viewer)
        self.viewers += 1
        try:
            yield viewer
        finally:
            self.viewers -= 1
            watching.discard(viewer)
            if not watching and self._watching.get(subject) is watching:
                del self._watching[subject]

    def changed(self, subject: Subject, pace_s: float = 0) -> None:
        """Wake who watches the subject; with a pace, once within that time."""
        if subject not in self._watching:
            return
        if not pace_s:
            self._wake(subject)
        elif subject not in self._paced:
            self._paced[subject] = asyncio.get_running_loop().call_later(pace_s, self._wake, subject)

    def beat(self) -> None:
        """Send everyone a heartbeat: at most ``AT_ONCE`` viewers at a time, so that a round is not kept waiting."""
        self.heartbeat = self.newest_heartbeat()
        self.beats += 1
        viewers = [viewer for watching in self._watching.values() for viewer in watching]
        self._wake_some(viewers, PAUSE_S)

    def _wake_some(self, viewers: list[Viewer], pause_s: float = 0) -> None:
        for viewer in viewers[:AT_ONCE]:
            viewer.call()
        if len(viewers) > AT_ONCE:
            asyncio.get_running_loop().call_later(pause_s, self._wake_some, viewers[AT_ONCE:], pause_s)

    def close(self) -> None:
        """Let every stream say goodbye and end; no new one begins."""
        self.closed = True
        for timer in self._paced.values():
            timer.cancel()
        self._wake_all()

    def _wake(self, subject: Subject) -> None:
        self._paced.pop(subject, None)
        self._wake_some(list(self._watching.get(subject, ())))

    def _wake_all(self) -> None:
        for watching in self._watching.values():
            for viewer in watching:
                viewer.wake.set()
