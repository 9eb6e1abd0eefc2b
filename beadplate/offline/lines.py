"""Line in, line out: the way in which the offline commands read standard input."""

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, Final, Literal, TextIO, TypeAlias

import msgspec

#: A longer line is no record that Beadplate could have made: the source topics take no more either.
LONGEST_LINE: Final = 1024 * 1024

Code: TypeAlias = Literal["undecodable", "invalid", "impossible_round"]


class BadLine(ValueError):
    """A line that cannot be answered. ``code`` is the one that a dead letter of such a record would have."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code: Final = code


def answer_lines(answer: Callable[[str], str], *, stdin: BinaryIO, stdout: TextIO) -> int:
    """Write the answer to each line as soon as the line is there, and return the exit status.

    ``answer`` takes a line without its end and may raise `BadLine`; then ``{"error": …}`` stands in the answer's
    place, and the status is 1. One line is held at a time, and no more of it than `LONGEST_LINE` bytes.
    """
    status = 0
    if isinstance(stdout, io.TextIOWrapper):
        stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8 (RFC 8259), whatever the terminal's language
    with until_reader_leaves(stdout):
        for line in _lines(stdin):
            try:
                text = answer(_decode(line))
            except BadLine as error:
                status = 1
                text = as_json({"error": {"code": error.code, "message": str(error)}})
            stdout.write(text + "\n")
            stdout.flush()  # costs little beside the answer, and who types or follows a slow source sees it at once
    return status


@contextmanager
def until_reader_leaves(stdout: TextIO) -> Iterator[None]:
    """End the block quietly when the reader of ``stdout`` has gone, as in ``beadplate roads | head``."""
    try:
        yield
        stdout.flush()
    except BrokenPipeError:
        # What is still in the buffer has nowhere to go; without this Python would complain once more when it exits.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stdout.fileno())
        os.close(nowhere)


def as_json(answer: object) -> str:
    """Return an answer as one line of JSON."""
    return msgspec.json.encode(answer).decode()


def _lines(stdin: BinaryIO) -> Iterator[bytes | None]:
    """Yield each line without its end, None for one that is too long."""
    while line := stdin.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
            yield line.removesuffix(b"\n").removesuffix(b"\r")
            continue
        while line and not line.endswith(b"\n"):
            line = stdin.readline(LONGEST_LINE)
        yield None


def _decode(line: bytes | None) -> str:
    if line is None:
        raise BadLine("undecodable", f"The line is longer than {LONGEST_LINE} bytes")
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise BadLine("undecodable", f"The line is not UTF-8: {error.reason} at byte {error.start}") from error
