"""Feeding a fold by hand: events in, decoded outputs out."""

import json
from pathlib import Path
from typing import Any

from contract.partitions import partition_of
from processors.effects import Drop, Effects, Fold, Record

EXAMPLES = Path(__file__).parents[1] / "data" / "examples"
PARTITIONS = 12
APPENDED_MS = 1_796_061_600_000  # 2026-11-30T18:00:00Z
ROUNDS = "baccarat.rounds.v1"
TOPICS = {"bets_placed": "baccarat.bets.v1", "bets_settled": "baccarat.settlements.v1"}


def example(name: str, **changes: Any) -> dict[str, Any]:
    """An event of the examples, with other fields where they are given; None takes a field away."""
    event = {**json.loads((EXAMPLES / f"{name}.json").read_text()), **changes}
    return {field: value for field, value in event.items() if value is not None}


class Reader:
    """Gives a fold records one after the other, each topic with offsets of its own."""

    def __init__(self, fold: Fold) -> None:
        self.fold, self.offsets = fold, dict[str, int]()
        self.at_ms = APPENDED_MS
        self.rows: dict[bytes, bytes] = {}
        self.outs: list[tuple[str, Any]] = []
        self.letters: list[dict[str, str]] = []
        self.alerts: list[dict[str, Any]] = []
        """Notices of what is amiss."""
        self.good_roads: list[dict[str, Any]] = []
        """Notices of good roads."""

    def take(self, *events: dict[str, Any] | bytes, topic: str = "", key: str = "", partition: int = -1) -> Effects:
        """Read the events; the effects of the last one."""
        effects = Effects()
        for event in events:
            effects = self._take(event, topic, key, partition)
        return effects

    def _take(self, event: dict[str, Any] | bytes, topic: str, key: str, partition: int) -> Effects:
        said = event if isinstance(event, dict) else {}
        name = topic or TOPICS.get(said.get("type", ""), ROUNDS)
        where = (key or said.get("table_id", "B07")).encode()
        offset = self.offsets.get(name, 0)
        self.offsets[name] = offset + 1
        value = event if isinstance(event, bytes) else json.dumps(event).encode()
        number = partition if partition >= 0 else partition_of(where, PARTITIONS)
        effects = self.fold.step(Record(name, number, offset, self.at_ms, where, value))
        self._keep(effects)
        return effects

    def restart(self, back: int = 0) -> None:
        """The fold's life ends and begins anew from its rows; the last ``back`` records of ``rounds`` come again."""
        self.fold.restore(list(self.rows.items()))
        self.offsets[ROUNDS] = self.offsets.get(ROUNDS, 0) - back

    def forget(self, shoe_no: int, table_id: str = "B07") -> None:
        """Grant that the fold forgets a shoe."""
        self._keep(self.fold.forget(Drop(table_id, shoe_no, 0, ())))

    def told(self, kind: str) -> list[tuple[str, str, int | None]]:
        """The notices of a kind: state, subject and value."""
        told = [*self.alerts, *self.good_roads]
        return [(a["state"], a["subject"], a.get("value")) for a in told if a["kind"] == kind]

    def _keep(self, effects: Effects) -> None:
        for key, value in effects.rows:
            if value is None:
                self.rows.pop(key, None)
            else:
                self.rows[key] = value
        for out in effects.outs:
            if out.topic.name == "baccarat.dead-letters.v1":
                self.letters.append({name: value.decode() for name, value in out.headers or ()})
            elif out.topic.name == "baccarat.alerts.v1":
                told = json.loads(out.value or b"")
                (self.good_roads if told["kind"] == "good_road" else self.alerts).append(told)
            else:
                self.outs.append((out.topic.name, json.loads(out.value or b"")))

    def last(self, topic: str) -> Any:
        """The last output on a topic."""
        return [event for name, event in self.outs if name == topic][-1]

    @property
    def board(self) -> Any:
        """The last scoreboard."""
        return self.last("baccarat.scoreboards.v1")

    @property
    def codes(self) -> list[str]:
        """Codes of the dead letters."""
        return [letter["code"] for letter in self.letters]
