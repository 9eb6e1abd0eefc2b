"""The lobby: a tile for each table."""

from collections.abc import Collection
from typing import Final, NamedTuple

from contract.scoreboards import Scoreboard, Status
from dashboards.options import View
from dashboards.views.boards import Counter, LimitRange, counters, good_road, limits, name, silence_limit
from dashboards.views.cards import Result, result
from dashboards.views.grids import LOBBY, Grids, Shoe, counted_rounds, grids
from dashboards.views.times import zone

_OPEN: Final[frozenset[Status]] = frozenset({"betting", "dealing", "dealt", "shuffling"})
_ANNOUNCING: Final[frozenset[Status]] = frozenset({"betting", "dealing", "dealt"})


class Tile(NamedTuple):
    """A table in the lobby."""

    table_id: str
    shoe_no: int
    version: int
    at_ms: int
    zone: str
    status: Status
    silent_after_s: float
    newest: str
    name: str
    limits: list[LimitRange]
    round_no: int
    last: Result | None
    grids: Grids
    counters: list[Counter]
    good: str


def tile(board: Scoreboard, at_ms: int, view: View, silent_after: float) -> Tile:
    """A table's tile; ``at_ms`` is when its newest version was first said."""
    words = view.words
    rounds = counted_rounds(board.rounds)
    last = rounds[-1] if rounds else None
    return Tile(
        table_id=board.table_id,
        shoe_no=board.shoe_no,
        version=board.version,
        at_ms=at_ms,
        zone=zone(board.time_zone),
        status=board.status,
        silent_after_s=silence_limit(board.status, silent_after),
        newest=f"{board.shoe_no}/{last.round_no}/{last.revision}" if last else f"{board.shoe_no}/0/0",
        name=name(board.names, board.table_id, words),
        limits=limits(board, words),
        round_no=board.round_no,
        last=result(last) if last else None,
        grids=grids(Shoe(board.rounds, board.roads, board.gaps, board.status != "shuffling"), LOBBY),
        counters=counters(board.counts, words)[:3],
        good=good_road(board.good_roads, words) if board.status in _ANNOUNCING else "",
    )


def head_line(boards: Collection[Scoreboard], view: View) -> str:
    """What the lobby's head says: the place, where all tables are in one, and how many tables are open."""
    places = {board.place for board in boards}
    place = f"{places.pop()} · " if len(places) == 1 and all(places) else ""
    return place + view.words.open_of(are_open := sum(board.status in _OPEN for board in boards), are_open, len(boards))
