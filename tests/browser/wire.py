"""A wire between browser and server that can go dead without a word, as a half-open connection does."""

import contextlib
import selectors
import socket
import threading
from types import TracebackType
from typing import Self


class Wire:
    """Listens on ``port`` and passes bytes on to the server's port. ``cut`` silences the connections there are."""

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.setblocking(False)
        self.port = self._listening.getsockname()[1]
        self._ready = selectors.DefaultSelector()
        self._ready.register(self._listening, selectors.EVENT_READ)
        self._open: list[socket.socket] = [self._listening]
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def cut(self) -> None:
        """From now on nothing passes on the connections there are, and nobody is told; new ones work."""
        with self._lock:
            for key in list(self._ready.get_map().values()):
                if key.fileobj is not self._listening:
                    self._ready.unregister(key.fileobj)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join(10)
        for each in self._open:
            each.close()
        self._ready.close()

    def _run(self) -> None:
        while not self._ended.is_set():
            with self._lock:
                for key, _ in self._ready.select(0.02):
                    if key.fileobj is self._listening:
                        self._accept()
                    else:
                        self._pass(key.fileobj, key.data)  # type: ignore[arg-type]

    def _accept(self) -> None:
        browser, _ = self._listening.accept()
        server = socket.create_connection(("127.0.0.1", self._server_port))
        self._open += [browser, server]
        self._ready.register(browser, selectors.EVENT_READ, server)
        self._ready.register(server, selectors.EVENT_READ, browser)

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        chunk = b""
        with contextlib.suppress(OSError):
            chunk = source.recv(65536)
        if chunk:
            with contextlib.suppress(OSError):
                target.sendall(chunk)
            return
        self._ready.unregister(source)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)
