"""A real single-node Apache Kafka (KRaft) as an async context manager: no Docker, no installation.

    async with EmbeddedKafka(Path("var/kafka")) as kafka:
        producer = AIOKafkaProducer(bootstrap_servers=kafka.bootstrap)

It listens on the loopback alone. What it acknowledged survives the death of every process (the data are in the page
cache), though not a power cut. A guard process owns the Java process and ends it with us, however we end; the data
directory's lock is inherited by the Java process, so a directory never has two brokers. POSIX only (Windows: WSL 2).
"""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError

from broker.data_dir import DataDir
from broker.jars import cache_dir, locked_jars
from broker.java import find_java
from broker.jvm import FLAGS, archive_path, using_archive
from broker.node import new_cluster_id, server_properties
from broker.unavailable import KafkaUnavailable

START_LIMIT_S: Final = 90.0
TRIES: Final = 3
"""Starts tried where a free port was taken by another program between finding it and using it."""


class EmbeddedKafka:
    """One broker on one data directory; ``bootstrap`` is its address once started.

    ``port`` 0 takes a free one; ``advertised_port`` is the one that clients are told, where something stands between
    them and Kafka; ``progress`` hears what is fetched; ``jvm`` are further flags of its Java.
    Starting raises ``KafkaUnavailable`` with one sentence that says what to do.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        port: int = 0,
        advertised_port: int = 0,
        heap_mb: int = 256,
        cache: Path | None = None,
        progress: Callable[[str], None] = lambda _: None,
        jvm: Sequence[str] = (),
        stop_within_s: float = 10.0,
    ) -> None:
        self.bootstrap = ""
        self._data = DataDir(data_dir)
        self._port, self._advertised_port = port, advertised_port
        self._heap_mb, self._cache = heap_mb, cache or cache_dir()
        self._progress = progress
        self._jvm, self._stop_within_s = tuple(jvm), stop_within_s
        self._guard: subprocess.Popen[bytes] | None = None

    async def __aenter__(self) -> Self:
        await self._data.lock()
        try:
            java, archive = await asyncio.to_thread(self._java)
            await self._format(java)
            await self._start([*java, *archive], or_with=java if archive else None)
        except BaseException:
            await self.stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.stop()

    async def ended(self) -> str:
        """Returns when Kafka has ended without being asked to, with the last that it said."""
        guard = self._guard
        assert guard is not None, "not started"
        while guard.poll() is None:  # noqa: ASYNC110 - the end of a process is no event of ours
            await asyncio.sleep(0.2)
        return self._data.last_words()

    async def stop(self) -> None:
        """Stop in order, by force where that takes too long; may be called again."""
        await self._end()
        self._data.unlock()

    async def _end(self) -> None:
        """Let go of the guard, which ends Kafka, and wait until both are gone."""
        if (guard := self._guard) is not None:
            assert guard.stdin is not None
            guard.stdin.close()
            await asyncio.to_thread(guard.wait)
            self._guard = None

    def _java(self) -> tuple[list[str], list[str]]:
        """The command that runs Java, and the flags that only make it faster where they are taken."""
        jars = os.pathsep.join(map(str, locked_jars(self._cache / "jars", progress=self._progress)))
        java = find_java()
        command = [str(java.launcher), *FLAGS, f"-Xmx{self._heap_mb}m", "-cp", jars, *self._jvm]
        archive = archive_path(java, self._cache)
        return command, using_archive(java, archive) if archive.exists() and not self._jvm else []

    async def _format(self, java: list[str]) -> None:
        """Give a new directory its cluster id, once."""
        self._data.write("log4j2.properties", resources.files("broker").joinpath("log4j2.properties").read_text())
        if self._data.cluster_id():
            return
        self._data.write("server.properties", server_properties(0, 1))
        tool = [*java, "kafka.tools.StorageTool", "format", "-t", new_cluster_id(), "-c", "server.properties"]
        with self._data.output() as out:
            formatted = await asyncio.to_thread(
                subprocess.run, tool, cwd=self._data.path, stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False
            )
        if formatted.returncode:
            raise KafkaUnavailable(f"Kafka cannot use {self._data.path}: {self._data.last_words()}")

    async def _start(self, java: list[str], *, or_with: list[str] | None) -> None:
        """Start Kafka, with ``or_with`` where the first command fails."""
        if await self._runs(java) or (or_with and await self._runs(or_with)):
            return
        raise KafkaUnavailable(f"Kafka did not start in {self._data.path}: {self._data.last_words()}")

    async def _runs(self, java: list[str]) -> bool:
        """Whether Kafka runs; tried again where a free port was taken by another program before Kafka had it."""
        for _ in range(TRIES):
            port = _free_port(self._port)
            advertised = self._advertised_port or port
            self.bootstrap = f"127.0.0.1:{advertised}"
            self._data.write("server.properties", server_properties(port, _free_port(), advertised))
            self._data.note(self.bootstrap)
            self._spawn([*java, "kafka.Kafka", "server.properties"])
            if await self._comes_up():
                self._data.is_up()
                return True
            await self._end()
            if not self._data.port_was_taken():
                break
        return False

    def _spawn(self, java: list[str]) -> None:
        script = str(Path(__file__).with_name("guard.py"))
        guard = [sys.executable, "-I", "-S", script, str(self._data.lock_fd), str(self._stop_within_s)]
        with self._data.output() as out:
            self._guard = subprocess.Popen(
                [*guard, *java],
                cwd=self._data.path,
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=out,
                pass_fds=[self._data.lock_fd],
                start_new_session=True,  # Ctrl-C on the terminal is for us; we stop Kafka last
            )

    async def _comes_up(self) -> bool:
        """False where Kafka ended instead; ``KafkaUnavailable`` where it only hangs."""
        assert self._guard is not None
        try:
            async with asyncio.timeout(START_LIMIT_S):
                while self._guard.poll() is None:
                    if await self._ready():
                        return True
                    await asyncio.sleep(0.05)
        except TimeoutError as error:
            raise KafkaUnavailable(
                f"Kafka did not answer within {START_LIMIT_S:.0f} s of its start in {self._data.path}: "
                f"{self._data.last_words()}"
            ) from error
        return False

    async def _ready(self) -> bool:
        """Whether our broker, and no other program on this port, lists a broker that takes requests."""
        with contextlib.suppress(OSError, KafkaError):
            _, writer = await asyncio.open_connection("127.0.0.1", int(self.bootstrap.rpartition(":")[2]))
            writer.close()  # only asked so that the client, which logs each refusal, is not
            admin = AIOKafkaAdminClient(bootstrap_servers=self.bootstrap, request_timeout_ms=5000)
            try:
                await admin.start()
                cluster = await admin.describe_cluster()
                return bool(cluster["brokers"]) and cluster["cluster_id"] == self._data.cluster_id()
            finally:
                await admin.close()
        return False


def _free_port(wanted: int = 0) -> int:
    """``wanted`` if nobody has it, or any free port for 0."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError as error:
            raise KafkaUnavailable(
                f"port {wanted} on 127.0.0.1 cannot be used ({error.strerror}): stop the program that has it, "
                "or name another port"
            ) from error
        return int(probe.getsockname()[1])
