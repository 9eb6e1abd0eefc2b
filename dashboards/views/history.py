"""The history: a table's shoes, and one shoe with all versions of its rounds."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from baccarat.roads import draw
from baccarat.tallies import Counts
from contract.scoreboards import Round, Scoreboard, ShoeRecord, Version
from dashboards.store import ShoeHead
from dashboards.views import grids as road_grids
from dashboards.views.boards import Counter, counters
from dashboards.views.cards import Result, result
from dashboards.views.times import day_and_time, moment
from dashboards.words import Words

RECORD_ROWS: Final = 6
"""A record's roads are always of six rows with tail ``stay``, whatever the table's screens show."""

Progress = Literal["running", "ended", "left"]


class ShoeRow(NamedTuple):
    """A shoe in the list. ``left``: a later shoe came before its end was said."""

    shoe_no: int
    progress: Progress
    started: str
    ended: str
    decks: int
    counts: Counts


LISTED: Final = 200
"""Shoes on one page of the list."""


class Listing(NamedTuple):
    """A page of the list of shoes, the newest first, and before which shoe the pages beside it begin: empty for the
    first page, None where there is no such page.
    """

    heads: Sequence[ShoeHead]
    newer: str | None
    older: str | None


def listing(heads: Iterable[ShoeHead], before: int | None) -> Listing:
    """The page of the shoes before this one; without it the first page."""
    ordered = sorted(heads, key=lambda head: -head.shoe_no)
    first = 0 if before is None else sum(head.shoe_no >= before for head in ordered)
    shown = ordered[first : first + LISTED]
    newer = str(ordered[first - LISTED - 1].shoe_no) if first > LISTED else "" if first else None
    older = str(shown[-1].shoe_no) if first + LISTED < len(ordered) else None
    return Listing(shown, newer, older)


def shoe_rows(board: Scoreboard | None, heads: Iterable[ShoeHead], zone_name: str, words: Words) -> list[ShoeRow]:
    """The table's shoes, the running one first, then the newest first."""
    recorded = {head.shoe_no: head for head in heads}
    rows = [
        ShoeRow(
            head.shoe_no,
            "ended" if head.ended_at else "left",
            day_and_time(moment(head.started_at, zone_name), words),
            day_and_time(moment(head.ended_at, zone_name), words),
            head.decks,
            head.counts,
        )
        for head in sorted(recorded.values(), key=lambda head: -head.shoe_no)
    ]
    if board is not None and board.shoe_no and board.shoe_no not in recorded:
        rows.insert(0, ShoeRow(board.shoe_no, "running", "–", "–", board.decks, board.counts))
    return rows


def running_record(board: Scoreboard) -> ShoeRecord:
    """The running shoe as a record, made of the table's scoreboard; when it began is not said there."""
    roads = board.roads
    if (roads.rows, roads.tail) != (RECORD_ROWS, "stay"):
        roads = draw(roads.rounds, RECORD_ROWS, "stay")
    return ShoeRecord(
        table_id=board.table_id,
        occurred_at=board.occurred_at,
        shoe_no=board.shoe_no,
        version=board.version,
        decks=board.decks,
        rounds=board.rounds,
        counts=board.counts,
        gaps=board.gaps,
        roads=roads,
    )


class VersionRow(NamedTuple):
    """A version of a round: its revision counted from 1, as people do."""

    revision: int
    voided: bool
    time: str
    result: Result
    free_hand: bool


class RoundRow(NamedTuple):
    """A round of the shoe: the version that holds and the ones before it. ``note`` says who changed it and why."""

    round_no: int
    now: VersionRow
    before: tuple[VersionRow, ...]
    note: str


class ShoeView(NamedTuple):
    """One shoe with its rounds, the missing numbers among them. The roads stand as after round ``after``."""

    shoe_no: int
    version: int
    progress: Progress
    decks: int
    started: str
    ended: str
    paytables: str
    grids: road_grids.Grids
    rows: list[RoundRow | int]
    counters: list[Counter]
    dealt: int
    voided: int
    counted: int
    missing: int
    after: int
    last: int
    waiting: int | None


def last_number(record: ShoeRecord) -> int:
    """The highest number of a round of the shoe; 0 before the first."""
    return max((each.round_no for each in record.rounds), default=0)


def as_after(record: ShoeRecord, round_no: int) -> road_grids.Shoe:
    """The shoe's roads as they stand when only the rounds up to this one are known, each in its version of now."""
    rounds = [each for each in record.rounds if each.round_no <= round_no]
    known = [(each.round_no, road_grids.letter(each.outcome)) for each in road_grids.counted_rounds(rounds)]
    highest = max((number for number, _ in known), default=0)
    gaps = [gap for gap in record.gaps if gap < highest]
    letters = "".join(letter for _, letter in sorted([*known, *((gap, "?") for gap in gaps)]))
    return road_grids.Shoe(rounds, draw(letters, RECORD_ROWS, "stay"), gaps, live=True)


def shoe_view(record: ShoeRecord, *, running: bool, zone_name: str, words: Words, after: int | None = None) -> ShoeView:
    """The page of one shoe; times are in the table's zone. A missing round is its number alone.

    ``after``: the roads as they stood after this round; None for the whole shoe.
    """
    rows: list[RoundRow | int] = [_round_row(each, zone_name, words) for each in record.rounds]
    rows += record.gaps
    rows.sort(key=lambda row: row if isinstance(row, int) else row.round_no)
    whole = road_grids.Shoe(record.rounds, record.roads, record.gaps, live=False)
    drawn = whole if after is None else as_after(record, after)
    return ShoeView(
        shoe_no=record.shoe_no,
        version=record.version,
        progress="running" if running else "ended" if record.ended_at else "left",
        decks=record.decks,
        started=day_and_time(moment(record.started_at, zone_name), words),
        ended=day_and_time(moment(record.ended_at, zone_name), words),
        paytables=", ".join(sorted({each.paytable for each in record.rounds if each.paytable})),
        grids=road_grids.grids(drawn, road_grids.WHOLE),
        rows=rows,
        counters=counters(record.counts, words),
        dealt=len(record.rounds),
        voided=sum(each.voided for each in record.rounds),
        counted=record.counts.rounds,
        missing=record.counts.missing,
        after=last_number(record) if after is None else after,
        last=last_number(record),
        waiting=min(drawn.gaps, default=None),
    )


def _round_row(each: Round, zone_name: str, words: Words) -> RoundRow:
    versions = each.versions
    if not versions:
        only = VersionRow(each.revision + 1, each.voided, "", result(each), each.free_hand)
        return RoundRow(each.round_no, only, (), words.free_hand if each.free_hand else "")
    rows = [_version_row(version, zone_name) for version in versions]
    notes = [
        *([words.free_hand] if each.free_hand else []),
        *([words.left_out(each.versions_left_out)] if each.versions_left_out else []),
        *_notes(versions, zone_name),
    ]
    return RoundRow(each.round_no, rows[-1], tuple(rows[:-1]), " · ".join(notes))


def _version_row(version: Version, zone_name: str) -> VersionRow:
    return VersionRow(
        version.revision + 1, version.voided, _time(version, zone_name), result(version), version.free_hand
    )


def _time(version: Version, zone_name: str) -> str:
    at = moment(version.occurred_at, zone_name)
    return f"{at:%H:%M:%S}" if at else ""


def _notes(versions: Iterable[Version], zone_name: str) -> Iterable[str]:
    """Reason, operator and time of each change."""
    for version in versions:
        if version.reason or version.operator:
            said = (version.reason, version.operator, _time(version, zone_name))
            yield ", ".join(part for part in said if part)
