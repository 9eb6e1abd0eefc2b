"""``beadplate roads``: the five roads of a shoe, as JSON or drawn with letters."""

from collections.abc import Iterable, Sequence
from typing import BinaryIO, Literal, TextIO

from baccarat.roads import AskCells, BadRounds, Roads, Tail, draw
from beadplate.offline.lines import BadLine, answer_lines, as_json, until_reader_leaves


def run(
    rounds: str | None = None,
    *,
    rows: int = 6,
    tail: Tail = "stay",
    format: Literal["text", "json"] | None = None,  # noqa: A002 - the option is called so
    stdin: BinaryIO,
    stdout: TextIO,
) -> int:
    """Draw one shoe, or, when ``rounds`` is None, each line of ``stdin``, and return the exit status.

    Without a ``format`` a shoe given as an argument is drawn as text, and lines are answered with JSON, one object a
    line. Raises ValueError for less than one row, and for an argument that is no shoe.
    """
    draw("", rows, tail)  # wrong use is told before anything is read
    if rounds is None:
        show = picture if format == "text" else as_json
        return answer_lines(lambda line: show(_read(line, rows, tail)), stdin=stdin, stdout=stdout)
    roads = draw(rounds, rows, tail)
    with until_reader_leaves(stdout):
        stdout.write((as_json(roads) if format == "json" else picture(roads)) + "\n")
    return 0


def _read(line: str, rows: int, tail: Tail) -> Roads:
    try:
        return draw(line, rows, tail)
    except BadRounds as error:
        raise BadLine("invalid", str(error)) from error


def picture(roads: Roads) -> str:
    """Draw the five roads and the ask cells with letters: B P T and a number of ties, R and B for red and blue."""
    known = f"{len(roads.rounds) - roads.rounds.count('?')} rounds"
    leading = f", {roads.leading_ties} leading ties" if roads.leading_ties else ""
    big_road = ((row, column, f"{side}{ties or ''}") for row, column, side, ties in roads.big_road)
    return "\n".join(
        [
            f"{known}{leading}",
            *_grid("Bead plate", roads.bead_plate),
            *_grid("Big road", big_road),
            *_grid("Big eye boy", roads.big_eye_boy.cells),
            *_grid("Small road", roads.small_road.cells),
            *_grid("Cockroach road", roads.cockroach_road.cells),
            "",
            f"A next Banker marks {_asked(roads.ask.B)}",
            f"A next Player marks {_asked(roads.ask.P)}",
        ]
    )


def _grid(title: str, cells: Iterable[tuple[int, int, str]]) -> Sequence[str]:
    marks = {(row, column): mark for row, column, mark in cells}
    if not marks:
        return "", title, "  (nothing yet)"
    height, width = (max(place[axis] for place in marks) + 1 for axis in (0, 1))
    wide = max(map(len, marks.values()))
    rows = (" ".join(marks.get((row, column), ".").ljust(wide) for column in range(width)) for row in range(height))
    return "", title, *(f"  {row}".rstrip() for row in rows)


def _asked(cells: AskCells) -> str:
    names = (("big eye boy", cells.big_eye_boy), ("small road", cells.small_road), ("cockroach", cells.cockroach_road))
    return ", ".join(f"{name} {mark or '-'}" for name, mark in names)
