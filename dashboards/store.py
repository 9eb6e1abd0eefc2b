"""What the compacted topics say: for each table its newest scoreboard and statistics, and indexes of its shoes.

The newest is the one with the highest (``shoe_no``, ``version``), never merely the last that arrived: a delayed old
writer must not win. Pure: takes decoded events, gives values.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

from msgspec import Struct

from baccarat.tallies import Counts
from contract.scoreboards import Scoreboard
from contract.statistics import TableStatistics
from dashboards.days import Days

E = TypeVar("E", Scoreboard, TableStatistics)


@dataclass(frozen=True, slots=True)
class Kept(Generic[E]):
    """An event, its own bytes, and when its version was first said (milliseconds since 1970, the record's time)."""

    event: E
    raw: bytes
    at_ms: int


class ShoeHead(Struct, frozen=True, kw_only=True, tag="shoe_record", tag_field="type"):
    """What a shoe's record says of the shoe as a whole; the rounds stay in Kafka."""

    table_id: str
    shoe_no: int
    version: int
    decks: int
    started_at: str | None = None
    ended_at: str | None = None
    counts: Counts


class Shoe(Struct, frozen=True, gc=False):
    """A shoe on record: its head and where in Kafka the whole of it lies."""

    head: ShoeHead
    partition: int
    offset: int


class Store:
    """The newest of everything, by table."""

    def __init__(self) -> None:
        self.boards: dict[str, Kept[Scoreboard]] = {}
        self.statistics: dict[str, Kept[TableStatistics]] = {}
        self.shoes: dict[str, dict[int, Shoe]] = {}
        self.days = Days()

    def keep_board(self, event: Scoreboard, raw: bytes, at_ms: int) -> bool:
        """Keep a scoreboard unless a newer one is held; True where the table's picture changed."""
        return _keep(self.boards, event, raw, at_ms)

    def keep_statistics(self, event: TableStatistics, raw: bytes, at_ms: int) -> bool:
        """Keep a table's statistics unless newer ones are held; True where they changed."""
        return _keep(self.statistics, event, raw, at_ms)

    def keep_shoe(self, head: ShoeHead, partition: int, offset: int) -> None:
        """Index a shoe's record. An equal version is indexed again, since compaction keeps only its last copy."""
        shoes = self.shoes.setdefault(head.table_id, {})
        held = shoes.get(head.shoe_no)
        if held is None or held.head.version <= head.version:
            shoes[head.shoe_no] = Shoe(head, partition, offset)

    def forget_table(self, table_id: str) -> None:
        """The scoreboard's key was deleted from its topic: the table is gone."""
        self.boards.pop(table_id, None)

    def forget_statistics(self, table_id: str) -> None:
        """The statistics' key was deleted from its topic."""
        self.statistics.pop(table_id, None)

    def forget_shoe(self, table_id: str, shoe_no: int) -> None:
        """The shoe's record is no longer in Kafka."""
        self.shoes.get(table_id, {}).pop(shoe_no, None)

    def table_ids(self) -> list[str]:
        """Every table with a scoreboard, in the order of their ids."""
        return sorted(self.boards)


def _keep(kept: dict[str, Kept[E]], event: E, raw: bytes, at_ms: int) -> bool:
    held = kept.get(event.table_id)
    if held is None or (event.shoe_no, event.version) > (held.event.shoe_no, held.event.version):
        kept[event.table_id] = Kept(event, raw, at_ms)
        return True
    return False
