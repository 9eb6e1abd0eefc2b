"""A page server without Kafka as a child process: takes events, one JSON object a line, from its standard input.

    python -m tests.dashboards.child '{"beat": 0.2}'

It says its address on standard output. A line ``lost`` or ``found`` takes Kafka away and brings it back, ``gone T1``
takes a table from the floor.
"""

import asyncio
import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import uvloop

from contract.codec import decode, encode
from contract.periods import Part, part_of
from contract.rounds import Event
from contract.topics import SCOREBOARDS, SHOE_STATISTICS
from dashboards.archive import Gone
from dashboards.asked import Bodies
from dashboards.days import Found
from dashboards.intake import Record
from dashboards.serve import listener, serve
from dashboards.settings import Page
from dashboards.site import Site
from dashboards.views.times import now_ms
from tests.dashboards.tables import record

_TAKEN = "taken"
ROOT = Path(__file__).parents[2]


class _Kept:
    """What Kafka would hold: the records of shoes, and their statistics."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str, int], bytes] = {}

    def keep(self, line: bytes) -> None:
        event = json.loads(line)
        self._lines[event["type"], event["table_id"], event.get("shoe_no", 0)] = line

    async def shoe(self, table_id: str, shoe_no: int) -> bytes:
        try:
            return self._lines["shoe_record", table_id, shoe_no]
        except KeyError as missing:
            raise Gone(f"{table_id}/{shoe_no}") from missing

    async def parts(self, places: Iterable[Found]) -> tuple[Part, ...]:
        held = [self._lines["shoe_statistics", found.table_id, found.shoe_no] for found in places]
        return tuple(part_of(decode(SHOE_STATISTICS, line)) for line in held)


async def _events(site: Site, kept: _Kept) -> None:
    lines = asyncio.StreamReader(limit=1 << 22)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    lost = False
    while True:
        with contextlib.suppress(TimeoutError):
            line = (await asyncio.wait_for(lines.readline(), 0.1)).strip()
            match line:
                case b"lost" | b"found":
                    lost = line == b"lost"
                case _ if line.startswith(b"gone "):
                    site.take(Record(SCOREBOARDS, 0, 0, line.removeprefix(b"gone "), None, now_ms()))
                case b"":
                    await asyncio.sleep(0.1)
                case _:
                    site.take(record(line, now_ms()))
                    kept.keep(line)
            if line:
                print(_TAKEN, flush=True)  # noqa: T201 - the parent waits for it
        site.source.turn_ms = now_ms()
        if not lost:
            site.source.contact_ms = now_ms()
            site.source.caught_up = True


def main() -> int:
    settings = Page(**{"port": 0, **json.loads(sys.argv[1])})
    site = Site(settings)
    kept = _Kept()
    with listener(settings) as listening:
        return uvloop.run(serve(site, Bodies(kept.shoe, kept.parts), listening, [_events(site, kept)]))


class PageServer:
    """The child as a test sees it."""

    def __init__(self, arguments: list[str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"},
        )
        self.said = b""
        self._more = threading.Condition()
        self._takes = 0
        self.port = self._port()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _port(self) -> int:
        assert self.process.stdout is not None
        marker = b"http://127.0.0.1:"
        with selectors.DefaultSelector() as ready:
            ready.register(self.process.stdout, selectors.EVENT_READ)
            until = time.monotonic() + 30
            while marker not in self.said or b"\n" not in self.said.partition(marker)[2]:
                assert ready.select(until - time.monotonic()), f"the page server does not start: {self.said!r}"
                chunk = os.read(self.process.stdout.fileno(), 65536)
                assert chunk, f"the page server ended: {self.said!r}"
                self.said += chunk
        digits = self.said.partition(marker)[2]
        return int(digits[: next(index for index, byte in enumerate(digits) if not 48 <= byte < 58)])

    def _read(self) -> None:
        assert self.process.stdout is not None
        while chunk := os.read(self.process.stdout.fileno(), 65536):
            with self._more:
                self.said += chunk
                self._more.notify_all()

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def take(self, event: Event | bytes) -> None:
        """Hand over an event; returns when it is taken."""
        raw = event if isinstance(event, bytes) else encode(event)
        assert self.process.stdin is not None
        self.process.stdin.write(raw + b"\n")
        self.process.stdin.flush()
        self._takes += 1
        with self._more:
            taken = self._more.wait_for(lambda: self.said.count(_TAKEN.encode()) >= self._takes, timeout=20)
        assert taken, f"the page server took nothing: {self.said[-500:]!r}"

    def stop(self, number: int = signal.SIGTERM, within_s: float = 10) -> int:
        """Ask it to end; the exit status."""
        self.process.send_signal(number)
        status = self.process.wait(within_s)
        self._reading.join(within_s)
        return status

    def close(self) -> None:
        """End it, whatever state it is in."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._reading.join(5)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


@contextlib.contextmanager
def running(**settings: Any) -> Iterator[PageServer]:
    """A page server without Kafka."""
    server = PageServer(["-m", "tests.dashboards.child", json.dumps(settings)])
    try:
        yield server
    finally:
        server.close()


def connect(server: PageServer, path: str, **headers: str) -> socket.socket:
    """An open stream; nothing is read yet."""
    client = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    lines = [
        f"GET {path} HTTP/1.1",
        "Host: x",
        *(f"{name.replace('_', '-')}: {text}" for name, text in headers.items()),
    ]
    client.sendall("\r\n".join([*lines, "", ""]).encode())
    return client


def read_until(client: socket.socket, wanted: bytes, within_s: float = 10) -> bytes:
    """What a stream sends until it has sent that."""
    got, until = b"", time.monotonic() + within_s
    while wanted not in got:
        client.settimeout(max(0.01, until - time.monotonic()))
        chunk = client.recv(65536)
        assert chunk, f"the stream ended without {wanted!r}: {got[-500:]!r}"
        got += chunk
    return got


if __name__ == "__main__":
    sys.exit(main())
