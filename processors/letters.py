"""The limit on dead letters: when nearly everything is refused, the fault is ours and not the sources'."""

import re
from collections.abc import Set as AbstractSet
from typing import Final

from contract.partitions import partition_of
from contract.scalars import TABLE_ID
from processors.effects import Record
from processors.endings import RestartIsNoCure
from processors.verdicts import Refusal

LIMIT: Final = 100
TABLES: Final = 3
_OURS: Final = ("undecodable", "invalid")
_TABLE_ID: Final = re.compile(TABLE_ID.encode())


class FaultIsOurs(RestartIsNoCure):
    """More than 100 records in a row from at least three tables could not be understood: this program is too old."""


def table_of(record: Record, partitions: int) -> str | None:
    """The table that a record's key names, if it can be a table's that lies on this partition."""
    key = record.key
    if key is None or _TABLE_ID.match(key) is None or partition_of(key, partitions) != record.partition:
        return None
    return key.decode()


class LetterLimit:
    """Counts undecodable and invalid records in a row; over 100 of them from three tables raise ``FaultIsOurs``.

    One broken source may write any keys, and must not end the processor of a whole floor. So only tables count that
    were understood before (``known``); where there are fewer than three of those, every key that can be a table's.
    """

    def __init__(self, known: AbstractSet[str]) -> None:
        self._known = known
        self._row = 0
        self._tables: set[str] = set()

    def good(self) -> None:
        """A record was understood: the row ends."""
        if self._row:
            self._row = 0
            self._tables.clear()

    def bad(self, record: Record, table_id: str | None, refusal: Refusal) -> None:
        """A record was refused; raises ``FaultIsOurs`` where that is one too many."""
        if refusal.code not in _OURS:
            self.good()
            return
        self._row += 1
        counts = table_id in self._known or len(self._known) < TABLES
        if table_id is not None and counts and len(self._tables) < TABLES:  # more would not tell more
            self._tables.add(table_id)
        if self._row > LIMIT and len(self._tables) >= TABLES:
            raise FaultIsOurs(
                f"{self._row} records in a row from at least {TABLES} tables could not be understood "
                f"(the last: {record.topic} partition {record.partition} offset {record.offset}: {refusal.message}). "
                "The sources are newer than this program, or it is broken: deploy the version that fits them."
            )
