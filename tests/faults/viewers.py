"""Viewers of a page as a browser's EventSource is one: they come back by themselves, and keep what they saw last."""

import asyncio
import contextlib
from dataclasses import dataclass, field


@dataclass
class Viewer:
    """Watches one table; ``last`` is the id of the frame that it shows, ``came`` how often it has connected."""

    port: int
    table_id: str
    last: str = ""
    frame: bytes = b""
    came: int = 0
    task: asyncio.Task[None] | None = field(default=None)

    def watch(self) -> None:
        """Begin to watch."""
        self.task = asyncio.create_task(self._watch())

    async def leave(self) -> None:
        """Stop watching."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.wait([self.task])

    async def _watch(self) -> None:
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                await self._once()
            await asyncio.sleep(0.2)  # as the browser does

    async def _once(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        try:
            said = f"GET /stream?table={self.table_id} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            writer.write(f"{said}Last-Event-ID: {self.last}\r\n\r\n".encode())
            if b" 200 " not in await reader.readline():
                return
            self.came += 1
            await self._listen(reader)
        finally:
            writer.close()

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        """Server-sent events within HTTP's chunks: a line of an event never breaks at one here."""
        data: list[bytes] = []
        event = b""
        while line := await reader.readline():
            name, _, value = line.strip().partition(b":")
            if name == b"id":
                self.last = value.strip().decode()
            elif name == b"event":
                event, data = value.strip(), []
            elif name == b"data":
                data.append(value)
            elif not name and event == b"table" and data:
                self.frame, data = b"\n".join(data), []
