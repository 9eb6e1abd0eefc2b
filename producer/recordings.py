"""Recorded shoes in a file, read line by line, whichever of the two forms it has.

A byte order mark, CRLF and empty lines are nothing. What is wrong with a line is said of that line alone, and reading
goes on with the next one; memory holds one line and what is known of the running shoes.
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import PurePath
from typing import BinaryIO, Final, NamedTuple

from producer.recorded import BadLine, Happening, LineFault
from producer.recorded_cards import HEADER, RecordedCards, fields
from producer.recorded_results import RecordedResults

LONGEST_LINE: Final = 1 << 20
"""Bytes; a longer line is never taken into memory as a whole."""
_ENDINGS_OF_RESULTS: Final = (".jsonl", ".ndjson")
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class UnknownRecording(ValueError):
    """A file that has neither form; the message says what they are."""


class _Line(NamedTuple):
    number: int
    raw: bytes
    whole: bool

    def text(self) -> str:
        if not self.whole:
            raise LineFault(f"longer than {LONGEST_LINE} bytes")
        try:
            return self.raw.decode()
        except UnicodeDecodeError as error:
            raise LineFault(f"no UTF-8 at byte {error.start + 1} of the line") from error


def read(stream: BinaryIO, name: str) -> Iterator[Happening | BadLine]:
    """Everything in a recording, in its order; ``name`` is the file's.

    Raises ``UnknownRecording`` at once where neither the first line nor the ending of the name shows the form.
    """
    lines = _lines(stream)
    first = next(lines, None)
    if first is not None and _is_header(first):
        return _happenings(lines, RecordedCards())
    begins_an_object = first is not None and first.raw.startswith(b"{")
    if begins_an_object or PurePath(name).suffix.lower() in _ENDINGS_OF_RESULTS:
        return _happenings(chain(() if first is None else (first,), lines), RecordedResults())
    raise UnknownRecording(
        f"{name} is no recording: its first line has to be the header {','.join(HEADER)} of a CSV, "
        "or an object of JSON Lines such as "
        '{"table_id": "T01", "shoe_no": 1, "outcomes": "BPPT", "player_pairs": [2], "banker_pairs": []}'
    )


def _is_header(line: _Line) -> bool:
    try:
        return tuple(field.strip().lower() for field in fields(line.text())) == HEADER
    except LineFault:
        return False


def _happenings(lines: Iterator[_Line], form: RecordedCards | RecordedResults) -> Iterator[Happening | BadLine]:
    for line in lines:
        try:
            yield from form.take(line.text())
        except LineFault as fault:
            yield BadLine(line=line.number, reason=str(fault))
    yield from form.close()


def _lines(stream: BinaryIO) -> Iterator[_Line]:
    """The lines that are not empty, without their ends; of one that is too long only its beginning."""
    number = 0
    while raw := stream.readline(LONGEST_LINE + 1):
        number += 1
        whole = len(raw) <= LONGEST_LINE
        rest = raw
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST_LINE + 1)
        mark = _BYTE_ORDER_MARK if number == 1 else b""
        if stripped := raw.removeprefix(mark).strip(b" \t\r\n"):
            yield _Line(number, stripped, whole)
