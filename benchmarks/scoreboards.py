"""Scoreboards: what one round costs at the beginning, in the middle and at the end of a shoe.

The process pays for everything: reading, fold, encoding, sending, acknowledgement. The fold is measured beside it,
alone and without Kafka.
"""

import datetime as dt
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from benchmarks.load import Deal, Sent, hands, sent
from benchmarks.stage import Processor, Stage, stage
from contract.partitions import partition_of
from contract.topics import PARTITIONS
from processors.effects import Record
from processors.scoreboards import Scoreboards


class Span(NamedTuple):
    """Rounds of a shoe, both ends included."""

    first: int
    last: int


SPANS: Final = (Span(1, 4), Span(5, 38), Span(39, 42), Span(43, 76), Span(77, 80))
MEASURED: Final = SPANS[::2]


@dataclass(frozen=True, kw_only=True)
class RoundCost:
    """CPU in microseconds of one round (its three records), on average over a span: whole process, and fold alone."""

    span: Span
    process_us: float
    fold_us: float


async def rounds(tables: int) -> list[RoundCost]:
    """One shoe at so many tables."""
    floor = Floor(tables)
    records = {span: list(floor.play(span)) for span in SPANS}
    async with stage() as where:
        with where.processor("scoreboards") as processor:
            whole = [await _process(where, processor, records[span]) for span in SPANS]
    alone = _fold(records)
    played = {span: 1e-6 * tables * (span.last - span.first + 1) for span in SPANS}
    return [
        RoundCost(span=span, process_us=cpu / played[span], fold_us=alone[span] / played[span])
        for span, cpu in zip(SPANS, whole, strict=True)
        if span in MEASURED
    ]


class Floor:
    """Tables that deal one shoe, side by side."""

    def __init__(self, tables: int) -> None:
        self._names = [f"T{number:03}" for number in range(1, tables + 1)]
        self._hands, self._begin = hands(random.Random(1)), dt.datetime.now(dt.UTC)

    def play(self, span: Span) -> Iterator[Sent]:
        """The records of these rounds; the shoe begins with the first one."""
        for round_no in range(span.first, span.last + 1):
            for name in self._names:
                deal = Deal(self._begin, name, 1, round_no)
                if round_no == 1:
                    yield from map(sent, deal.new_shoe())
                yield from map(sent, (deal.betting_opened(), deal.betting_closed(), deal.dealt(next(self._hands))))


async def _process(where: Stage, processor: Processor, records: list[Sent]) -> float:
    """CPU-seconds of the process for these records."""
    await processor.idle()
    before = processor.sample("taken")
    await where.publish(records)
    await processor.reaches("taken", before.done + len(records))
    await processor.idle()
    return processor.process.cpu() - before.cpu


def _fold(records: dict[Span, list[Sent]]) -> dict[Span, float]:
    """CPU-seconds of the fold, encoding included, for the records of each span."""
    fold, offsets, spent = Scoreboards(PARTITIONS), Counter[int](), dict[Span, float]()
    for span in SPANS:
        read = []
        for record in records[span]:
            partition = partition_of(record.key, PARTITIONS)
            at = round(time.time() * 1000)
            read.append(Record(record.topic, partition, offsets[partition], at, record.key, record.value))
            offsets[partition] += 1
        begun = time.process_time()
        for one in read:
            fold.step(one)
        spent[span] = time.process_time() - begun
    return spent
