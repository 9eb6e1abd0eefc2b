"""A small floor for the integration tests: records to publish, and what must come of them.

What must come of them is computed here from the published events alone, naively and apart from the processors: a
plain dictionary of the latest versions, the pure game for payouts and roads.
"""

import json
import random
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from baccarat.paytables import load
from baccarat.roads import draw
from baccarat.rounds import Facts, judge, letter
from baccarat.settlement import Settler
from baccarat.shoe import Shoe

ROUNDS, BETS = "baccarat.rounds.v1", "baccarat.bets.v1"
BET_NAMES = ("player", "banker", "tie", "player_pair", "banker_pair")


class Sent(NamedTuple):
    """One record to publish."""

    topic: str
    key: bytes
    value: bytes


class Slip(NamedTuple):
    """A slip as the settler reads it."""

    slip_id: str
    bettor: str
    bet: str
    stake: int
    placed_at: str


@dataclass
class Floor:
    """Records of a floor in publishing order, and the last version of every round that they have."""

    records: list[Sent] = field(default_factory=list)
    rounds: dict[tuple[str, int, int], dict[str, Any]] = field(default_factory=dict)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)

    def publish(self, topic: str, event: dict[str, Any]) -> None:
        self.records.append(Sent(topic, event["table_id"].encode(), json.dumps(event).encode()))
        if event["type"].startswith("round_"):
            key = (event["table_id"], event["shoe_no"], event["round_no"])
            if event["revision"] >= self.rounds.get(key, event)["revision"]:
                self.rounds[key] = event
        elif event["type"] == "bets_placed":
            self.batches[event["batch_id"]] = event

    def facts(self, key: tuple[str, int, int]) -> Facts | None:
        event = self.rounds[key]
        if event["type"] == "round_voided":
            return None
        return judge(player=event["player"], banker=event["banker"])

    def letters(self, table_id: str, shoe_no: int) -> str:
        keys = sorted(key for key in self.rounds if key[:2] == (table_id, shoe_no))
        results = [self.facts(key) for key in keys]
        return "".join(letter(facts.outcome) for facts in results if facts is not None)

    def board(self, table_id: str, shoe_no: int) -> Any:
        return draw(self.letters(table_id, shoe_no))

    def worth(self, batch_id: str) -> dict[str, int]:
        """Payout per slip of the batch at the last version of its round."""
        batch = self.batches[batch_id]
        key = (batch["table_id"], batch["shoe_no"], batch["round_no"])
        event, facts = self.rounds[key], self.facts(key)
        voided = facts is None
        settler = Settler(
            facts,
            None if voided else load(event["paytable"]),
            betting_closed_at=event.get("betting_closed_at"),
            free_hand=event.get("free_hand", False),
        )
        slips = [Slip(**slip) for slip in batch["slips"]]
        return {slip.slip_id: ruling.payout for slip, ruling in zip(slips, settler.rule(slips), strict=True)}

    def money(self, table_id: str) -> dict[str, list[int]]:
        """Per bet: slips, stake and paid over all shoes, refused and voided slips left out (plain rules, by hand)."""
        sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        for batch_id, batch in self.batches.items():
            if batch["table_id"] != table_id:
                continue
            if self.facts((table_id, batch["shoe_no"], batch["round_no"])) is None:
                continue
            worth, sides = self.worth(batch_id), dict[str, str]()
            for slip in batch["slips"]:
                sided = slip["bet"] in ("player", "banker")
                if sided and sides.setdefault(slip["bettor"], slip["bet"]) != slip["bet"]:
                    continue
                row = sums[slip["bet"]]
                row[0] += 1
                row[1] += slip["stake"]
                row[2] += worth[slip["slip_id"]]
        return dict(sums)


def _time(minute: int, second: int) -> str:
    return f"2026-11-30T{18 + minute // 60:02}:{minute % 60:02}:{second:02}.000Z"


def deal(seed: int, *, tables: int, shoes: int, rounds: int, slips: int, corrections: float = 0.1) -> Floor:
    """Deal shoes with bets, and now and then a correction or a void of an earlier round of the shoe."""
    chance, floor = random.Random(seed), Floor()
    names = [f"T{number:02}" for number in range(1, tables + 1)]
    for table_id in names:
        at = _time(0, 0)
        floor.publish(
            ROUNDS,
            {"type": "table_opened", "table_id": table_id, "occurred_at": at, "config_no": 1, "names": {"en": table_id},
             "currency": "EUR"},
        )  # fmt: skip
    for shoe_no in range(1, shoes + 1):
        dealt = {table_id: Shoe(8, chance) for table_id in names}
        for table_id in names:
            event = {"type": "shoe_started", "table_id": table_id, "occurred_at": _time(0, 1), "shoe_no": shoe_no}
            floor.publish(ROUNDS, {**event, "decks": 8})
        for round_no in range(1, rounds + 1):
            for table_id in names:
                _play(floor, chance, dealt[table_id], (table_id, shoe_no, round_no), slips)
                if chance.random() < corrections:
                    _amend(floor, chance, table_id, shoe_no, round_no)
        for table_id in names:
            event = {"type": "shoe_ended", "table_id": table_id, "occurred_at": _time(59, 59), "shoe_no": shoe_no}
            floor.publish(ROUNDS, {**event, "rounds": rounds})
    return floor


def _play(floor: Floor, chance: random.Random, shoe: Shoe, key: tuple[str, int, int], slips: int) -> None:
    table_id, shoe_no, round_no = key
    numbers = {"table_id": table_id, "shoe_no": shoe_no, "round_no": round_no}
    floor.publish(ROUNDS, {"type": "betting_opened", "occurred_at": _time(round_no, 0), **numbers})
    batch_id = f"{table_id}-{shoe_no}-{round_no}"
    batch = {
        "type": "bets_placed", "occurred_at": _time(round_no, 20), **numbers, "batch_id": batch_id, "currency": "EUR",
        "slips": [
            {"slip_id": f"{batch_id}-{n}", "bettor": f"seat-{chance.randrange(9)}", "bet": chance.choice(BET_NAMES),
             "stake": chance.randrange(1, 100_000), "placed_at": _time(round_no, 10)}
            for n in range(slips)
        ],
    }  # fmt: skip
    if chance.random() < 0.5:
        floor.publish(BETS, batch)
    player, banker = shoe.deal_round()
    dealt = {"type": "round_dealt", "occurred_at": _time(round_no, 40), **numbers, "revision": 0}
    floor.publish(
        ROUNDS, {**dealt, "player": [*map(str, player)], "banker": [*map(str, banker)], "paytable": "classic@1"}
    )
    if batch_id not in floor.batches:
        floor.publish(BETS, batch)


def _amend(floor: Floor, chance: random.Random, table_id: str, shoe_no: int, round_no: int) -> None:
    number = chance.randrange(1, round_no + 1)
    before = floor.rounds[table_id, shoe_no, number]
    event = {
        "table_id": table_id, "shoe_no": shoe_no, "round_no": number, "occurred_at": _time(round_no, 50),
        "revision": before["revision"] + 1, "reason": "misread", "operator": "pit-1",
    }  # fmt: skip
    if chance.random() < 0.3:
        floor.publish(ROUNDS, {"type": "round_voided", **event})
        return
    player, banker = Shoe(8, chance).deal_round()
    cards = {"player": [*map(str, player)], "banker": [*map(str, banker)], "paytable": "classic@1"}
    floor.publish(ROUNDS, {"type": "round_corrected", **event, **cards})
