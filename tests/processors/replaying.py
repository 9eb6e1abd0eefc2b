"""What the runner does with a fold, without Faust and without Kafka: logs, commits, crashes, granted drops.

A crash loses the fold's memory. What was read since the last commit comes again; of what that wrote, each partition's
rows are there up to some record, and its outputs up to the same record or an earlier one.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from contract.partitions import partition_of
from processors.effects import Drop, Effects, Fold, Out, Record, Row
from tests.integration.floor import Sent

PARTITIONS = 3
TP = tuple[str, int]
Logs = dict[TP, list[Record]]


def logs_of(records: Iterable[Sent]) -> Logs:
    """The records as they stand on their partitions."""
    logs: Logs = defaultdict(list)
    for topic, key, value in records:
        partition = partition_of(key, PARTITIONS)
        log = logs[topic, partition]
        log.append(Record(topic, partition, len(log), 1_764_525_600_000, key, value))
    return dict(logs)


class _Done(NamedTuple):
    partition: int
    rows: list[Row]
    outs: list[Out]


@dataclass
class Replay:
    """One processor's life over some logs; ``outs`` is what the broker has in the end."""

    make: Callable[[int], Fold]
    logs: Logs
    chance: random.Random
    crashes: float = 0.0
    rows: dict[bytes, bytes] = field(default_factory=dict)
    outs: list[Out] = field(default_factory=list)
    rows_committed: dict[bytes, bytes] = field(default_factory=dict)
    most_rows: int = 0

    def __post_init__(self) -> None:
        self.fold = self.make(PARTITIONS)
        self.positions = dict.fromkeys(self.logs, 0)
        self.committed = dict.fromkeys(self.logs, 0)
        self.since: list[_Done] = []
        self.wishes: list[tuple[Drop, dict[TP, int]]] = []

    def run(self, order: Sequence[TP] | None = None) -> "Replay":
        """Read everything: in the order of ``order``, or whatever partition chance names next."""
        turns = iter(order or ())
        while unread := [tp for tp, log in self.logs.items() if self.positions[tp] < len(log)]:
            turn = next(turns, None)
            self._read(turn if turn in unread else self.chance.choice(unread))
            if self.chance.random() < 0.1:
                self._commit()
            if self.chance.random() < self.crashes:
                self._crash()
        self._commit()
        self._commit()
        return self

    def _read(self, tp: TP) -> None:
        record = self.logs[tp][self.positions[tp]]
        self.positions[tp] += 1
        self._apply(record.partition, self.fold.step(record))
        self.most_rows = max(self.most_rows, len(self.rows))

    def _apply(self, partition: int, effects: Effects) -> None:
        self.since.append(_Done(partition, effects.rows, effects.outs))
        _write(self.rows, effects.rows)
        for drop in effects.drops:
            needs = {tp: position for tp, position in self.positions.items() if tp[1] == drop.partition}
            for topic, offset in drop.after:
                needs[topic, drop.partition] = max(offset + 1, needs.get((topic, drop.partition), 0))
            self.wishes.append((drop, needs))

    def _commit(self) -> None:
        self._keep(self.since)
        self.since = []
        self.committed, self.rows_committed = dict(self.positions), dict(self.rows)
        granted = [w for w in self.wishes if all(self.committed.get(tp, 0) >= at for tp, at in w[1].items())]
        self.wishes = [wish for wish in self.wishes if wish not in granted]
        for drop, _ in granted:
            self._apply(drop.partition, self.fold.forget(drop))

    def _keep(self, done: Iterable[_Done]) -> None:
        for each in done:
            self.outs += each.outs

    def _crash(self) -> None:
        """Die, and begin anew from what has reached the broker."""
        changelog = dict(self.rows_committed)
        for partition in range(PARTITIONS):
            mine = [done for done in self.since if done.partition == partition]
            cut = self.chance.randint(0, len(mine))
            sent = self.chance.randint(0, cut)
            for done in mine[:cut]:
                _write(changelog, done.rows)
            self._keep(mine[:sent])
        self.rows, self.since, self.wishes = changelog, [], []
        self.fold = self.make(PARTITIONS)
        self.positions = dict(self.committed)
        effects = self.fold.restore(list(self.rows.items()))
        self._apply(-1, effects)


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
