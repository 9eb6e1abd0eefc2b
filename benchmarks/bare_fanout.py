"""A server of the same library that sends the same bytes, and does nothing else: what fan-out costs at the least.

    python -m benchmarks.bare_fanout '{"port": 8081, "tables": 20, "bytes": 30000}'

Each second each table's viewers get a frame of so many bytes, and all viewers a heartbeat every five.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from typing import Any, Final

import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

_BEAT_S: Final = 5


class Table:
    """What its viewers wait for."""

    def __init__(self) -> None:
        self.frame = b""
        self.count = 0
        self.changed = asyncio.Condition()

    async def send(self, frame: bytes) -> None:
        """Give every viewer this frame."""
        self.frame, self.count = frame, self.count + 1
        async with self.changed:
            self.changed.notify_all()


async def main(asked: dict[str, Any]) -> None:
    """Serve until a signal."""
    tables: dict[str, Table] = {}

    async def stream(request: Request) -> StreamingResponse:
        table = tables.setdefault(request.query_params["table"], Table())

        async def frames() -> AsyncIterator[bytes]:
            yield b"retry: 2000\n\n"
            while True:
                async with table.changed:
                    await table.changed.wait()
                yield table.frame

        return StreamingResponse(frames(), media_type="text/event-stream")

    async def rounds() -> None:
        loop, count = asyncio.get_running_loop(), int(asked["tables"])
        begun, turn = loop.time(), 0
        while True:
            head = f'event: table\ndata:<div data-version="{turn}">'.encode()
            frame = head.ljust(int(asked["bytes"]), b"x") + b"\n\n"
            if table := tables.get(f"L{turn % count:02}"):
                await table.send(frame)
            if turn % (count * _BEAT_S) == 0:
                for each in list(tables.values()):
                    await each.send(b"event: beat\ndata: {}\n\n")
            turn += 1
            await asyncio.sleep(max(0.0, begun + turn / count - loop.time()))

    application, port = Starlette(routes=[Route("/stream", stream)]), int(asked["port"])
    config = uvicorn.Config(application, port=port, log_level="warning", backlog=2048, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    dealing = asyncio.create_task(rounds())
    await server.serve()
    dealing.cancel()


if __name__ == "__main__":
    uvloop.run(main(json.loads(sys.argv[1])))
