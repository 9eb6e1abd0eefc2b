"""Growing roads are the drawn ones: after every round, every correction, every void and every gap that is filled."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.roads import BadRounds, Tail, draw
from baccarat.roads.growing import GrowingRoads

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "roads.json").read_text())["vectors"]
TAILS: tuple[Tail, Tail] = ("stay", "drop")
STREAKS = st.lists(st.tuples(st.sampled_from("BPT?"), st.integers(1, 14)), max_size=10).map(
    lambda runs: "".join(letter * length for letter, length in runs)
)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_after_each_round_of_a_vector_the_roads_are_the_drawn_ones(vector: dict[str, object]) -> None:
    rounds, rows, tail = str(vector["rounds"]), int(str(vector["rows"])), TAILS[vector["tail"] == "drop"]
    growing = GrowingRoads(rows, tail)
    for end in range(len(rounds) + 1):
        assert growing.draw(rounds[:end]) == draw(rounds[:end], rows, tail)


@given(st.lists(st.text("BPT?", max_size=40) | STREAKS, max_size=6), st.integers(1, 8), st.sampled_from(TAILS))
def test_whatever_shoe_follows_on_another_it_is_drawn_as_by_itself(shoes: list[str], rows: int, tail: Tail) -> None:
    growing = GrowingRoads(rows, tail)
    for rounds in shoes:
        assert growing.draw(rounds) == draw(rounds, rows, tail)


@given(STREAKS, st.data())
def test_a_corrected_a_voided_and_a_filled_round_are_drawn_anew(rounds: str, data: st.DataObject) -> None:
    growing = GrowingRoads()
    growing.draw(rounds)
    place = data.draw(st.integers(0, len(rounds)))
    for change in ("", "B", "P", "T", "?"):
        changed = rounds[:place] + change + rounds[place + 1 :]
        assert growing.draw(changed) == draw(changed)
        assert growing.draw(rounds) == draw(rounds)


def test_what_cannot_be_drawn_is_refused_and_forgotten() -> None:
    growing = GrowingRoads()
    growing.draw("BP")
    with pytest.raises(BadRounds, match="letter 3"):
        growing.draw("BPX")
    assert growing.draw("BPP") == draw("BPP")
    with pytest.raises(ValueError, match="at least one row"):
        GrowingRoads(0)
