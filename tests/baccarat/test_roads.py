"""The roads against all vectors, the laws that every shoe obeys, and the faults found in other implementations."""

import itertools
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.roads import BadRounds, Roads, Tail, draw
from baccarat.roads.bead_plate import bead_plate
from baccarat.roads.layout import lay_out

DATA = Path(__file__).parents[1] / "data"
VECTORS = json.loads((DATA / "roads.json").read_text())["vectors"]
DERIVED = ("big_eye_boy", "small_road", "cockroach_road")
# States the picture, in which the first cell carries the leading ties; the file's conventions count them apart.
DRAWN = {"je-ttb"}
# Feeds list the cells of a grid by column, then row.
SORTED_BY_PLACE = "feed-"

TAILS: list[Tail] = ["stay", "drop"]
SHOES = st.text("BBPPT", max_size=90)
# Long streaks, so that tails form, cross and meet.
STREAKY = st.lists(st.tuples(st.sampled_from("BPT"), st.integers(1, 14)), max_size=14).map(
    lambda runs: "".join(side * length for side, length in runs)
)
ANY_SHOE = SHOES | STREAKY


def as_json(roads: Roads) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(roads))
    return plain


def by_place(cells: list[list[Any]]) -> list[list[Any]]:
    return sorted(cells, key=lambda cell: (cell[1], cell[0]))


def lengths(rounds: str) -> list[int]:
    return [len(list(run)) for _, run in itertools.groupby(rounds.replace("T", ""))]


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["id"] not in DRAWN], ids=lambda vector: vector["id"])
def test_vector(vector: dict[str, Any]) -> None:
    drawn = as_json(draw(vector["rounds"], vector["rows"], vector["tail"]))
    for road, expected in vector["expected"].items():
        got = drawn[road]
        if vector["id"].startswith(SORTED_BY_PLACE) and isinstance(expected, list):
            got, expected = by_place(got), by_place(expected)  # noqa: PLW2901 - the same road in another order
        if isinstance(expected, dict):
            got = {key: got[key] for key in expected}  # a vector may state the marks alone
        assert got == expected, road


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["id"] in DRAWN], ids=lambda vector: vector["id"])
def test_vector_of_a_drawn_road_shows_the_leading_ties_on_its_first_cell(vector: dict[str, Any]) -> None:
    drawn = as_json(draw(vector["rounds"], vector["rows"], vector["tail"]))
    drawn["big_road"][0][3] += drawn["leading_ties"]
    assert drawn["big_road"] == vector["expected"]["big_road"]


@pytest.mark.parametrize("name", ["scoreboard", "shoe_record"])
def test_the_roads_of_published_events(name: str) -> None:
    published = json.loads((DATA / "examples" / f"{name}.json").read_text())["roads"]
    assert as_json(draw(published["rounds"], published["rows"], published["tail"])) == published


@pytest.mark.parametrize("name", ["scoreboard", "shoe_record"])
def test_roads_are_read_back_as_they_were_written(name: str) -> None:
    published = json.loads((DATA / "examples" / f"{name}.json").read_text())["roads"]
    roads = msgspec.convert(published, Roads)
    assert roads == draw(published["rounds"])
    assert msgspec.json.decode(msgspec.json.encode(roads), type=Roads) == roads


# The laws.


@given(ANY_SHOE, st.integers(1, 8), st.sampled_from(TAILS))
def test_ties_never_change_a_derived_road_nor_what_is_asked(rounds: str, rows: int, tail: Tail) -> None:
    with_ties, without = draw(rounds, rows, tail), draw(rounds.replace("T", ""), rows, tail)
    assert [getattr(with_ties, road) for road in (*DERIVED, "ask")] == [
        getattr(without, road) for road in (*DERIVED, "ask")
    ]


@given(ANY_SHOE, st.integers(1, 8), st.sampled_from(TAILS))
def test_the_cells_of_a_grid_are_unique(rounds: str, rows: int, tail: Tail) -> None:
    roads = draw(rounds, rows, tail)
    for cells in (roads.bead_plate, roads.big_road, *(getattr(roads, road).cells for road in DERIVED)):
        places = [cell[:2] for cell in cells]
        assert len(set(places)) == len(places)
        assert all(0 <= row < rows and column >= 0 for row, column in places)


