"""Settlement: slips per CPU-second of the processor beside the bare loop; its cost as batches and tables grow."""

import json
from dataclasses import dataclass
from typing import Final, NamedTuple

from benchmarks.bare import OUTPUT
from benchmarks.load import Load, Log
from benchmarks.processes import Stuck, memory, running
from benchmarks.stage import PATIENCE_S, Sample, Stage, stage
from contract.topics import PARTITIONS, SETTLEMENTS
from processors.settlements import Settlements

TARGETS: Final = {20: 0.25, 200: 0.35, 1000: 0.6}
"""Slips a record, and the least part of the bare loop's speed that is wanted."""
SETTLED: Final = "slips_settled"
MEASURABLE_S: Final = 0.1
"""Ten ticks of the system's clock; less CPU than this between two looks says nothing."""


@dataclass(frozen=True, kw_only=True)
class Speed:
    """Slips per CPU-second of both at one size of records."""

    slips_a_record: int
    processor: float
    bare: float

    @property
    def ratio(self) -> float:
        """The processor's speed as a part of the bare loop's."""
        return self.processor / self.bare


async def speed(load: Load) -> Speed:
    """Both over the same records of one Kafka, one after the other. Raises ``Stuck`` unless both say the same."""
    async with stage(OUTPUT) as where:
        await where.publish(load.records())
        spent = await _settle(where, load)
        bare = await _bare(where, load)
        if await _said(where, SETTLEMENTS.name) != await _said(where, OUTPUT.name):
            raise Stuck("the processor and the bare loop do not say the same")
    return Speed(slips_a_record=load.slips, processor=1 / spent.cpu_a_slip, bare=bare["slips"] / bare["cpu"])


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What a slip costs: CPU in microseconds, bytes of rows, resident memory of the whole process in bytes."""

    load: Load
    cpu_us: float
    row_bytes: float
    memory: int


async def cost(load: Load) -> Cost:
    """The processor alone."""
    async with stage() as where:
        await where.publish(load.records())
        spent = await _settle(where, load)
    return Cost(load=load, cpu_us=1e6 * spent.cpu_a_slip, row_bytes=row_bytes(load), memory=spent.memory)


def row_bytes(load: Load) -> float:
    """Bytes of rows, keys included, that the fold keeps for a slip; asked of the fold, for Kafka compacts its own."""
    fold, kept = Settlements(PARTITIONS), dict[bytes, int]()
    for record in Log().read(load.records()):
        kept |= {row.key: len(row.key) + len(row.value) for row in fold.step(record).rows if row.value is not None}
    return sum(kept.values()) / load.total_slips


class Spent(NamedTuple):
    """CPU-seconds a slip, and the memory of the process in the end, in bytes."""

    cpu_a_slip: float
    memory: int


async def _settle(where: Stage, load: Load) -> Spent:
    """Settle everything; what the first twentieth and the start took does not count, unless the load is too small."""
    with where.processor("settlements") as processor:
        first = await processor.reaches(SETTLED, load.total_slips // 20)
        last = await processor.reaches(SETTLED, load.total_slips)
        if last.cpu - first.cpu < MEASURABLE_S:
            first = Sample(0, 0.0)
        return Spent((last.cpu - first.cpu) / (last.done - first.done), memory(processor.process.popen.pid))


async def _bare(where: Stage, load: Load) -> dict[str, float]:
    arguments = ["-m", "benchmarks.bare", where.bootstrap, str(load.total_slips)]
    with running(arguments, where.logs / "bare.log", {}) as process:
        process.popen.wait(PATIENCE_S)
        if process.popen.returncode:
            process.check()
        answer: dict[str, float] = json.loads(process.log.read_text())
        return answer


async def _said(where: Stage, topic: str) -> list[tuple[bytes | None, bytes | None]]:
    return sorted(await where.read(topic), key=str)
