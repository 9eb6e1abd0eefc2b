"""Judges the log of bets again and remembers, in a few numbers a batch, what its settlements must be.

Columns of integers, and one dictionary from a digest of each ``batch_id`` to its place in them: about 200 bytes a
batch, nothing a slip. The rounds are read before, so that the settlement at every version of the round is made,
digested and forgotten as soon as the batch is read.
"""

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec

from audit.admission import TAKEN, Verdict
from audit.money import Ledger
from audit.records import Stored, digest
from audit.rounds import FAR, LEFT, ORDER_CODES, Rounds
from audit.settling import can_settle, settled
from audit.tables import Table
from audit.versions import Version
from contract.bets import BetsPlaced
from contract.codec import encode
from contract.scalars import MAX_REVISION
from contract.settlements import BetsSettled

_COUNT_BITS: Final = 7
_MASK: Final = (1 << _COUNT_BITS) - 1


@dataclass(slots=True)
class _Shown:
    """How far ``bets`` has shown a table; shoes below ``whole_from`` may have lost batches to retention."""

    highest: int = 0
    whole_from: int = 0


class Batch(NamedTuple):
    """One batch as it is remembered: offset, place of its first settlement in the columns, versions, and ``due``.

    ``due`` counts from 1; 0 where no settlement must be there. ``states`` has one place a settlement.
    """

    offset: int
    first: int
    versions: int
    due: int