@given(ANY_SHOE)
def test_every_result_has_its_cell_and_every_tie_is_counted_once(rounds: str) -> None:
    roads = draw(rounds)
    assert "".join(cell[2] for cell in roads.big_road) == rounds.replace("T", "")
    assert sum(cell[3] for cell in roads.big_road) + roads.leading_ties == rounds.count("T")
    assert "".join(cell[2] for cell in roads.bead_plate) == rounds


@given(ANY_SHOE)
def test_each_result_marks_every_road_that_has_begun(rounds: str) -> None:
    roads, h = draw(rounds), lengths(rounds)
    for back, road in enumerate(DERIVED, 1):
        begun = len(h) > back + 1 or (len(h) == back + 1 and h[back] > 1)
        expected = sum(h) - sum(h[:back]) - 1 if begun else 0
        assert len(getattr(roads, road).marks) == len(getattr(roads, road).cells) == expected


@given(ANY_SHOE, st.sampled_from("BPT"), st.sampled_from(TAILS))
def test_one_more_round_only_adds_to_the_roads(rounds: str, following: str, tail: Tail) -> None:
    before, after = draw(rounds, tail=tail), draw(rounds + following, tail=tail)
    places = [[cell[:3] for cell in roads.big_road] for roads in (before, after)]
    assert places[1][: len(places[0])] == places[0]
    for road in DERIVED:
        old, new = getattr(before, road), getattr(after, road)
        assert new.marks.startswith(old.marks)
        assert new.cells[: len(old.cells)] == old.cells


@given(ANY_SHOE.filter(lambda rounds: rounds.strip("T") != ""), st.sampled_from("BP"))
def test_the_next_result_marks_what_was_asked(rounds: str, following: str) -> None:
    before, after = draw(rounds), draw(rounds + following)
    for road in DERIVED:
        asked = getattr(getattr(before.ask, following), road)
        marks = getattr(after, road).marks[len(getattr(before, road).marks) :]
        assert marks == (asked or "")


@given(ANY_SHOE)
def test_asks_are_both_unknown_or_opposite(rounds: str) -> None:
    roads = draw(rounds)
    for road in DERIVED:
        assert {getattr(roads.ask.B, road), getattr(roads.ask.P, road)} in ({None}, {"R", "B"})


@given(ANY_SHOE, st.text("BPT?", max_size=20), st.sampled_from(TAILS))
def test_behind_the_first_gap_only_the_bead_plate_goes_on(rounds: str, rest: str, tail: Tail) -> None:
    gapped, known = draw(f"{rounds}?{rest}", tail=tail), draw(rounds, tail=tail)
    for part in ("big_road", "leading_ties", *DERIVED):
        assert getattr(gapped, part) == getattr(known, part)
    assert "".join(cell[2] for cell in gapped.bead_plate) == f"{rounds}?{rest}"
    asks = as_json(gapped)["ask"]
    assert {mark for side in asks.values() for mark in side.values()} == {None}


@given(ANY_SHOE)
def test_marks_follow_the_rule_of_each_cell(rounds: str) -> None:
    """The rule as the manuals say it, one result at a time, beside the code's one streak at a time."""
    h = lengths(rounds)
    for k, road in enumerate(DERIVED, 1):
        expected = ""
        for n, depth in enumerate(h):
            for m in range(1, depth + 1):
                if m >= 2 and n >= k:
                    expected += "B" if m == h[n - k] + 1 else "R"
                elif m == 1 and n >= k + 1:
                    expected += "R" if h[n - 1] == h[n - 1 - k] else "B"
        assert getattr(draw(rounds), road).marks == expected


# Faults found in other implementations.


def test_the_first_column_is_compared_with() -> None:
    assert draw("BPP").big_eye_boy.marks == "B"


