"""The parts of a stream as they go over the wire: made once, and the same bytes as uvicorn's own."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import uvicorn

from dashboards.chunks import Part, outlet

START = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]}
END = {"type": "http.response.body", "body": b"bye", "more_body": False}
PARTS = [Part(b"data: one\n\n"), Part(b"x"), Part(b"data: " + b"~" * 70_000 + b"\n\n")]


def usual(_: Any, send: Callable[[Any], Any]) -> Any:
    async def part(body: bytes) -> None:
        await send({"type": "http.response.body", "body": body, "more_body": True})

    return part


@contextlib.asynccontextmanager
async def serving(way_out: Callable[[Any, Any], Any]) -> AsyncIterator[tuple[int, list[Any]]]:
    """A server that answers with the parts, sent by this way out; its port, and the ways out that it took."""
    taken: list[Any] = []

    async def app(scope: Any, _: Any, send: Any) -> None:
        await send(START)
        out = way_out(scope, send)
        taken.append(out)
        for each in PARTS:
            await out(each)
        await send(END)

    config = uvicorn.Config(app, lifespan="off", log_config=None, date_header=False, server_header=False)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        running = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield listening.getsockname()[1], taken
        finally:
            server.should_exit = True
            await running


async def answer(port: int, version: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET / HTTP/{version}\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    try:
        async with asyncio.timeout(10):
            return await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()


@pytest.mark.asyncio
@pytest.mark.parametrize("version", ["1.1", "1.0"])
async def test_on_the_wire_a_part_is_what_the_library_would_have_sent(version: str) -> None:
    async with serving(outlet) as (port, _):
        ours = await answer(port, version)
    async with serving(usual) as (port, _):
        assert ours == await answer(port, version)
    assert (b"chunked" in ours) == (version == "1.1")
    assert ours.count(b"~") == 70_000


@pytest.mark.asyncio
async def test_a_part_goes_straight_to_a_connection_of_the_library() -> None:
    """It would be slower, and nobody would notice, where the library had come to send in another way."""
    async with serving(outlet) as (port, taken):
        await answer(port, "1.1")
        await answer(port, "1.0")
    assert [out.__qualname__.partition(".")[0] for out in taken] == ["_straight", "outlet"]


@pytest.mark.asyncio
async def test_where_another_sends_parts_go_as_asgi_says() -> None:
    got: list[Any] = []

    async def send(message: Any) -> None:
        got.append(message)

    await outlet({"http_version": "1.1"}, send)(b"part")
    assert got == [{"type": "http.response.body", "body": b"part", "more_body": True}]


def test_a_chunk_is_made_once() -> None:
    part = Part(b"x" * 26)
    assert part.chunk == b"1a\r\n" + b"x" * 26 + b"\r\n"
    assert part.chunk is part.chunk
