"""Boards, shoe records and statistics of one partition: what must be shown, of whom it can be said, and why not."""

import functools
from collections.abc import Iterator
from typing import Final

from audit.batches import Batches
from audit.findings import Findings
from audit.house import House
from audit.money import Ledger
from audit.outputs import Expected, Newest
from audit.pictures import scoreboard, shoe_record
from audit.records import Stored
from audit.rounds import Rounds
from audit.scope import Scope
from audit.statistics import shoe_statistics, statistics
from audit.tables import Shoe, Table
from contract.scoreboards import Scoreboard, ShoeRecord
from contract.statistics import ShoeStatistics, TableStatistics

_SETTINGS: Final = frozenset(
    {"names", "place", "currency", "limits", "time_zone", "status", "roads", "version", "occurred_at"}
)
"""What follows from settings that retention may have deleted."""
_LIFETIME: Final = frozenset({"scopes.lifetime", "pace.lifetime", "version", "occurred_at"})


class Display:
    """Takes in compacted outputs when sources and settlements are read, and compares them."""

    def __init__(  # noqa: PLR0917 - what it compares with
        self,
        rounds: Rounds,
        batches: Batches,
        money: Ledger,
        scope: Scope,
        findings: Findings,
        house: House,
    ) -> None:
        self._rounds, self._batches, self._money, self._scope = rounds, batches, money, scope
        self._house = house
        self._boards = Newest("scoreboard", findings, self._board_of, repeats_equal=True)
        self._records = Newest("shoe_record", findings, self._record_of, repeats_equal=True)
        self._statistics = Newest("statistics", findings, self._statistics_of, repeats_equal=False)
        self._shoes = Newest("shoe_statistics", findings, self._shoe_of, repeats_equal=False)
        self._board = functools.cache(self._make_board)
        self._shoe = functools.lru_cache(4)(self._make_shoe)
        self._made_statistics = functools.cache(self._make_statistics)
        self._record = functools.lru_cache(4)(self._make_record)
        self.notes: list[tuple[str, str]] = []
        """What is not judged, and of which table."""

    def take_board(self, record: Stored, event: Scoreboard) -> None:
        """Take in a scoreboard."""
        if self._scope.has_table(event.table_id):
            self._boards.take(record, event.table_id, event)

    def take_record(self, record: Stored, event: ShoeRecord) -> None:
        """Take in a shoe record."""
        if self._scope.has(event.table_id, event.shoe_no):
            self._records.take(record, f"{event.table_id}/{event.shoe_no}", event)

    def take_statistics(self, record: Stored, event: TableStatistics) -> None:
        """Take in statistics."""
        if self._scope.has(event.table_id, None):
            self._statistics.take(record, event.table_id, event)

    def take_shoe_statistics(self, record: Stored, event: ShoeStatistics) -> None:
        """Take in the statistics of a shoe."""
        if self._scope.has(event.table_id, event.shoe_no):
            self._shoes.take(record, f"{event.table_id}/{event.shoe_no}", event)

    def _board_of(self, event: Scoreboard) -> Expected | None:
        return self._board(event.table_id)

    def _statistics_of(self, event: TableStatistics) -> Expected | None:
        return self._made_statistics(event.table_id)

    def _shoe_of(self, event: ShoeStatistics) -> Expected | None:
        return self._shoe(event.table_id, event.shoe_no)

    def _record_of(self, event: ShoeRecord) -> Expected | None:
        return self._record(event.table_id, event.shoe_no)

    def _make_board(self, table_id: str) -> Expected | None:
        table = self._rounds.tables.get(table_id)
        if table is None or table.moving or table.highest < table.whole_from:
            return None
        if self._scope.shoe_no not in (None, table.highest):
            return None
        return Expected(scoreboard(table, self._house.good_roads), _SETTINGS if self._rounds.cut else frozenset())

    def _make_record(self, table_id: str, shoe_no: int) -> Expected | None:
        table = self._rounds.tables.get(table_id)
        shoe = table.shoes.get(shoe_no) if table else None
        if table is None or shoe is None or shoe.moving or shoe_no < table.whole_from:
            return None
        return Expected(shoe_record(table, shoe))

    def _make_statistics(self, table_id: str) -> Expected | None:
        table = self._rounds.tables.get(table_id)
        if table is None or self._doubt(table):
            return None
        from_shoe = self._batches.judged_from(table_id)
        made = statistics(table, self._money.shoes[table_id], self._house.days)
        if made is None or table.highest < from_shoe:
            return None
        return Expected(made, _LIFETIME if from_shoe else frozenset())

    def _make_shoe(self, table_id: str, shoe_no: int) -> Expected | None:
        table = self._rounds.tables.get(table_id)
        shoe = table.shoes.get(shoe_no) if table else None
        if table is None or shoe is None or self._doubt(table) or shoe_no < self._batches.judged_from(table_id):
            return None
        made = shoe_statistics(table, shoe, self._money.shoes[table_id], self._house.days)
        return Expected(made)

    def _doubt(self, table: Table) -> str:
        """Why the statistics of a table cannot be judged; "" where they can."""
        if table.moving or table.betting:
            return "still dealing"
        if table.table_id in self._money.doubtful:
            return "batches wait for a pay table"
        if (
            table.opened
            and not table.opened.bets
            and any(sums.weight for sums in self._money.shoes[table.table_id].values())
        ):
            return "opened without bets and has some"
        return ""

    def finish(self) -> None:
        """Everything is read: tell what is amiss."""
        for table in self._rounds.tables.values():
            if self._scope.has_table(table.table_id):
                self._finish_board(table)
                self._finish_records(table)
                self._finish_statistics(table)
                self._finish_shoes(table)
        self._finish_unknown()
        for newest in (self._boards, self._records, self._statistics, self._shoes):
            hidden = [key for key in sorted(newest.keys) if newest.is_hidden(key)]
            self.notes += [
                (f"an older {newest.what} stands last, and compaction will keep it alone", key) for key in hidden
            ]

    def _finish_board(self, table: Table) -> None:
        expected = self._board(table.table_id)
        if expected is not None:
            self._boards.judge(table.table_id, expected)
        self._boards.contradictions(table.table_id)
        if table.moving:
            self.notes.append(("boards and running shoes are not judged, still dealing", table.table_id))
        elif table.highest < table.whole_from:
            self.notes.append(("no board is judged, the beginning of its shoe is deleted", table.table_id))

    def _finish_records(self, table: Table) -> None:
        skipped = [number for number in table.shoes if number < table.whole_from]
        if skipped:
            shoes = f"{table.table_id} to shoe {max(skipped)}"
            self.notes.append(("old shoes are not judged, retention may have cut them", shoes))
        for shoe in self._judged_shoes(table):
            key = f"{table.table_id}/{shoe.number}"
            self._records.contradictions(key)
            if shoe.moving:
                continue
            if _is_over(shoe, table.highest_before) or (_is_over(shoe, table.highest) and key in self._records.keys):
                self._records.judge(key, (shoe.number, shoe.weight))
            elif key in self._records.keys:
                self._records.superfluous(key, "no record, the shoe is running")

    def _judged_shoes(self, table: Table) -> Iterator[Shoe]:
        for number in sorted(table.shoes):
            if number >= table.whole_from and self._scope.has(table.table_id, number):
                yield table.shoes[number]

    def _finish_statistics(self, table: Table) -> None:
        if not self._scope.has(table.table_id, None):
            return
        doubt = self._doubt(table)
        expected = self._made_statistics(table.table_id)
        if doubt and table.highest:
            self.notes.append((f"statistics are not judged, {doubt}", table.table_id))
        elif expected is not None:
            self._statistics.judge(table.table_id, expected)
            if expected.but:
                self.notes.append(("statistics of all shoes are not judged, history is deleted", table.table_id))
        elif not table.highest and table.table_id in self._statistics.keys:
            self._statistics.superfluous(table.table_id, "none, the table has had no shoe")

    def _finish_shoes(self, table: Table) -> None:
        """The statistics of shoes: of those that were over, as far as their batches are known."""
        if self._doubt(table):
            return
        for shoe in self._judged_shoes(table):
            key = f"{table.table_id}/{shoe.number}"
            expected = self._shoe(table.table_id, shoe.number)
            if expected is None:
                continue
            if _is_over(shoe, table.highest):
                self._shoes.judge(key, expected)
            elif key in self._shoes.keys:
                self._shoes.superfluous(key, "none, the shoe is running")

    def _finish_unknown(self) -> None:
        """Outputs of tables and shoes that the sources do not know."""
        if self._rounds.cut:
            return
        tables = self._rounds.tables
        for newest in (self._boards, self._statistics):
            for key in sorted(newest.keys - tables.keys()):
                newest.superfluous(key, "no such table in the sources")
        for newest in (self._records, self._shoes):
            for key in sorted(newest.keys):
                table_id, _, shoe_no = key.partition("/")
                if table_id not in tables or int(shoe_no) not in tables[table_id].shoes:
                    newest.superfluous(key, "no such shoe in the sources")


def _is_over(shoe: Shoe, highest: int) -> bool:
    return shoe.ended is not None or highest > shoe.number
