"""The page server as a process: listens, reads Kafka, beats, and ends in a fraction of a second whatever is open."""

import asyncio
import contextlib
import gc
import signal
import socket
import sys
from collections.abc import Coroutine, Iterator, Sequence
from typing import Any, Final

import structlog
import uvicorn
import uvloop

from broker.connection import Connection
from dashboards.app import build
from dashboards.archive import Archive
from dashboards.asked import Bodies
from dashboards.reader import Reader
from dashboards.settings import Page
from dashboards.site import Site
from dashboards.statistics_archive import StatisticsArchive

WRONG_USE: Final = 2
TROUBLE: Final = 3
CUT_AFTER_S: Final = 0.5
"""Who has not taken the goodbye by then, since it does not read, is cut off."""
YOUNG: Final = 50_000
"""New objects after which the collector looks for cycles. A board is a thousand objects and goes with the next one, by
its count of references; at Python's 700 the collector would go through them again and again and find nothing.
"""

_LOOK_S: Final = 1.0
_KERNEL_AFTER_S: Final = 5.0

_log = structlog.get_logger("page")


def run(settings: Page, connection: Connection) -> int:
    """Serve until SIGTERM or Ctrl-C and return the exit status: 0, 2 where it cannot listen, 3 where a part died."""
    try:
        listening = listener(settings)
    except OSError as error:
        sys.stderr.write(f"{_cannot_listen(settings, error)}\n")
        return WRONG_USE
    with listening:
        return uvloop.run(_serve(settings, connection, listening))


async def _serve(settings: Page, connection: Connection, listening: socket.socket) -> int:
    site = Site(settings)
    archive = Archive(connection, lambda table_id, shoe_no: site.store.shoes.get(table_id, {}).get(shoe_no))
    bodies = Bodies(archive.body, StatisticsArchive(connection).parts)
    reader = Reader(connection, site.take, site.source, site.clock)
    try:
        return await serve(site, bodies, listening, [reader.run()])
    finally:
        await archive.close()


async def serve(
    site: Site, bodies: Bodies, listening: socket.socket, beside: Sequence[Coroutine[Any, Any, None]]
) -> int:
    """Serve the site on a listening socket, with what runs beside it; ends on a signal, or when a part has died."""
    server = Server(site, bodies)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, server.end)
    # what was loaded by now stays: the collector need not look at it again at every turn
    gc.freeze()
    gc.set_threshold(YOUNG)
    host, port = listening.getsockname()[:2]
    _log.info(f"the page is on http://{f'[{host}]' if ':' in host else host}:{port}")
    parts = [asyncio.create_task(part) for part in (_beats(site), *beside)]
    for part in parts:
        part.add_done_callback(lambda _: server.end())
    try:
        await server.serve(sockets=[listening])
    finally:
        died = [part for part in parts if part.done()]
        for part in parts:
            part.cancel()
        await asyncio.gather(*parts, return_exceptions=True)
    for part in died:
        _log.error("the page server cannot go on", exc_info=None if part.cancelled() else part.exception())
    return TROUBLE if died else 0


async def _beats(site: Site) -> None:
    """A heartbeat at each beat, and at once when the source is lost or found."""
    lost, left_s = site.source.lost(site.clock()), 0.0
    while True:
        if left_s <= 0 or lost != site.source.lost(site.clock()):
            lost, left_s = site.source.lost(site.clock()), site.settings.beat
            site.hub.beat()
        await asyncio.sleep(step := min(_LOOK_S, left_s))
        left_s -= step


class Server(uvicorn.Server):
    """uvicorn waits for open answers before it tells the application, so the hub is closed one step earlier.

    Signals are the caller's: uvicorn would raise them again at the end, and the process would not end with 0.
    """

    def __init__(self, site: Site, bodies: Bodies) -> None:
        config = uvicorn.Config(
            build(site, bodies),
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            timeout_graceful_shutdown=2,
        )
        super().__init__(config)
        self._hub = site.hub

    def end(self) -> None:
        """Stop serving."""
        self.should_exit = True

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves signals alone."""
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say goodbye on every stream, then let uvicorn finish; cut what is still open after a moment."""
        self._hub.close()
        asyncio.get_running_loop().call_later(CUT_AFTER_S, self._cut)
        await super().shutdown(sockets)

    def _cut(self) -> None:
        for connection in list(self.server_state.connections):
            if transport := getattr(connection, "transport", None):
                transport.abort()


def listener(settings: Page) -> socket.socket:
    """A listening socket whose connections the kernel drops when a peer does not read (Linux), a moment after we did.

    Without it a frozen display keeps its connection and its send buffer for ever: an orderly close waits for the peer.
    Raises OSError.
    """
    family, _, _, _, address = socket.getaddrinfo(
        settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listening = socket.create_server(address[:2], family=family, backlog=2048)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(
            socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int((settings.send_timeout + _KERNEL_AFTER_S) * 1000)
        )
    return listening


def _cannot_listen(settings: Page, error: OSError) -> str:
    """The fault in one sentence, with what to do."""
    place = f"{settings.host}:{settings.port}"
    match error:
        case socket.gaierror():
            return f"The page cannot listen on {place}: no such host; name an address of this machine with --host."
        case PermissionError():
            return f"The page may not listen on {place}: take a port above 1023 with --port."
        case OSError(errno=98 | 48):  # EADDRINUSE of Linux and macOS
            return f"The page cannot listen on {place}: another program does; stop it or name another port with --port."
        case _:
            return f"The page cannot listen on {place}: {error.strerror or error}; name another with --host and --port."
