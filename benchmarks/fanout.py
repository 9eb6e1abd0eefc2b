"""One page server and thousands of displays: how soon each has a round, and at what cost beside a bare server.

4,000 viewers look at tables that are silent, 1,000 at 20 tables that show a round each second. The page server reads
real Kafka; the viewers are sockets of this process. Both processes need an open-files limit above the viewers' number.
"""

import asyncio
import contextlib
import functools
import itertools
import json
import random
import re
import resource
import statistics
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
from aiokafka import AIOKafkaProducer

from baccarat.roads import draw
from baccarat.rounds import judge, letter
from baccarat.tallies import tally
from benchmarks.load import hands
from benchmarks.processes import Process, Stuck, memory, running
from benchmarks.stage import free_port, stage
from broker.closing import opened
from contract.codec import encode
from contract.partitions import partition_of
from contract.rounds import Limit
from contract.scoreboards import Round, Scoreboard
from contract.topics import PARTITIONS, SCOREBOARDS
from dashboards.options import View
from dashboards.renderer import Renderer
from dashboards.views.table import table_view

TABLES, WATCHING = 20, 50
"""Tables with a round a second, and how many look at each."""
SILENT, SILENT_TABLES = 4000, 200
SECONDS: Final = 30
BEGIN: Final = 40
"""Rounds of each shoe that were dealt before."""
TARGET: Final = 0.8
SPARE_FILES: Final = 300
"""Open files beside the viewers' sockets."""
_PATIENCE_S: Final = 90.0
_AT_ONCE: Final = 100
_VERSION: Final = re.compile(rb'data-version="(\d+)"')


@dataclass(frozen=True, kw_only=True)
class Fanout:
    """Seconds from Kafka to each viewer's socket, bytes a viewer, and the servers' CPU-seconds a thousand frames."""

    viewers: int
    frames: int
    latencies: tuple[float, ...]
    memory_a_viewer: float
    cpu: float
    bare_cpu: float
    cpu_part: float
    frame_bytes: int
    files: int

    @property
    def ratio(self) -> float:
        """Frames a CPU-second beside the bare server's."""
        return self.bare_cpu / self.cpu


class Dealing:
    """A table whose shoe is well on its way, and the scoreboard of each further round."""

    def __init__(self, table_id: str, seed: int) -> None:
        self._table_id, self._hands = table_id, hands(random.Random(seed))
        self._facts = [judge(player=player, banker=banker) for player, banker in itertools.islice(self._hands, BEGIN)]

    def board(self, version: int) -> Scoreboard:
        """Deal a round; the scoreboard after it, under this version."""
        player, banker = next(self._hands)
        self._facts.append(judge(player=player, banker=banker))
        rounds = tuple(
            Round(round_no=number, revision=0, voided=False, **{each: getattr(facts, each) for each in facts.__slots__})
            for number, facts in enumerate(self._facts, start=1)
        )
        letters = "".join(letter(facts.outcome) for facts in self._facts)
        return Scoreboard(
            table_id=self._table_id,
            occurred_at="2026-12-01T12:00:00.000Z",
            shoe_no=1,
            version=version,
            names={"en": self._table_id},
            place="Pit 1",
            limits={"player": Limit(min=1000, max=500000), "banker": Limit(min=1000, max=500000)},
            currency="EUR",
            time_zone="UTC",
            decks=8,
            status="dealt",
            round_no=len(rounds),
            rounds=rounds,
            roads=draw(letters),
            gaps=(),
            counts=tally(self._facts, 0),
            last_round=len(rounds),
            good_roads=(),
        )


class Viewer(asyncio.Protocol):
    """An open stream: notes when each version of its table has come whole."""

    def __init__(self, path: str, seen: list[tuple[int, float]]) -> None:
        self._path, self._seen = path, seen
        self._tail = b""
        self.frame_bytes: list[int] = []
        self.opened = asyncio.get_running_loop().create_future()
        self._transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        transport.write(f"GET {self._path} HTTP/1.1\r\nHost: bench\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        """Note what came whole."""
        *events, self._tail = (self._tail + data).split(b"\n\n")
        for event in events:
            if b"event: table" in event[:200]:
                self.frame_bytes.append(len(event))
                if found := _VERSION.search(event):
                    self._seen.append((int(found[1]), time.perf_counter()))
            if not self.opened.done():
                self.opened.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell who waits for the opening."""
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionResetError("the server hung up"))

    def close(self) -> None:
        """Leave."""
        if self._transport is not None:
            self._transport.close()


