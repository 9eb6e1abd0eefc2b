"""The embedded Kafka: data survive, nobody is left behind, one directory has one Kafka, faults are sentences."""

import asyncio
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import NewTopic

from broker import data_dir, embedded
from broker.closing import opened
from broker.connection import Connection, admin_client
from broker.embedded import EmbeddedKafka
from broker.jars import cache_dir
from broker.java import find_java
from broker.jvm import archive_path
from broker.unavailable import KafkaUnavailable

pytestmark = [pytest.mark.kafka, pytest.mark.asyncio]

TOPIC = "rounds"
OWNER = """
import asyncio, pathlib, sys
from broker.embedded import EmbeddedKafka
async def main():
    async with EmbeddedKafka(pathlib.Path(sys.argv[1])):
        print("up", flush=True)
        await asyncio.Event().wait()
asyncio.run(main())
"""


async def create_topic(bootstrap: str, **configs: str) -> None:
    async with admin_client(Connection(bootstrap_servers=bootstrap)) as admin:
        await admin.create_topics([NewTopic(TOPIC, 1, 1, topic_configs=configs)])


async def produce(bootstrap: str, values: range, keys: int) -> None:
    async with opened(AIOKafkaProducer(bootstrap_servers=bootstrap, acks="all")) as producer:
        for value in values:
            await producer.send(TOPIC, key=b"%d" % (value % keys), value=b"%d" % value)


async def consume(bootstrap: str) -> list[tuple[bytes, int]]:
    partition = TopicPartition(TOPIC, 0)
    async with opened(AIOKafkaConsumer(bootstrap_servers=bootstrap, auto_offset_reset="earliest")) as consumer:
        consumer.assign([partition])
        end = (await consumer.end_offsets([partition]))[partition]
        got: list[tuple[bytes, int]] = []
        while await consumer.position(partition) < end:
            for batch in (await consumer.getmany(timeout_ms=500)).values():
                got += [(record.key, int(record.value)) for record in batch]
        return got


async def until(condition: Callable[[], bool], within_s: float = 20) -> None:
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline, "the condition did not come"
        await asyncio.sleep(0.02)


def state(folder: Path) -> dict[str, object]:
    found = json.loads((folder / "broker.json").read_text() or "{}")
    assert isinstance(found, dict)
    return found


def kafka_pid(folder: Path) -> int:
    pid = state(folder)["kafka_pid"]
    assert isinstance(pid, int)
    return pid


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().split()[3])


def listens(address: object) -> bool:
    host, _, port = str(address).rpartition(":")
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) == 0


async def test_data_and_identity_survive_a_restart_in_a_folder_of_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "shoe data, № 1"
    async with EmbeddedKafka(folder) as kafka:
        await create_topic(kafka.bootstrap)
        await produce(kafka.bootstrap, range(1000), keys=1000)
        identity = (folder / "topics" / "meta.properties").read_text().splitlines()[1:]
    async with EmbeddedKafka(folder) as kafka:
        assert [value for _, value in await consume(kafka.bootstrap)] == list(range(1000))
        assert sorted(identity) == sorted((folder / "topics" / "meta.properties").read_text().splitlines()[1:])


async def test_what_was_acknowledged_survives_the_death_of_kafka_which_is_told(tmp_path: Path) -> None:
    async with EmbeddedKafka(tmp_path) as kafka:
        at_start = (tmp_path / "kafka.log").read_text().splitlines()[-1]
        await create_topic(kafka.bootstrap)
        await produce(kafka.bootstrap, range(1000), keys=1000)
        os.kill(kafka_pid(tmp_path), signal.SIGKILL)
        told = await asyncio.wait_for(kafka.ended(), 20)
        assert str(tmp_path) in told
        assert at_start[:80] not in told, "what it said at its start is no reason for its end"
    async with EmbeddedKafka(tmp_path) as kafka:
        assert [value for _, value in await consume(kafka.bootstrap)] == list(range(1000))


async def test_a_second_instance_is_refused_and_told_who_has_the_directory(tmp_path: Path) -> None:
    async with EmbeddedKafka(tmp_path) as kafka:
        with pytest.raises(KafkaUnavailable, match=rf"in use by process {os.getpid()}, whose Kafka is at") as refused:
            await EmbeddedKafka(tmp_path).__aenter__()
        assert kafka.bootstrap in str(refused.value)


