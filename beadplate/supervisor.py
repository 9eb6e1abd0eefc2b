"""Child processes of one system: started, watched, restarted with back-off, ended together."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

import structlog

from beadplate.endings import CHECK_FAILED, WRONG_USE
from beadplate.lifeline import VARIABLE

log: Final = structlog.get_logger("beadplate")

GRACE_S: Final = 6.0
"""How long a child may take to end in order; then it is killed."""
FAILURES: Final = 5
"""So many failures in a row, each within ``STEADY_S`` of its start, and the supervisor gives up."""
STEADY_S: Final = 60.0
LONGEST_PAUSE_S: Final = 10.0
INCURABLE: Final = (CHECK_FAILED, WRONG_USE)
"""Exit codes after which a child would only end in the same way again."""


class GaveUp(RuntimeError):
    """A child failed again and again; the message names it, its last words and its log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """One process: the arguments of ``beadplate``, where its log goes, and whether it may end by itself."""

    name: str
    arguments: Sequence[str]
    log: Path
    may_end: bool = False


@dataclass(slots=True)
class Supervisor:
    """Runs children until it is left; ``async with`` ends them all, at once and in order.

    ``environment`` is what the children see besides our own, ``program`` what their arguments are given to. A child
    that fails is started again after a pause of 1, 2, 4, … times ``first_pause_s``, and at first after it had run for
    ``steady_s``; ``watch`` raises ``GaveUp`` where that does not help, and at once where a restart cures nothing.
    """

    environment: Mapping[str, str]
    program: Sequence[str] = (sys.executable, "-m", "beadplate")
    first_pause_s: float = 1.0
    steady_s: float = STEADY_S
    processes: dict[str, asyncio.subprocess.Process] = field(default_factory=dict)
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _pipe: tuple[int, int] = (-1, -1)
    _ending: bool = False

    async def __aenter__(self) -> Self:
        self._pipe = os.pipe()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._ending = True
        for process in self.processes.values():
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
        await asyncio.gather(*(_ended(process) for process in self.processes.values()))
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        for descriptor in self._pipe:
            os.close(descriptor)

    def start(self, child: Child) -> None:
        """Start a child and keep it running."""
        self._tasks[child.name] = asyncio.create_task(self._keep(child))

    async def watch(self) -> None:
        """Wait until a child is given up; raises ``GaveUp``, or what else went wrong."""
        while self._tasks:
            done, _ = await asyncio.wait(self._tasks.values(), return_when=asyncio.FIRST_COMPLETED)
            for name in [name for name, task in self._tasks.items() if task in done]:
                self._tasks.pop(name).result()
        await asyncio.Event().wait()

    async def _keep(self, child: Child) -> None:
        loop, failures = asyncio.get_running_loop(), 0
        while True:
            started = loop.time()
            code = await self._run(child)
            if self._ending or (code == 0 and child.may_end):
                return
            failures = 1 if loop.time() - started > self.steady_s else failures + 1
            if code in INCURABLE:
                raise GaveUp(f"{child.name} ended with exit code {code}, which no restart cures: {_told(child)}")
            if failures >= FAILURES:
                raise GaveUp(
                    f"{child.name} ended {failures} times in a row, the last time with exit code {code}: {_told(child)}"
                )
            pause = min(LONGEST_PAUSE_S, self.first_pause_s * 2.0 ** (failures - 1))
            log.warning("restarting", process=child.name, exit_code=code, pause_s=pause, log=str(child.log))
            await asyncio.sleep(pause)

    async def _run(self, child: Child) -> int:
        child.log.parent.mkdir(parents=True, exist_ok=True)
        with child.log.open("ab") as out:
            process = await asyncio.create_subprocess_exec(
                *self.program,
                *child.arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env={**os.environ, **self.environment, VARIABLE: str(self._pipe[0])},
                pass_fds=[self._pipe[0]],
                start_new_session=True,  # Ctrl-C reaches us alone: we end the children
            )
        self.processes[child.name] = process
        return await process.wait()


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Wait for the end, and make it."""
    try:
        async with asyncio.timeout(GRACE_S):
            await process.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _told(child: Child) -> str:
    return f"{last_words(child.log)} (all of it: {child.log})"


def last_words(path: Path) -> str:
    """The last line of a log that says something, at most 300 characters."""
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError:
        return "it left no log"
    return next((line.strip()[:300] for line in reversed(lines) if line.strip()), "it said nothing")
