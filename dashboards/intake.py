"""Records of the compacted topics into the store: decoded, their key checked, counted; what cannot be taken is skipped.

A bad record of one table must not take the page from the others, so it is counted and the last good state stays.
"""

from typing import Final, Literal, NamedTuple

import msgspec
import structlog

from contract.codec import BadRecord, UnknownType, decode
from contract.scoreboards import Scoreboard
from contract.statistics import TableStatistics
from contract.topics import SCOREBOARDS, SHOE_STATISTICS, SHOES, STATISTICS, Topic
from dashboards.days import ShoeStatisticsHead
from dashboards.store import ShoeHead, Store

TOPICS: Final = (SCOREBOARDS, STATISTICS, SHOES, SHOE_STATISTICS)
"""What the page reads."""

_log = structlog.get_logger("page")
_head = msgspec.json.Decoder(ShoeHead | ShoeStatisticsHead)


class Record(NamedTuple):
    """A record as Kafka has it; ``at_ms`` is its timestamp."""

    topic: Topic
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    at_ms: int


class Change(NamedTuple):
    """What a record changed: a table's board, its statistics, or (``gone``) that there is no such table any more."""

    kind: Literal["board", "statistics", "gone"]
    table_id: str


class Intake:
    """Takes records into a store. ``taken`` counts them by topic, ``skipped`` the ones that could not be taken."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.taken = dict.fromkeys((topic.name for topic in TOPICS), 0)
        self.skipped = dict.fromkeys((topic.name for topic in TOPICS), 0)

    def take(self, record: Record) -> Change | None:
        """Take one record; returns what changed on the screens, None for nothing."""
        self.taken[record.topic.name] += 1
        try:
            return self._take(record)
        except (BadRecord, UnknownType) as fault:
            self.skipped[record.topic.name] += 1
            place = {"topic": record.topic.name, "partition": record.partition, "offset": record.offset}
            _log.warning("record skipped", reason=str(fault), **place)
            return None

    def _take(self, record: Record) -> Change | None:
        if record.value is None:
            return self._forget(record)
        if record.topic in (SHOES, SHOE_STATISTICS):
            self._index(record, record.value)
            return None
        event = decode(record.topic, record.value)
        _check_key(record, event.table_id)
        match event:
            case Scoreboard() if self._store.keep_board(event, record.value, record.at_ms):
                return Change("board", event.table_id)
            case TableStatistics() if self._store.keep_statistics(event, record.value, record.at_ms):
                return Change("statistics", event.table_id)
            case _:
                return None

    def _index(self, record: Record, value: bytes) -> None:
        """Only the head of what is said of a shoe is kept, so only it is judged here; the rest when it is asked for."""
        try:
            head = _head.decode(value)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadRecord(str(error)) from error
        _check_key(record, f"{head.table_id}/{head.shoe_no}")
        match head:
            case ShoeHead() if record.topic is SHOES:
                self._store.keep_shoe(head, record.partition, record.offset)
            case ShoeStatisticsHead() if record.topic is SHOE_STATISTICS:
                self._store.days.keep(head, record.partition, record.offset)
            case _:
                raise BadRecord(f"it does not belong to {record.topic.name}")

    def _forget(self, record: Record) -> Change | None:
        """A deleted key: compaction has forgotten it, and so do we."""
        table_id, _, shoe_no = (record.key or b"").decode(errors="replace").partition("/")
        if record.topic in (SHOES, SHOE_STATISTICS):
            if shoe_no.isascii() and shoe_no.isdecimal():
                forget = self._store.forget_shoe if record.topic is SHOES else self._store.days.forget
                forget(table_id, int(shoe_no))
            return None
        if record.topic is STATISTICS:
            self._store.forget_statistics(table_id)
            return Change("statistics", table_id)
        self._store.forget_table(table_id)
        return Change("gone", table_id)


def _check_key(record: Record, key: str) -> None:
    if record.key != key.encode():
        raise BadRecord(f"the key is {record.key!r}, not {key!r}")
