"""The counters of a shoe."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.rounds import Facts, Outcome, judge
from baccarat.tallies import Counts, tally

DATA = Path(__file__).parents[1] / "data"
OUTCOMES: dict[str, Outcome] = {"P": "player", "B": "banker", "T": "tie"}
SHOES = [json.loads(line) for line in (DATA / "recorded_shoes.jsonl").read_text().splitlines()]


def facts_of(row: dict[str, Any]) -> Facts | None:
    if row["voided"]:
        return None
    return judge(player=row["player"], banker=row["banker"])


@pytest.mark.parametrize("name", ["scoreboard", "shoe_record"])
def test_the_counts_of_published_events(name: str) -> None:
    event = json.loads((DATA / "examples" / f"{name}.json").read_text())
    counts = tally((facts for row in event["rounds"] if (facts := facts_of(row))), missing=len(event["gaps"]))
    assert msgspec.to_builtins(counts) == event["counts"]
    assert msgspec.convert(event["counts"], Counts) == counts


@pytest.mark.parametrize("shoe", SHOES, ids=lambda shoe: shoe["table_id"])
def test_the_counts_of_recorded_shoes(shoe: dict[str, Any]) -> None:
    rounds = [
        Facts(
            outcome=OUTCOMES[result],
            player_pair=number in shoe["player_pairs"],
            banker_pair=number in shoe["banker_pairs"],
        )
        for number, result in enumerate(shoe["outcomes"], 1)
    ]
    counts = tally(rounds, missing=0)
    assert (counts.banker, counts.player, counts.tie) == tuple(shoe["outcomes"].count(letter) for letter in "BPT")
    assert (counts.player_pair, counts.banker_pair) == (len(shoe["player_pairs"]), len(shoe["banker_pairs"]))
    assert counts.rounds == len(shoe["outcomes"])


def test_a_round_with_two_naturals_counts_once() -> None:
    both = judge(player=["8H", "KD"], banker=["9C", "QS"])
    assert tally([both, both], missing=0).natural == 2


def test_what_nobody_keyed_counts_as_not_seen() -> None:
    counts = tally([Facts(outcome="tie"), Facts(outcome="tie", player_natural=True)], missing=3)
    assert counts == Counts(rounds=2, missing=3, banker=0, player=0, tie=2, banker_pair=0, player_pair=0, natural=1)


def test_an_empty_shoe_counts_nothing() -> None:
    assert set(msgspec.to_builtins(tally([], missing=0)).values()) == {0}
