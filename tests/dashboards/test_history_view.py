"""The history: shoes of a table, and a shoe's rounds with all versions."""

from baccarat.roads import draw
from contract.codec import decode
from contract.scoreboards import Round, ShoeRecord, Version
from contract.topics import SCOREBOARDS, SHOES
from dashboards.store import ShoeHead
from dashboards.views.history import RoundRow, as_after, last_number, running_record, shoe_rows, shoe_view
from dashboards.words import ENGLISH
from tests.dashboards.tables import example, keyed_rounds, scoreboard, shoe_record

AT = "2026-11-30T18:00:00.000Z"


def recorded() -> ShoeRecord:
    record: ShoeRecord = decode(SHOES, example("shoe_record"))
    return record


def head(shoe_no: int, ended_at: str | None) -> ShoeHead:
    return ShoeHead(table_id="B07", shoe_no=shoe_no, version=1, decks=8, ended_at=ended_at, counts=scoreboard().counts)


def test_the_running_shoe_is_first_then_the_newest() -> None:
    heads = [head(409, "2026-11-30T10:00:00.000Z"), head(411, None), head(410, "2026-11-30T18:00:00.000Z")]
    rows = shoe_rows(scoreboard(shoe_no=412), heads, "Asia/Macau", ENGLISH)
    assert [(row.shoe_no, row.progress) for row in rows] == [
        (412, "running"),
        (411, "left"),
        (410, "ended"),
        (409, "ended"),
    ]
    assert rows[2].ended == "1 Dec 2026 02:00"


def test_a_finished_shoe_that_still_stands_on_the_board_is_listed_once() -> None:
    rows = shoe_rows(scoreboard(shoe_no=412), [head(412, "2026-11-30T18:00:00.000Z")], "UTC", ENGLISH)
    assert [(row.shoe_no, row.progress) for row in rows] == [(412, "ended")]


def test_a_table_without_a_shoe_has_none() -> None:
    assert shoe_rows(scoreboard(shoe_no=0), [], "UTC", ENGLISH) == []


def test_a_corrected_round_keeps_its_earlier_version_with_reason_and_operator() -> None:
    view = shoe_view(recorded(), running=False, zone_name="Asia/Macau", words=ENGLISH)
    row = next(row for row in view.rows if isinstance(row, RoundRow) and row.round_no == 2)
    assert [(was.revision, was.result.outcome, was.result.banker_total) for was in row.before] == [(1, "P", "2")]
    assert (row.now.revision, row.now.result.outcome, row.now.result.banker_total) == (2, "B", "7")
    assert row.note == "cards read in the wrong order, pit-3/amy, 02:02:10"


def test_a_voided_round_stays_in_the_history_and_out_of_the_counts() -> None:
    view = shoe_view(recorded(), running=False, zone_name="UTC", words=ENGLISH)
    row = next(row for row in view.rows if isinstance(row, RoundRow) and row.round_no == 6)
    assert row.now.voided
    assert row.before[0].result.outcome == "T"
    assert row.note == "exposed card, pit-3/amy, 18:05:00"
    assert (view.dealt, view.voided, view.counted, view.missing) == (8, 1, 7, 0)
    assert view.progress == "ended"


def test_a_missing_round_is_a_row_of_its_own() -> None:
    record = shoe_record(scoreboard(keyed_rounds("BP?B")))
    view = shoe_view(record, running=False, zone_name="UTC", words=ENGLISH)
    assert [row if isinstance(row, int) else row.round_no for row in view.rows] == [1, 2, 3, 4]
    assert view.rows[2] == 3


def test_a_record_marks_no_newest_cell() -> None:
    view = shoe_view(recorded(), running=False, zone_name="UTC", words=ENGLISH)
    assert view.grids.bead.newest is None


def test_the_running_shoe_is_told_by_the_scoreboard_with_roads_of_six_rows() -> None:
    board = scoreboard(keyed_rounds("BBBBBBBPP"), rows=3, tail="drop")
    record = running_record(board)
    assert (record.roads.rows, record.roads.tail, record.roads.rounds) == (6, "stay", "BBBBBBBPP")
    assert (record.shoe_no, record.counts, record.rounds) == (412, board.counts, board.rounds)
    told = decode(SCOREBOARDS, example("scoreboard"))
    assert running_record(told).roads == told.roads


def test_the_roads_as_after_a_round_are_those_of_the_rounds_up_to_it() -> None:
    record = shoe_record(scoreboard(keyed_rounds("BBPTPB")))
    for after in range(7):
        drawn = as_after(record, after)
        assert drawn.roads == draw("BBPTPB"[:after])
        assert drawn.gaps == []


def test_a_gap_is_one_only_once_a_later_round_is_known() -> None:
    record = shoe_record(scoreboard(keyed_rounds("BB?P")))
    assert [(as_after(record, after).roads.rounds, as_after(record, after).gaps) for after in (2, 3, 4)] == [
        ("BB", []),
        ("BB", []),
        ("BB?P", [3]),
    ]


def test_a_void_round_and_a_corrected_one_stand_as_they_do_now() -> None:
    record = recorded()
    last = last_number(record)
    whole = as_after(record, last)
    assert (whole.roads, list(whole.gaps)) == (record.roads, list(record.gaps))


def test_without_a_round_the_roads_are_empty() -> None:
    view = shoe_view(recorded(), running=False, zone_name="UTC", words=ENGLISH, after=0)
    assert (view.after, list(view.grids.bead.cells), list(view.grids.big.cells)) == (0, [], [])
    assert len(view.rows) > 0


def test_a_corrected_free_hand_is_one_still_and_versions_that_are_left_out_are_counted() -> None:
    told = [
        Version(revision=number, voided=False, outcome="banker", free_hand=True, occurred_at=AT, reason=reason)
        for number, reason in ((0, None), (5, "cards read wrong"))
    ]
    each = Round(
        round_no=1,
        revision=5,
        voided=False,
        outcome="banker",
        free_hand=True,
        versions=tuple(told),
        versions_left_out=4,
    )
    (row,) = shoe_view(shoe_record(scoreboard([each])), running=False, zone_name="UTC", words=ENGLISH).rows
    assert isinstance(row, RoundRow)
    assert row.note == "Free hand · 4 versions left out · cards read wrong, 18:00:00"
