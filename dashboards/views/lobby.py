"""The lobby: a tile for each table."""

import re
import unicodedata
from collections.abc import Collection
from typing import Final, NamedTuple

from markupsafe import Markup

from contract.scoreboards import Scoreboard, Status
from dashboards.options import LobbyFilter, Sort, View
from dashboards.views.boards import Counter, LimitRange, counters, good_road, limits, name, silence_limit
from dashboards.views.cards import Result, result
from dashboards.views.grids import LOBBY, Grids, Shoe, counted_rounds, grids
from dashboards.views.plain import one_line, plain
from dashboards.views.times import zone
from dashboards.words import Words

_OPEN: Final[frozenset[Status]] = frozenset({"betting", "dealing", "dealt", "shuffling"})
_ANNOUNCING: Final[frozenset[Status]] = frozenset({"betting", "dealing", "dealt"})
_MOST: Final = 99_999
_NUMBER: Final = re.compile("[0-9]+")


class Tile(NamedTuple):
    """A table in the lobby. ``pit`` is its place; ``order`` sorts tiles in the order that is asked for: hexadecimal, so
    that the page's script and we compare it alike.
    """

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
    open: bool
    pit: str
    order: str


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
        name=(shown := name(board.names, board.table_id, words)),
        limits=limits(board, words),
        round_no=board.round_no,
        last=result(last) if last else None,
        grids=grids(Shoe(board.rounds, board.roads, board.gaps, board.status != "shuffling"), LOBBY),
        counters=counters(board.counts, words)[:3],
        good=good_road(board.good_roads, words) if board.status in _ANNOUNCING else "",
        open=board.status in _OPEN,
        pit=one_line(board.place),
        order=_order(board, at_ms, shown, view.sort),
    )


def _order(board: Scoreboard, at_ms: int, shown: str, sort: Sort) -> str:
    """Where the tile stands; tables that are alike in what is sorted by stand by their id."""
    longest = max((road.length for road in board.good_roads), default=0) if board.status in _ANNOUNCING else 0
    match sort:
        case "table":
            first = ""
        case "name":
            first = _collated(shown)
        case "pit":
            first = _collated(board.place)
        case "good":
            first = f"{_MOST - longest:05}"
        case "round":
            first = f"{_MOST - board.round_no:05}"
        case "quiet":
            first = f"{at_ms:015}"
    return f"{first}\0{_natural(board.table_id)}".encode().hex()


def _collated(text: str) -> str:
    """The text so that ``Äpfel`` sorts before ``Zebra``, and ``Ёлка`` before ``Яхта``."""
    letters = unicodedata.normalize("NFKD", plain(text))
    return _natural("".join(each for each in letters if not unicodedata.combining(each)).casefold())


def _natural(text: str) -> str:
    """The text so that ``Table 2`` sorts before ``Table 10``."""
    return _NUMBER.sub(lambda found: found.group().zfill(9), text)


def head_line(boards: Collection[Scoreboard], view: View) -> Markup:
    """What the lobby's head says, as HTML: the place, where all tables are in one, and how many tables are open."""
    places = {one_line(board.place) for board in boards}
    place = Markup("<bdi>{}</bdi> · ").format(places.pop()) if len(places) == 1 and all(places) else Markup()
    return place + view.words.open_of(are_open := sum(board.status in _OPEN for board in boards), are_open, len(boards))


def filter_words(which: LobbyFilter, sort: Sort, words: Words) -> list[str]:
    """What is asked of the lobby, in words."""
    asked = [
        words.only_open if which.open else "",
        words.only_good if which.good else "",
        which.pit,
        words.sort_by[sort] if sort != "table" else "",
    ]
    return [each for each in asked if each]
