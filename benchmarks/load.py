"""Records to work on: shoes of many tables, each round with its phases, its batches of slips and its result."""

import datetime as dt
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from baccarat.paytables import load
from baccarat.shoe import Hand, Shoe
from contract.bets import BetsPlaced, Slip
from contract.codec import encode
from contract.partitions import partition_of
from contract.rounds import BettingClosed, BettingOpened, Event, RoundDealt, ShoeEnded, ShoeStarted
from contract.scalars import render_instant
from contract.topics import BETS, PARTITIONS, ROUNDS, Topic
from processors.effects import Record

SHOE_ROUNDS: Final = 80
"""Rounds of a shoe, as many as eight decks usually give."""
BETS_OF_A_FLOOR: Final = ("player", "banker", "banker", "player", "banker", "tie", "player_pair", "banker_pair")
_SEATS: Final = 1000


class Sent(NamedTuple):
    """One record to publish."""

    topic: str
    key: bytes
    value: bytes


@dataclass(frozen=True, kw_only=True)
class Load:
    """How much of what: about ``batches`` in all, ``per_round`` of them a round, ``slips`` in each."""

    tables: int
    per_round: int
    slips: int
    batches: int
    paytable: str = "classic@1"

    @property
    def bets(self) -> tuple[str, ...]:
        """What is bet on: the usual floor of five bets, or of any other pay table each of its bets."""
        return BETS_OF_A_FLOOR if self.paytable == "classic@1" else tuple(load(self.paytable).pays)

    @property
    def rounds(self) -> int:
        """Rounds that each table deals."""
        return max(1, self.batches // (self.per_round * self.tables))

    @property
    def total_batches(self) -> int:
        """Batches that there really are: whole rounds at every table."""
        return self.rounds * self.tables * self.per_round

    @property
    def total_slips(self) -> int:
        """Slips of all batches."""
        return self.total_batches * self.slips

    def records(self, seed: int = 1) -> Iterator[Sent]:
        """Every record in the order of publishing; tables take turns, half of a round's batches come after it."""
        chance, begin = random.Random(seed), dt.datetime.now(dt.UTC)
        names = [f"T{number:03}" for number in range(1, self.tables + 1)]
        cards = hands(chance)
        for index in range(self.rounds):
            shoe_no, round_no = 1 + index // SHOE_ROUNDS, 1 + index % SHOE_ROUNDS
            for name in names:
                deal = Deal(begin, name, shoe_no, round_no)
                if round_no == 1:
                    yield from map(sent, deal.new_shoe())
                batches = [sent(deal.batch(chance, number, self.slips, self.bets)) for number in range(self.per_round)]
                yield sent(deal.betting_opened())
                yield from batches[: self.per_round // 2]
                yield sent(deal.betting_closed())
                yield sent(deal.dealt(next(cards), self.paytable))
                yield from batches[self.per_round // 2 :]


class Deal:
    """The events of one round; the times follow from ``begin``, which stands near the append time."""

    def __init__(self, begin: dt.datetime, table_id: str, shoe_no: int, round_no: int) -> None:
        self.table_id, self.shoe_no, self.round_no = table_id, shoe_no, round_no
        start = begin + dt.timedelta(milliseconds=500 * round_no)
        moments = (render_instant(_plain(start, 100 * step)) for step in range(4))
        self._opened, self._placed, self._closed, self._dealt = moments

    def new_shoe(self) -> list[Event]:
        """The end of the shoe before, where there is one, and the beginning of this one."""
        table_id, at, shoe_no = self.table_id, self._opened, self.shoe_no
        ended = ShoeEnded(table_id=table_id, occurred_at=at, shoe_no=max(1, shoe_no - 1), rounds=SHOE_ROUNDS)
        started = ShoeStarted(table_id=table_id, occurred_at=at, shoe_no=shoe_no, decks=8)
        return [started] if shoe_no == 1 else [ended, started]

    def betting_opened(self) -> BettingOpened:
        """The round's first phase."""
        return BettingOpened(
            table_id=self.table_id, occurred_at=self._opened, shoe_no=self.shoe_no, round_no=self.round_no
        )

    def betting_closed(self) -> BettingClosed:
        """The round's second phase."""
        return BettingClosed(
            table_id=self.table_id, occurred_at=self._closed, shoe_no=self.shoe_no, round_no=self.round_no
        )

    def dealt(self, cards: tuple[Hand, Hand], paytable: str = "classic@1") -> RoundDealt:
        """The result."""
        player, banker = cards
        return RoundDealt(
            table_id=self.table_id,
            occurred_at=self._dealt,
            shoe_no=self.shoe_no,
            round_no=self.round_no,
            revision=0,
            player=player,
            banker=banker,
            paytable=paytable,
            betting_closed_at=self._closed,
        )

    def batch(
        self, chance: random.Random, number: int, slips: int, offered: Sequence[str] = BETS_OF_A_FLOOR
    ) -> BetsPlaced:
        """One batch of so many slips, each of another bettor."""
        batch_id = f"{self.table_id}-{self.shoe_no}-{self.round_no}-{number}"
        first = chance.randrange(_SEATS)
        return BetsPlaced(
            table_id=self.table_id,
            occurred_at=self._placed,
            shoe_no=self.shoe_no,
            round_no=self.round_no,
            batch_id=batch_id,
            currency="EUR",
            slips=tuple(
                Slip(
                    slip_id=f"{batch_id}-{index}",
                    bettor=f"seat-{(first + index) % _SEATS}",
                    bet=offered[(first + index // 3) % len(offered)],
                    stake=100 + (first * 37 + index * 101) % 50_000,
                    placed_at=self._placed,
                )
                for index in range(slips)
            ),
        )


def hands(chance: random.Random) -> Iterator[tuple[Hand, Hand]]:
    """Hands from one shoe after the other, for ever."""
    while True:
        shoe = Shoe(8, chance)
        while not shoe.finished:
            yield shoe.deal_round()


def sent(event: Event) -> Sent:
    """The event as a record of its topic."""
    topic: Topic = BETS if isinstance(event, BetsPlaced) else ROUNDS
    return Sent(topic.name, event.table_id.encode(), encode(event))


class Log:
    """Turns records into what a processor would read of them, on new topics."""

    def __init__(self) -> None:
        self._offsets = Counter[tuple[str, int]]()

    def read(self, records: Iterable[Sent]) -> Iterator[Record]:
        """The records with their partitions and offsets, appended now."""
        at = round(time.time() * 1000)
        for record in records:
            partition = partition_of(record.key, PARTITIONS)
            offset = self._offsets[record.topic, partition]
            self._offsets[record.topic, partition] += 1
            yield Record(record.topic, partition, offset, at, record.key, record.value)


def _plain(start: dt.datetime, milliseconds: int) -> dt.datetime:
    moment = start + dt.timedelta(milliseconds=milliseconds)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
