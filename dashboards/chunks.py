"""How the parts of a stream go out.

uvicorn would make an HTTP chunk of each part for each viewer anew. The parts of our streams are the same for all who
look, so a chunk is made once, and put on the connection itself where that is one of uvicorn's over HTTP/1.1. Anywhere
else parts go as ASGI says. On the wire both are the same.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from functools import cached_property
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import RequestResponseCycle

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Outlet = Callable[[bytes], Awaitable[None]]

_CHUNKED: Final = "1.1"
"""The version of HTTP whose answers without a length go in chunks."""


class Part(bytes):
    """A part of a stream, not empty; ``chunk`` is it as an HTTP chunk (RFC 9112, 7.1)."""

    @cached_property
    def chunk(self) -> bytes:
        """Made once for all viewers."""
        return b"%x\r\n%b\r\n" % (len(self), self)


def outlet(scope: Message, send: Send) -> Outlet:
    """Sends parts of the answer that ``send`` has begun; waits while the connection takes no more, as ``send`` does."""
    answer = getattr(send, "__self__", None)
    if isinstance(answer, RequestResponseCycle) and scope["http_version"] == _CHUNKED:
        return _straight(answer)

    async def part(body: bytes) -> None:
        await send({"type": "http.response.body", "body": body, "more_body": True})

    return part


def _straight(answer: RequestResponseCycle) -> Outlet:
    flow, write = answer.flow, answer.transport.write

    async def part(body: bytes) -> None:
        if flow.write_paused and not answer.disconnected:
            await flow.drain()
        if not answer.disconnected:
            write(body.chunk if isinstance(body, Part) else Part(body).chunk)

    return part
