"""The scoreboards fold: rounds in; the state of each table's display, the record of each shoe and alerts out.

It is the one that reports faults of ``rounds`` records (dead letters), so that a bad record is one dead letter.
"""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from baccarat.roads.good import DEFAULTS, Thresholds
from baccarat.roads.growing import GrowingRoads
from contract.codec import encode
from contract.partitions import partition_of
from contract.scalars import Tail
from contract.scoreboards import Scoreboard, ShoeRecord, Status
from contract.topics import PROCESSORS, ROUNDS, SCOREBOARDS, SHOES
from processors.alarms import place_of
from processors.board import Picture, facts_at, picture, rank, weight
from processors.effects import Drop, Effects, Out, Record
from processors.history import View
from processors.instants import latest
from processors.intake import Intake
from processors.ledger import KEPT, Ledger, Taken
from processors.oversight import Oversight
from processors.shoes import DEFAULT_DECKS, PHASES, Shoe, Table, TableRow
from processors.verdicts import Refusal


@dataclass(slots=True)
class Drawing:
    """What was drawn of a shoe, kept until one of its rounds changes."""

    views: dict[int, View] = field(default_factory=dict)
    picture: Picture | None = None
    growing: dict[tuple[int, Tail], GrowingRoads] = field(default_factory=dict)
    roads: dict[tuple[int, Tail], Any] = field(default_factory=dict)

    def change(self, round_no: int) -> None:
        """A round has changed: what was drawn with it is old."""
        self.views.pop(round_no, None)
        self.picture = None
        self.roads.clear()


