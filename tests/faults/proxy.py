"""A network between clients and Kafka that can freeze, reset and delay: a process of its own, told by lines.

    python -m tests.faults.proxy LISTENS TARGET

It says ``ready``, and the state after each line that it was told: ``open``, ``frozen`` (connections stay and carry
nothing), ``reset`` (every connection is aborted, new ones too) or ``delay SECONDS`` (of each piece of data).
"""

import asyncio
import contextlib
import subprocess
import sys
from types import TracebackType
from typing import Self

PIECE = 1 << 18


class Proxy:
    """Carries bytes between two ports of the loopback, as it has been told last."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._flows, self._delay, self._resets = asyncio.Event(), 0.0, False
        self._flows.set()
        self._writers: set[asyncio.StreamWriter] = set()

    def tell(self, word: str, seconds: float = 0.0) -> None:
        """Change what happens to data from now on."""
        self._delay, self._resets = (seconds if word == "delay" else 0.0), word == "reset"
        if word == "frozen":
            self._flows.clear()
        else:
            self._flows.set()
        if self._resets:
            for writer in self._writers:
                writer.transport.abort()

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client until either side ends."""
        if self._resets:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:  # nobody listens there: neither do we
            writer.transport.abort()
            return
        both = {writer, back}
        self._writers |= both
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._carry(reader, back, both))
                group.create_task(self._carry(there, writer, both))
        finally:
            self._writers -= both

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, both: set[asyncio.StreamWriter]
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(PIECE):
                if self._delay:
                    await asyncio.sleep(self._delay)
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
        for each in both:
            each.transport.abort()


async def _serve(listens: int, target: int) -> None:
    proxy = Proxy(target)
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    async with await asyncio.start_server(proxy.connect, "127.0.0.1", listens):
        _say("ready")
        while line := (await lines.readline()).decode().split():
            word, *seconds = line
            proxy.tell(word, *map(float, seconds))
            _say(word)


def _say(word: str) -> None:
    sys.stdout.write(word + "\n")
    sys.stdout.flush()


class Network:
    """The proxy as a test sees it; ``port`` is what clients are told."""

    def __init__(self, port: int, target: int) -> None:
        self.port, self._target = port, target
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.faults.proxy", str(self.port), str(self._target),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        await self._heard("ready")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    async def tell(self, word: str, seconds: float | None = None) -> None:
        """Tell the proxy; returns when it has obeyed."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write((word if seconds is None else f"{word} {seconds}").encode() + b"\n")
        await self._process.stdin.drain()
        await self._heard(word)

    async def _heard(self, word: str) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        async with asyncio.timeout(30):
            said = (await self._process.stdout.readline()).decode().strip()
        assert said == word, f"the proxy says {said!r}, not {word!r}"


if __name__ == "__main__":
    asyncio.run(_serve(*map(int, sys.argv[1:])))
