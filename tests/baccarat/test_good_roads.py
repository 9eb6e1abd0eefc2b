"""Good roads: each pattern by its definition, from which length, and what ends it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.roads.good import GoodRoad, Thresholds, good_roads


def running(rounds: str, thresholds: Thresholds | None = None) -> dict[tuple[str, str | None], tuple[int, int]]:
    found = good_roads(enumerate(rounds, 1), thresholds or Thresholds())
    return {(road.kind, road.side): (road.length, road.from_round) for road in found}


@pytest.mark.parametrize(
    ("rounds", "road"),
    [
        ("PBBBB", GoodRoad("streak", "banker", 4, 2)),
        ("BPPPPP", GoodRoad("streak", "player", 5, 2)),
        ("BTBBTBT", GoodRoad("streak", "banker", 4, 1)),
        ("BBPBPB", GoodRoad("ping_pong", None, 4, 3)),
        ("PTBTPTBT", GoodRoad("ping_pong", None, 4, 1)),
        ("PBBPPBBPP", GoodRoad("double_jump", None, 4, 2)),
        ("PPPBBPPBBPP", GoodRoad("double_jump", None, 4, 4)),
        ("BBBPBBPBB", GoodRoad("one_two", None, 2, 4)),
        ("PPBPPBPPBPP", GoodRoad("one_two", None, 3, 3)),
        ("BPPPBPPBPP", GoodRoad("chop_after", "banker", 3, 1)),
        ("BBPBBPBBBPBB", GoodRoad("chop_after", "player", 3, 3)),
    ],
)
def test_a_pattern_is_announced_from_its_usual_length(rounds: str, road: GoodRoad) -> None:
    assert road in good_roads(enumerate(rounds, 1))


@pytest.mark.parametrize(
    ("rounds", "kind"),
    [
        ("PBBB", "streak"),
        ("BBPBP", "ping_pong"),
        ("PPPBBPPBB", "double_jump"),
        ("BBPBB", "one_two"),
        ("PPPBPPBPPP", "chop_after"),
    ],
)
def test_one_less_is_no_good_road(rounds: str, kind: str) -> None:
    assert kind not in {road.kind for road in good_roads(enumerate(rounds, 1))}


@pytest.mark.parametrize(
    ("rounds", "ending", "kind"),
    [
        ("BBBB", "P", "streak"),
        ("BPBP", "P", "ping_pong"),
        ("BBPPBBPP", "P", "double_jump"),
        ("BBPPBBPPB", "P", "double_jump"),
        ("BPPBPP", "P", "one_two"),
        ("BPPBPPB", "B", "one_two"),
        ("BPPBPPBP", "B", "one_two"),
        ("BPPPBPPBPPB", "B", "chop_after"),
    ],
)
def test_the_result_that_breaks_a_pattern_ends_it(rounds: str, ending: str, kind: str) -> None:
    thresholds = Thresholds(chop_after=3)
    assert kind in {road.kind for road in good_roads(enumerate(rounds, 1), thresholds)}
    assert kind not in {road.kind for road in good_roads(enumerate(rounds + ending, 1), thresholds)}


def test_a_column_that_may_still_grow_into_the_pattern_does_not_break_it() -> None:
    lengths = [running("BBPPBBPPBBPP"[:rounds]).get(("double_jump", None)) for rounds in range(7, 13)]
    assert lengths == [None, (4, 1), (4, 1), (5, 1), (5, 1), (6, 1)]
    lengths = [running("BPPBPPBPP"[:rounds]).get(("one_two", None)) for rounds in range(5, 10)]
    assert lengths == [None, (2, 1), (2, 1), (2, 1), (3, 1)]


def test_rounds_are_named_by_their_numbers_not_their_places() -> None:
    assert good_roads([(3, "P"), (5, "B"), (6, "B"), (9, "B"), (10, "B")]) == (GoodRoad("streak", "banker", 4, 5),)


@pytest.mark.parametrize("rounds", ["", "T", "TTTT", "BBBBB?", "?BBBBB", "BB?BBBB"])
def test_no_result_and_no_gap_makes_a_good_road(rounds: str) -> None:
    assert good_roads(enumerate(rounds, 1)) == ()


def test_thresholds_are_settings() -> None:
    assert running("BB", Thresholds(streak=2)) == {("streak", "banker"): (2, 1)}
    assert running("BBBBB", Thresholds(streak=6)) == {}


@given(st.text("BP", max_size=40), st.lists(st.integers(0, 3), min_size=40, max_size=40))
def test_ties_never_break_or_make_a_pattern(rounds: str, ties: list[int]) -> None:
    numbered = list(enumerate(rounds, 1))
    tied = [pair for number, bead in numbered for pair in [(number, bead), *[(number, "T")] * ties[number - 1]]]
    assert good_roads(tied) == good_roads(numbered)


@given(st.text("BP", min_size=1, max_size=60))
def test_patterns_are_what_their_definitions_say_of_the_columns(rounds: str) -> None:
    columns: list[list[int]] = []
    for number, bead in enumerate(rounds, 1):
        if columns and rounds[columns[-1][0] - 1] == bead:
            columns[-1].append(number)
        else:
            columns.append([number])
    h = [len(column) for column in columns]
    everything = Thresholds(streak=1, ping_pong=1, double_jump=1, one_two=1, chop_after=1)
    for (kind, side), (length, from_round) in running(rounds, everything).items():
        first = next(index for index, column in enumerate(columns) if column[0] == from_round)
        match kind:
            case "streak":
                assert (first, h[-1]) == (len(h) - 1, length)
            case "ping_pong":
                assert h[first:] == [1] * length
            case "double_jump":
                assert h[first : first + length] == [2] * length
                assert h[first + length :] in ([], [1])
            case "one_two":
                assert h[first : first + 2 * length] == [1, 2] * length
                assert h[first + 2 * length :] in ([], [1], [1, 1])
            case _:
                ended = [index for index in range(first, len(h) - 1) if (index - first) % 2 == 0]
                assert [h[index] for index in ended] == [1] * length
                assert rounds[from_round - 1] == ("B" if side == "banker" else "P")
