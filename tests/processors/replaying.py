"""What the runner does with a fold, without Faust and without Kafka: logs, commits, crashes, take-overs, granted drops.

One or more workers share the partitions. A crash loses a worker's memory and its rows; they are read again from the
changelog. A rebalance keeps the rows of the partitions that a worker keeps, also those whose changelog records were
never sent, and purges those that it loses. After both, what was read since the last commit comes again. Of what that
wrote the broker has, for each partition, what ``Loss`` says.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import msgspec

from contract.partitions import partition_of
from processors.effects import Drop, Effects, Fold, Out, Record, Row
from tests.integration.floor import Sent

PARTITIONS = 3
TP = tuple[str, int]
Logs = dict[TP, list[Record]]


class Loss(Enum):
    """What of the work since the last commit the broker has when a worker ends."""

    SOME = "rows up to some row, and outputs up to some earlier record: as one producer sends them"
    OUTPUTS = "every row and no output: rows ahead of the records by all that was read"
    ROWS = "every output and no row"


def logs_of(records: Iterable[Sent]) -> Logs:
    """The records as they stand on their partitions."""
    logs: Logs = defaultdict(list)
    for topic, key, value in records:
        partition = partition_of(key, PARTITIONS)
        log = logs[topic, partition]
        log.append(Record(topic, partition, len(log), 1_764_525_600_000, key, value))
    return dict(logs)


def held_back(logs: Logs, topic: str, by: int) -> list[TP]:
    """An order of reading in which each partition of ``topic`` runs ``by`` records behind the others."""
    longest = max(len(log) for log in logs.values())
    order = []
    for turn in range(longest + by):
        for tp, log in logs.items():
            place = turn - by if tp[0] == topic else turn
            if 0 <= place < len(log):
                order.append(tp)
    return order


class _Done(NamedTuple):
    partition: int
    rows: list[Row]
    outs: list[Out]


@dataclass
class _Worker:
    fold: Fold
    partitions: set[int]
    rows: dict[bytes, bytes] = field(default_factory=dict)
    since: list[_Done] = field(default_factory=list)
    wishes: list[tuple[Drop, dict[TP, int]]] = field(default_factory=list)


@dataclass
class Replay:
    """One processor's life over some logs; ``outs`` is what the broker has in the end."""

    make: Callable[[int], Fold]
    logs: Logs
    chance: random.Random
    crashes: float = 0.0
    workers: int = 1
    commits: float = 0.1
    loss: Loss = Loss.SOME
    outs: list[Out] = field(default_factory=list)
    changelog: dict[bytes, bytes] = field(default_factory=dict)
    most_rows: int = 0
    interruptions: int = 0

    def __post_init__(self) -> None:
        self.positions = dict.fromkeys(self.logs, 0)
        self.committed = dict.fromkeys(self.logs, 0)
        self.group = [_Worker(self.make(PARTITIONS), set()) for _ in range(self.workers)]
        self._assign()

    def run(self, order: Sequence[TP] | None = None) -> "Replay":
        """Read everything: in the order of ``order``, or whatever partition chance names next."""
        turns = iter(order or ())
        while unread := [tp for tp, log in self.logs.items() if self.positions[tp] < len(log)]:
            turn = next(turns, None)
            self._read(turn if turn in unread else self.chance.choice(unread))
            if self.chance.random() < self.commits:
                self._commit(self.chance.choice(self.group))
            if self.chance.random() < self.crashes:
                self._interrupt(crash=self.chance.random() < 0.6)
        for worker in self.group * 2:
            self._commit(worker)
        return self

    def _read(self, tp: TP) -> None:
        worker = next(worker for worker in self.group if tp[1] in worker.partitions)
        record = self.logs[tp][self.positions[tp]]
        self.positions[tp] += 1
        self._apply(worker, record.partition, worker.fold.step(record))
        self.most_rows = max(self.most_rows, len(worker.rows))

    def _apply(self, worker: _Worker, partition: int, effects: Effects) -> None:
        worker.since.append(_Done(partition, effects.rows, effects.outs))
        _write(worker.rows, effects.rows)
        for drop in effects.drops:
            needs = {tp: position for tp, position in self.positions.items() if tp[1] == drop.partition}
            for topic, offset in drop.after:
                needs[topic, drop.partition] = max(offset + 1, needs.get((topic, drop.partition), 0))
            worker.wishes.append((drop, needs))

    def _commit(self, worker: _Worker) -> None:
        for done in worker.since:
            _write(self.changelog, done.rows)
            self.outs += done.outs
        worker.since = []
        self.committed |= {tp: at for tp, at in self.positions.items() if tp[1] in worker.partitions}
        granted = [w for w in worker.wishes if all(self.committed.get(tp, 0) >= at for tp, at in w[1].items())]
        worker.wishes = [wish for wish in worker.wishes if wish not in granted]
        for drop, _ in granted:
            self._apply(worker, drop.partition, worker.fold.forget(drop))

    def _interrupt(self, *, crash: bool) -> None:
        """A rebalance, or a worker's death: all lose what was not sent, and begin anew with what they are assigned."""
        self.interruptions += 1
        dead = self.chance.choice(self.group) if crash else None
        for worker in self.group:
            for partition in sorted(worker.partitions):
                self._lose([done for done in worker.since if done.partition == partition])
        for worker in self.group:
            worker.since, worker.wishes = [], []
            if worker is dead:
                worker.fold, worker.rows = self.make(PARTITIONS), {}
                worker.partitions = set()
        self.positions = dict(self.committed)
        before = [set(worker.partitions) for worker in self.group]
        self._assign()
        for worker, had in zip(self.group, before, strict=True):
            self._restore(worker, had)

    def _lose(self, mine: list[_Done]) -> None:
        cut = self.chance.randint(0, len(mine)) if self.loss is Loss.SOME else len(mine)
        for done in mine[:cut] if self.loss is not Loss.ROWS else ():
            _write(self.changelog, done.rows)
        for done in mine[cut : cut + 1]:
            _write(self.changelog, done.rows[: self.chance.randint(0, len(done.rows))])
        sent = {Loss.SOME: self.chance.randint(0, cut), Loss.OUTPUTS: 0, Loss.ROWS: len(mine)}[self.loss]
        for done in mine[:sent]:
            self.outs += done.outs

    def _assign(self) -> None:
        """Share the partitions out anew, by chance."""
        for worker in self.group:
            worker.partitions = set()
        for partition in range(PARTITIONS):
            self.chance.choice(self.group).partitions.add(partition)

    def _restore(self, worker: _Worker, had: set[int]) -> None:
        """Rows of kept partitions are at hand, those of lost ones are purged, those of new ones read."""
        kept = had & worker.partitions
        gained = worker.partitions - kept
        worker.rows = {key: value for key, value in worker.rows.items() if _partition(key) in kept}
        worker.rows |= {key: value for key, value in self.changelog.items() if _partition(key) in gained}
        self._apply(worker, -1, worker.fold.restore(list(worker.rows.items())))


def _partition(key: bytes) -> int:
    return partition_of(key.partition(b"/")[0], PARTITIONS)


def _write(rows: dict[bytes, bytes], changes: Iterable[Row]) -> None:
    for key, value in changes:
        if value is None:
            rows.pop(key, None)
        else:
            rows[key] = value


class _Head(msgspec.Struct):
    shoe_no: int
    version: int


def newest(outs: Iterable[Out], topic: str) -> dict[bytes, bytes]:
    """What a consumer of a compacted topic keeps: per key the highest (shoe_no, version), of equals the last."""
    kept: dict[bytes, tuple[tuple[int, int], bytes]] = {}
    for out in outs:
        if out.topic.name == topic and out.key is not None and out.value is not None:
            head = msgspec.json.decode(out.value, type=_Head)
            place = (head.shoe_no, head.version)
            if out.key not in kept or place >= kept[out.key][0]:
                kept[out.key] = (place, out.value)
    return {key: value for key, (_, value) in kept.items()}
