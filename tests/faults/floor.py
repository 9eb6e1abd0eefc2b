"""A floor on which everything goes wrong that can: what its sources publish, in the order in which they do.

Of the rounds 2 % are corrected and 1 % voided, of the records 5 % come late, 5 % come twice and 1 % are rubbish. A
floor is made by its seed alone. What must come of it is known elsewhere (``expected.py``) from the records alone.
"""

import itertools
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from baccarat.rounds import judge
from baccarat.shoe import Shoe
from contract.partitions import partition_of
from contract.topics import PARTITIONS

ROUNDS, BETS = "baccarat.rounds.v1", "baccarat.bets.v1"
BET_NAMES = ("player", "banker", "tie", "player_pair", "banker_pair")
CORRECTED, VOIDED, LATE, TWICE, RUBBISH = 0.02, 0.01, 0.05, 0.05, 0.01
FARTHEST = 12
"""Records of its table that a late one may come behind."""

Event = dict[str, Any]


class Sent(NamedTuple):
    """One record to publish; ``code`` is that of the dead letter which it must become, None for a good one."""

    topic: str
    partition: int
    key: bytes | None
    value: bytes | None
    code: str | None = None


def sent(event: Event, topic: str | None = None) -> Sent:
    """A good record."""
    key = event["table_id"].encode()
    where = topic or (BETS if event["type"] == "bets_placed" else ROUNDS)
    return Sent(where, partition_of(key, PARTITIONS), key, json.dumps(event).encode())


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How large a floor is; ``rounds`` are those of a shoe at most.

    ``batches`` are the sizes among which a round's batches are drawn, in slips.
    """

    seed: int
    tables: int
    shoes: int
    rounds: int
    batches: Sequence[int]
    prefix: str = "C"


def deal(plan: Plan) -> list[Sent]:
    """All records of the floor; its tables run side by side."""
    placed = []
    for number in range(1, plan.tables + 1):
        table_id = f"{plan.prefix}{number:02}"
        records = _Table(random.Random(f"{plan.seed}/{table_id}"), table_id, plan).records()
        placed += [((place + number / 1000) / len(records), record) for place, record in enumerate(records)]
    placed.sort(key=lambda each: each[0])
    return [record for _, record in placed]


def slices(records: Sequence[Sent], count: int) -> list[Sequence[Sent]]:
    """The records in this many parts, one after the other."""
    cuts = [len(records) * number // count for number in range(count + 1)]
    return [records[begin:end] for begin, end in itertools.pairwise(cuts)]


@dataclass
class _Table:
    """What one table publishes. Places are those of a record among the table's own, before some come late."""

    chance: random.Random
    table_id: str
    plan: Plan
    placed: list[tuple[float, Sent]] = field(default_factory=list)
    place: float = 0.0
    latest: dict[tuple[int, int], Event] = field(default_factory=dict)

    def records(self) -> list[Sent]:
        self._publish(self._event("table_opened", config_no=1, names={"en": self.table_id}, currency="EUR"), late=False)
        for shoe_no in range(1, self.plan.shoes + 1):
            self._shoe(shoe_no)
        self.placed.sort(key=lambda each: each[0])
        return [record for _, record in self.placed]

    def _happens(self, share: float) -> bool:
        return self.chance.random() < share

    def _event(self, kind: str, **fields: Any) -> Event:
        second = round(self.place)
        at = f"2026-11-30T{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}.000Z"
        return {"type": kind, "table_id": self.table_id, "occurred_at": at, **fields}

    def _publish(self, event: Event, *, late: bool = True) -> float:
        """Publish at the next place, or late, and now and then a second time; the place where it first came."""
        self.place += 1
        first = self.place + (self.chance.uniform(1, FARTHEST) if late and self._happens(LATE) else 0)
        self.placed.append((first, sent(event)))
        if self._happens(TWICE):
            again = {**event, "occurred_at": event["occurred_at"].replace(".000Z", ".500Z")}
            self.placed.append((first + self.chance.uniform(0.1, 2 * FARTHEST), sent(again)))
        return first

    def _shoe(self, shoe_no: int) -> None:
        started = 0.0
        decks = 8
        if not self._happens(0.05):  # else it begins with its first round
            decks = self.chance.choice((6, 8))
            started = self._publish(self._event("shoe_started", shoe_no=shoe_no, decks=decks))
        shoe = Shoe(decks, self.chance)
        for round_no in range(1, self.plan.rounds + 1):
            if shoe.finished:
                break
            self._round(shoe, shoe_no, round_no)
            self._amend(shoe_no, round_no)
        if not self._happens(0.05):
            self._publish(self._event("shoe_ended", shoe_no=shoe_no, rounds=self.plan.rounds))
        if started and self._happens(0.2):
            other = self._event("shoe_started", shoe_no=shoe_no, decks=5)
            self._rubbish(sent(other), "conflict", started + self.chance.uniform(0.1, 5))

    def _round(self, shoe: Shoe, shoe_no: int, round_no: int) -> None:
        numbers = {"shoe_no": shoe_no, "round_no": round_no}
        self._publish(self._event("betting_opened", **numbers))
        batches = [self._batch(numbers, n) for n in range(1 + self._happens(0.2))]
        early = [batch for batch in batches if self._happens(0.6)]
        placed = [(batch, self._publish(batch)) for batch in early]
        dealt = self._event("round_dealt", **numbers, revision=0, **self._played(shoe))
        if self._happens(0.003):  # the round never comes; it is voided when that is noticed
            dealt = self._event("round_voided", **numbers, revision=1, reason="not dealt", operator="pit-1")
        self.latest[shoe_no, round_no] = dealt
        place = self._publish(dealt)
        placed += [(batch, self._publish(batch)) for batch in batches if batch not in early]
        if self._happens(4 * RUBBISH):
            self._spoil(dealt, place, *self.chance.choice(placed))

    def _played(self, shoe: Shoe) -> Event:
        """A result: mostly cards, some without suits, some only what a keypad tells."""
        player, banker = ([str(card) for card in hand] for hand in shoe.deal_round())
        result: Event = {"player": player, "banker": banker}
        if self._happens(0.1):
            result = {"player": [card[0] for card in player], "banker": [card[0] for card in banker]}
        elif self._happens(0.1):
            facts = judge(player=player, banker=banker)
            result = {"outcome": facts.outcome, "player_total": facts.player_total, "banker_total": facts.banker_total}
            if self._happens(0.5):
                result["player_pair"] = facts.player_pair
        result["paytable"] = self.chance.choice(("classic@1", "classic@1", "classic-8@1"))
        if self._happens(0.7):
            result["betting_closed_at"] = self._event("")["occurred_at"]
        if self._happens(0.02):
            result["free_hand"] = True
        return result

    def _batch(self, numbers: dict[str, int], number: int) -> Event:
        batch_id = f"{self.table_id}-{numbers['shoe_no']}-{numbers['round_no']}-{number}"
        event = self._event("bets_placed", **numbers, batch_id=batch_id, currency="EUR")
        late = event["occurred_at"].replace("2026-11-30", "2026-12-02")
        bets = [*BET_NAMES, "no_such_bet"]
        weights = [*(20 for _ in BET_NAMES), 1]
        slips = [
            {
                "slip_id": f"{batch_id}-{n}",
                "bettor": f"seat-{self.chance.randrange(40)}",
                "bet": self.chance.choices(bets, weights)[0],
                "stake": self.chance.randrange(1, 100_000),
                "placed_at": late if self._happens(0.02) else "2026-11-29T18:00:00.000Z",
            }
            for n in range(self.chance.choice(self.plan.batches))
        ]
        return {**event, "slips": slips}

    def _amend(self, shoe_no: int, round_no: int) -> None:
        """Correct or void a round of this shoe, or of the one before while it can still be done."""
        for share, kind in ((CORRECTED, "round_corrected"), (VOIDED, "round_voided")):
            if not self._happens(share):
                continue
            shoe = shoe_no - 1 if shoe_no > 1 and round_no <= self.plan.rounds // 4 and self._happens(0.5) else shoe_no
            known = [key for key in self.latest if key[0] == shoe]
            often = [key for key in known if self.latest[key]["revision"]]
            key = self.chance.choice(often if often and self._happens(0.3) else known)
            event = self._event(
                kind, shoe_no=shoe, round_no=key[1], revision=self.latest[key]["revision"] + 1,
                reason="misread", operator="pit-1",
            )  # fmt: skip
            if kind == "round_corrected":
                event |= self._played(Shoe(8, self.chance))
            self.latest[key] = event
            self._publish(event)

    def _rubbish(self, record: Sent, code: str, place: float) -> None:
        self.placed.append((place, record._replace(code=code)))

    def _spoil(self, dealt: Event, dealt_at: float, batch: Event, batch_at: float) -> None:
        """Publish one kind of rubbish that is made of a round or of its batch."""
        after = max(dealt_at, batch_at) + self.chance.uniform(0.1, 5)
        kinds = [*_of_a_round(dealt), *_of_a_batch(batch)]
        record, code = self.chance.choice(kinds)
        self._rubbish(record, code, after)