async def test_an_owner_killed_with_sigkill_leaves_no_orphan_and_the_next_start_goes_on(tmp_path: Path) -> None:
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(tmp_path)], stdout=subprocess.PIPE)
    with owner:
        assert owner.stdout is not None
        assert await asyncio.to_thread(owner.stdout.readline) == b"up\n"
        before = state(tmp_path)
        owner.kill()
    async with EmbeddedKafka(tmp_path) as kafka:  # waits for the old one's end
        assert not lives(int(str(before["kafka_pid"])))
        assert kafka.bootstrap == before["bootstrap"] or not listens(before["bootstrap"])


async def test_a_guard_killed_with_sigkill_takes_kafka_with_it(tmp_path: Path) -> None:
    async with EmbeddedKafka(tmp_path) as kafka:
        os.kill(parent(kafka_pid(tmp_path)), signal.SIGKILL)
        await asyncio.wait_for(kafka.ended(), 20)
        await until(lambda: not lives(kafka_pid(tmp_path)))


async def test_a_start_that_is_broken_off_leaves_nothing_behind(tmp_path: Path) -> None:
    starting = asyncio.create_task(EmbeddedKafka(tmp_path).__aenter__())
    await until(lambda: (tmp_path / "broker.json").exists() and "kafka_pid" in (tmp_path / "broker.json").read_text())
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert not lives(kafka_pid(tmp_path))
    async with EmbeddedKafka(tmp_path) as kafka:
        assert listens(kafka.bootstrap)


async def test_a_kafka_without_owner_or_guard_is_named_with_what_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_dir, "HANDOVER_S", 0.3)
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    (tmp_path / "broker.json").write_text(json.dumps({"pid": gone.pid, "bootstrap": "127.0.0.1:1", "kafka_pid": 4711}))
    with (tmp_path / "broker.json").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(KafkaUnavailable, match=r"owner is gone still runs .*kill 4711"):
            await EmbeddedKafka(tmp_path).__aenter__()


async def test_a_named_port_that_is_taken_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(KafkaUnavailable, match=rf"port {port} on 127\.0\.0\.1 cannot be used .*name another port"):
            await EmbeddedKafka(tmp_path, port=port).__aenter__()


async def test_a_free_port_that_is_stolen_before_kafka_has_it_costs_only_another_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as thief:
        stolen, find = thief.getsockname()[1], embedded._free_port
        ports = iter([stolen, None, stolen, None])  # Kafka's port and the controller's, twice
        monkeypatch.setattr(embedded, "_free_port", lambda wanted=0: next(ports, None) or find(wanted))
        async with EmbeddedKafka(tmp_path) as kafka:
            assert kafka.bootstrap != f"127.0.0.1:{stolen}"
            assert listens(kafka.bootstrap)


async def test_a_directory_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KafkaUnavailable, match=r"the data directory .*/file/kafka cannot be written"):
        await EmbeddedKafka(tmp_path / "file" / "kafka").__aenter__()


async def test_a_directory_of_something_else_is_refused_with_kafkas_own_reason(tmp_path: Path) -> None:
    (tmp_path / "topics").mkdir()
    (tmp_path / "topics" / "meta.properties").write_text("version=1\nnode.id=7\ncluster.id=JCyJlCTySJy023wascL55A\n")
    with pytest.raises(KafkaUnavailable, match=r"Kafka did not start in .*: .*node"):
        await EmbeddedKafka(tmp_path).__aenter__()
    assert not lives(kafka_pid(tmp_path))


async def test_prepared_classes_that_java_does_not_take_do_not_stop_a_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "jars").symlink_to(cache_dir() / "jars")
    archive = archive_path(find_java(), cache)
    archive.parent.mkdir()
    archive.write_bytes(b"no classes")
    # some broken archives are passed over, others end Java; -Xshare:on ends it for all
    monkeypatch.setattr(embedded, "using_archive", lambda *_: ["-Xshare:on", f"-XX:SharedArchiveFile={archive}"])
    async with EmbeddedKafka(tmp_path / "kafka", cache=cache) as kafka:
        assert listens(kafka.bootstrap)


async def test_a_compacted_topic_shrinks(tmp_path: Path) -> None:
    quick = {"cleanup.policy": "compact", "segment.ms": "500", "min.cleanable.dirty.ratio": "0.1"}
    async with EmbeddedKafka(tmp_path) as kafka:
        await create_topic(kafka.bootstrap, **quick, **{"max.compaction.lag.ms": "500"})
        await produce(kafka.bootstrap, range(5000), keys=20)
        deadline = time.monotonic() + 60
        while len(got := await consume(kafka.bootstrap)) > 1000:
            assert time.monotonic() < deadline, f"{len(got)} records are still there"
            await produce(kafka.bootstrap, range(20), keys=20)  # a segment rolls when the next record arrives
        assert {key for key, _ in got} == {b"%d" % key for key in range(20)}
