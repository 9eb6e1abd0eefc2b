"""A real Kafka for one measurement: filled before it begins, read when it is over, with a processor on it."""

import asyncio
import contextlib
import socket
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from benchmarks.load import Sent
from benchmarks.processes import Process, Stuck, running
from broker.catalogue import TOPICS, apply
from broker.closing import opened
from broker.connection import Connection
from broker.embedded import EmbeddedKafka
from contract.topics import PARTITIONS, ProcessorName, Topic

PATIENCE_S: Final = 240.0
EVERY_S: Final = 0.2
"""How often a process is looked at."""


class Sample(NamedTuple):
    """How much a process had done when it had used so many CPU-seconds."""

    done: int
    cpu: float


@dataclass(frozen=True)
class Stage:
    """A Kafka with the catalogue's topics."""

    bootstrap: str
    logs: Path

    async def publish(self, records: Iterable[Sent]) -> None:
        """Publish in order; returns when all is acknowledged."""
        options = {"enable_idempotence": True, "linger_ms": 5, "max_batch_size": 1 << 19}
        async with opened(AIOKafkaProducer(bootstrap_servers=self.bootstrap, **options)) as producer:
            for record in records:
                await producer.send(record.topic, record.value, record.key)

    async def read(self, topic: str) -> list[tuple[bytes | None, bytes | None]]:
        """Keys and values of everything that stands in a topic now."""
        options = {"auto_offset_reset": "earliest", "max_partition_fetch_bytes": 1 << 22}
        async with opened(AIOKafkaConsumer(bootstrap_servers=self.bootstrap, **options)) as reader:
            partitions = [TopicPartition(topic, number) for number in range(PARTITIONS)]
            reader.assign(partitions)
            ends = await reader.end_offsets(partitions)
            kept: list[tuple[bytes | None, bytes | None]] = []
            while any([await reader.position(partition) < end for partition, end in ends.items()]):
                for batch in (await reader.getmany(timeout_ms=500)).values():
                    kept += [(record.key, record.value) for record in batch]
            return kept

    @contextlib.contextmanager
    def processor(self, name: ProcessorName) -> Iterator["Processor"]:
        """A processor as a process of its own inside the block."""
        port = free_port()
        arguments = ["-m", "beadplate", "processors", name, "--health-port", str(port)]
        with running(arguments, self.logs / f"{name}.log", {"BEADPLATE_BOOTSTRAP_SERVERS": self.bootstrap}) as process:
            yield Processor(process, port)


@dataclass(frozen=True)
class Processor:
    """A running processor; what it has done is what its own ``/metrics`` say."""

    process: Process
    port: int

    def metric(self, name: str, outcome: str = "") -> int:
        """A metric of this name (of this outcome); 0 before there is one."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=5) as answer:
                lines = answer.read().decode().splitlines()
        except (OSError, urllib.error.URLError):
            return 0
        label = f'outcome="{outcome}"' if outcome else ""
        found = (line for line in lines if line.startswith(f"beadplate_processor_{name}{{") and label in line)
        return next((int(line.rpartition(" ")[2]) for line in found), 0)

    def sample(self, outcome: str) -> Sample:
        """How often this has happened to a record, and at what cost."""
        return Sample(self.metric("records_total", outcome), self.process.cpu())

    async def reaches(self, outcome: str, count: int) -> Sample:
        """The first sample with at least so many."""
        return await when(lambda: self.sample(outcome), lambda sample: sample.done >= count, self.process)

    async def idle(self) -> None:
        """Returns when it is ready and has nothing in flight."""

        def look() -> Sample:
            return Sample(self.metric("ready") - self.metric("in_flight"), 0)

        await when(look, lambda sample: sample.done == 1, self.process)


async def when(look: Callable[[], Sample], enough: Callable[[Sample], bool], process: Process) -> Sample:
    """The first sample that is enough. Raises ``Stuck`` where that does not come."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        process.check()
        sample = await asyncio.to_thread(look)
        if enough(sample):
            return sample
        if time.monotonic() > deadline:
            raise Stuck(f"{process.log.stem} stands at {sample.done} after {PATIENCE_S:.0f} s: {process.last_words()}")
        await asyncio.sleep(EVERY_S)


@contextlib.asynccontextmanager
async def stage(*more: Topic) -> AsyncIterator[Stage]:
    """A new Kafka on a directory of its own, with the catalogue's topics and these."""
    with tempfile.TemporaryDirectory(prefix="beadplate-bench-") as place:
        async with EmbeddedKafka(Path(place, "kafka")) as node:
            await apply(Connection(bootstrap_servers=node.bootstrap), topics=(*TOPICS, *more))
            yield Stage(node.bootstrap, Path(place))


def free_port() -> int:
    """A port of the loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
