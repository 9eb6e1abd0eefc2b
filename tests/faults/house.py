"""A whole house behind a network that can fail: Kafka, the processors, and who starts again what ended with 3."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiokafka import AIOKafkaConsumer, TopicPartition

from broker.catalogue import apply
from broker.closing import opened
from broker.connection import Connection
from broker.embedded import EmbeddedKafka
from contract.topics import PARTITIONS
from tests.faults.expected import Expected
from tests.faults.feed import Feed
from tests.faults.floor import BETS, ROUNDS, Sent
from tests.faults.judge import READ, Finding, Shelf, Stored, judge, missing
from tests.faults.lag import lag
from tests.faults.proxy import Network
from tests.integration.house import House as Ports

PROCESSORS = ("scoreboards", "settlements", "statistics")
DEADLINE_S = 240.0
RESTART = 3
SIMULATED = b"S"
"""Tables of this prefix are dealt by ``beadplate producer``: what it published is read back."""


@dataclass(eq=False)
class Worker:
    """One process that is to run; ``code`` is what it may end with by itself, and is not started again then."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes]
    code: int | None = None


@dataclass
class House:
    """Everything that runs, all that was published, and what has been read back."""

    logs: Path
    network: Network
    port: int
    pace: float
    node: EmbeddedKafka
    workers: dict[str, list[Worker]] = field(default_factory=lambda: {name: [] for name in PROCESSORS})
    expected: Expected = field(default_factory=Expected)
    published: list[Sent] = field(default_factory=list)
    shelf: Shelf = field(default_factory=Shelf)
    restarts: list[str] = field(default_factory=list)
    _positions: dict[TopicPartition, int] = field(default_factory=dict)
    _keeping: asyncio.Task[None] | None = None

    @property
    def bootstrap(self) -> str:
        """The address of Kafka, as clients are told: that of the network before it."""
        return f"127.0.0.1:{self.network.port}"

    # who runs

    def start(self, processor: str, command: Sequence[str] = ()) -> Worker:
        """Start one more worker of a processor; ``command`` is another program that does its work."""
        words = command or [sys.executable, "-m", "beadplate", "processors", processor]
        worker = Worker(processor, words, self.spawn(processor, words))
        self.workers[processor].append(worker)
        return worker

    def spawn(self, name: str, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """A process that knows where Kafka is; what it says is kept."""
        environment = {**os.environ, "BEADPLATE_BOOTSTRAP_SERVERS": self.bootstrap}
        with (self.logs / f"{name}.log").open("ab") as out:
            return subprocess.Popen(command, env=environment, stdout=out, stderr=out)

    async def end(self, worker: Worker, how: signal.Signals) -> int:
        """Send a worker the signal that ends it; its exit code."""
        self.workers[worker.name].remove(worker)
        worker.process.send_signal(how)
        return await asyncio.to_thread(worker.process.wait, 60)

    def takings(self, processor: str) -> int:
        """How often workers of a processor have begun with partitions."""
        lines = (self.logs / f"{processor}.log").read_text(errors="replace").splitlines()
        return sum('"event":"ready"' in line for line in lines)

    async def is_at_work(self) -> bool:
        """Whether a worker of every processor has begun."""
        return all(self.takings(name) for name in PROCESSORS)

    async def keep(self) -> None:
        """Start again, for ever, what has ended with 3. Raises where something ended otherwise."""
        while True:
            for worker in [worker for workers in self.workers.values() for worker in workers]:
                code = worker.process.poll()
                if code is None:
                    continue
                if code == worker.code:
                    self.workers[worker.name].remove(worker)
                    continue
                assert code == RESTART, f"{worker.name} ended by itself with {code}\n{self.said()}"
                self.restarts.append(worker.name)
                worker.process = self.spawn(worker.name, worker.command)
            await asyncio.sleep(0.5)

    def said(self) -> str:
        """What everybody said last, for the message of a test that waited in vain."""
        return "\n".join(f"{path.name}: {path.read_text()[-1500:]}" for path in sorted(self.logs.glob("*.log")))

    @staticmethod
    def free_port() -> int:
        """A port that nobody listens on."""
        return Ports.free_port()

    # Kafka

    @property
    def kafka_pid(self) -> int:
        """The Java process."""
        return int(json.loads((self.logs / "kafka" / "broker.json").read_text())["kafka_pid"])

    async def start_kafka(self) -> None:
        """Start Kafka again, on the same port and the same data."""
        self.node = EmbeddedKafka(self.logs / "kafka", port=self.port, advertised_port=self.network.port)
        await self.node.__aenter__()

    # what is published, and what comes of it

    def feed(self, records: Sequence[Sent], *, pace: float | None = None) -> Feed:
        """Begin to publish."""
        return Feed(self.bootstrap, records, self._acknowledged, self.pace if pace is None else pace)

    async def publish(self, records: Sequence[Sent]) -> None:
        """Publish at full speed."""
        await self.feed(records, pace=0).finish()

    def _acknowledged(self, record: Sent) -> None:
        self.published.append(record)
        self.expected.take(record)

    async def settled(self) -> None:
        """Wait until every group has committed all that stands in its sources."""
        await self.until(self.is_settled, "the groups do not come to the end of their sources")

    async def is_settled(self) -> bool:
        """Whether every group has committed all that stands in its sources."""
        return await lag(self.bootstrap) == 0

    async def until(self, condition: Callable[[], Awaitable[bool]], what: str) -> None:
        """Wait for a condition with a deadline."""
        ends = time.monotonic() + DEADLINE_S
        while not await condition():
            if self._keeping is not None and self._keeping.done():
                self._keeping.result()
            assert time.monotonic() < ends, f"{what}\n{self.said()}"
            await asyncio.sleep(0.1)

    async def judged(self, *, anew: bool = False) -> list[Finding]:
        """Everything that is not as it must be; ``anew`` reads the topics from their beginnings once more."""
        if anew:
            self.shelf, self._positions = Shelf(), {}
        await self.read()
        return [*missing(self.published, self.shelf), *judge(self.expected, self.shelf)]

    async def verified(self) -> str:
        """What `beadplate verify` says when it finds nothing amiss."""
        command = [sys.executable, "-m", "beadplate", "verify", "--from-beginning"]
        verify = await asyncio.create_subprocess_exec(
            *command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "BEADPLATE_BOOTSTRAP_SERVERS": self.bootstrap},
        )
        said = (await verify.communicate())[0].decode()
        assert verify.returncode == 0, said[:10_000]
        return said

    async def read(self) -> None:
        """Read what has come to the topics since the last time."""
        partitions = [TopicPartition(topic, number) for topic in READ for number in range(PARTITIONS)]
        client = AIOKafkaConsumer(
            bootstrap_servers=self.bootstrap, auto_offset_reset="earliest", max_partition_fetch_bytes=1 << 22
        )
        async with opened(client) as reader:
            ends = await reader.end_offsets(partitions)
            waiting = {tp for tp in partitions if self._positions.get(tp, 0) < ends[tp]}
            reader.assign(list(waiting))
            for tp in waiting:
                reader.seek(tp, self._positions.get(tp, 0))
            while waiting:
                for records in (await reader.getmany(timeout_ms=500)).values():
                    for record in records:
                        self._put(record)
                for tp in list(waiting):
                    self._positions[tp] = await reader.position(tp)
                    if self._positions[tp] >= ends[tp]:
                        waiting.remove(tp)
                        reader.pause(tp)

    def _put(self, record: Any) -> None:
        headers = {name: value.decode() for name, value in record.headers}
        self.shelf.put(Stored(record.topic, record.partition, record.offset, record.key, record.value, headers))
        if record.topic in (ROUNDS, BETS) and (record.key or b"").startswith(SIMULATED):
            self.expected.take(Sent(record.topic, record.partition, record.key, record.value))


@contextlib.asynccontextmanager
async def house(logs: Path, *, pace: float) -> AsyncIterator[House]:
    """A house in which everything runs; nothing of it is left at the end."""
    port = Ports.free_port()
    async with Network(Ports.free_port(), port) as network:
        node = EmbeddedKafka(logs / "kafka", port=port, advertised_port=network.port)
        await node.__aenter__()
        built = House(logs, network, port, pace, node)
        keeping = built._keeping = asyncio.create_task(built.keep())
        try:
            await apply(Connection(bootstrap_servers=built.bootstrap))
            for name in PROCESSORS:
                built.start(name)
            await built.until(built.is_at_work, "the processors do not begin")
            yield built
        finally:
            keeping.cancel()
            await asyncio.wait([keeping])
            for worker in [worker for workers in built.workers.values() for worker in workers]:
                worker.process.kill()
                worker.process.wait()
            await built.node.stop()
        if not keeping.cancelled():
            keeping.result()