def _of_a_round(dealt: Event) -> Iterator[tuple[Sent, str]]:
    """Everything that can be wrong with a record of ``rounds``, with the code that says so."""
    good, shoe_no = sent(dealt), dealt["shoe_no"]
    for value in (b"\xff\xfe", b"", None, b"[1]", b'{"type": "round_dealt"', b"NaN"):
        yield good._replace(value=value), "undecodable"
    yield sent({**dealt, "round_no": 0}), "invalid"
    yield sent({**dealt, "occurred_at": "yesterday"}), "invalid"
    yield sent({**dealt, "revision": "one"}), "invalid"
    yield good._replace(key=None), "wrong_key"
    yield good._replace(key=b"elsewhere"), "wrong_key"
    yield good._replace(partition=(good.partition + 1) % PARTITIONS), "wrong_partition"
    if dealt["type"] == "round_dealt":
        bare = {name: dealt[name] for name in ("type", "table_id", "occurred_at", "round_no", "revision", "paytable")}
        bare["shoe_no"] = shoe_no
        yield sent({**bare, "player": ["6H", "KD", "2C"], "banker": ["5C", "KS"]}), "impossible_round"
        yield sent({**bare, "player": ["9H", "KD"], "banker": ["5C", "KS"], "outcome": "tie"}), "impossible_round"
        yield sent({**dealt, "paytable": "other@1"}), "conflict"
    yield sent({**dealt, "shoe_no": shoe_no + 40}), "shoe_jump"
    if shoe_no > 2:
        yield sent({**dealt, "shoe_no": shoe_no - 2}), "too_old"


def _of_a_batch(batch: Event) -> Iterator[tuple[Sent, str]]:
    """Everything that can be wrong with a record of ``bets``, with the code that says so."""
    good, slips = sent(batch), batch["slips"]
    for value in (b"\xfe", b"", None, b'"a text"', b'{"type": "bets_placed", "slips": ['):
        yield good._replace(value=value), "undecodable"
    yield sent({**batch, "slips": []}), "invalid"
    yield sent({**batch, "slips": [slips[0], slips[0]]}), "invalid"
    yield sent({**batch, "slips": [{**slips[0], "stake": 0}]}), "invalid"
    yield sent({**batch, "currency": "euro"}), "invalid"
    yield good._replace(key=None), "wrong_key"
    yield good._replace(key=b"elsewhere"), "wrong_key"
    yield good._replace(partition=(good.partition + 5) % PARTITIONS), "wrong_partition"
    yield sent({**batch, "slips": [{**slips[0], "stake": 7_777_777}]}), "conflict"
    yield sent({**batch, "batch_id": "far", "shoe_no": batch["shoe_no"] + 60}), "shoe_jump"
    if batch["shoe_no"] > 2:
        yield sent({**batch, "batch_id": "old", "shoe_no": batch["shoe_no"] - 2}), "too_old"
