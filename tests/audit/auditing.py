"""A hostile floor, what the folds make of it without Kafka, and the audit of both."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from audit.findings import Finding, Findings
from audit.partition import READ, Partition
from audit.records import Stored
from audit.report import TableSums
from audit.scope import Scope
from contract.partitions import partition_of
from contract.topics import BETS, DEAD_LETTERS, ROUNDS, SETTLEMENTS
from processors.effects import Out, Record
from processors.scoreboards import Scoreboards
from processors.settlements import Settlements
from processors.statistics import Statistics
from tests.faults.floor import Sent
from tests.processors.replaying import PARTITIONS, Logs, Replay

EVERYTHING = Scope()
APPENDED_MS = 1_764_525_600_000
Shelf = dict[tuple[str, int], list[Stored]]
"""The records of each topic and partition."""


def logs_of(records: Iterable[Sent]) -> Logs:
    logs: Logs = defaultdict(list)
    for sent in records:
        partition = sent.partition % PARTITIONS
        log = logs[sent.topic, partition]
        log.append(Record(sent.topic, partition, len(log), APPENDED_MS, sent.key, sent.value))
    return dict(logs)


def outputs(records: Iterable[Sent], *, seed: int = 9, crashes: float = 0.01) -> list[Out]:
    """What the three processors publish, killed now and then."""
    logs, chance = logs_of(records), random.Random(seed)
    rounds = {place: log for place, log in logs.items() if place[0] == ROUNDS.name}
    boards = Replay(Scoreboards, rounds, chance, crashes).run().outs
    settled = Replay(Settlements, logs, chance, crashes).run().outs
    settlements: Logs = defaultdict(list)
    for out in settled:
        if out.topic is SETTLEMENTS:
            log = settlements[SETTLEMENTS.name, place_of(out)]
            log.append(Record(SETTLEMENTS.name, place_of(out), len(log), APPENDED_MS, out.key, out.value))
    return [*boards, *settled, *Replay(Statistics, rounds | settlements, chance, crashes).run().outs]


def place_of(out: Out) -> int:
    """The partition of an output: that of its table, of a dead letter that of the record it speaks of."""
    if out.topic is DEAD_LETTERS:
        return int(dict(out.headers or ())["partition"])
    assert out.key is not None
    return partition_of(out.key.partition(b"/")[0], PARTITIONS)


def shelf_of(records: Iterable[Sent], outs: Iterable[Out]) -> Shelf:
    """Everything as it stands in the topics."""
    shelf: Shelf = defaultdict(list)
    for log in logs_of(records).values():
        for record in log:
            shelf[record.topic, record.partition].append(Stored(*record))
    for out in outs:
        stored = shelf[out.topic.name, place_of(out)]
        place = (out.topic.name, place_of(out), len(stored), APPENDED_MS)
        stored.append(Stored(*place, out.key, out.value, tuple(out.headers or ())))
    return shelf


@dataclass
class Audited:
    """What an audit says."""

    found: list[Finding] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    notes: list[tuple[str, str]] = field(default_factory=list)
    sums: list[TableSums] = field(default_factory=list)

    @property
    def kinds(self) -> Counter[str]:
        return Counter(f"{finding.kind} {finding.what}" for finding in self.found)


def audit(shelf: Shelf, *, scope: Scope = EVERYTHING, snapshot: Mapping[tuple[str, int], int] | None = None) -> Audited:
    """Judge a shelf; ``snapshot`` are the ends of sources that outputs must know, everything where it is left out."""
    audited, findings = Audited(), Findings()
    for number in range(PARTITIONS):
        ends = {topic.name: len(shelf.get((topic.name, number), ())) for topic in (ROUNDS, BETS)}
        if snapshot is not None:
            ends = {name: snapshot.get((name, number), end) for name, end in ends.items()}
        begins = {topic.name: log[0].offset for topic in READ if (log := shelf.get((topic.name, number)))}
        partition = Partition(
            number,
            PARTITIONS,
            begins=begins,
            snapshot=ends,
            scope=scope,
            findings=findings,
            counts=audited.counts,
        )
        for topic in READ:
            for record in shelf.get((topic.name, number), ()):
                partition.take(topic, record)
        if partition.finish():
            for record in shelf.get((BETS.name, number), ()):
                partition.explain(record)
        audited.notes += partition.notes
        audited.sums += partition.sums
    audited.found = findings.shown
    return audited
