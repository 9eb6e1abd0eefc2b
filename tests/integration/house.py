"""Processors as real processes on a real Kafka, and what stands in the topics afterwards."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, ConsumerRecord, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import GroupCoordinatorNotAvailableError

from broker.catalogue import apply
from broker.closing import opened
from broker.connection import Connection, admin_client
from contract.topics import PARTITIONS, PROCESSORS
from tests.integration.floor import Sent

DEADLINE_S = 90.0


class Kept(NamedTuple):
    """One record read back."""

    key: bytes
    value: bytes
    headers: dict[str, str]


@dataclass
class House:
    """Starts, kills and stops processors; reads topics."""

    bootstrap: str
    logs: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, processor: str, instance: str = "", **environment: str) -> None:
        """Start a worker of a processor under a name of its own."""
        name = processor + instance
        with (self.logs / f"{name}.log").open("ab") as out:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", "beadplate", "processors", processor],
                env={**os.environ, "BEADPLATE_BOOTSTRAP_SERVERS": self.bootstrap, **environment},
                stdout=out,
                stderr=out,
            )

    def kill(self, name: str) -> None:
        """SIGKILL."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def stop(self, name: str) -> int:
        """SIGTERM; the exit code."""
        process = self.processes[name]
        process.send_signal(signal.SIGTERM)
        code = process.wait(40)
        del self.processes[name]
        return code

    async def ended(self, name: str) -> int:
        """Wait until a process has ended by itself; its exit code."""
        process = self.processes[name]
        await until(lambda: process.poll() is not None, self.failure)
        del self.processes[name]
        return process.returncode

    @staticmethod
    def free_port() -> int:
        """A port that nobody listens on."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        return port

    async def publish(self, records: Iterable[Sent]) -> None:
        """Publish in order."""
        async with opened(AIOKafkaProducer(bootstrap_servers=self.bootstrap, enable_idempotence=True)) as producer:
            for record in records:
                await producer.send(record.topic, record.value, record.key)

    async def settled(self, *processors: str) -> None:
        """Wait until the processors' groups have committed everything that stands in their sources."""
        async with (
            admin_client(Connection(bootstrap_servers=self.bootstrap)) as admin,
            opened(AIOKafkaConsumer(bootstrap_servers=self.bootstrap)) as reader,
        ):
            for name in processors:
                await until(partial(_has_committed, admin, reader, name), self.failure)

    def failure(self) -> str:
        """What the processors said last, for the message of a test that waited in vain."""
        return "\n".join(f"{path.name}: {path.read_text()[-1500:]}" for path in sorted(self.logs.glob("*.log")))

    async def read(self, topic: str) -> list[Kept]:
        """Everything that stands in a topic now."""
        async with opened(AIOKafkaConsumer(bootstrap_servers=self.bootstrap, auto_offset_reset="earliest")) as reader:
            partitions = [TopicPartition(topic, number) for number in range(PARTITIONS)]
            reader.assign(partitions)
            ends, kept = await reader.end_offsets(partitions), list[Kept]()
            for partition in partitions:
                while await reader.position(partition) < ends[partition]:
                    for batch in (await reader.getmany(timeout_ms=500)).values():
                        kept += [_kept(record) for record in batch]
            return kept


def newest(records: list[Kept]) -> dict[bytes, dict[str, Any]]:
    """What a consumer of a compacted topic keeps: per key the highest (shoe_no, version)."""
    kept: dict[bytes, dict[str, Any]] = {}
    for record in records:
        event = json.loads(record.value)
        held = kept.get(record.key, event)
        if (event["shoe_no"], event["version"]) >= (held["shoe_no"], held["version"]):
            kept[record.key] = event
    return kept


def _kept(record: ConsumerRecord[bytes, bytes]) -> Kept:
    headers = {name: value.decode() for name, value in record.headers}
    return Kept(record.key, record.value, headers)


async def _has_committed(admin: AIOKafkaAdminClient, reader: AIOKafkaConsumer, name: str) -> bool:
    processor = next(processor for processor in PROCESSORS.values() if processor.name == name)
    sources = [TopicPartition(topic.name, number) for topic in processor.sources for number in range(PARTITIONS)]
    ends = await reader.end_offsets(sources)
    try:
        committed = await admin.list_consumer_group_offsets(processor.group)
    except GroupCoordinatorNotAvailableError:  # a broker that has just started makes its offsets topic now
        return False
    return all(end == 0 or (tp in committed and committed[tp].offset == end) for tp, end in ends.items())


async def until(condition: Callable[[], object], failure: Callable[[], str], *, seconds: float = DEADLINE_S) -> None:
    """Wait for a condition (plain or awaitable) with a deadline."""
    ends = time.monotonic() + seconds
    while True:
        answer = condition()
        if asyncio.iscoroutine(answer):
            answer = await answer
        if answer is True:
            return
        assert time.monotonic() < ends, f"waited {seconds} s in vain\n{failure()}"
        await asyncio.sleep(0.2)


@contextlib.asynccontextmanager
async def house(bootstrap: str, logs: Path) -> AsyncIterator[House]:
    """Topics applied; every process that is still there is killed at the end."""
    await apply(Connection(bootstrap_servers=bootstrap))
    built = House(bootstrap, logs)
    try:
        yield built
    finally:
        for process in built.processes.values():
            process.kill()
            process.wait()
