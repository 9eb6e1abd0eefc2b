"""What a table's page shows of its scoreboard."""

from typing import Any

import pytest

from contract.codec import decode
from contract.rounds import Limit
from contract.scoreboards import Round
from contract.topics import SCOREBOARDS
from dashboards.options import View
from dashboards.renderer import Renderer
from dashboards.views.boards import LimitRange, good_road
from dashboards.views.lobby import head_line, tile
from dashboards.views.table import TableView, table_view
from dashboards.words import ENGLISH
from tests.dashboards.tables import NOON_MS, board_shoe, dealt, example, keyed_rounds, scoreboard


def view(rounds: list[Round], **changes: Any) -> TableView:
    return table_view(scoreboard(rounds, **changes), NOON_MS, View(), 180)


def test_the_designed_board_counts_as_the_design_does() -> None:
    rounds, told = board_shoe()
    shown = view(rounds)
    assert {counter.key: counter.number for counter in shown.counters} == told["counters"]
    assert dict(shown.ask) == {side: tuple(marks) for side, marks in told["ask"].items()}
    assert shown.good == "Banker streak · 7"
    assert shown.counted == "58 rounds"


def test_the_contracts_example_shows_its_last_round_that_stands() -> None:
    shown = table_view(decode(SCOREBOARDS, example("scoreboard")), NOON_MS, View(), 180)
    assert shown.name == "Baccarat 07"
    assert (shown.shoe_no, shown.round_no, shown.version) == (412, 8, 36)
    assert shown.last is not None
    assert shown.last.round_no == 8
    assert (shown.last.result.outcome, shown.last.result.player_total, shown.last.result.banker_total) == (
        "P",
        "7",
        "5",
    )
    assert [row.round_no for row in shown.recent] == [8, 7, 5, 4, 3, 2, 1]
    assert shown.recent[-2].result is not None
    assert shown.recent[-2].result.banker_total == "7"  # as corrected
    assert shown.spoken == "Round 8: Player wins. Player 7, Banker 5."


def test_no_rounds_are_zeros_and_dashes() -> None:
    shown = view([], shoe_no=413, status="shuffling")
    assert [(counter.number, counter.width) for counter in shown.counters] == [(0, "0.0")] * 6
    assert shown.last is None
    assert shown.good == ""
    assert shown.recent == []
    assert shown.spoken == "New shoe, no rounds yet"


def test_the_last_twenty_rounds_are_listed_newest_first_with_the_gaps_among_them() -> None:
    shown = view(keyed_rounds("B" * 10 + "?" + "P" * 19))
    assert [row.round_no for row in shown.recent] == list(range(30, 10, -1))
    assert shown.recent[-1].result is None
    assert len(view(keyed_rounds("B" * 19 + "?" + "P" * 21)).recent) == 20


def test_a_gap_is_told_and_the_count_says_how_many_are_missing() -> None:
    one = view(keyed_rounds("BP?B")).gap
    assert one is not None
    assert (one.title, one.text, one.waiting) == (
        "Round 3 is missing",
        "Roads stop after round 2 until it arrives.",
        "waiting for round 3",
    )
    many = view(keyed_rounds("B?P?B?P?B"))
    assert many.gap is not None
    assert many.gap.title == "Rounds 2, 4, 6 … are missing"
    assert many.counted == "5 rounds · 4 missing"
    assert all(mark == "" for _, marks in many.ask for mark in marks)


def test_a_keypads_round_shows_what_was_keyed_and_dashes() -> None:
    shown = view([dealt(1, outcome="banker", banker_natural=True)])
    assert shown.last is not None
    result = shown.last.result
    assert (result.player_total, result.banker_total, result.player) == ("–", "–", ())
    assert (result.natural, result.natural_total) == (True, "")


def test_a_cards_suit_may_be_missing() -> None:
    shown = view([dealt(1, ["4", "5S"], ["T", "3C"])])
    assert shown.last is not None
    assert [(c.rank, c.suit, c.red, c.sign) for c in shown.last.result.banker] == [
        ("10", "", False, ""),
        ("3", "club", False, "♣\ufe0e"),
    ]


