"""Good roads: patterns that a board announces while they run. They say what has been, never what comes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

GoodRoadKind: TypeAlias = Literal["streak", "ping_pong", "double_jump", "one_two", "chop_after"]


@dataclass(frozen=True, slots=True)
class GoodRoad:
    """A pattern that runs at the end of the shoe. ``from_round`` is the number of its first round.

    ``side`` is whose streak it is, or after whom it always chops; None for a pattern of both. ``length`` counts
    results (``streak``), columns (``ping_pong``, ``double_jump``), pairs of columns (``one_two``) or chops
    (``chop_after``).
    """

    kind: GoodRoadKind
    side: Literal["banker", "player"] | None
    length: int
    from_round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """From which length a pattern is announced, in the units of `GoodRoad`."""

    streak: int = 4
    ping_pong: int = 4
    double_jump: int = 4
    one_two: int = 2
    chop_after: int = 3


DEFAULTS: Final = Thresholds()


@dataclass(slots=True)
class _Column:
    side: Literal["banker", "player"]
    from_round: int
    length: int = 1


def good_roads(results: Iterable[tuple[int, str]], thresholds: Thresholds = DEFAULTS) -> tuple[GoodRoad, ...]:
    """Return the patterns that run at the end of the shoe, the plainest first.

    ``results`` are number and letter of every round that counts, in order: B, P, T or, for a gap, ``?``. Ties never
    break a pattern. Behind a gap nobody knows what runs, so a shoe with one has no good road. A column that may still
    grow into the pattern neither counts nor breaks it.
    """
    columns = _columns(results)
    if not columns:
        return ()
    found = (
        _streak(columns),
        _run("ping_pong", columns, (1,)),
        _run("double_jump", columns, (2,)),
        _run("one_two", columns, (1, 2)),
        _chop_after("banker", columns),
        _chop_after("player", columns),
    )
    return tuple(road for road in found if road and road.length >= getattr(thresholds, road.kind))


def _columns(results: Iterable[tuple[int, str]]) -> list[_Column]:
    columns: list[_Column] = []
    for round_no, bead in results:
        match bead:
            case "T":
                continue
            case "B" | "P":
                side: Literal["banker", "player"] = "banker" if bead == "B" else "player"
                if columns and columns[-1].side == side:
                    columns[-1].length += 1
                else:
                    columns.append(_Column(side, round_no))
            case _:
                return []
    return columns


def _streak(columns: Sequence[_Column]) -> GoodRoad:
    last = columns[-1]
    return GoodRoad("streak", last.side, last.length, last.from_round)


def _run(kind: GoodRoadKind, columns: Sequence[_Column], pattern: tuple[int, ...]) -> GoodRoad | None:
    """Find the columns at the end that repeat these lengths, whole repeats and perhaps the beginning of one more."""
    for begun in range(min(len(pattern), len(columns)) + 1):
        whole = len(columns) - begun
        if begun == 0 or _may_grow_into(columns[whole:], pattern):
            first = whole
            while first >= len(pattern) and _is(columns[first - len(pattern) : first], pattern):
                first -= len(pattern)
            if first < whole:
                return GoodRoad(kind, None, (whole - first) // len(pattern), columns[first].from_round)
    return None


def _may_grow_into(columns: Sequence[_Column], pattern: tuple[int, ...]) -> bool:
    """Tell whether these last columns of the shoe are the beginning of the pattern, but not yet all of it."""
    *ended, growing = columns
    most = pattern[len(ended)] - (len(columns) == len(pattern))
    return _is(ended, pattern[: len(ended)]) and growing.length <= most


def _is(columns: Sequence[_Column], pattern: tuple[int, ...]) -> bool:
    return all(column.length == length for column, length in zip(columns, pattern, strict=True))


def _chop_after(side: Literal["banker", "player"], columns: Sequence[_Column]) -> GoodRoad | None:
    """Find how often in a row the side won once and then lost. Its last column may be waiting for the next result."""
    if columns[-1].side == side and columns[-1].length > 1:
        return None
    chopped = list(_chopped(side, columns[:-1]))
    return GoodRoad("chop_after", side, len(chopped), chopped[-1].from_round) if chopped else None


def _chopped(side: str, ended: Sequence[_Column]) -> Iterator[_Column]:
    """Yield the side's columns of one, from the latest back to its latest longer one."""
    for column in reversed(ended):
        if column.side != side:
            continue
        if column.length > 1:
            return
        yield column