def test_a_streak_that_is_longer_still_is_red_again() -> None:
    assert draw("BPPP").big_eye_boy.marks == "BR"


def test_derived_roads_compare_streaks_not_the_cells_as_displayed() -> None:
    # eight and eight results lie in a column of six and one of six with tails; on the grid the second would be shorter
    assert draw("B" * 8 + "P" * 8 + "B").big_eye_boy.marks == "R" * 7 + "R"
    assert draw("B" * 8 + "P" * 9 + "B").big_eye_boy.marks == "R" * 7 + "B" + "B"


@pytest.mark.parametrize("rounds", ["T", "TTT", "TB", "TTP"])
def test_leading_ties_are_counted_apart(rounds: str) -> None:
    roads = draw(rounds)
    assert roads.leading_ties == rounds.count("T")
    assert all(cell[3] == 0 for cell in roads.big_road)


def test_a_tie_is_no_column() -> None:
    assert [cell[:3] for cell in draw("BTBTP").big_road] == [(0, 0, "B"), (1, 0, "B"), (0, 1, "P")]


def test_a_tie_inside_a_tail_is_counted_on_the_latest_cell() -> None:
    assert draw("BBBBBBBTBTT").big_road[-2:] == ((5, 1, "B", 1), (5, 2, "B", 2))


def test_a_streak_never_walks_through_an_older_tail_of_its_own_colour() -> None:
    roads = draw("P" * 9 + "B" + "P" * 6)
    assert roads.big_road[-2:] == ((4, 2, "P", 0), (4, 3, "P", 0))


def test_the_next_streak_starts_beside_the_first_cell_not_behind_the_tail() -> None:
    assert draw("B" * 10 + "P").big_road[-1] == (0, 1, "P", 0)


def test_the_next_streak_takes_the_first_free_cell_of_the_top_row() -> None:
    assert draw("BBBP", rows=1).big_road == ((0, 0, "B", 0), (0, 1, "B", 0), (0, 2, "B", 0), (0, 3, "P", 0))


def test_a_new_shoe_has_nothing_of_the_one_before() -> None:
    draw("BBPPTB")
    roads = draw("")
    assert (roads.bead_plate, roads.big_road, roads.leading_ties, roads.big_eye_boy.cells) == ((), (), 0, ())


def test_a_full_column_of_beads_begins_the_next() -> None:
    assert [cell[:2] for cell in draw("BBBBBBB").bead_plate][-2:] == [(5, 0), (0, 1)]
    assert [cell[:2] for cell in bead_plate("BPT", 2)] == [(0, 0), (1, 0), (0, 1)]


def test_policies_differ_once_a_streak_has_turned() -> None:
    # three streaks on three rows: the third turns early above the second's tail and, with drop, goes down behind it
    assert lay_out([1, 4, 5], 3, "stay") == [
        (0, 0),
        (0, 1),
        (1, 1),
        (2, 1),
        (2, 2),
        (0, 2),
        (1, 2),
        (1, 3),
        (1, 4),
        (1, 5),
    ]
    assert lay_out([1, 4, 5], 3, "drop") == [
        (0, 0),
        (0, 1),
        (1, 1),
        (2, 1),
        (2, 2),
        (0, 2),
        (1, 2),
        (1, 3),
        (2, 3),
        (2, 4),
    ]


# Bad input.


@pytest.mark.parametrize(
    ("rounds", "letter"),
    [
        ("BPX", "'X', letter 3,"),
        ("BPb", "'b', letter 3,"),
        ("B P", "' ', letter 2,"),
        ("BP\n", r"'\\n', letter 3,"),
        ("莊", "'莊', letter 1,"),
    ],
)
def test_another_letter_is_refused_and_quoted(rounds: str, letter: str) -> None:
    with pytest.raises(BadRounds, match=letter):
        draw(rounds)


def test_a_grid_has_a_row_and_a_known_tail() -> None:
    with pytest.raises(ValueError, match="at least one row"):
        draw("B", rows=0)
    with pytest.raises(ValueError, match="'up' is no tail"):
        draw("B", tail="up")  # type: ignore[arg-type]