async def fanout(scale: float) -> Fanout:
    """Both servers, one after the other, under the same load."""
    silent, seconds = max(100, round(SILENT * scale)), max(5, round(SECONDS * scale))
    files = silent + TABLES * WATCHING + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < files:
        raise Stuck(f"{files} open files are needed, and the limit is {hard}: raise it with ulimit -Hn")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, files), hard))
    async with stage() as kafka:
        port = free_port()
        environment = {"BEADPLATE_BOOTSTRAP_SERVERS": kafka.bootstrap}
        arguments = ["-m", "beadplate", "dashboards", "serve", "--port", str(port)]
        with running(arguments, kafka.logs / "page.log", environment) as page:
            async with opened(AIOKafkaProducer(bootstrap_servers=kafka.bootstrap, acks="all")) as producer:
                tables = {name: Dealing(name, seed) for seed, name in enumerate([*_live(), *_quiet()])}
                await _publish(producer, [each.board(1) for each in tables.values()])
                await ready(port, page)
                before = memory(page.popen.pid)
                async with _watched(port, silent) as (seen, viewers):
                    held = (memory(page.popen.pid) - before) / len(viewers)
                    sent, cpu = await _rounds(producer, page, tables, seconds)
                    await asyncio.sleep(1)
                    frame_bytes = round(statistics.mean(size for each in viewers for size in each.frame_bytes))
        latencies = tuple(at - sent[version] for version, at in seen if version in sent)
        bare_cpu, bare_frames = await _bare(frame_bytes, silent, seconds, kafka.logs)
    return Fanout(
        viewers=silent + TABLES * WATCHING,
        frames=len(latencies),
        latencies=latencies,
        memory_a_viewer=held,
        cpu=cpu / len(latencies) * 1000,
        bare_cpu=bare_cpu / bare_frames * 1000,
        cpu_part=cpu / seconds,
        frame_bytes=frame_bytes,
        files=files,
    )


def _live() -> list[str]:
    return [f"L{number:02}" for number in range(TABLES)]


def _quiet() -> list[str]:
    return [f"Q{number:03}" for number in range(SILENT_TABLES)]


async def _publish(producer: AIOKafkaProducer, boards: list[Scoreboard]) -> None:
    for each in boards:
        key = each.table_id.encode()
        await producer.send(SCOREBOARDS.name, encode(each), key, partition=partition_of(key, PARTITIONS))
    await producer.flush()


async def ready(port: int, page: Process) -> None:
    """Returns when the page shows the newest. Raises ``Stuck``."""
    deadline = time.monotonic() + _PATIENCE_S
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        while time.monotonic() < deadline:
            page.check()
            with contextlib.suppress(httpx.TransportError):
                if (await client.get("/readyz")).status_code == httpx.codes.OK:
                    return
            await asyncio.sleep(0.2)
    raise Stuck(f"the page is not ready after {_PATIENCE_S:.0f} s: {page.last_words()}")


@contextlib.asynccontextmanager
async def _watched(port: int, silent: int) -> AsyncIterator[tuple[list[tuple[int, float]], list[Viewer]]]:
    """All viewers connected; what those of the live tables see is noted."""
    seen: list[tuple[int, float]] = []
    ignored: list[tuple[int, float]] = []
    asked = [(f"/stream?lang=en&table={name}", seen) for name in _live() for _ in range(WATCHING)]
    asked += [(f"/stream?lang=en&table=Q{number % SILENT_TABLES:03}", ignored) for number in range(silent)]
    viewers: list[Viewer] = []
    loop = asyncio.get_running_loop()
    for first in range(0, len(asked), _AT_ONCE):
        part = [Viewer(path, notes) for path, notes in asked[first : first + _AT_ONCE]]
        viewers += part
        opening = [loop.create_connection(functools.partial(_itself, each), "127.0.0.1", port) for each in part]
        await asyncio.gather(*opening)
        async with asyncio.timeout(_PATIENCE_S):
            await asyncio.gather(*(viewer.opened for viewer in part))
    await asyncio.sleep(1)
    seen.clear()
    try:
        yield seen, viewers
    finally:
        for viewer in viewers:
            viewer.close()


def _itself(viewer: Viewer) -> Viewer:
    return viewer


async def _rounds(
    producer: AIOKafkaProducer, page: Process, tables: Mapping[str, Dealing], seconds: int
) -> tuple[dict[int, float], float]:
    """A round a second at each table, spread over the second; when each version was sent, and the CPU it took."""
    sent: dict[int, float] = {}
    begun, cpu, version = time.perf_counter(), page.cpu(), 1
    for turn in range(seconds * TABLES):
        version += 1
        each = tables[_live()[turn % TABLES]].board(version)
        key, value = each.table_id.encode(), encode(each)
        sent[version] = time.perf_counter()
        await producer.send(SCOREBOARDS.name, value, key, partition=partition_of(key, PARTITIONS))
        await asyncio.sleep(max(0.0, begun + (turn + 1) / TABLES - time.perf_counter()))
    return sent, page.cpu() - cpu


async def _bare(frame_bytes: int, silent: int, seconds: int, logs: Path) -> tuple[float, int]:
    """CPU-seconds of a bare server, and the frames that it sent."""
    port = free_port()
    asked = {"port": port, "tables": TABLES, "bytes": frame_bytes}
    with running(["-m", "benchmarks.bare_fanout", json.dumps(asked)], logs / "bare.log", {}) as server:
        await _listening(port, server)
        async with _watched(port, silent) as (seen, _):
            cpu = server.cpu()
            await asyncio.sleep(seconds)
            return server.cpu() - cpu, len(seen)


async def _listening(port: int, server: Process) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        server.check()
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        await asyncio.sleep(0.1)
    raise Stuck(f"the bare server does not listen: {server.last_words()}")


def renders(frames: int) -> Iterator[float]:
    """Seconds to render each frame of tables that play on."""
    renderer, view = Renderer(), View()
    tables = [Dealing(f"T{number}", number) for number in range(TABLES)]
    for version in range(frames):
        each = tables[version % TABLES].board(version)
        begun = time.perf_counter()
        renderer.table_frame(table_view(each, 0, view, 180), view)
        yield time.perf_counter() - begun
