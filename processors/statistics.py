"""The statistics fold: rounds and settlements in; what each bet did, per table and per shoe.

Sums live in memory and follow from rows: a round's facts, a batch's totals at its highest revision, and one row a
table with the shoes that have been folded in. Faults of ``settlements`` records are reported here.
"""

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

import msgspec

from baccarat.bets import BETS
from baccarat.odds import Moments, moments
from baccarat.paytables import UnknownPaytable, load
from contract.codec import encode
from contract.currencies import CURRENCIES
from contract.days import GamingDays
from contract.figures import pace
from contract.partitions import partition_of
from contract.rounds import BettingClosed, BettingOpened, Played, RoundsEvent, TableClosed, TableOpened
from contract.scalars import parse_instant
from contract.settlements import BetsSettled
from contract.statistics import Pace, ShoeStatistics, TableStatistics
from contract.topics import PROCESSORS, ROUNDS, SETTLEMENTS, SHOE_STATISTICS, STATISTICS
from processors.board import facts_at
from processors.effects import Drop, Effects, Out, Record, Row
from processors.instants import latest
from processors.intake import Intake
from processors.ledger import Ledger, Taken
from processors.lifetime import Dealt, Lifetime
from processors.settling import Paytables
from processors.shoes import Round, Shoe, Table
from processors.sums import BatchRow, Sums, Tries, statistics_of, together
from processors.verdicts import Refusal


@dataclass(slots=True)
class ShoeSums:
    """One shoe's sums: what each round and each batch adds, so that a later version can take the earlier's place.

    Tries and stakes are kept with decks 0; the shoe's decks are put in when they are shown.
    """

    sums: Sums = field(default_factory=Sums)
    rounds: dict[int, tuple[int, dict[str, Tries]]] = field(default_factory=dict)
    batches: dict[tuple[int, str], BatchRow] = field(default_factory=dict)
    stakes: dict[int, dict[tuple[str, str, str, int], int]] = field(default_factory=dict)
    weight: int = 0
    occurred_at: str = ""
    _times: dict[int, str] = field(default_factory=dict)
    _dealt: Dealt | None = None

    @property
    def dealt(self) -> Dealt:
        """The rounds that stand, and the time from the earliest to the latest by what their sources first said."""
        if self._dealt is None:
            self._dealt = _dealt(list(self._times.values()))
        return self._dealt

    def put_round(self, the_round: Round, tries: dict[str, Tries]) -> None:
        """Put what the round adds at its latest version in the place of what it added before."""
        weight = sum(version.revision + 1 for version in the_round.versions)
        before, earlier = self.rounds.get(the_round.number, (0, {}))
        for sign, added in ((-1, earlier), (1, tries)):
            for bet, each in added.items():
                self.sums.add_tries(bet, 0, each, sign)
        self.rounds[the_round.number] = (weight, tries)
        self.weight += weight - before
        self._dealt = None
        if the_round.result is None:
            self._times.pop(the_round.number, None)
        else:
            self._times[the_round.number] = _first_told(the_round)
        for version in the_round.versions:
            self.occurred_at = latest(self.occurred_at, version.occurred_at)

    def put_batch(self, place: tuple[int, str], row: BatchRow) -> None:
        """Put the batch's totals in the place of those of its lower revision."""
        stakes = self.stakes.setdefault(place[0], {})
        if (before := self.batches.get(place)) is not None:
            self.sums.add_money(before.currency, before.totals, -1)
            self.sums.move_risk(stakes, before, -1)
            self.weight -= before.revision + 1
        self.sums.add_money(row.currency, row.totals)
        self.sums.move_risk(stakes, row)
        self.weight += row.revision + 1
        self.batches[place] = row
        self.occurred_at = latest(self.occurred_at, row.occurred_at)