class Scoreboards:
    """State and step of the scoreboards processor; ``thresholds`` say from where good roads are announced."""

    processor = PROCESSORS["scoreboards"]

    def __init__(self, partitions: int, thresholds: Thresholds = DEFAULTS) -> None:
        self._thresholds = thresholds
        self._intake = Intake(self.processor.name, partitions, reports=(ROUNDS,))
        self._begin()

    def _begin(self) -> None:
        self._ledger = Ledger(self.processor.sources)
        self._drawings: dict[tuple[str, int], Drawing] = {}
        self._oversight = Oversight(self._intake.alarms, self._picture)

    def step(self, record: Record) -> Effects:
        """Take one record of ``rounds``."""
        return self._intake.close(record, self._take(record))

    def _take(self, record: Record) -> Effects:
        effects = Effects()
        event = self._intake.read(record, ROUNDS, effects)
        if event is None:
            return effects
        taken = self._ledger.take(event, record.offset)
        if isinstance(taken, Refusal):
            self._intake.refuse(record, taken, effects, event)
            return effects
        self._intake.counts["taken" if taken.new else "repeated"] += 1
        effects.rows += taken.rows
        if taken.shoe is not None and taken.round is not None and taken.new:
            self._drawing(taken.shoe).change(taken.round.number)
        effects.outs += self._outputs(taken)
        effects.outs += self._oversight.look(record, taken, event)
        effects.drops += self._ledger.due(taken.table, record.partition)
        return effects

    def restore(self, rows: list[tuple[bytes, bytes]]) -> Effects:
        """Begin anew from the rows; sends every board and every record of a held, finished shoe again."""
        ledger = Ledger(self.processor.sources)
        self._intake.restart(rows, ledger.load)
        self._begin()
        self._ledger = ledger
        effects = Effects()
        for table in self._ledger.tables.values():
            for shoe_no in _half_forgotten(table):
                effects.rows += ledger.forget(table.table_id, shoe_no)
            if table.row != TableRow() or table.highest(ROUNDS.name):  # else its first record is on its way again
                effects.outs.append(self._board(table))
            effects.outs += [self._record(shoe) for shoe in table.shoes.values() if _is_over(table, shoe)]
            partition = partition_of(table.table_id.encode(), self._intake.partitions)
            effects.drops += self._ledger.due(table, partition)
        return effects

    def forget(self, drop: Drop) -> Effects:
        """Forget a shoe whose drop is granted."""
        effects = Effects()
        shoe = self._ledger.shoe(drop.table_id, drop.shoe_no)
        if shoe is not None:
            effects.outs += self._oversight.forget(shoe)
        self._drawings.pop((drop.table_id, drop.shoe_no), None)
        effects.rows += self._intake.alarms.forget(place_of(drop.table_id, drop.shoe_no))
        rows = self._ledger.forget(drop.table_id, drop.shoe_no)
        effects.rows += rows[-1:] + rows[:-1]  # its own row first: what a crash leaves is known by the lack of that
        return effects

    def counters(self) -> dict[str, int]:
        """Records taken, repeated, skipped and refused (by code)."""
        return dict(self._intake.counts)

    def _drawing(self, shoe: Shoe) -> Drawing:
        return self._drawings.setdefault((shoe.table_id, shoe.number), Drawing())

    def _picture(self, shoe: Shoe) -> Picture:
        drawing = self._drawing(shoe)
        if drawing.picture is None:
            drawing.picture = picture(shoe, drawing.views, self._thresholds)
        return drawing.picture

    def _outputs(self, taken: Taken) -> list[Out]:
        """The board; the record of the event's shoe if that is over, and of the one that this event has ended."""
        table, shoe = taken.table, taken.shoe
        outs = [self._board(table)]
        over = [] if shoe is None or not _is_over(table, shoe) else [shoe]
        if shoe is not None and taken.first_shown:
            over += [left for number, left in sorted(table.shoes.items()) if number < shoe.number]
        return outs + [self._record(each) for each in over]

    def _board(self, table: Table) -> Out:
        opened = table.row.opened
        rows, tail = (opened.road_rows, opened.tail) if opened else (6, "stay")
        occurred_at = ""
        for config in (table.row.opened, table.row.closed):
            occurred_at = latest(occurred_at, config.occurred_at if config else "")
        shoe = table.shoes.get(table.highest(ROUNDS.name))
        if shoe is None:
            shoe = Shoe(table.table_id, 0)
        drawn = self._picture(shoe) if shoe.number else picture(shoe, {})
        configs = [config.config_no for config in (table.row.opened, table.row.closed) if config]
        board = Scoreboard(
            table_id=table.table_id,
            occurred_at=latest(latest(occurred_at, facts_at(shoe)), drawn.occurred_at),
            shoe_no=shoe.number,
            version=weight(shoe, drawn.versions) + sum(configs) + len(configs),
            names=dict(opened.names) if opened else {},
            place=opened.place if opened else "",
            currency=opened.currency if opened else None,
            limits=dict(opened.limits) if opened else {},
            time_zone=opened.time_zone if opened else "UTC",
            decks=shoe.decks if shoe.number else DEFAULT_DECKS,
            status=_status(table, shoe),
            round_no=rank(shoe) // len(PHASES),
            rounds=drawn.rounds,
            roads=self._roads(shoe, drawn, rows, tail),
            gaps=drawn.gaps,
            counts=drawn.counts,
            last_round=drawn.last_round,
            good_roads=drawn.good_roads,
        )
        return Out(SCOREBOARDS, table.table_id.encode(), encode(board))

    def _record(self, shoe: Shoe) -> Out:
        drawn = self._picture(shoe)
        record = ShoeRecord(
            table_id=shoe.table_id,
            occurred_at=latest(facts_at(shoe), drawn.occurred_at),
            shoe_no=shoe.number,
            version=weight(shoe, drawn.versions),
            decks=shoe.decks,
            started_at=shoe.row.started.occurred_at if shoe.row.started else None,
            ended_at=shoe.row.ended.occurred_at if shoe.row.ended else None,
            rounds=drawn.rounds,
            counts=drawn.counts,
            gaps=drawn.gaps,
            roads=self._roads(shoe, drawn, 6, "stay"),
        )
        return Out(SHOES, f"{shoe.table_id}/{shoe.number}".encode(), encode(record))

    def _roads(self, shoe: Shoe, drawn: Picture, rows: int, tail: Tail) -> Any:
        """The shoe's roads, already written."""
        drawing = self._drawing(shoe) if shoe.number else Drawing()
        if (rows, tail) not in drawing.roads:
            growing = drawing.growing.setdefault((rows, tail), GrowingRoads(rows, tail))
            drawing.roads[rows, tail] = msgspec.Raw(msgspec.json.encode(growing.draw(drawn.letters)))
        return drawing.roads[rows, tail]


def _half_forgotten(table: Table) -> list[int]:
    """Shoes that were being forgotten when a crash came: rounds are left of them, perhaps not all.

    A record made of those would be the last one under its key, and compaction would keep it instead of the whole one.
    """
    left = table.highest(ROUNDS.name) - KEPT
    return [number for number, shoe in table.shoes.items() if number <= left and ROUNDS.name not in shoe.row.shown]


def _is_over(table: Table, shoe: Shoe) -> bool:
    """Whether the shoe has a record: it was ended, or a later one has been seen."""
    return shoe.ended or table.highest(ROUNDS.name) > shoe.number


def _status(table: Table, shoe: Shoe) -> Status:
    if table.closed:
        return "closed"
    if not shoe.number:
        return "unknown"
    if shoe.ended or not rank(shoe):
        return "shuffling"
    return PHASES[rank(shoe) % len(PHASES)]
