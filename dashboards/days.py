"""An index of the statistics of all shoes: by table and shoe their gaming day, and where in Kafka they lie.

One integer a shoe, so that 400 days of a large house fit: the day, the version and the offset side by side; and of each
table the shoes of a day, so that a day is found without a search. All shoes of a table lie on one partition, which is
the table's.
"""

import datetime as dt
from typing import Final, NamedTuple

from msgspec import Struct

_OFFSET_BITS: Final = 48
_VERSION_BITS: Final = 56
_OFFSET: Final = (1 << _OFFSET_BITS) - 1
_VERSION: Final = (1 << _VERSION_BITS) - 1


class ShoeStatisticsHead(Struct, frozen=True, kw_only=True, tag="shoe_statistics", tag_field="type"):
    """What is kept of a shoe's statistics; the figures stay in Kafka."""

    table_id: str
    shoe_no: int
    version: int
    gaming_day: str | None = None


class Found(NamedTuple):
    """Where the statistics of one shoe lie."""

    table_id: str
    shoe_no: int
    partition: int
    offset: int


class Days:
    """The index. ``changes`` counts what has come."""

    def __init__(self) -> None:
        self._partitions: dict[str, int] = {}
        self._shoes: dict[str, dict[int, int]] = {}
        self._on: dict[str, dict[int, list[int]]] = {}
        self.changes = 0

    def keep(self, head: ShoeStatisticsHead, partition: int, offset: int) -> None:
        """Index a shoe. An equal version is indexed again, since compaction keeps only its last copy."""
        self.changes += 1
        shoes = self._shoes.setdefault(head.table_id, {})
        self._partitions[head.table_id] = partition
        held = shoes.get(head.shoe_no)
        if held is None or (held >> _OFFSET_BITS) & _VERSION <= head.version:
            day = _ordinal(head.gaming_day)
            shoes[head.shoe_no] = (day << _VERSION_BITS | head.version & _VERSION) << _OFFSET_BITS | offset & _OFFSET
            self._move(head.table_id, head.shoe_no, held, day)

    def forget(self, table_id: str, shoe_no: int) -> None:
        """The shoe's statistics are no longer in Kafka."""
        self.changes += 1
        self._move(table_id, shoe_no, self._shoes.get(table_id, {}).pop(shoe_no, None), 0)

    def _move(self, table_id: str, shoe_no: int, held: int | None, day: int) -> None:
        """Put a shoe from the day on which it was held to another; 0 is no day."""
        before = 0 if held is None else held >> (_OFFSET_BITS + _VERSION_BITS)
        if before == day:
            return
        on = self._on.setdefault(table_id, {})
        if before:
            on[before].remove(shoe_no)
            if not on[before]:
                del on[before]
        if day:
            on.setdefault(day, []).append(shoe_no)

    def shoe(self, table_id: str, shoe_no: int) -> list[Found]:
        """Where this shoe's statistics lie, if there are any."""
        held = self._shoes.get(table_id, {}).get(shoe_no)
        return [] if held is None else [Found(table_id, shoe_no, self._partitions[table_id], held & _OFFSET)]

    def newest(self, table_id: str, most: int) -> list[Found]:
        """Where the statistics of the table's last shoes lie, at most so many."""
        shoes = sorted(self._shoes.get(table_id, {}))[-most:]
        return [found for shoe_no in shoes for found in self.shoe(table_id, shoe_no)]

    def newest_days(self, most: int) -> list[Found]:
        """Where the statistics of all tables' last gaming days lie: whole days with at most so many shoes together.

        Where the last day alone has more, so many shoes of it.
        """
        counts: dict[int, int] = {}
        for on in self._on.values():
            for day, shoes in on.items():
                counts[day] = counts.get(day, 0) + len(shoes)
        found: list[Found] = []
        for day in sorted(counts, reverse=True):
            if found and len(found) + counts[day] > most:
                break
            found += self.of_day(dt.date.fromordinal(day).isoformat())
        return found[:most]

    def of_day(self, day: str, table_id: str | None = None) -> list[Found]:
        """Where the statistics of a gaming day lie, of one table or of all."""
        ordinal, tables = _ordinal(day), self._on if table_id is None else [table_id]
        return [
            found
            for table in tables
            for shoe_no in self._on.get(table, {}).get(ordinal, ())
            for found in self.shoe(table, shoe_no)
        ]


def _ordinal(day: str | None) -> int:
    """The day as a number; 0 for none, and for what is no day."""
    try:
        return dt.date.fromisoformat(day).toordinal() if day else 0
    except ValueError:
        return 0
