"""What every processor knows of tables, shoes and rounds, and how a record of ``rounds`` is taken in."""

from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from baccarat.rounds import Facts, ImpossibleRound
from contract.rounds import (
    BettingClosed,
    BettingOpened,
    Played,
    RoundsEvent,
    RoundVersion,
    ShoeEnded,
    ShoeStarted,
    TableClosed,
    TableOpened,
)
from contract.topics import ROUNDS, Topic
from processors.effects import Drop, Row
from processors.shoes import Round, Shoe, ShoeRow, Table, TableRow, betting_phase
from processors.verdicts import Refusal, age, conflict, contradicts, equal, facts_of, is_held, jump

KEPT: Final = 2
"""At least this many shoes of a table are held: the running one and the one before."""


class Taken(NamedTuple):
    """What a record of ``rounds`` changed, or repeats (``new`` False). Settings have no shoe, phases no round."""

    table: Table
    shoe: Shoe | None
    round: Round | None
    new: bool
    rows: list[Row]
    first_shown: bool = False


class Ledger:
    """The tables of the assigned partitions, as their rows have them.

    ``topics`` are those that the processor reads: a shoe is dropped when all of them have left it two shoes behind.
    """

    def __init__(self, topics: tuple[Topic, ...]) -> None:
        self.tables: dict[str, Table] = {}
        self._topics = topics
        self._dropping: set[tuple[str, int]] = set()

    def take(self, event: RoundsEvent, offset: int) -> Taken | Refusal:
        """Judge an event of ``rounds`` and take it in."""
        if isinstance(event, TableOpened | TableClosed):
            return self._take_config(event, offset)
        facts = None
        if isinstance(event, Played):
            try:
                facts = facts_of(event)
            except ImpossibleRound as error:
                return Refusal("impossible_round", str(error))
        table = self.table(event.table_id)
        shoe = table.shoes.get(event.shoe_no)
        held = shoe if shoe is not None and is_held(shoe, event) else None
        refusal = None
        if held is None or offset < held.row.shown.get(ROUNDS.name, offset):
            # what stands before the first record that showed its shoe was refused, though its like is held by now
            refusal = age(table, ROUNDS.name, event.shoe_no, offset) or jump(table, event, offset)
        if refusal is not None:
            return refusal
        if held is not None:
            return self._repeated(table, held, event, offset)
        if shoe is not None and contradicts(shoe, event):
            return conflict(event)
        shoe = table.shoes.setdefault(event.shoe_no, Shoe(event.table_id, event.shoe_no))
        return self._take_in(table, shoe, event, facts, offset)

    def table(self, table_id: str) -> Table:
        """The table, made when it is new."""
        table = self.tables.get(table_id)
        if table is None:
            table = self.tables[table_id] = Table(table_id)
        return table

    def shoe(self, table_id: str, shoe_no: int) -> Shoe | None:
        """The shoe, if it is held."""
        table = self.tables.get(table_id)
        return table.shoes.get(shoe_no) if table else None

    def show(
        self, table: Table, shoe_no: int, topic: str, offset: int, *, again: bool = False
    ) -> tuple[Shoe, list[Row]]:
        """Note that a record of another topic has shown a shoe; the row to write, if that is new or wanted again."""
        shoe = table.shoes.setdefault(shoe_no, Shoe(table.table_id, shoe_no))
        return shoe, [_shoe_row(shoe)] if _show(shoe, topic, offset) or again else []

    def _take_config(self, event: TableOpened | TableClosed, offset: int) -> Taken | Refusal:
        table = self.table(event.table_id)
        opened, closed = table.row.opened, table.row.closed
        places = ((opened, table.row.opened_at), (closed, table.row.closed_at))
        same = [(held, at) for held, at in places if held is not None and held.config_no == event.config_no]
        if any(at <= offset and not equal(held, event) for held, at in same):
            return conflict(event)  # not what stands behind it: a row may be ahead of what is read again
        mine = opened if isinstance(event, TableOpened) else closed
        new = not same and (mine is None or mine.config_no < event.config_no)
        if new and isinstance(event, TableOpened):
            table.row = replace(table.row, opened=event, opened_at=offset)
        elif new and isinstance(event, TableClosed):
            table.row = replace(table.row, closed=event, closed_at=offset)
        rows = [Row(table.table_id.encode(), msgspec.json.encode(table.row))]
        return Taken(table, None, None, new=new, rows=rows)

    def _repeated(self, table: Table, shoe: Shoe, event: RoundsEvent, offset: int) -> Taken:
        """The same rows again: they may have been lost on their way with the worker that first wrote them."""
        _show(shoe, ROUNDS.name, offset)
        the_round = shoe.rounds[event.round_no] if isinstance(event, RoundVersion) else None
        rows = [_shoe_row(shoe)] if the_round is None else [_round_row(shoe, the_round), _shoe_row(shoe)]
        return Taken(table, shoe, the_round, new=False, rows=rows)

    def _take_in(self, table: Table, shoe: Shoe, event: RoundsEvent, facts: Facts | None, offset: int) -> Taken:
        first_shown = _show(shoe, ROUNDS.name, offset)
        rows, the_round = [], None
        match event:
            case ShoeStarted():
                shoe.row = replace(shoe.row, started=event)
            case ShoeEnded():
                shoe.row = replace(shoe.row, ended=event)
            case BettingOpened() | BettingClosed():
                shoe.row = replace(shoe.row, phase=betting_phase(event))
            case TableOpened() | TableClosed():
                raise AssertionError("settings have no shoe")
            case _:
                the_round = shoe.rounds.setdefault(event.round_no, Round(event.round_no))
                the_round.add(event, facts)
                rows.append(_round_row(shoe, the_round))
        if the_round is None or first_shown:
            rows.append(_shoe_row(shoe))
        return Taken(table, shoe, the_round, new=True, rows=rows, first_shown=first_shown)

    def load(self, key: bytes, value: bytes) -> bool:
        """Take in one row after a recovery; False where it is none of the ledger's (a processor's own)."""
        match key.decode().split("/", 3):
            case [table_id]:
                self.table(table_id).row = _table_decoder.decode(value)
            case [table_id, shoe_no]:
                self._shoe(table_id, int(shoe_no)).row = _shoe_decoder.decode(value)
            case [table_id, shoe_no, round_no]:
                the_round = Round(int(round_no))
                for version in _round_decoder.decode(value):
                    the_round.add(version, facts_of(version) if isinstance(version, Played) else None)
                self._shoe(table_id, int(shoe_no)).rounds[int(round_no)] = the_round
            case _:
                return False
        return True

    def _shoe(self, table_id: str, shoe_no: int) -> Shoe:
        return self.table(table_id).shoes.setdefault(shoe_no, Shoe(table_id, shoe_no))

    def due(self, table: Table, partition: int) -> list[Drop]:
        """The shoes that every topic has left two shoes behind, lowest first, each once."""
        names = [topic.name for topic in self._topics if table.takes_bets or topic is ROUNDS]
        if len(table.shoes) < KEPT:
            return []
        drops = []
        for shoe_no in sorted(table.shoes):
            after = [_first_shown(table, name, shoe_no + 2) for name in names]
            if None in after:
                break
            if (table.table_id, shoe_no) not in self._dropping:
                self._dropping.add((table.table_id, shoe_no))
                offsets = tuple((name, offset) for name, offset in zip(names, after, strict=True) if offset is not None)
                drops.append(Drop(table.table_id, shoe_no, partition, offsets))
        return drops

    def forget(self, table_id: str, shoe_no: int) -> list[Row]:
        """Forget a shoe; the rows to delete."""
        self._dropping.discard((table_id, shoe_no))
        table = self.tables.get(table_id)
        shoe = table.shoes.pop(shoe_no, None) if table else None
        if shoe is None:
            return []
        prefix = f"{table_id}/{shoe_no}"
        return [Row(f"{prefix}/{number}".encode(), None) for number in shoe.rounds] + [Row(prefix.encode(), None)]


