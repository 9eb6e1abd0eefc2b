"""Scoreboards: what one round costs at the beginning, in the middle and at the end of a shoe.

The process pays for everything: reading, fold, encoding, sending, acknowledgement. The fold is measured beside it,
alone and without Kafka.
"""

import datetime as dt
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from benchmarks.load import Deal, Log, Sent, hands, sent
from benchmarks.stage import Processor, Stage, stage
from contract.topics import PARTITIONS
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


async def rounds(tables: int, shoes: int = 3) -> list[RoundCost]:
    """So many shoes at so many tables; of the shoes the median counts, for the machine is never quite ours."""
    floor, fold = Floor(tables), Alone()
    whole, alone = Spent(), Spent()
    async with stage() as where:
        with where.processor("scoreboards") as processor:
            for shoe_no in range(1, shoes + 1):
                for span in SPANS:
                    records = list(floor.play(shoe_no, span))
                    whole[span].append(await _process(where, processor, records))
                    alone[span].append(fold.take(records))
    return [
        RoundCost(span=span, process_us=_per_round(whole, span, tables), fold_us=_per_round(alone, span, tables))
        for span in MEASURED
    ]


class Spent(defaultdict[Span, list[float]]):
    """CPU-seconds by span, one figure a shoe."""

    def __init__(self) -> None:
        super().__init__(list)


def _per_round(spent: Spent, span: Span, tables: int) -> float:
    return 1e6 * statistics.median(spent[span]) / (tables * (span.last - span.first + 1))


class Floor:
    """Tables that deal their shoes side by side."""

    def __init__(self, tables: int) -> None:
        self._names = [f"T{number:03}" for number in range(1, tables + 1)]
        self._hands = hands(random.Random(1))

    def play(self, shoe_no: int, span: Span) -> Iterator[Sent]:
        """The records of these rounds; the shoe begins with the first one."""
        begin = dt.datetime.now(dt.UTC)
        for round_no in range(span.first, span.last + 1):
            for name in self._names:
                deal = Deal(begin, name, shoe_no, round_no)
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


class Alone:
    """The fold without Kafka, over the same records."""

    def __init__(self) -> None:
        self._fold, self._log = Scoreboards(PARTITIONS), Log()

    def take(self, records: list[Sent]) -> float:
        """CPU-seconds for these records, encoding included."""
        read = list(self._log.read(records))
        begun = time.process_time()
        for one in read:
            self._fold.step(one)
        return time.process_time() - begun
