"""What the runner does with a fold, without Faust and without Kafka: logs, commits, crashes, granted drops.

A crash loses the fold's memory and its rows; they are read again from the changelog. A rebalance keeps the rows, also
those whose changelog records were never sent. After both, what was read since the last commit comes again. Of what that
wrote the broker has, for each partition, rows up to some row, and outputs up to some earlier record.
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
    changelog: dict[bytes, bytes] = field(default_factory=dict)
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
                self._interrupt(crash=self.chance.random() < 0.6)
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
        for done in self.since:
            _write(self.changelog, done.rows)
            self.outs += done.outs
        self.since = []
        self.committed = dict(self.positions)
        granted = [w for w in self.wishes if all(self.committed.get(tp, 0) >= at for tp, at in w[1].items())]
        self.wishes = [wish for wish in self.wishes if wish not in granted]
        for drop, _ in granted:
            self._apply(drop.partition, self.fold.forget(drop))

    def _interrupt(self, *, crash: bool) -> None:
        """Lose what was not sent, and begin anew: from the changelog, or from the rows that are at hand."""
        for partition in range(PARTITIONS):
            mine = [done for done in self.since if done.partition == partition]
            cut = self.chance.randint(0, len(mine))
            for done in mine[:cut]:
                _write(self.changelog, done.rows)
            for done in mine[cut : cut + 1]:
                _write(self.changelog, done.rows[: self.chance.randint(0, len(done.rows))])
            for done in mine[: self.chance.randint(0, cut)]:
                self.outs += done.outs
        if crash:
            self.rows = dict(self.changelog)
        self.since, self.wishes = [], []
        self.fold = self.make(PARTITIONS)
        self.positions = dict(self.committed)
        self._apply(-1, self.fold.restore(list(self.rows.items())))


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