def test_a_table_without_names_is_shown_by_its_id() -> None:
    assert view([], names={}).name == "B07"
    assert view([], names={"en": ""}).name == "B07"
    assert view([], names={"ru": "Баккара"}).name == "Баккара"


def test_a_long_name_is_marked_as_long() -> None:
    assert not view([], names={"en": "x" * 24}).long_name
    assert view([], names={"en": "x" * 25}).long_name


def test_bets_of_equal_limits_share_a_label_and_others_do_not() -> None:
    equal = Limit(min=50000, max=5000000)
    shown = view([], limits={"player": equal, "banker": equal, "tie": Limit(min=100, max=250)}).limits
    assert shown == [LimitRange("Banker / Player", "500", "50,000"), LimitRange("Tie", "1", "2.50")]
    different = view([], limits={"player": equal, "banker": Limit(min=1, max=2)}, currency="JPY").limits
    assert different == [LimitRange("Banker", "1", "2"), LimitRange("Player", "50,000", "5,000,000")]
    assert view([], limits={"player": equal}).limits == [LimitRange("Player", "500", "50,000")]


def test_the_highlight_is_of_a_round_and_a_revision() -> None:
    rounds = keyed_rounds("BP")
    corrected = [rounds[0], Round(round_no=2, revision=1, voided=False, outcome="player")]
    assert view(rounds).newest == "412/2/0"
    assert view(corrected).newest == "412/2/1"


def test_beads_carry_the_winners_points_where_they_are_shown() -> None:
    rounds, told = board_shoe()
    points = [str(player if letter == "P" else banker) for *_, player, banker, letter in told["rounds"]]
    shown = table_view(scoreboard(rounds), NOON_MS, View(points=True), 180)
    assert [cell.points for cell in shown.grids.bead.cells] == points[-len(shown.grids.bead.cells) :]
    assert {cell.points for cell in view(rounds).grids.bead.cells} == {""}


def test_a_finished_shoe_has_no_newest_cell_and_announces_nothing() -> None:
    shown = view(keyed_rounds("BBBBB"), status="shuffling")
    assert shown.grids.big.newest is None
    assert shown.good == ""


def test_ties_break_no_streak_and_an_unknown_road_has_no_words() -> None:
    board = scoreboard(keyed_rounds("BBTBB"))
    assert good_road(board.good_roads, ENGLISH) == "Banker streak · 4"
    assert good_road((), ENGLISH) == ""


def test_the_lobby_says_how_many_tables_are_open_and_where() -> None:
    boards = [scoreboard(table_id=f"T{n}", status=status) for n, status in enumerate(("betting", "closed", "unknown"))]
    assert head_line(boards, View()) == "<bdi>Main floor · Pit 3</bdi> · 1 of 3 open"
    elsewhere = scoreboard(table_id="T9", place="Salon", status="shuffling")
    assert head_line([*boards, elsewhere], View()) == "2 of 4 open"
    assert head_line([], View()) == "0 of 0 open"


def test_a_tile_announces_a_good_road_only_while_the_table_is_open() -> None:
    rounds = keyed_rounds("PPPPP")
    assert tile(scoreboard(rounds), NOON_MS, View(), 180).good == "Player streak · 5"
    assert tile(scoreboard(rounds, status="closed"), NOON_MS, View(), 180).good == ""


@pytest.mark.parametrize("text", ["x" * 10_000, "\u202e" * 10_000, "<b>" * 3_334, "百" * 10_000])
def test_a_name_of_ten_thousand_characters_is_shown_as_it_is(text: str) -> None:
    shown = view(keyed_rounds("BP"), names={"en": text}, place=text)
    assert (shown.name, shown.place, shown.long_name) == (text, text, True)
    frame = Renderer().table_frame(shown, View())
    assert "<b><b>" not in frame
    assert len(frame) < 5 * len(text) * 2 + 40_000
