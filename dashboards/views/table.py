"""The live page of one table."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from contract.scoreboards import Round, Scoreboard, Status
from dashboards.options import View
from dashboards.views.boards import (
    LONG_LIMITS,
    LONG_NAME,
    Counter,
    LimitRange,
    counted,
    counters,
    good_road,
    limits,
    missing_rounds,
    name,
    silence_limit,
)
from dashboards.views.cards import Result, hand_result, result, spoken
from dashboards.views.grids import Grids, Shoe, counted_rounds, grids, windows
from dashboards.views.times import zone
from dashboards.words import Words

RECENT: Final = 20
"""Rounds in the list of the last rounds."""


class Recent(NamedTuple):
    """A row of the last rounds, by what it is drawn of: nearly all of them were drawn before."""

    round_no: int
    missing: bool
    outcome: str | None = None
    player: tuple[str, ...] | None = None
    banker: tuple[str, ...] | None = None
    player_total: int | None = None
    banker_total: int | None = None

    @property
    def result(self) -> Result | None:
        """What is shown of it; None where the round is missing."""
        return None if self.missing else hand_result(*self[2:])


class Gap(NamedTuple):
    """What is said of missing rounds, and what stands in the hatched part of the big road."""

    title: str
    text: str
    waiting: str


class Last(NamedTuple):
    """The last round that stands."""

    round_no: int
    result: Result


class TableView(NamedTuple):
    """A table as its frame shows it. ``silent_after_s`` is 0 where silence is no alarm; ``newest`` names what the
    highlighted cell stands for, so that a repeat of it does not pulse again.
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
    long_name: bool
    place: str
    limits: list[LimitRange]
    long_limits: bool
    round_no: int
    last: Last | None
    grids: Grids
    ask: tuple[tuple[str, tuple[str, str, str]], ...]
    counted: str
    counters: list[Counter]
    recent: list[Recent]
    recent_title: str
    good: str
    gap: Gap | None
    spoken: str


def table_view(board: Scoreboard, at_ms: int, view: View, silent_after: float) -> TableView:
    """The frame of a table; ``at_ms`` is when its newest version was first said."""
    words = view.words
    rounds = counted_rounds(board.rounds)
    last = rounds[-1] if rounds else None
    shown_last = Last(last.round_no, result(last)) if last else None
    recent = _recent(rounds, board.gaps)
    live = board.status != "shuffling"
    return TableView(
        table_id=board.table_id,
        shoe_no=board.shoe_no,
        version=board.version,
        at_ms=at_ms,
        zone=zone(board.time_zone),
        status=board.status,
        silent_after_s=silence_limit(board.status, silent_after),
        newest=f"{board.shoe_no}/{last.round_no}/{last.revision}" if last else f"{board.shoe_no}/0/0",
        name=(shown := name(board.names, board.table_id, words)),
        long_name=len(shown) > LONG_NAME,
        place=board.place,
        limits=(ranges := limits(board, words)),
        long_limits=sum(len(each.least) + len(each.most) for each in ranges) > LONG_LIMITS,
        round_no=board.round_no,
        last=shown_last,
        grids=grids(Shoe(board.rounds, board.roads, board.gaps, live, view.points), windows(view)),
        ask=ask_cells(board),
        counted=counted(board.counts, words),
        counters=counters(board.counts, words),
        recent=recent,
        recent_title=words.recent(RECENT),
        good=good_road(board.good_roads, words) if live else "",
        gap=_gap(board.gaps, words),
        spoken=spoken(shown_last.round_no, shown_last.result, words) if shown_last else words.no_rounds,
    )


def ask_cells(board: Scoreboard) -> tuple[tuple[str, tuple[str, str, str]], ...]:
    """Per side what the next mark of eye, small and roach would be: R, U (blue) or empty for none."""
    sides = (("B", board.roads.ask.B), ("P", board.roads.ask.P))
    return tuple(
        (side, (_mark(cells.big_eye_boy), _mark(cells.small_road), _mark(cells.cockroach_road)))
        for side, cells in sides
    )


def _mark(mark: str | None) -> str:
    return {"R": "R", "B": "U"}.get(mark or "", "")


def _recent(rounds: Sequence[Round], gaps: Sequence[int]) -> list[Recent]:
    """The last rounds and the gaps among them, the newest first."""
    rows = [
        Recent(each.round_no, False, each.outcome, each.player, each.banker, each.player_total, each.banker_total)
        for each in rounds[-RECENT:]
    ]
    rows += [Recent(gap, missing=True) for gap in gaps]
    return sorted(rows, key=lambda row: -row.round_no)[:RECENT]


def _gap(gaps: Sequence[int], words: Words) -> Gap | None:
    if not gaps:
        return None
    title = (words.gap if len(gaps) == 1 else words.gaps).format(missing_rounds(gaps))
    return Gap(title, words.gap_why.format(gaps[0] - 1), words.waiting.format(gaps[0]))
