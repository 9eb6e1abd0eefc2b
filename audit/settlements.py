"""Compares the settlements that are there with those that must be there."""

from dataclasses import dataclass
from typing import Final

import msgspec

from audit.batches import Batches
from audit.findings import SHOWN, Findings, differences, told
from audit.money import Ledger
from audit.records import Stored, digest
from audit.rounds import Rounds
from audit.settling import settled
from contract.bets import BetsPlaced
from contract.settlements import BetsSettled

_RIGHT: Final = 1
_WRONG: Final = 2
_COUNTED: Final = 4
"""Bits of ``Batches.states``, of one settlement: right ones were found, wrong ones, its money is in the sums."""

_HELD: Final = 10_000
"""So many contents of wrong and extra settlements are remembered, to see contradictions; a flood is a flood."""


@dataclass(slots=True)
class _Odd:
    """A settlement with a wrong content, kept until its batch is read again and says what is right."""

    event: BetsSettled
    place: str


class Settlements:
    """Takes in settlements, and then once more the batches that something is wrong with, to name it."""

    def __init__(self, rounds: Rounds, batches: Batches, money: Ledger, findings: Findings) -> None:
        self._rounds, self._batches, self._money, self._findings = rounds, batches, money, findings
        self._odd: dict[int, list[_Odd]] = {}
        self._missing: set[int] = set()
        self._others: dict[tuple[str, str, int], int] = {}
        self.since = 0
        """Time of the first settlement that is still there, where older ones were deleted; in milliseconds."""
        self.right = 0
        self.gone = 0
        """Batches whose settlements may have been deleted by retention."""

    def take(self, record: Stored, event: BetsSettled) -> None:
        """Compare one settlement."""
        if event.shoe_no < self._batches.judged_from(event.table_id):
            return
        found, identity = self._batches.find(event), name_of(event)
        if found is None:
            self._contradicts(record, event)
            self._findings.add("extra", "settlement", identity, record.place, "no such batch", _worth(event))
            return
        index, at = found
        if at < 0:
            self._contradicts(record, event)
            self._findings.add("extra", "settlement", identity, record.place, "no such version", _worth(event))
            return
        states, batch = self._batches.states, self._batches[index]
        if digest(record.value or b"") == self._batches.expected(at):
            states[at] |= _RIGHT
            self.right += 1
        else:
            states[at] |= _WRONG
            self._keep(batch.offset, _Odd(event, record.place))
        if states[at] & _WRONG:
            self._contradicts(record, event, also=bool(states[at] & _RIGHT))
        if at == batch.first + batch.versions - 1 and not states[at] & _COUNTED:
            states[at] |= _COUNTED
            self._money.settle(event)

    def _contradicts(self, record: Stored, event: BetsSettled, *, also: bool = False) -> None:
        """Say once of an identity that it has two contents."""
        identity = (event.table_id, event.batch_id, event.revision)
        before, now = self._others.get(identity), digest(record.value or b"")
        if before == 0:
            return
        if also or (before is not None and before != now):
            self._others[identity] = 0
            self._findings.add("contradictory", "settlement", name_of(event), record.place, "one content", "another")
        elif len(self._others) < _HELD:
            self._others[identity] = now

    def _keep(self, offset: int, odd: _Odd) -> None:
        if sum(map(len, self._odd.values())) < SHOWN:
            self._odd.setdefault(offset, []).append(odd)
        else:
            self._findings.add("wrong", "settlement", name_of(odd.event), odd.place, "", _worth(odd.event))

    def finish(self) -> bool:
        """Look for batches without their settlement; whether the bets must be read once more."""
        for index in range(len(self._batches)):
            batch = self._batches[index]
            if batch.due and not any(self._batches.states[batch.first + batch.due - 1 : batch.first + batch.versions]):
                self._missing.add(batch.offset)
        return bool(self._odd or self._missing or self._batches.unsettled)

    def explain(self, record: Stored, event: BetsPlaced) -> None:
        """Say what is amiss with a batch that is read for the second time."""
        table = self._rounds.tables.get(event.table_id)
        shoe = table.shoes.get(event.shoe_no) if table else None
        versions = shoe.versions(event.round_no) if shoe else []
        where = f"batch {event.batch_id} of {event.table_id} shoe {event.shoe_no} round {event.round_no}"
        for odd in self._odd.get(record.offset, ()):
            version = next(each for each in versions if each.event.revision == odd.event.revision)
            parts = differences(msgspec.to_builtins(settled(event, version)), msgspec.to_builtins(odd.event))
            expected, found = told(parts) if parts else ("other bytes", "the same content")
            self._findings.add("wrong", "settlement", name_of(odd.event), odd.place, expected, found)
        if record.offset in self._missing and record.timestamp < self.since:
            self.gone += 1
        elif record.offset in self._missing:
            known = [version for version in versions if not version.after]
            revision = f"its settlement at revision {known[-1].event.revision}"
            self._findings.add("missing", "settlement", where, record.place, revision, "none")
        if record.offset in self._batches.unsettled:
            reason = self._batches.unsettled[record.offset]
            self._findings.add("unsettled", "settlement", where, record.place, "", reason)


def name_of(event: BetsSettled) -> str:
    """How a settlement is named in a finding."""
    where = f"{event.table_id} shoe {event.shoe_no} round {event.round_no}"
    return f"batch {event.batch_id} revision {event.revision} of {where}"


def _worth(event: BetsSettled) -> str:
    return f"{len(event.settlements)} slips, {sum(slip.payout for slip in event.settlements)} paid"
