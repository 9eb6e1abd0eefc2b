"""Processes whose cost is watched from outside: CPU-seconds and memory as the system counts them."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_PARENT: Final = 1
"""Field of /proc/PID/stat, counted after the command's name."""
_ALL_THREADS: Final = 2
"""Kind of a process's clock: what the scheduler gave to its threads (Linux: CPUCLOCK_SCHED)."""


class Stuck(RuntimeError):
    """A process ended or did not do its work in time; the message has its last words."""


@dataclass(frozen=True)
class Process:
    """One process that is watched; ``log`` is what it says."""

    popen: subprocess.Popen[bytes]
    log: Path

    def cpu(self) -> float:
        """CPU-seconds of all its threads so far."""
        return cpu(self.popen.pid)

    def check(self) -> None:
        """Raises ``Stuck`` where it has ended."""
        if self.popen.poll() is not None:
            raise Stuck(f"{self.log.stem} ended with {self.popen.returncode}: {self.last_words()}")

    def last_words(self) -> str:
        """The end of what it said."""
        return self.log.read_text(errors="replace")[-1500:]


def cpu(pid: int) -> float:
    """CPU-seconds of a process so far, by its clock (``clock_getcpuclockid(3)``), which is finer than /proc's ticks."""
    return time.clock_gettime(~pid << 3 | _ALL_THREADS)


def memory(pid: int) -> int:
    """Resident memory of a process now, in bytes."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) * 1024 if found else 0


def family(pid: int) -> Iterator[tuple[int, list[str]]]:
    """A process and all that came from it, each with its command line."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[_PARENT])
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        waiting += [child for child, parent in parents.items() if parent == one]
        with contextlib.suppress(OSError):
            yield one, Path(f"/proc/{one}/cmdline").read_text().split("\0")


@contextlib.contextmanager
def running(arguments: list[str], log: Path, environment: Mapping[str, str]) -> Iterator[Process]:
    """A Python program with these arguments inside the block; ended in order, by force where that takes too long."""
    with log.open("wb") as out:
        popen = subprocess.Popen(
            [sys.executable, *arguments], env={**os.environ, **environment}, stdout=out, stderr=subprocess.STDOUT
        )
    try:
        yield Process(popen, log)
    finally:
        popen.send_signal(signal.SIGTERM)
        try:
            popen.wait(30)
        except subprocess.TimeoutExpired:
            popen.kill()
            popen.wait()
