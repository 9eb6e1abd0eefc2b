"""The embedded Kafka's directory: who holds it, what Kafka said, what is configured there."""

import asyncio
import contextlib
import fcntl
import json
import os
import re
from pathlib import Path
from typing import IO, Final

from broker.unavailable import KafkaUnavailable

STATE: Final = "broker.json"
"""Locked while a broker lives; names the owner, Kafka's process and its address."""
HANDOVER_S: Final = 15.0
"""How long a broker may need to end after its owner was killed."""


class DataDir:
    """One data directory. ``lock`` makes it ours; the lock is inherited by Kafka, so it ends when both have."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.lock_fd = -1
        self._log_start = 0

    async def lock(self) -> None:
        """Take the directory. Raises ``KafkaUnavailable`` where it cannot be written, or names who uses it."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            fd = os.open(self.path / STATE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise KafkaUnavailable(
                f"the data directory {self.path} cannot be written ({error.strerror}): make it writable or name another"
            ) from error
        try:
            async with asyncio.timeout(HANDOVER_S):
                while not _locked(fd):
                    self._refuse_if_owned(fd)
                    await asyncio.sleep(0.05)
        except TimeoutError as error:
            kafka = _state(fd).get("kafka_pid")
            os.close(fd)
            raise KafkaUnavailable(
                f"a Kafka whose owner is gone still runs in {self.path}: end it with `kill {kafka}` and start again"
            ) from error
        except BaseException:
            os.close(fd)
            raise
        self.lock_fd = fd

    def _refuse_if_owned(self, fd: int) -> None:
        owner = _state(fd)
        if _alive(owner.get("pid")):
            raise KafkaUnavailable(
                f"{self.path} is in use by process {owner['pid']}, whose Kafka is at {owner['bootstrap']}: "
                "use that one, stop it, or name another data directory"
            )

    def unlock(self) -> None:
        """Give the directory back; may be called again."""
        if self.lock_fd >= 0:
            os.close(self.lock_fd)
            self.lock_fd = -1

    def note(self, bootstrap: str) -> None:
        """Write down who we are and where our Kafka is."""
        os.ftruncate(self.lock_fd, 0)
        os.pwrite(self.lock_fd, json.dumps({"pid": os.getpid(), "bootstrap": bootstrap}).encode(), 0)

    def write(self, name: str, text: str) -> None:
        """Write a configuration file. Raises ``KafkaUnavailable`` where the disk does not take it."""
        try:
            (self.path / name).write_text(text)
        except OSError as error:
            raise KafkaUnavailable(f"{self.path / name} cannot be written: {error.strerror}") from error

    def cluster_id(self) -> str | None:
        """The cluster id of a directory that has been formatted."""
        with contextlib.suppress(FileNotFoundError):
            found = re.search(
                r"^cluster\.id=(.+)$", (self.path / "topics" / "meta.properties").read_text(), re.MULTILINE
            )
            return found[1] if found else None
        return None

    def output(self) -> IO[bytes]:
        """A fresh file for what Kafka prints; what it logged before is left out of ``last_words`` from now on."""
        self.is_up()
        return (self.path / "kafka.out").open("wb")

    def is_up(self) -> None:
        """Kafka runs, or begins anew: what it has logged until now is no reason for its end."""
        log = self.path / "kafka.log"
        self._log_start = log.stat().st_size if log.exists() else 0

    def port_was_taken(self) -> bool:
        """Whether Kafka ended because another program had its port."""
        return any("Address already in use" in line for line in self._said())

    def last_words(self) -> str:
        """The last lines that Kafka logged or printed since its start: it names the reason there."""
        lines = [line.strip()[:300] for line in self._said() if line.strip() and not line.startswith("\tat ")]
        return " | ".join([*(lines[-4:] or ["it said nothing"]), f"its logs are in {self.path}"])

    def _said(self) -> list[str]:
        logged, printed = self.path / "kafka.log", self.path / "kafka.out"
        lines = printed.read_text(errors="replace").splitlines() if printed.exists() else []
        if logged.exists():
            with logged.open("rb") as log:
                log.seek(self._log_start if self._log_start <= logged.stat().st_size else 0)
                lines += log.read().decode(errors="replace").splitlines()
        return lines


def _locked(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _state(fd: int) -> dict[str, object]:
    with contextlib.suppress(ValueError):  # another process is writing it
        state = json.loads(os.pread(fd, 4096, 0))
        if isinstance(state, dict):
            return state
    return {}


def _alive(pid: object) -> bool:
    if not isinstance(pid, int):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
