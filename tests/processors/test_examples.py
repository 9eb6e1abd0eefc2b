"""The examples of the contract, through the folds: what goes in gives exactly what comes out."""

from typing import Any

import pytest

from processors.scoreboards import Scoreboards
from processors.settlements import Settlements
from processors.statistics import Statistics
from tests.processors.reading import PARTITIONS, Reader, example

SHOE = {"table_id": "B07", "shoe_no": 412}


def published() -> list[dict[str, Any]]:
    """The source events that the example scoreboard was made of, rebuilt from the versions that it shows."""
    events = [example("table_opened"), example("shoe_started")]
    for shown in example("scoreboard")["rounds"]:
        for version in shown.get("versions", [shown]):
            numbers = {"round_no": shown["round_no"], "revision": version["revision"]}
            if version.get("voided"):
                events.append(example("round_voided", **numbers))
                continue
            name = "round_corrected" if version["revision"] else "round_dealt"
            hands = {side: version[side] for side in ("player", "banker")}
            events.append(example(name, **numbers, **hands))
    return events


def test_the_scoreboard_of_the_examples() -> None:
    reader = Reader(Scoreboards(PARTITIONS))
    reader.take(*published())
    expected = example("scoreboard", limits=example("table_opened")["limits"])
    assert _without_times(reader.board) == _without_times(expected)
    assert reader.codes == []


def test_the_shoe_record_of_the_examples() -> None:
    reader = Reader(Scoreboards(PARTITIONS))
    reader.take(*published(), example("shoe_ended"))
    assert _without_times(reader.last("baccarat.shoes.v1")) == _without_times(example("shoe_record"))
    assert reader.board["status"] == "shuffling"


def _without_times(event: dict[str, Any]) -> dict[str, Any]:
    """Without the version, whose value means nothing, and the times that the example does not tell of every round."""
    plain = {field: value for field, value in event.items() if field not in ("version", "occurred_at", "rounds")}
    rounds = [
        {
            **shown,
            "versions": [
                {field: value for field, value in version.items() if field not in ("occurred_at", "betting_closed_at")}
                for version in shown.get("versions", [])
            ],
        }
        for shown in event["rounds"]
    ]
    return {**plain, "rounds": rounds}


@pytest.mark.parametrize("order", [("bets_placed", "round_dealt"), ("round_dealt", "bets_placed")])
def test_the_settlements_of_the_examples_whichever_comes_first(order: tuple[str, str]) -> None:
    reader = Reader(Settlements(PARTITIONS))
    reader.take(*map(example, order))
    assert reader.last("baccarat.settlements.v1") == example("bets_settled")
    reader.take(example("round_corrected"))
    assert reader.last("baccarat.settlements.v1") == example("bets_settled_corrected")
    voided = example("bets_settled_voided")
    reader.take(example("round_voided", round_no=2, revision=2, occurred_at=voided["occurred_at"]))
    assert reader.last("baccarat.settlements.v1") == voided


def test_the_statistics_of_the_examples() -> None:
    reader = Reader(Statistics(PARTITIONS))
    reader.take(*published(), example("bets_settled"), example("bets_settled_corrected"))
    told = reader.last("baccarat.statistics.v1")
    assert _only_as(told["scopes"], example("bet_statistics")["scopes"]) == example("bet_statistics")["scopes"]
    assert told["shoe_no"] == 412


def test_the_shoe_statistics_of_the_examples() -> None:
    reader = Reader(Statistics(PARTITIONS))
    dealt = [event | {"occurred_at": f"2026-11-30T18:{1 + n // 60:02d}:{n % 60:02d}.000Z"} for n, event in _timed()]
    reader.take(*dealt, example("bets_settled"), example("bets_settled_corrected"), example("shoe_ended"))
    assert reader.last("baccarat.shoe-statistics.v1") == example("shoe_statistics")
    told = reader.last("baccarat.statistics.v1")
    assert told["scopes"]["shoe"] == told["scopes"]["lifetime"] == example("shoe_statistics")["bets"]
    assert (told["gaming_day"], told["pace"]["shoe"]) == ("2026-11-30", example("shoe_statistics")["pace"])


def _timed() -> list[tuple[int, dict[str, Any]]]:
    """The source events of the examples, each round and what corrects it 100 s after the one before, from 18:01:10."""
    return [(max(0, 10 + 100 * (event.get("round_no", 0) - 1)), event) for event in published()]


def _only_as(told: Any, form: Any) -> Any:
    """What was told, without fields that the example, made before there were such, does not have."""
    if not isinstance(form, dict):
        return told
    return {name: _only_as(told[name], form[name]) for name in form if name in told} | {
        name: value for name, value in told.items() if name not in form and isinstance(value, dict)
    }


def test_a_repeat_gives_the_same_bytes_again() -> None:
    for fold, events in (
        (Scoreboards(PARTITIONS), published()),
        (Settlements(PARTITIONS), [example("round_dealt"), example("bets_placed")]),
        (Statistics(PARTITIONS), [example("round_dealt"), example("bets_settled")]),
    ):
        reader = Reader(fold)
        first = reader.take(*events)
        again = reader.take(events[-1])
        assert [out for out in again.outs if out.topic.name != "baccarat.alerts.v1"] == first.outs
