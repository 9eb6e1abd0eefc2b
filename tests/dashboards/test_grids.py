"""The window of each road: which cells are seen, where they lie, what they carry."""

import json
from typing import Any

import pytest

from baccarat.roads import draw
from dashboards.options import Columns
from dashboards.views.grids import LOBBY, TABLE, UNIT, WHOLE, Cell, DerivedGrid, Grid, Grids, Shoe, grids
from tests.dashboards.tables import DATA, board_shoe, dealt, keyed_rounds, scoreboard

LANDSCAPE, PORTRAIT = TABLE["landscape"], TABLE["portrait"]
DRAWN = {"je-ttb"}
"""Vectors whose first cell carries the leading ties already."""
VECTORS: list[dict[str, Any]] = json.loads((DATA / "roads.json").read_bytes())["vectors"]


def shown(letters: str, widths: Columns = LANDSCAPE, *, live: bool = True, rows: int = 6) -> Grids:
    board = scoreboard(keyed_rounds(letters), rows=rows)
    return grids(Shoe(board.rounds, board.roads, board.gaps, live), widths)


def at(cell: Cell) -> tuple[int, int]:
    return cell.y // UNIT, cell.x // UNIT


def newest(grid: Grid | DerivedGrid) -> list[tuple[int, int]]:
    return [] if grid.newest is None else [(grid.newest[1] // UNIT, grid.newest[0] // UNIT)]


def marks(grid: DerivedGrid) -> list[list[int | str]]:
    return [[row, col, "U" if mark == "B" else mark] for row, col, mark in grid.marks]


def windows(drawn: Grids) -> list[Grid | DerivedGrid]:
    return [drawn.bead, drawn.big, *drawn.derived.values()]


def test_every_mark_of_the_designed_board_lies_where_the_design_has_it() -> None:
    rounds, told = board_shoe()
    board = scoreboard(rounds)
    drawn = grids(Shoe(board.rounds, board.roads, board.gaps, live=True), WHOLE)
    big = [[*at(c), c.mark, c.ties, c.player_pair, c.banker_pair] for c in drawn.big.cells]
    assert big == told["big"]
    for kind in ("eye", "small", "roach"):
        assert marks(drawn.derived[kind]) == told[kind]
    assert "".join(cell.mark for cell in drawn.bead.cells) == told["outcomes"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_the_whole_roads_are_the_vectors(vector: dict[str, Any]) -> None:
    letters, expected = vector["rounds"], vector["expected"]
    roads = draw(letters, vector["rows"], vector["tail"])
    board = scoreboard(keyed_rounds(letters))
    gaps = tuple(index for index, mark in enumerate(letters, 1) if mark == "?")
    drawn = grids(Shoe(board.rounds, roads, gaps, live=True), WHOLE)
    if "big_road" in expected:
        leading = len(letters) - len(letters.lstrip("T"))
        ties = 0 if vector["id"] in DRAWN else leading  # counted apart there, drawn on the first cell here
        wanted = [
            (row, col, side, count + (ties if index == 0 else 0))
            for index, (row, col, side, count) in enumerate(expected["big_road"])
        ]
        cells = {(*at(cell), cell.mark, cell.ties) for cell in drawn.big.cells if cell.mark}
        assert cells == set(wanted)
    for kind, road in (("eye", "big_eye_boy"), ("small", "small_road"), ("roach", "cockroach_road")):
        if "cells" in expected.get(road, {}):
            wanted_marks = {(row, col, "U" if mark == "B" else "R") for row, col, mark in expected[road]["cells"]}
            assert {tuple(mark) for mark in marks(drawn.derived[kind])} == wanted_marks
    if "bead_plate" in expected:
        beads = {(*at(cell), cell.mark) for cell in drawn.bead.cells}
        holes = {(y // UNIT, x // UNIT, "?") for x, y in drawn.bead.holes}
        assert beads | holes == {tuple(cell) for cell in expected["bead_plate"]}


def test_a_short_shoe_hides_nothing() -> None:
    drawn = shown("BPBP")
    assert [grid.hidden for grid in windows(drawn)] == [0] * 5


def test_a_long_road_is_cropped_on_the_left_and_keeps_one_empty_column() -> None:
    drawn = shown("BP" * 30)
    assert drawn.big.cols == 40
    assert drawn.big.hidden == 60 + 1 - 40
    assert newest(drawn.big) == [(0, 59)]
    assert min(cell.x for cell in drawn.big.cells) == drawn.big.hidden * UNIT


def test_a_full_bead_plate_drops_whole_columns_so_that_rows_stay() -> None:
    letters = "BPT" * 25  # 75 rounds: 13 columns of 6
    drawn = shown(letters)
    assert drawn.bead.hidden == 1
    assert [cell.mark for cell in drawn.bead.cells[:6]] == list(letters[6:12])
    assert [at(cell) for cell in drawn.bead.cells[:6]] == [(row, 1) for row in range(6)]


def test_the_newest_cell_is_in_the_window_even_where_an_old_tail_reaches_far_beyond() -> None:
    drawn = shown("B" * 60 + "P")
    assert newest(drawn.big) == [(0, 1)]
    assert drawn.big.hidden == 1
    assert all(UNIT <= cell.x < (1 + drawn.big.cols) * UNIT for cell in drawn.big.cells)


@pytest.mark.parametrize("rows", [1, 3, 4, 5, 6, 7, 8, 10, 12, 20])
def test_a_window_keeps_its_shape_for_any_number_of_rows(rows: int) -> None:
    drawn = shown("BBPBTPPPB", rows=rows)
    assert drawn.big.rows == rows
    assert drawn.big.cols / rows == pytest.approx(40 / 6, abs=1 / rows)


def test_leading_ties_wait_alone_then_lie_on_the_first_cell() -> None:
    assert [(c.mark, c.ties, at(c)) for c in shown("TTT").big.cells] == [("", 3, (0, 0))]
    assert [(c.mark, c.ties) for c in shown("TTBT").big.cells] == [("B", 3)]


def test_a_tie_is_the_newest_on_the_bead_plate_and_on_the_cell_that_counts_it() -> None:
    drawn = shown("BPT")
    assert newest(drawn.bead) == [(2, 0)]
    assert newest(drawn.big) == [(0, 1)]
    assert newest(shown("TT").big) == [(0, 0)]


def test_a_tie_makes_no_derived_mark_so_none_is_newest() -> None:
    assert newest(shown("BBPP").derived["eye"]) != []
    assert newest(shown("BBPPT").derived["eye"]) == []


def test_a_shoe_of_the_past_has_no_newest_cell() -> None:
    drawn = shown("BBPPB", live=False)
    assert [newest(grid) for grid in windows(drawn)] == [[]] * 5


def test_behind_a_gap_roads_stop_and_are_hatched_and_the_bead_plate_goes_on() -> None:
    drawn = shown("BPP?BB")
    assert drawn.bead.holes == [(0, 3 * UNIT)]
    assert newest(drawn.bead) == [(5, 0)]
    assert len(drawn.big.cells) == 3
    assert newest(drawn.big) == []
    assert drawn.big.stop == 2 * UNIT + 4
    assert {kind: grid.stop for kind, grid in drawn.derived.items()} == {"eye": UNIT + 4, "small": 4, "roach": 4}
    assert shown("BPP").big.stop is None


def test_the_hatch_stays_within_the_window() -> None:
    for letters in ("B" * 60 + "?P", "BP" * 30 + "?P"):
        big = shown(letters, PORTRAIT).big
        assert big.stop is not None
        assert 0 < big.hidden * UNIT < big.stop < (big.hidden + PORTRAIT.big) * UNIT


def test_pairs_lie_on_the_cells_of_their_rounds_and_a_ties_pair_on_the_bead_alone() -> None:
    rounds = [
        dealt(1, outcome="banker", banker_pair=True, player_pair=False),
        dealt(2, outcome="tie", player_pair=True, banker_pair=True),
        dealt(3, outcome="player", player_pair=True, banker_pair=False),
        dealt(4, outcome="player"),
    ]
    board = scoreboard(rounds)
    drawn = grids(Shoe(board.rounds, board.roads, board.gaps, live=True), LANDSCAPE)
    assert [(c.player_pair, c.banker_pair) for c in drawn.bead.cells] == [
        (False, True),
        (True, True),
        (True, False),
        (False, False),
    ]
    assert [(c.player_pair, c.banker_pair) for c in drawn.big.cells] == [(False, True), (True, False), (False, False)]


def test_naturals_are_marked_on_the_bead_plate_the_losers_and_a_ties_too() -> None:
    rounds = [
        dealt(1, ["9H", "KD"], ["8C", "TS"]),
        dealt(2, ["4H", "4D"], ["3C", "5S"]),
        dealt(3, ["2H", "3D", "4C"], ["KS", "7C"]),
    ]
    board = scoreboard(rounds)
    drawn = grids(Shoe(board.rounds, board.roads, board.gaps, live=True), LANDSCAPE)
    assert [cell.natural for cell in drawn.bead.cells] == [True, True, False]


def test_the_lobby_draws_no_derived_roads() -> None:
    assert shown("BBPP", LOBBY).derived == {}


def test_a_round_that_was_voided_is_on_no_road() -> None:
    rounds = keyed_rounds("BPB")
    rounds[1] = type(rounds[1])(round_no=2, revision=1, voided=True)
    board = scoreboard(rounds)
    drawn = grids(Shoe(board.rounds, board.roads, board.gaps, live=True), LANDSCAPE)
    assert "".join(cell.mark for cell in drawn.bead.cells) == "BB"
    assert [at(cell) for cell in drawn.big.cells] == [(0, 0), (1, 0)]