class Batches:
    """The batches of one partition. ``judges`` says of which tables and shoes settlements are judged."""

    def __init__(self, rounds: Rounds, money: Ledger, judges: Callable[[str, int], bool], *, cut: bool) -> None:
        self._rounds, self._money, self._judges, self._cut = rounds, money, judges, cut
        self._shown: dict[str, _Shown] = {}
        self._ids: dict[int, int] = {}
        self._contents, self._offsets, self._shoes, self._spans = array("Q"), array("Q"), array("I"), array("Q")
        self._settlements, self._revisions = array("Q"), bytearray()
        self.states = bytearray()
        """Per settlement what was found of it; 0 for nothing yet."""
        self.repeats = 0
        self.reused: dict[tuple[int, int], int] = {}
        """Batches of older shoes whose ids were taken once more, when processors had forgotten them; by id and shoe."""
        self.unsettled: dict[int, str] = {}
        """Offset of each batch that cannot be settled, with the reason."""

    def __len__(self) -> int:
        return len(self._offsets)

    def __getitem__(self, index: int) -> Batch:
        first, due, count = _unpacked(self._spans[index])
        return Batch(self._offsets[index], first, count, due)

    def take(self, record: Stored, event: BetsPlaced, said: str | None, *, after: bool) -> Verdict:
        """Judge a batch and take it in. ``said`` is the code of its dead letter; ``after``: behind the snapshot."""
        shown = self._shown.setdefault(event.table_id, _Shown())
        if self._cut and not shown.whole_from and said not in ORDER_CODES:
            shown.whole_from = event.shoe_no + LEFT
        key, content = key_of(event.table_id, event.batch_id), _content(event)
        index = self._ids.get(key)
        verdict = self._verdict(event, shown, index, content)
        if event.shoe_no < shown.whole_from or shown.highest < shown.whole_from:
            verdict = verdict._replace(sure=False)
        if (verdict.code if verdict.sure else said) in ORDER_CODES:
            return verdict
        if index is not None and self._contents[index] == content:
            self.repeats += 1
            return verdict
        shown.highest = max(shown.highest, event.shoe_no)
        if index is not None:
            self.reused[key, self._shoes[index]] = index
        self._ids[key] = len(self)
        self._contents.append(content)
        self._offsets.append(record.offset)
        self._shoes.append(event.shoe_no)
        self._spans.append(self._expect(record, event, after=after))
        return verdict

    def _verdict(self, event: BetsPlaced, shown: _Shown, index: int | None, content: int) -> Verdict:
        left = shown.highest >= event.shoe_no + LEFT
        if index is not None and self._contents[index] == content:
            return Verdict("too_old", sure=False) if left else TAKEN
        if left:
            return Verdict("too_old")
        if shown.highest and event.shoe_no > shown.highest + FAR:
            # it depends on whether its shoe_started was read before it, from another topic
            return Verdict("shoe_jump", sure=not self._is_started(event))
        if index is not None:  # of a shoe that is left the id may have been forgotten
            return Verdict("conflict", sure=shown.highest < self._shoes[index] + LEFT)
        return TAKEN

    def _is_started(self, event: BetsPlaced) -> bool:
        table = self._rounds.tables.get(event.table_id)
        shoe = table.shoes.get(event.shoe_no) if table else None
        return shoe is not None and (shoe.started is not None or self._cut)

    def judged_from(self, table_id: str) -> int:
        """The first shoe whose batches and rounds are all there."""
        table, shown = self._rounds.tables.get(table_id), self._shown.get(table_id)
        return max(table.whole_from if table else 0, shown.whole_from if shown else 0)

    def _expect(self, record: Stored, event: BetsPlaced, *, after: bool) -> int:
        """Make the settlement at each version of the round; where they stand in the columns, packed."""
        table = self._rounds.tables.get(event.table_id) or Table(event.table_id)
        table.betting |= after
        shoe = table.shoes.get(event.shoe_no)
        versions = shoe.versions(event.round_no) if shoe else []
        first = len(self._settlements)
        if not self._judges(event.table_id, event.shoe_no) or event.shoe_no < self.judged_from(event.table_id):
            return first << (2 * _COUNT_BITS)
        last: BetsSettled | None = None
        for version in filter(can_settle, versions):
            last = settled(event, version)
            self._settlements.append(digest(encode(last)))
            self._revisions.append(version.event.revision)
            self.states.append(0)
        count = len(self._settlements) - first
        final = versions[-1] if versions else None
        self._money.place(event, last if final is not None and can_settle(final) else None)
        if not after:
            self._note_unsettled(record, event, table, final)
        due = 0 if after else self._due(versions, first, count)
        return (first << _COUNT_BITS | due) << _COUNT_BITS | count

    def _due(self, versions: list[Version], first: int, count: int) -> int:
        """The place of the settlement that must be there at least: that of the last version within the snapshot."""
        known = [version for version in versions if not version.after]
        if not known or not can_settle(known[-1]):
            return 0
        return self._revisions.index(known[-1].event.revision, first, first + count) - first + 1

    def _note_unsettled(self, record: Stored, event: BetsPlaced, table: Table, final: Version | None) -> None:
        if final is not None and not can_settle(final):
            self._money.doubtful.add(event.table_id)
            self.unsettled[record.offset] = f"pay table {final.paytable!r} is not known"
        elif final is None and event.shoe_no < table.highest_before:
            self.unsettled[record.offset] = f"its round has not come, and the table is at {table.highest}"
        elif final is None:
            self._money.waiting += 1

    def find(self, settlement: BetsSettled) -> tuple[int, int] | None:
        """The batch of a settlement, and the place of this revision in the columns (-1: no such revision)."""
        key = key_of(settlement.table_id, settlement.batch_id)
        index = self.reused.get((key, settlement.shoe_no), self._ids.get(key))
        if index is None:
            return None
        batch = self[index]
        if not 0 <= settlement.revision <= MAX_REVISION:
            return index, -1
        return index, self._revisions.find(settlement.revision, batch.first, batch.first + batch.versions)

    def expected(self, at: int) -> int:
        """The digest of the settlement at this place of the columns."""
        return self._settlements[at]


def key_of(table_id: str, batch_id: str) -> int:
    """What stands for a batch's identity."""
    return digest(f"{table_id}/{batch_id}".encode())


def _unpacked(span: int) -> tuple[int, int, int]:
    return span >> (2 * _COUNT_BITS), span >> _COUNT_BITS & _MASK, span & _MASK


_encoder = msgspec.json.Encoder()


def _content(event: BetsPlaced) -> int:
    """What a repeat must have equal: everything but ``occurred_at``."""
    return digest(_encoder.encode((event.shoe_no, event.round_no, event.currency, event.slips)))
