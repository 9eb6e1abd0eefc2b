"""The audit of one partition: everything of a table lies under one number, in sources and outputs alike.

Records are given to it topic by topic, in the order of ``READ``; it needs no Kafka.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from audit.admission import TAKEN, Verdict, admit
from audit.batches import Batches
from audit.display import Display
from audit.findings import Findings
from audit.house import House
from audit.letters import Letters
from audit.money import Ledger
from audit.records import Stored
from audit.report import TableSums, row
from audit.rounds import Rounds
from audit.scope import Scope
from audit.settlements import Settlements
from audit.settling import can_settle
from audit.versions import Version
from contract.bets import BetsPlaced
from contract.rounds import RoundVersion, TableClosed, TableOpened
from contract.topics import (
    BETS,
    DEAD_LETTERS,
    ROUNDS,
    SCOREBOARDS,
    SETTLEMENTS,
    SHOE_STATISTICS,
    SHOES,
    STATISTICS,
    Topic,
)

READ: Final = (DEAD_LETTERS, ROUNDS, BETS, SETTLEMENTS, SCOREBOARDS, SHOES, STATISTICS, SHOE_STATISTICS)
"""The topics in the order in which they are read."""


class Partition:
    """Judges one partition.

    ``begins`` are the first offsets that are kept of each topic, ``snapshot`` the ends of the sources that all outputs
    must know; what stands behind it in the sources may have its outputs already. Findings and counts go into what is
    passed.
    """

    def __init__(
        self,
        number: int,
        partitions: int,
        *,
        begins: Mapping[str, int],
        snapshot: Mapping[str, int],
        scope: Scope,
        findings: Findings,
        counts: Counter[str],
        house: House = House(),  # noqa: B008 - frozen
    ) -> None:
        self._partitions, self._begins, self._snapshot, self._scope = partitions, begins, snapshot, scope
        self._findings, self._counts = findings, counts
        self._letters = Letters(number, findings)
        self.rounds = Rounds(cut=begins.get(ROUNDS.name, 0) > 0)
        self.money = Ledger()
        self._batches = Batches(self.rounds, self.money, scope.has, cut=begins.get(BETS.name, 0) > 0)
        self._settlements = Settlements(self.rounds, self._batches, self.money, findings)
        self._display = Display(self.rounds, self._batches, self.money, scope, findings, house)
        self._read: dict[str, range] = {}
        self._paytables: set[int] = set()
        self._settings: list[tuple[Stored, TableOpened | TableClosed]] = []
        self._takers: dict[Topic, Callable[[Stored, Any], None]] = {
            ROUNDS: self._take_round,
            BETS: self._take_batch,
            SETTLEMENTS: self._take_settlement,
            SCOREBOARDS: self._display.take_board,
            SHOES: self._display.take_record,
            STATISTICS: self._display.take_statistics,
            SHOE_STATISTICS: self._display.take_shoe_statistics,
        }

    def take(self, topic: Topic, record: Stored) -> None:
        """Take in one record of the topic."""
        self._counts[topic.name] += 1
        if topic.name not in self._read:
            self._begin(topic, record)
        self._read[topic.name] = range(self._read[topic.name].start, record.offset + 1)
        if topic is DEAD_LETTERS:
            self._letters.take(record)
            return
        event = admit(record, topic, self._partitions)
        if topic in (ROUNDS, BETS):
            self._take_source(topic, record, event)
        elif isinstance(event, Verdict):
            self._unreadable(topic, record, event)
        elif event is not None:
            self._takers[topic](record, event)

    def _begin(self, topic: Topic, record: Stored) -> None:
        """The first record; where older ones were deleted, what they said cannot be missed."""
        self._read[topic.name] = range(record.offset, record.offset)
        if self._begins.get(topic.name, 0):
            if topic is DEAD_LETTERS:
                self._letters.since = record.timestamp
            elif topic is SETTLEMENTS:
                self._settlements.since = record.timestamp

    def _take_source(self, topic: Topic, record: Stored, event: Any) -> None:
        if event is None:
            self._counts["skipped"] += 1
            self._check(record, TAKEN)
        elif not isinstance(event, Verdict):
            self._takers[topic](record, event)
        elif self._scope.has_key(record.key):
            self._check(record, event)

    def _after(self, record: Stored) -> bool:
        return record.offset >= self._snapshot[record.topic]

    def _check(self, record: Stored, verdict: Verdict, also: str | None = None) -> None:
        """Compare the letters of a source record with the verdict on it."""
        if verdict.code and verdict.sure:
            self._counts[f"refused_{verdict.code}"] += 1
        if not self._letters.check(record, verdict, also) and not self._after(record):
            self._letters.missing(record, verdict.code)

    def _take_round(self, record: Stored, event: Any) -> None:
        verdict = self.rounds.take(event, record.offset, self._letters.said(record), after=self._after(record))
        also = "unknown_paytable" if isinstance(event, RoundVersion) else None
        if also and self._letters.said(record, "settlements") == also:
            self._paytables.add(record.offset)
        if not self._scope.has(event.table_id, getattr(event, "shoe_no", None)):
            return
        if isinstance(event, TableOpened | TableClosed) and verdict.code and not self._after(record):
            self._counts["refused_conflict"] += 1
            if not self._letters.check(record, verdict):
                self._settings.append((record, event))
            return
        self._check(record, verdict, also)

    def _take_batch(self, record: Stored, event: Any) -> None:
        verdict = self._batches.take(record, event, self._letters.said(record), after=self._after(record))
        if self._scope.has(event.table_id, event.shoe_no):
            self._check(record, verdict)

    def _take_settlement(self, record: Stored, event: Any) -> None:
        if self._scope.has(event.table_id, event.shoe_no):
            self._letters.check(record, Verdict("conflict", sure=False))
            self._settlements.take(record, event)

    def _unreadable(self, topic: Topic, record: Stored, verdict: Verdict) -> None:
        if self._scope.has_key(record.key):
            self._findings.add("wrong", "topic", record.place, "", "an output", f"{verdict.code} bytes")
            if topic is SETTLEMENTS and not self._letters.check(record, verdict):
                self._letters.missing(record, verdict.code)

    def finish(self) -> bool:
        """All is read: tell what is amiss; True where bets must be read once more, for ``explain``."""
        again = self._settlements.finish()
        self._display.finish()
        self._finish_letters()
        self._finish_money()
        self._count()
        return again

    def explain(self, record: Stored) -> None:
        """Name what is amiss with a batch."""
        event = admit(record, BETS, self._partitions)
        if isinstance(event, BetsPlaced):
            self._settlements.explain(record, event)

    def _finish_letters(self) -> None:
        for record, event in self._settings:
            table = self.rounds.tables[event.table_id]
            # settings that others have replaced meanwhile are no conflict to a processor that knows those already
            if event.config_no in [held.config_no for held in (table.opened, table.closed) if held]:
                self._letters.missing(record, "conflict")
        for identity, version in self._unknown_paytables():
            if version.offset not in self._paytables:
                self._findings.add("missing", "dead_letter", identity, "", f"unknown_paytable {version.paytable}")
        if self._scope == Scope():
            self._letters.rest(self._read)

    def _unknown_paytables(self) -> Iterator[tuple[str, Version]]:
        """Rounds whose last version nobody can settle: identity and version."""
        for table in self.rounds.tables.values():
            for shoe in table.shoes.values():
                if shoe.number < table.whole_from or not self._scope.has(table.table_id, shoe.number):
                    continue
                for number, version in shoe.results():
                    if not version.after and not can_settle(version):
                        yield f"{table.table_id} shoe {shoe.number} round {number}", version

    def _finish_money(self) -> None:
        for (table_id, currency), sums in self.money.sums.items():
            table = self.rounds.tables.get(table_id)
            moving = table is not None and (table.moving or table.betting)
            if not sums.balanced and not moving and not self._settlements.since:
                law = f"staked {sums.staked} = paid {sums.paid} + kept {sums.kept} + open {sums.open}"
                off = f"{sums.staked - sums.paid - sums.kept - sums.open} are not accounted for"
                self._findings.add("law", "sums", f"{table_id} {currency}", "", law, off)

    def _count(self) -> None:
        shoes = [shoe for table in self.rounds.tables.values() for shoe in table.shoes.values()]
        self._counts["tables"] += len(self.rounds.tables)
        self._counts["shoes"] += len(shoes)
        self._counts["rounds"] += sum(len(shoe.rounds) for shoe in shoes)
        self._counts["versions"] += sum(len(held) for shoe in shoes for held in shoe.rounds.values())
        self._counts["repeats"] += self.rounds.repeats + self._batches.repeats
        self._counts["batches"] += len(self._batches)
        self._counts["waiting"] += self.money.waiting
        self._counts["settlements_right"] += self._settlements.right

    @property
    def tables(self) -> list[str]:
        """The tables that are judged."""
        betting = {table_id for table_id, _ in self.money.sums}
        return [table_id for table_id in self.rounds.tables.keys() | betting if self._scope.has_table(table_id)]

    @property
    def sums(self) -> list[TableSums]:
        """The money of each table and currency."""
        return [row(table_id, currency, sums) for (table_id, currency), sums in self.money.sums.items()]

    @property
    def notes(self) -> list[tuple[str, str]]:
        """What could not be judged, and of which table or how much."""
        gone = self._settlements.gone
        lost = [("settlements are not judged, retention may have deleted them", f"{gone} batches")]
        reused = [("batch ids are used twice, wallets take one for the other", f"{len(self._batches.reused)} of them")]
        return [*(lost if gone else ()), *(reused if self._batches.reused else ()), *self._display.notes]
