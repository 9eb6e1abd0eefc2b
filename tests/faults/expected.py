"""What must come of a floor, computed from its good records alone: naively, and apart from processors and auditor.

Plain dictionaries of the latest versions; of Beadplate nothing but the pure game, for payouts and roads.
"""

import functools
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from baccarat.paytables import load
from baccarat.roads import draw
from baccarat.rounds import Facts, judge, letter
from baccarat.settlement import Settler
from tests.faults.floor import Event, Sent

Key = tuple[str, int, int]
_decode = msgspec.json.Decoder().decode
_KEYED = ("player", "banker", "outcome", "player_total", "banker_total", "player_pair", "banker_pair")


class Slip(NamedTuple):
    """A slip as the settler reads it."""

    slip_id: str
    bettor: str
    bet: str
    stake: int
    placed_at: str


class Worth(NamedTuple):
    """What a slip is worth: how it ended, and what is handed back."""

    slip_id: str
    result: str
    payout: int


@dataclass
class Expected:
    """The floor as its sources have told it so far."""

    rounds: dict[Key, Event] = field(default_factory=dict)
    revisions: dict[Key, set[int]] = field(default_factory=lambda: defaultdict(set))
    batches: dict[str, bytes] = field(default_factory=dict)
    places: dict[str, Key] = field(default_factory=dict)
    shoes: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    ended: set[tuple[str, int]] = field(default_factory=set)
    rubbish: dict[Sent, str] = field(default_factory=dict)

    def take(self, record: Sent) -> None:
        """Take in a record that was published."""
        if record.code is not None:
            self.rubbish[record._replace(code=None)] = record.code
            return
        assert record.value is not None
        event = _decode(record.value)
        table_id, shoe_no = event["table_id"], event.get("shoe_no")
        if event["type"] == "bets_placed":
            self.batches[event["batch_id"]] = record.value
            self.places[event["batch_id"]] = (table_id, shoe_no, event["round_no"])
            return
        shoes = self.shoes[table_id]
        if shoe_no is not None:
            shoes.add(shoe_no)
        if event["type"] == "shoe_ended":
            self.ended.add((table_id, shoe_no))
        if "revision" in event:
            key = (table_id, shoe_no, event["round_no"])
            self.revisions[key].add(event["revision"])
            if event["revision"] >= self.rounds.get(key, event)["revision"]:
                self.rounds[key] = event

    def letters(self, table_id: str, shoe_no: int) -> str:
        """The shoe's results, a question mark where a round is missing."""
        held = {key[2]: facts_of(event) for key, event in self.rounds.items() if key[:2] == (table_id, shoe_no)}
        last = max((number for number, facts in held.items() if facts is not None), default=0)
        marks = []
        for number in range(1, last + 1):
            facts = held.get(number)
            if facts is not None:
                marks.append(letter(facts.outcome))
            elif number not in held:
                marks.append("?")
        return "".join(marks)

    def big_road(self, table_id: str, shoe_no: int) -> list[list[Any]]:
        """The cells of the shoe's big road as a scoreboard has them."""
        return [list(cell) for cell in draw(self.letters(table_id, shoe_no)).big_road]

    def over(self) -> set[tuple[str, int]]:
        """The shoes that must have a record: those that were ended, or that a later one has followed."""
        return self.ended | {
            (table_id, shoe) for table_id, shoes in self.shoes.items() for shoe in shoes if shoe < max(shoes)
        }

    def worth(self, batch_id: str) -> list[Worth] | None:
        """What each slip of the batch is worth at the last version of its round; None: the round has not come."""
        event = self.rounds.get(self.places[batch_id])
        if event is None:
            return None
        slips = [Slip(**slip) for slip in _decode(self.batches[batch_id])["slips"]]
        rulings = _settler_of(event).rule(slips)
        return [Worth(slip.slip_id, rule.result, rule.payout) for slip, rule in zip(slips, rulings, strict=True)]

    def money(self) -> dict[str, dict[str, Counter[str]]]:
        """Per table and bet: slips, stake and paid over all shoes, those that were not in the game left out."""
        sums: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        for batch_id, place in self.places.items():
            for worth, slip in zip(self.worth(batch_id) or (), _decode(self.batches[batch_id])["slips"], strict=False):
                if worth.result in ("won", "lost", "pushed"):
                    sums[place[0]][slip["bet"]].update(slips=1, stake=slip["stake"], paid=worth.payout)
        return sums


def facts_of(event: Event) -> Facts | None:
    """The facts of a round's version; None where it is voided."""
    if event["type"] == "round_voided":
        return None
    return judge(**{name: event[name] for name in _KEYED if name in event})


def _settler_of(event: Event) -> Settler:
    facts = facts_of(event)
    return Settler(
        facts,
        None if facts is None else _paytable(event["paytable"]),
        betting_closed_at=event.get("betting_closed_at"),
        free_hand=event.get("free_hand", False),
    )


_paytable = functools.cache(load)
