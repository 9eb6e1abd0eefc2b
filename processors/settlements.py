"""The settlements fold: rounds and bets in; for each batch its settlement at each revision of its round out.

Bets and results have no order between them: a batch is settled when both it and its round are there, and again at
every later version of the round. It reports the faults of ``bets`` records, and rounds with an unknown pay table.
"""

import struct
from dataclasses import dataclass, field
from typing import Final

from baccarat.paytables import UnknownPaytable, load
from baccarat.settlement import Settler
from contract.bets import BetsPlaced
from contract.codec import decode, encode
from contract.partitions import partition_of
from contract.rounds import BettingClosed, BettingOpened, Played, RoundsEvent, RoundVersion
from contract.topics import BETS, PROCESSORS, ROUNDS, SETTLEMENTS
from processors.alarms import place_of
from processors.effects import Drop, Effects, Out, Record, Row
from processors.intake import Intake, dead_letter
from processors.ledger import Ledger, Taken
from processors.settlement_notices import SettlementNotices, late, limits
from processors.settling import Paytables, settle, settler_of
from processors.shoes import Round, Shoe, Table
from processors.terms import Terms
from processors.verdicts import FORCE_ABOVE, Refusal, age, equal

_OFFSET: Final = struct.Struct(">q")
"""A batch's row is the offset of its record and the record's own bytes."""


@dataclass(slots=True)
class Batch:
    """A batch as it is held: its row's bytes, decoded only while it waits for its round."""

    row: bytes
    waiting: BetsPlaced | None

    @property
    def value(self) -> bytes:
        """The record's own bytes."""
        return self.row[_OFFSET.size :]

    @property
    def offset(self) -> int:
        """Where the record stands in its partition."""
        (offset,) = _OFFSET.unpack_from(self.row)
        return int(offset)

    def placed(self) -> BetsPlaced:
        """The batch itself."""
        placed = self.waiting or decode(BETS, self.value)
        assert isinstance(placed, BetsPlaced)
        return placed


@dataclass(slots=True)
class Book:
    """The batches of one table: where each is, and by shoe and round; and what settles those of a round's version."""

    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    rounds: dict[tuple[int, int], dict[str, Batch]] = field(default_factory=dict)
    settlers: dict[tuple[int, int], tuple[RoundVersion, Settler]] = field(default_factory=dict)

    def add(self, shoe_no: int, round_no: int, batch_id: str, batch: Batch) -> None:
        """Take in a batch that is not held."""
        self.places[batch_id] = (shoe_no, round_no)
        self.rounds.setdefault((shoe_no, round_no), {})[batch_id] = batch

    def held(self, batch_id: str) -> Batch | None:
        """The batch of this id, wherever in the table it was placed."""
        place = self.places.get(batch_id)
        return None if place is None else self.rounds[place][batch_id]

    def rounds_of(self, shoe_no: int) -> list[int]:
        """The rounds of a shoe that have batches."""
        return sorted(round_no for shoe, round_no in self.rounds if shoe == shoe_no)


