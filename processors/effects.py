"""What goes into a fold and what comes out of it: values only, so that a fold can be replayed over any iterable."""

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from contract.topics import Processor, Topic

Headers = list[tuple[str, bytes]]


class Record(NamedTuple):
    """One record as read from Kafka; ``timestamp`` is the append time in milliseconds since 1970."""

    topic: str
    partition: int
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None


class Row(NamedTuple):
    """One row to keep; value None deletes it."""

    key: bytes
    value: bytes | None


class Out(NamedTuple):
    """One record to send; it goes to the partition that the fold's input came from."""

    topic: Topic
    key: bytes | None
    value: bytes | None
    headers: Headers | None = None


class Drop(NamedTuple):
    """The wish to forget a shoe, to be granted once every source partition is committed past ``after``.

    ``after`` maps a topic's name to the offset of the record that first showed the table two shoes later: everything
    that the shoe's rows are needed for stands before it.
    """

    table_id: str
    shoe_no: int
    partition: int
    after: tuple[tuple[str, int], ...]


@dataclass(slots=True)
class Effects:
    """Rows and records of one step, each in the order in which they must become visible."""

    rows: list[Row] = field(default_factory=list)
    outs: list[Out] = field(default_factory=list)
    drops: list[Drop] = field(default_factory=list)


class Fold(Protocol):
    """A processor's logic: deterministic, without I/O, and safe to repeat on rows that are ahead of the record."""

    processor: Processor

    def step(self, record: Record) -> Effects:
        """Take one record; bad input becomes a dead letter among the effects, never an exception."""

    def restore(self, rows: list[tuple[bytes, bytes]]) -> Effects:
        """Begin anew from these rows alone; the effects are the compacted outputs, sent again, and due drops."""

    def forget(self, drop: Drop) -> Effects:
        """Forget a shoe whose drop is granted: the rows to delete (and to write before)."""

    def counters(self) -> dict[str, int]:
        """Totals since the start, by metric name."""