class Statistics:
    """State and step of the statistics processor; ``paytables`` finds a pay table by name."""

    processor = PROCESSORS["statistics"]

    def __init__(self, partitions: int, paytables: Paytables = load, days: GamingDays = GamingDays()) -> None:  # noqa: B008 - frozen
        self._paytables, self._days = paytables, days
        self._prices = functools.cache(self._moments)
        self._intake = Intake(self.processor.name, partitions, reports=(SETTLEMENTS,))
        self._begin()

    def _begin(self) -> None:
        self._ledger = Ledger(self.processor.sources)
        self._shoes: dict[tuple[str, int], ShoeSums] = {}
        self._lifetimes: dict[str, Lifetime] = {}

    def step(self, record: Record) -> Effects:
        """Take one record of ``rounds`` or ``settlements``."""
        return self._intake.close(record, self._take(record))

    def _take(self, record: Record) -> Effects:
        effects = Effects()
        topic = SETTLEMENTS if record.topic == SETTLEMENTS.name else ROUNDS
        event = self._intake.read(record, topic, effects)
        if isinstance(event, BetsSettled):
            self._take_settlement(record, event, effects)
        elif event is not None:
            self._take_round(record, event, effects)
        return effects

    def restore(self, rows: list[tuple[bytes, bytes]]) -> Effects:
        """Begin anew from the rows; sends the statistics of every table again."""
        self._begin()
        batches: list[tuple[list[str], BatchRow]] = []

        def load(key: bytes, value: bytes) -> None:
            parts = key.decode().split("/", 3)
            if parts[1:] == ["lifetime"]:
                self._lifetimes[parts[0]] = Lifetime.of(value)
            elif len(parts) == len(("table", "shoe", "round", "batch")):
                batches.append((parts, msgspec.json.decode(value, type=BatchRow)))
            else:
                self._ledger.load(key, value)

        self._intake.restart(rows, load)
        for table in self._ledger.tables.values():
            for shoe in table.shoes.values():
                for the_round in shoe.rounds.values():
                    self._put_round(shoe, the_round)
        for (table_id, shoe_no, round_no, batch_id), row in batches:
            self._shoe(table_id, int(shoe_no)).put_batch((int(round_no), batch_id), row)
        effects = Effects()
        for table in self._ledger.tables.values():
            effects.outs += self._output(table) + self._records(table, table.shoes.values())
            partition = partition_of(table.table_id.encode(), self._intake.partitions)
            effects.drops += self._ledger.due(table, partition)
        return effects

    def forget(self, drop: Drop) -> Effects:
        """Fold a shoe whose drop is granted into the lifetime: that row first, then the deletes."""
        table = self._ledger.tables[drop.table_id]
        effects = Effects()
        lifetime = self._lifetime(drop.table_id)
        sums = self._shoes.pop((drop.table_id, drop.shoe_no), ShoeSums())
        shoe = table.shoes.get(drop.shoe_no)
        if shoe is not None and drop.shoe_no > lifetime.row.closed_through_shoe:
            lifetime = self._folded(lifetime, shoe, sums)
            self._lifetimes[drop.table_id] = lifetime
            effects.rows.append(Row(f"{drop.table_id}/lifetime".encode(), msgspec.json.encode(lifetime.row)))
        prefix = f"{drop.table_id}/{drop.shoe_no}"
        effects.rows += [Row(f"{prefix}/{round_no}/{batch_id}".encode(), None) for round_no, batch_id in sums.batches]
        effects.rows += self._ledger.forget(drop.table_id, drop.shoe_no)
        return effects

    def counters(self) -> dict[str, int]:
        """Records taken, repeated, skipped and refused (by code)."""
        return dict(self._intake.counts)

    def _shoe(self, table_id: str, shoe_no: int) -> ShoeSums:
        return self._shoes.setdefault((table_id, shoe_no), ShoeSums())

    def _lifetime(self, table_id: str) -> Lifetime:
        return self._lifetimes.get(table_id) or Lifetime()

    def _moments(self, paytable: str, decks: int) -> Mapping[str, Moments] | None:
        """What a pay table brings; None where it is not known here: then nothing is expected of its stakes."""
        try:
            return moments(self._paytables(paytable), decks)
        except UnknownPaytable:
            return None

    def _folded(self, lifetime: Lifetime, shoe: Shoe, sums: ShoeSums) -> Lifetime:
        return lifetime.with_shoe(
            shoe.number,
            sums.sums.with_decks(shoe.decks),
            self._prices,
            weight=lifetime.row.weight + sums.weight + (shoe.row.started is not None),
            occurred_at=latest(lifetime.row.occurred_at, latest(sums.occurred_at, _started_at(shoe))),
            dealt=sums.dealt,
        )

    def _take_round(self, record: Record, event: RoundsEvent, effects: Effects) -> None:
        taken = self._ledger.take(event, record.offset)
        if isinstance(taken, Refusal):
            self._intake.refuse(record, taken, effects)
            return
        self._intake.counts["taken" if taken.new else "repeated"] += 1
        effects.rows += taken.rows
        if taken.shoe is not None and taken.round is not None and taken.new:
            self._put_round(taken.shoe, taken.round)
        phase = isinstance(event, BettingOpened | BettingClosed) and taken.shoe is not None and taken.shoe.rounds
        if not (isinstance(event, TableOpened | TableClosed) or (phase and not taken.first_shown)):
            effects.outs += self._output(taken.table)
            effects.outs += self._records(taken.table, _concerned(taken))
        effects.drops += self._ledger.due(taken.table, record.partition)

    def _put_round(self, shoe: Shoe, the_round: Round) -> None:
        self._shoe(shoe.table_id, shoe.number).put_round(the_round, self._tries(the_round))

    def _tries(self, the_round: Round) -> dict[str, Tries]:
        """What the round says of every bet, whether its pay table has it or not; nothing where it is voided."""
        version, facts = the_round.latest, the_round.result
        if facts is None or not isinstance(version, Played):
            return {}
        offered = self._offered(version.paytable)
        said = {bet: rule.wins(facts) for bet, rule in BETS.items()}
        tries = {bet: Tries(int(bet in offered), int(won is not None), int(won is True)) for bet, won in said.items()}
        return {bet: each for bet, each in tries.items() if any(each)}

    def _offered(self, paytable: str) -> frozenset[str]:
        """The bets of a pay table; none of one that is not known."""
        try:
            return frozenset(self._paytables(paytable).pays)
        except UnknownPaytable:
            return frozenset()

    def _take_settlement(self, record: Record, event: BetsSettled, effects: Effects) -> None:
        if event.shoe_no <= self._lifetime(event.table_id).row.closed_through_shoe:
            self._intake.counts["past"] += 1
            return
        table = self._ledger.table(event.table_id)
        sums, place = self._shoe(event.table_id, event.shoe_no), (event.round_no, event.batch_id)
        row = BatchRow(
            revision=event.revision,
            currency=event.currency,
            occurred_at=event.occurred_at,
            totals={bet: total for bet, total in event.totals.items() if bet in BETS and event.currency in CURRENCIES},
            paytable=event.paytable,
        )  # names that nobody knows would make the lifetime grow without an end
        held = sums.batches.get(place)
        if (
            held is not None
            and held.revision == row.revision
            and (held.currency, held.totals) != (row.currency, row.totals)
        ):
            message = f"batch {event.batch_id!r} at revision {event.revision} was settled before with other sums"
            self._intake.refuse(record, Refusal("conflict", message), effects, event)
            return
        new = held is None or held.revision < row.revision
        self._intake.counts["taken" if new else "repeated"] += 1
        if new:
            sums.put_batch(place, row)
        key = f"{event.table_id}/{event.shoe_no}/{event.round_no}/{event.batch_id}"
        effects.rows.append(Row(key.encode(), msgspec.json.encode(sums.batches[place])))
        shoe, rows = self._ledger.show(table, event.shoe_no, SETTLEMENTS.name, record.offset, again=not new)
        effects.rows += rows
        effects.outs += self._output(table) + self._records(table, [shoe])
        effects.drops += self._ledger.due(table, record.partition)

    def _held(self, table: Table) -> list[Shoe]:
        """The shoes that are not folded into the table's life yet."""
        closed = self._lifetime(table.table_id).row.closed_through_shoe
        return [shoe for number, shoe in table.shoes.items() if number > closed]

    def _output(self, table: Table) -> list[Out]:
        """The table's statistics; none before its first shoe."""
        running = table.shoes.get(table.highest(ROUNDS.name))
        if running is None:
            return []
        lifetime, held = self._lifetime(table.table_id), self._held(table)
        parts = {shoe.number: self._shoe(table.table_id, shoe.number).sums.with_decks(shoe.decks) for shoe in held}
        dealt = {shoe.number: self._shoe(table.table_id, shoe.number).dealt for shoe in held}
        occurred_at, weight = lifetime.row.occurred_at, lifetime.row.weight
        for shoe in held:
            sums = self._shoe(table.table_id, shoe.number)
            occurred_at = latest(occurred_at, latest(sums.occurred_at, _started_at(shoe)))
            weight += sums.weight + (shoe.row.started is not None)
        whole = functools.reduce(Dealt.plus, dealt.values(), lifetime.row.dealt)
        statistics = TableStatistics(
            table_id=table.table_id,
            occurred_at=occurred_at or facts_at(running),
            shoe_no=running.number,
            version=weight,
            gaming_day=self._gaming_day(running),
            pace={"shoe": _pace(dealt[running.number]), "lifetime": _pace(whole)},
            scopes={
                "shoe": statistics_of(parts[running.number], running.decks, self._prices),
                "lifetime": statistics_of(together((lifetime.sums, *parts.values())), running.decks, self._prices),
            },
        )
        return [Out(STATISTICS, table.table_id.encode(), encode(statistics))]

    def _records(self, table: Table, shoes: Iterable[Shoe]) -> list[Out]:
        """The statistics of those of the shoes that are over and still held."""
        closed = self._lifetime(table.table_id).row.closed_through_shoe
        return [self._record(table, shoe) for shoe in shoes if shoe.number > closed and _is_over(table, shoe)]

    def _record(self, table: Table, shoe: Shoe) -> Out:
        sums = self._shoe(table.table_id, shoe.number)
        statistics = ShoeStatistics(
            table_id=table.table_id,
            occurred_at=latest(sums.occurred_at, _started_at(shoe)) or facts_at(shoe),
            shoe_no=shoe.number,
            version=sums.weight + (shoe.row.started is not None),
            decks=shoe.decks,
            gaming_day=self._gaming_day(shoe),
            pace=_pace(sums.dealt),
            bets=statistics_of(sums.sums.with_decks(shoe.decks), shoe.decks, self._prices),
        )
        return Out(SHOE_STATISTICS, f"{table.table_id}/{shoe.number}".encode(), encode(statistics))

    def _gaming_day(self, shoe: Shoe) -> str | None:
        """The local day of the lowest round that was dealt, voided later or not, by what its source first said.

        A number that was only voided, to close a gap, says when somebody did so: it counts where there is no other.
        """
        rounds = [the_round for _, the_round in sorted(shoe.rounds.items())]
        dealt = (each for each in rounds if any(isinstance(version, Played) for version in each.versions))
        lowest = next(dealt, rounds[0] if rounds else None)
        return None if lowest is None else self._days.day_of(_first_told(lowest))