class Settlements:
    """State and step of the settlements processor; ``paytables`` finds a pay table by name."""

    processor = PROCESSORS["settlements"]

    def __init__(self, partitions: int, paytables: Paytables = load) -> None:
        self._paytables = paytables
        self._intake = Intake(self.processor.name, partitions, reports=(BETS,))
        self._begin()

    def _begin(self) -> None:
        self._ledger = Ledger(self.processor.sources)
        self._books: dict[str, Book] = {}
        self._terms = Terms(self._paytables)
        self._notices = SettlementNotices(self._intake.alarms)

    def step(self, record: Record) -> Effects:
        """Take one record of ``rounds`` or ``bets``."""
        return self._intake.close(record, self._take(record))

    def _take(self, record: Record) -> Effects:
        effects = Effects()
        topic = BETS if record.topic == BETS.name else ROUNDS
        event = self._intake.read(record, topic, effects)
        if isinstance(event, BetsPlaced):
            self._take_batch(record, event, effects)
        elif event is not None:
            self._take_round(record, event, effects)
        return effects

    def restore(self, rows: list[tuple[bytes, bytes]]) -> Effects:
        """Begin anew from the rows; settlements are not sent again, for what was not acknowledged comes again."""
        self._begin()
        self._intake.restart(rows, self._load)
        self._notices = SettlementNotices(self._intake.alarms)
        effects = Effects()
        for table in self._ledger.tables.values():
            partition = partition_of(table.table_id.encode(), self._intake.partitions)
            effects.drops += self._ledger.due(table, partition)
        return effects

    def _load(self, key: bytes, value: bytes) -> None:
        if not self._terms.load(key, value) and not self._ledger.load(key, value):
            table_id, shoe_no, round_no, batch_id = key.decode().split("/", 3)
            self._book(table_id).add(int(shoe_no), int(round_no), batch_id, Batch(value, None))

    def forget(self, drop: Drop) -> Effects:
        """Forget a shoe whose drop is granted, with its batches."""
        book, outs = self._book(drop.table_id), self._never_settled(drop) + self._never_known(drop)
        rows = self._intake.alarms.forget(place_of(drop.table_id, drop.shoe_no))
        book.settlers = {place: made for place, made in book.settlers.items() if place[0] != drop.shoe_no}
        for round_no in book.rounds_of(drop.shoe_no):
            for batch_id in book.rounds.pop((drop.shoe_no, round_no)):
                del book.places[batch_id]
                rows.append(Row(_batch_key(drop.table_id, drop.shoe_no, round_no, batch_id), None))
        rows += self._ledger.forget(drop.table_id, drop.shoe_no)  # the shoe's own row last: by it the rest is found
        return Effects(rows=rows, outs=outs)

    def _never_settled(self, drop: Drop) -> list[Out]:
        """Notices of batches that are forgotten without a settlement."""
        shoe, book = self._ledger.shoe(drop.table_id, drop.shoe_no), self._book(drop.table_id)
        outs = []
        for round_no in book.rounds_of(drop.shoe_no) if shoe is not None else ():
            assert shoe is not None
            the_round = shoe.rounds.get(round_no)
            if the_round is None or self._settler(book, shoe, the_round) is None:
                batches = list(book.rounds[drop.shoe_no, round_no].values())
                outs.append(self._notices.never(shoe, round_no, len(batches), batches[-1].placed().occurred_at))
        return outs

    def _never_known(self, drop: Drop) -> list[Out]:
        """Notices of rounds whose pay table did not come to be known as long as the shoe was held."""
        shoe = self._ledger.shoe(drop.table_id, drop.shoe_no)
        return [] if shoe is None else self._notices.never_known(shoe)

    def counters(self) -> dict[str, int]:
        """Records taken, repeated, skipped and refused (by code); batches and slips settled."""
        return dict(self._intake.counts)

    def _book(self, table_id: str) -> Book:
        book = self._books.get(table_id)
        if book is None:
            book = self._books[table_id] = Book()
        return book

    def _take_batch(self, record: Record, event: BetsPlaced, effects: Effects) -> None:
        table, book = self._ledger.table(event.table_id), self._book(event.table_id)
        held = book.held(event.batch_id)
        same = held is not None and (held.value == record.value or equal(held.placed(), event))
        # what stands before the batch that is held may have been refused, though its like was taken later
        refusal = None
        if not same or (held is not None and record.offset < held.offset):
            refusal = self._verdict(table, event, record.offset)
        if refusal is not None or (held is not None and not same):
            self._intake.refuse(record, refusal or _conflict(event, book), effects, event)
            return
        if held is not None:
            self._intake.counts["repeated"] += 1
            event, again = held.placed(), True
        else:
            self._intake.counts["taken"] += 1
            assert record.value is not None
            held, again = Batch(_OFFSET.pack(record.offset) + record.value, event), False
            book.add(event.shoe_no, event.round_no, event.batch_id, held)
        shoe, rows = self._ledger.show(table, event.shoe_no, BETS.name, record.offset, again=again)
        key = _batch_key(event.table_id, event.shoe_no, event.round_no, event.batch_id)
        effects.rows += [Row(key, held.row), *rows]
        the_round = shoe.rounds.get(event.round_no)
        if the_round is None:
            if event.shoe_no < table.highest(ROUNDS.name):
                batches = len(book.rounds[event.shoe_no, event.round_no])
                effects.outs += self._notices.waiting(record, shoe, event.round_no, batches)
        elif (settler := self._settler(book, shoe, the_round)) is not None:
            self._settle(held, the_round, settler, effects)
        effects.outs += limits(table, event)
        if rows:  # the shoe was shown: only then can an earlier one be due
            effects.drops += self._ledger.due(table, record.partition)

    def _verdict(self, table: Table, event: BetsPlaced, offset: int) -> Refusal | None:
        """Refuse a batch that is too old, or far above the highest in ``bets`` without its ``shoe_started``."""
        if (refusal := age(table, BETS.name, event.shoe_no, offset)) is not None:
            return refusal
        highest = table.highest_before(BETS.name, offset)
        shoe = table.shoes.get(event.shoe_no)
        if highest == 0 or event.shoe_no <= highest + FORCE_ABOVE or (shoe is not None and shoe.row.started):
            return None
        return Refusal(
            "shoe_jump", f"batch {event.batch_id!r}: shoe {event.shoe_no} of {event.table_id} comes after {highest}"
        )

    def _take_round(self, record: Record, event: RoundsEvent, effects: Effects) -> None:
        taken = self._ledger.take(event, record.offset)
        if isinstance(taken, Refusal):
            self._intake.refuse(record, taken, effects)
            return
        self._intake.counts["taken" if taken.new else "repeated"] += 1
        if not (isinstance(event, BettingOpened | BettingClosed) and taken.new and not taken.first_shown):
            effects.rows += taken.rows  # phases settle nothing; only that they show a shoe is worth a row
        if isinstance(event, Played):
            self._check_paytable(record, event, effects)
        if taken.shoe is not None and taken.round is not None:
            self._settle_all(record, taken, effects)
        if taken.shoe is not None:
            for number, left in sorted(taken.table.shoes.items()):
                if number < taken.shoe.number:
                    effects.outs += self._waiting(record, left, again=not taken.first_shown)
        effects.drops += self._ledger.due(taken.table, record.partition)

    def _waiting(self, record: Record, shoe: Shoe, *, again: bool) -> list[Out]:
        """Notices of the rounds of a shoe that batches wait for; ``again``: only what this very record told before."""
        book = self._book(shoe.table_id)
        rounds = self._notices.told_by(record, shoe) if again else book.rounds_of(shoe.number)
        outs = []
        for number in rounds:
            batches = book.rounds.get((shoe.number, number))
            if batches and number not in shoe.rounds:
                outs += self._notices.waiting(record, shoe, number, len(batches))
        return outs

    def _settle_all(self, record: Record, taken: Taken, effects: Effects) -> None:
        assert taken.shoe is not None
        assert taken.round is not None
        book = self._book(taken.table.table_id)
        settler = self._settler(book, taken.shoe, taken.round)
        if settler is None:
            effects.outs += self._notices.odd_paytable(record, taken.shoe, taken.round)
            return
        batches = book.rounds.get((taken.shoe.number, taken.round.number), {})
        for batch in batches.values():
            self._settle(batch, taken.round, settler, effects)
        effects.outs += self._notices.settled(record, taken.shoe, taken.round.number)

    def _settler(self, book: Book, shoe: Shoe, the_round: Round) -> Settler | None:
        """What settles the round's batches at its latest version; made once for all of them."""
        place, version = (shoe.number, the_round.number), the_round.latest
        made = book.settlers.get(place)
        if made is not None and made[0] is version:
            return made[1]
        settler = settler_of(version, the_round.result, self._paytables)
        if settler is not None:
            book.settlers[place] = (version, settler)
        return settler

    def _settle(self, batch: Batch, the_round: Round, settler: Settler, effects: Effects) -> None:
        placed, batch.waiting = batch.placed(), None
        settled = settle(placed, the_round.latest, the_round.result, settler)
        effects.outs.append(Out(SETTLEMENTS, settled.table_id.encode(), encode(settled)))
        self._intake.counts["batches_settled"] += 1
        self._intake.counts["slips_settled"] += len(settled.settlements)
        effects.outs += late(settled)

    def _check_paytable(self, record: Record, event: Played, effects: Effects) -> None:
        """Note the pay table of a version; report one that is unknown, whatever other versions are held by now."""
        try:
            effects.rows += self._terms.use(event.table_id, self._paytables(event.paytable))
        except UnknownPaytable:
            self._intake.counts["refused_unknown_paytable"] += 1
            message = (
                f"round {event.round_no} of shoe {event.shoe_no} of {event.table_id} names the pay table "
                f"{event.paytable!r}, which is not known here; its batches wait"
            )
            effects.outs.append(dead_letter(self.processor.name, record, Refusal("unknown_paytable", message)))


def _conflict(event: BetsPlaced, book: Book) -> Refusal:
    shoe_no, round_no = book.places[event.batch_id]
    return Refusal(
        "conflict",
        f"batch {event.batch_id!r} is held for shoe {shoe_no}, round {round_no} with other content; the first stays",
    )


def _batch_key(table_id: str, shoe_no: int, round_no: int, batch_id: str) -> bytes:
    return f"{table_id}/{shoe_no}/{round_no}/{batch_id}".encode()
