"""Line in, line out: one at a time, at once, and never a traceback for what came in or a reader who left."""

import io
import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from beadplate.offline.lines import LONGEST_LINE, BadLine, answer_lines, until_reader_leaves

ROOT = Path(__file__).parents[2]


def answers(data: bytes) -> tuple[int, list[str]]:
    out = io.StringIO()
    status = answer_lines(str.upper, stdin=io.BytesIO(data), stdout=out)
    return status, out.getvalue().splitlines()


def test_each_line_has_one_answer_in_order() -> None:
    assert answers(b"a\nb\n\nc\n") == (0, ["A", "B", "", "C"])


@pytest.mark.parametrize("data", [b"a\nb", b"a\r\nb\r\n"])
def test_the_end_of_a_line_is_no_part_of_it(data: bytes) -> None:
    assert answers(data) == (0, ["A", "B"])


def test_nothing_in_nothing_out() -> None:
    assert answers(b"") == (0, [])


def test_a_bad_line_is_answered_with_its_error_and_the_others_go_on() -> None:
    def refuse_b(line: str) -> str:
        if line == "b":
            raise BadLine("invalid", "b is not wanted")
        return line

    out = io.StringIO()
    assert answer_lines(refuse_b, stdin=io.BytesIO(b"a\nb\nc\n"), stdout=out) == 1
    first, second, third = out.getvalue().splitlines()
    assert (first, third) == ("a", "c")
    assert json.loads(second) == {"error": {"code": "invalid", "message": "b is not wanted"}}


def test_a_line_that_is_not_utf_8_is_undecodable() -> None:
    status, (first, second) = answers(b"a\xff\nb\n")
    assert (status, second) == (1, "B")
    assert json.loads(first)["error"]["code"] == "undecodable"


@pytest.mark.parametrize("extra", [1, LONGEST_LINE, 3 * LONGEST_LINE + 7])
@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_that_is_too_long_is_undecodable_as_a_whole(extra: int, end: bytes) -> None:
    status, (first, *others) = answers(b"x" * (LONGEST_LINE + extra) + end)
    assert (status, others) == (1, [])
    assert json.loads(first)["error"]["code"] == "undecodable"


def test_the_line_after_one_that_is_too_long_is_answered() -> None:
    assert answers(b"x" * (2 * LONGEST_LINE) + b"\nb\n")[1][1:] == ["B"]


def test_the_longest_line_is_answered() -> None:
    assert LONGEST_LINE == 2**20
    assert answers(b"x" * LONGEST_LINE + b"\nb\n") == (0, ["X" * LONGEST_LINE, "B"])
    assert answers(b"x" * LONGEST_LINE) == (0, ["X" * LONGEST_LINE])


def test_answers_are_utf_8_whatever_the_language_of_the_terminal() -> None:
    seen = io.BytesIO()
    stdout = io.TextIOWrapper(seen, encoding="ascii")
    assert answer_lines(str.upper, stdin=io.BytesIO("ä莊\n".encode()), stdout=stdout) == 0
    assert seen.getvalue().decode() == "Ä莊\n"


class Typist(io.RawIOBase):
    """Types a line only after the answers to all earlier ones can be seen."""

    def __init__(self, seen: io.BytesIO, lines: int) -> None:
        self._seen, self._lines, self._typed = seen, lines, 0

    def readline(self, size: int | None = -1, /) -> bytes:
        assert self._seen.getvalue().count(b"\n") == self._typed, size
        self._typed += 1
        return b"a\n" if self._typed <= self._lines else b""


def test_an_answer_is_seen_before_the_next_line_comes() -> None:
    seen = io.BytesIO()
    stdout = io.TextIOWrapper(seen, encoding="utf-8", write_through=False)
    assert answer_lines(str.upper, stdin=Typist(seen, lines=3), stdout=stdout) == 0  # type: ignore[arg-type]


def endless(count: int) -> Iterator[bytes]:
    yield from (b"BPT" * 20 + b"\n" for _ in range(count))


class Source(io.RawIOBase):
    """A stream of lines that nobody holds."""

    def __init__(self, count: int) -> None:
        self._lines = endless(count)

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size == LONGEST_LINE + 1
        return next(self._lines, b"")


def peak(count: int) -> int:
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123 - a device
        tracemalloc.start()
        try:
            answer_lines(str.lower, stdin=Source(count), stdout=nowhere)  # type: ignore[arg-type]
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


def test_memory_does_not_grow_with_the_number_of_lines() -> None:
    peak(10)  # what is made once
    assert peak(20_000) < peak(10) + 20_000


def test_a_reader_who_leaves_ends_the_work_quietly() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w", encoding="utf-8") as stdout:
        assert answer_lines(str.upper, stdin=io.BytesIO(b"a\n" * 10_000), stdout=stdout) == 0


def test_a_reader_who_leaves_before_a_single_answer_ends_it_quietly() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w", encoding="utf-8") as stdout, until_reader_leaves(stdout):
        stdout.write("nobody reads this")


def test_a_program_whose_reader_left_prints_no_traceback() -> None:
    program = (
        "import sys\n"
        "from beadplate.offline import roads\n"
        "sys.exit(roads.run(stdin=sys.stdin.buffer, stdout=sys.stdout))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b"BPT\n")
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        try:
            process.stdin.write(b"BPT\n" * 100)
            process.stdin.close()
        except BrokenPipeError:
            pass
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == 0