def _concerned(taken: Taken) -> list[Shoe]:
    """The shoes of which a record of ``rounds`` says something, or shows that they are over."""
    shoes, mine = sorted(taken.table.shoes.items()), taken.shoe
    if mine is None:
        return []
    return [shoe for number, shoe in shoes if shoe is mine or (taken.first_shown and number < mine.number)]


def _started_at(shoe: Shoe) -> str:
    return shoe.row.started.occurred_at if shoe.row.started else ""


def _is_over(table: Table, shoe: Shoe) -> bool:
    """Whether the shoe has statistics of its own: it was ended, or a later one has been seen."""
    return shoe.ended or table.highest(ROUNDS.name) > shoe.number


def _first_told(the_round: Round) -> str:
    """When the round was dealt, as its source first said; of a number that was only voided: when."""
    played = (version for version in the_round.versions if isinstance(version, Played))
    return next(played, the_round.versions[0]).occurred_at


def _dealt(times: list[str]) -> Dealt:
    if not times:
        return Dealt()
    as_texts = len(set(map(len, times))) == 1  # one that is finer than a millisecond does not compare with others
    order = None if as_texts else parse_instant
    took = parse_instant(max(times, key=order)) - parse_instant(min(times, key=order))
    return Dealt(len(times), 1, round(took / timedelta(milliseconds=1)))


def _pace(dealt: Dealt) -> Pace:
    return pace(rounds=dealt.rounds, shoes=dealt.shoes, milliseconds=dealt.milliseconds)