def _first_shown(table: Table, topic: str, shoe_no: int) -> int | None:
    """The least offset at which the topic showed this shoe or a later one; None where it has not."""
    shown = [
        shoe.row.shown[topic] for number, shoe in table.shoes.items() if number >= shoe_no and topic in shoe.row.shown
    ]
    return min(shown, default=None)


_table_decoder = msgspec.json.Decoder(TableRow)
_shoe_decoder = msgspec.json.Decoder(ShoeRow)
_round_decoder: msgspec.json.Decoder[list[RoundVersion]] = msgspec.json.Decoder(list[RoundVersion])


def _show(shoe: Shoe, topic: str, offset: int) -> bool:
    """Note the first record of a topic that showed the shoe; True where it is the first."""
    known = shoe.row.shown.get(topic)
    if known is not None and known <= offset:
        return False
    shoe.row = replace(shoe.row, shown={**shoe.row.shown, topic: offset})
    return known is None


def _shoe_row(shoe: Shoe) -> Row:
    return Row(f"{shoe.table_id}/{shoe.number}".encode(), msgspec.json.encode(shoe.row))


def _round_row(shoe: Shoe, the_round: Round) -> Row:
    key = f"{shoe.table_id}/{shoe.number}/{the_round.number}"
    return Row(key.encode(), msgspec.json.encode(the_round.versions))
