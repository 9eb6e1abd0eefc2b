"""`beadplate demo` as a newcomer meets it: one command, a live page, and nothing left behind."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

MARK: Final = "BEADS_OF_THIS_TEST"
"""A name in the environment, which every process of a demo inherits: so they are found, whoever their parent is."""
READY_WITHIN_S: Final = 90.0
ENDS_WITHIN_S: Final = 10.0
NEVER_LEFT: Final = 8
"""Processes of a running demo: the demo, Kafka with its guard, the floor, three processors, the page."""

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(240)]


class Demo:
    """A demo that runs."""

    def __init__(self, data_dir: Path, port: int, mark: str, **environment: str) -> None:
        self.data_dir, self.port, self._mark = data_dir, port, mark
        self._out = data_dir.with_name(f"{mark}.out")
        flags = ["--tables", "2", "--pace", "0.5", "--port", str(port), "--data-dir", str(data_dir)]
        with self._out.open("ab") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "beadplate", "demo", *flags],
                cwd=data_dir.parent,
                env={**os.environ, MARK: mark, **environment},
                stdout=out,
                stderr=out,
            )

    @property
    def said(self) -> str:
        """Everything that was printed."""
        return self._out.read_text(errors="replace")

    def ask(self, path: str) -> bytes:
        """The body of an answer of the page."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
            body: bytes = answer.read()
        return body

    def tables(self) -> dict[str, Any]:
        """The tables of the page's API by their id; none while nobody answers."""
        try:
            return {table["table_id"]: table for table in json.loads(self.ask("/api/v1/tables"))}
        except OSError:
            return {}

    def wait_for(self, condition: Callable[[], object]) -> None:
        """Wait until the condition holds; fails where the demo ends before."""
        ends = time.monotonic() + READY_WITHIN_S
        while not condition():
            assert self.process.poll() is None, self.said
            assert time.monotonic() < ends, self.said
            time.sleep(0.1)

    def ready(self) -> bool:
        """Whether it says so."""
        return "Beadplate is ready after" in self.said and f"http://127.0.0.1:{self.port}" in self.said

    def stop(self, how: signal.Signals) -> int:
        """Send a signal; the exit code. Fails where the end takes longer than it may."""
        self.process.send_signal(how)
        return self.process.wait(ENDS_WITHIN_S)

    def processes(self) -> dict[int, str]:
        """Command line of every process that belongs to this demo."""
        return {pid: line for pid, line in _environments() if f"{MARK}={self._mark}" in line}


def _environments() -> Iterator[tuple[int, str]]:
    """Processes with command line and environment, as /proc has them, or ps where there is none."""
    if Path("/proc/self/environ").exists():
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it has ended, or is another user's
                command, environment = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
                yield int(process.name), (command + b" " + environment).replace(b"\0", b" ").decode(errors="replace")
        return
    listed = subprocess.run(["ps", "axEww", "-o", "pid=,command="], capture_output=True, text=True, check=True)
    for line in listed.stdout.splitlines():
        pid, _, said = line.strip().partition(" ")
        yield int(pid), said


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], Demo]]:
    """Starts a demo on one data directory, as often as it is called; none of its processes outlives the test."""
    demos = []

    def started() -> Demo:
        demos.append(Demo(tmp_path / "demo", free_port(), uuid.uuid4().hex))
        return demos[-1]

    yield started
    for demo in demos:
        for pid in demo.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        demo.process.wait()


def test_a_demo_shows_live_tables_ends_with_all_its_processes_and_goes_on_the_next_time(
    start: Callable[[], Demo],
) -> None:
    demo = start()
    demo.wait_for(demo.ready)
    assert b"<title>" in demo.ask("/")
    demo.wait_for(lambda: set(demo.tables()) == {"T01", "T02"})
    demo.wait_for(lambda: all(table["round_no"] >= 3 for table in demo.tables().values()))
    assert b"Baccarat 01" in demo.ask("/tables/T01")
    assert len(demo.processes()) >= NEVER_LEFT
    assert demo.stop(signal.SIGTERM) == 0
    assert demo.processes() == {}

    again = start()
    again.wait_for(again.ready)
    again.wait_for(lambda: all(table["shoe_no"] == 2 for table in again.tables().values()))
    shoes = json.loads(again.ask("/api/v1/tables/T01/shoes"))
    assert [shoe["shoe_no"] for shoe in shoes] == [2, 1], "the history of the first demo is kept"
    assert again.stop(signal.SIGINT) == 0
    assert again.processes() == {}


def test_a_demo_that_is_told_to_stop_while_it_starts_ends_with_all_its_processes(start: Callable[[], Demo]) -> None:
    demo = start()
    demo.wait_for(lambda: "Kafka is ready" in demo.said)
    assert demo.stop(signal.SIGTERM) == 0
    assert demo.processes() == {}


def test_a_demo_that_is_killed_takes_everything_with_it(start: Callable[[], Demo]) -> None:
    demo = start()
    demo.wait_for(demo.ready)
    demo.process.kill()
    demo.process.wait()
    ends = time.monotonic() + 2 * ENDS_WITHIN_S
    while left := demo.processes():
        assert time.monotonic() < ends, left
        time.sleep(0.1)


def test_a_second_demo_on_the_same_data_says_who_has_them(start: Callable[[], Demo]) -> None:
    demo = start()
    demo.wait_for(lambda: "Kafka is ready" in demo.said)
    second = start()
    assert second.process.wait(30) == 3
    assert f"{second.data_dir / 'kafka'} is in use by process " in second.said
    address = re.search(r"Kafka is ready at (\S+),", demo.said)
    assert address is not None
    assert address[1] in second.said


def test_a_demo_names_the_flag_where_its_port_is_taken(start: Callable[[], Demo], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        demo = Demo(tmp_path / "other", other.getsockname()[1], uuid.uuid4().hex)
        assert demo.process.wait(30) == 2
    assert demo.said.count("\n") == 1
    assert "--port" in demo.said


def test_a_demo_whose_kafka_dies_ends_and_says_so(start: Callable[[], Demo]) -> None:
    demo = start()
    demo.wait_for(demo.ready)
    (java,) = (pid for pid, line in demo.processes().items() if "kafka.Kafka" in line and "guard.py" not in line)
    os.kill(java, signal.SIGKILL)
    assert demo.process.wait(2 * ENDS_WITHIN_S) == 3
    assert "beadplate: Kafka has ended by itself" in demo.said
    assert demo.processes() == {}


def test_a_demo_of_which_a_process_cannot_run_gives_up_and_says_which_and_why(tmp_path: Path) -> None:
    demo = Demo(tmp_path / "demo", free_port(), uuid.uuid4().hex, BEADPLATE_WINDOW="0")
    assert demo.process.wait(READY_WITHIN_S) == 3
    assert " ended with exit code 2, which no restart cures: beadplate: --window is at least 1" in demo.said
    assert demo.processes() == {}
