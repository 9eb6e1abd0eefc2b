"""The network of the tests under faults does what it is told."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.faults.proxy import Network
from tests.integration.house import House

pytestmark = pytest.mark.asyncio


@asynccontextmanager
async def network() -> AsyncIterator[Network]:
    """A network in front of a server that says what it hears."""

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(100):
                writer.write(data)
        writer.close()

    async with await asyncio.start_server(echo, "127.0.0.1", 0) as server:
        target = server.sockets[0].getsockname()[1]
        async with Network(House.free_port(), target) as between:
            yield between


class Client:
    """One connection through the network."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    def say(self, words: bytes) -> None:
        self._writer.write(words)

    async def hear(self) -> bytes:
        """What comes next; nothing where the connection has ended, in whatever way."""
        try:
            return await self._reader.read(100)
        except ConnectionError:
            return b""


@asynccontextmanager
async def client(between: Network) -> AsyncIterator[Client]:
    reader, writer = await asyncio.open_connection("127.0.0.1", between.port)
    yield Client(reader, writer)
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()


async def test_what_is_said_comes_back_late_where_there_is_a_delay() -> None:
    async with network() as between, client(between) as mine:
        mine.say(b"one")
        assert await mine.hear() == b"one"
        await between.tell("delay", 0.2)
        began = time.monotonic()
        mine.say(b"two")
        assert await mine.hear() == b"two"
        assert time.monotonic() - began >= 0.4


async def test_a_frozen_network_loses_nothing() -> None:
    async with network() as between, client(between) as mine:
        await between.tell("frozen")
        mine.say(b"one")
        hearing = asyncio.create_task(mine.hear())
        await asyncio.wait([hearing], timeout=0.3)
        assert not hearing.done()
        await between.tell("open")
        assert await hearing == b"one"


async def test_a_reset_ends_every_connection_and_takes_none() -> None:
    async with network() as between:
        async with client(between) as mine:
            mine.say(b"one")
            assert await mine.hear() == b"one"
            await between.tell("reset")
            assert await mine.hear() == b""
        async with client(between) as mine:
            assert await mine.hear() == b""
        await between.tell("open")
        async with client(between) as mine:
            mine.say(b"two")
            assert await mine.hear() == b"two"


async def test_where_nobody_listens_behind_it_nobody_is_let_in() -> None:
    async with Network(House.free_port(), House.free_port()) as between, client(between) as mine:
        assert await mine.hear() == b""
