"""A floor whose sources are careless with numbers and order, where the hostile floor is careless with bytes.

Settings overtake one another, shoes are skipped by force, rounds and phases are shuffled within their shoe, facts are
said twice with other contents or another time, ids of batches are used again shoes later, pay tables are unknown, and
old records come again at any time.
"""

import json
import random
from collections.abc import Iterator
from typing import Any

from contract.partitions import partition_of
from contract.topics import PARTITIONS
from tests.faults.floor import BETS, ROUNDS, Event, Sent

OTHER = {"paytable": "classic-8@1", "decks": 5, "currency": "GBP", "rounds": 9}
"""What the other content of a conflict says."""
Said = tuple[str, Event]


def deal(seed: int) -> list[Sent]:
    """Three tables side by side."""
    chance = random.Random(seed)
    logs = [_Table(chance, table_id).records() for table_id in ("X1", "X2", "X3")]
    placed = [(chance.random(), n) for n, log in enumerate(logs) for _ in log]
    turns = [n for _, n in sorted(placed)]
    streams = [iter(log) for log in logs]
    return [next(streams[turn]) for turn in turns]


def _at(second: int) -> str:
    return f"2026-11-30T18:{second // 60 % 60:02}:{second % 60:02}.000Z"


class _Table:
    def __init__(self, chance: random.Random, table_id: str) -> None:
        self._chance, self._table_id = chance, table_id

    def records(self) -> list[Sent]:
        said = list(self._settings())
        far = self._chance.random() < 0.5
        for shoe_no in (1, 2, 3, 60, 61) if far else range(1, 6):
            said += self._careless(list(self._shoe(shoe_no)))
        for _ in range(12):  # old ones, at any time
            said.insert(self._chance.randrange(len(said)), self._chance.choice(said))
        key = self._table_id.encode()
        return [Sent(topic, partition_of(key, PARTITIONS), key, json.dumps(event).encode()) for topic, event in said]

    def _event(self, kind: str, second: int, **fields: Any) -> Event:
        return {"type": kind, "table_id": self._table_id, "occurred_at": _at(second), **fields}

    def _settings(self) -> Iterator[Said]:
        for number in self._chance.sample(range(1, 16, 2), 5):
            fields = {"names": {"en": "x"}, "currency": "EUR", "road_rows": self._chance.choice((6, 7))}
            yield ROUNDS, self._event("table_opened", number, config_no=number, **fields)
        if self._chance.random() < 0.5:
            yield ROUNDS, self._event("table_closed", 1, config_no=self._chance.randrange(2, 17, 2))

    def _shoe(self, shoe_no: int) -> Iterator[Said]:
        if shoe_no == 60 or self._chance.random() < 0.8:
            decks = self._chance.choice((6, 8))
            yield ROUNDS, self._event("shoe_started", 0, shoe_no=shoe_no, decks=decks, force=shoe_no == 60)
        for round_no in range(1, self._chance.randrange(3, 8)):
            if self._chance.random() < 0.8:
                yield from self._round(shoe_no, round_no)
        if self._chance.random() < 0.2:
            numbers = {"shoe_no": shoe_no, "round_no": 30}
            yield ROUNDS, self._event("round_dealt", 30, **numbers, **self._result(), revision=0) | {"paytable": "no@1"}
            yield BETS, self._batch(numbers, f"{shoe_no}-30")
        if self._chance.random() < 0.5:
            yield ROUNDS, self._event("shoe_ended", 59, shoe_no=shoe_no, rounds=5)

    def _round(self, shoe_no: int, round_no: int) -> Iterator[Said]:
        numbers = {"shoe_no": shoe_no, "round_no": round_no}
        yield ROUNDS, self._event("betting_opened", round_no, **numbers)
        yield ROUNDS, self._event("round_dealt", round_no, **numbers, **self._result(), revision=0)
        for revision in range(1, self._chance.randrange(1, 4)):
            why = {"revision": revision, "reason": "misread", "operator": "amy"}
            if self._chance.random() < 0.3:
                yield ROUNDS, self._event("round_voided", round_no, **numbers, **why)
            else:
                yield ROUNDS, self._event("round_corrected", round_no, **numbers, **why, **self._result())
        for number in range(self._chance.randrange(3)):
            again = self._chance.random() < 0.1
            batch_id = f"again-{self._chance.randrange(4)}" if again else f"{shoe_no}-{round_no}-{number}"
            yield BETS, self._batch(numbers, batch_id)

    def _result(self) -> Event:
        closed = {"betting_closed_at": _at(self._chance.choice((0, 50))), "free_hand": self._chance.random() < 0.1}
        if self._chance.random() < 0.2:
            return {"outcome": self._chance.choice(("player", "banker", "tie")), "paytable": "classic@1", **closed}
        hands = {"player": ["7H", "9H"], "banker": ["8H", "4H", "KC"]}
        return {**hands, "paytable": "classic@1", **closed}

    def _batch(self, numbers: dict[str, int], batch_id: str) -> Event:
        bets = (("a", "1", "player", 101), ("b", "1", "banker", 101), ("c", "2", "player_pair", 7))
        slips = [
            {"slip_id": slip_id, "bettor": bettor, "bet": bet, "stake": stake, "placed_at": _at(numbers["round_no"])}
            for slip_id, bettor, bet, stake in bets
        ]
        currency = self._chance.choice(("EUR", "USD"))
        return self._event("bets_placed", 3, **numbers, batch_id=batch_id, currency=currency, slips=slips)

    def _careless(self, said: list[Said]) -> list[Said]:
        """The same out of order, with repeats at another time and with other contents."""
        for _ in range(6 if said else 0):
            one, other = self._chance.randrange(len(said)), self._chance.randrange(len(said))
            said[one], said[other] = said[other], said[one]
        for _ in range(5 if said else 0):
            topic, event = self._chance.choice(said)
            event = {**event, "occurred_at": _at(self._chance.randrange(100))}
            if self._chance.random() < 0.3:
                event |= {name: value for name, value in OTHER.items() if name in event}
            said.insert(self._chance.randrange(len(said)), (topic, event))
        return said
