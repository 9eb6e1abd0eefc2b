"""A processor's state is made anew on a real Kafka: consumers that go by identity see no change."""

import asyncio
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer, TopicPartition
from aiokafka.admin import RecordsToDelete

from audit.run import run as audit
from broker.closing import opened
from broker.connection import Connection, admin_client
from contract.topics import PARTITIONS, PROCESSORS, ProcessorName
from processors.marks import Replay, replay
from processors.replay import look
from tests.integration.floor import ROUNDS, deal
from tests.integration.house import House, Kept, house, newest, until

pytestmark = [pytest.mark.asyncio, pytest.mark.kafka, pytest.mark.timeout(280)]

NAMES: tuple[ProcessorName, ...] = ("scoreboards", "settlements", "statistics")
COMPACTED = tuple(f"baccarat.{name}.v1" for name in ("scoreboards", "shoes", "statistics", "shoe-statistics"))
SETTLEMENTS = "baccarat.settlements.v1"


async def beadplate_replay(built: House, *arguments: str) -> tuple[int, str]:
    """Exit code and answer of the command."""
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "beadplate", "replay", *arguments],
        env={**os.environ, "BEADPLATE_BOOTSTRAP_SERVERS": built.bootstrap},
        capture_output=True, text=True, timeout=90, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


async def run_through(built: House, *names: str) -> None:
    """Start workers, wait until they have committed everything, stop them."""
    for name in names:
        built.start(name)
    for name in names:  # settlements make more for the statistics to read
        await built.settled(name)
    await built.settled(*names)
    assert [built.stop(name) for name in names] == [0] * len(names)


async def has_begun(built: House, name: ProcessorName) -> bool:
    plan = await look(Connection(bootstrap_servers=built.bootstrap), PROCESSORS[name])
    return any(place.committed and place.committed > place.begin for place in plan.group.places)


async def test_a_replay_changes_nothing_for_who_goes_by_identity_also_when_it_is_killed_on_its_way(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    floor = deal(11, tables=6, shoes=5, rounds=25, slips=4)
    async with house(fresh_kafka(), tmp_path) as built:
        await built.publish(floor.records)
        await run_through(built, *NAMES)
        before = {topic: await built.read(topic) for topic in (*COMPACTED, SETTLEMENTS)}
        for name in NAMES:
            code, said = await beadplate_replay(built, name)
            assert code == 0, said
        for name in NAMES:
            built.start(name)
            await until(partial(has_begun, built, name), built.failure)
            built.kill(name)
        await run_through(built, *NAMES)
        after = {topic: await built.read(topic) for topic in (*COMPACTED, SETTLEMENTS)}
        audited = await audit(Connection(bootstrap_servers=built.bootstrap), from_beginning=True)
        marks = [(await look(Connection(bootstrap_servers=built.bootstrap), PROCESSORS[name])).marks for name in NAMES]
    assert (audited.findings, audited.counts["batches"]) == ((), len(floor.batches))
    assert [mark.replays for mark in marks] == [{}, {}, {}]
    for topic in COMPACTED:
        final, again = finals(before[topic]), since(before[topic], after[topic])
        assert again.keys() == final.keys()
        assert {key: values - {final[key]} for key, values in again.items() if values != {final[key]}} == {}
    assert {batch for batch, _ in versions(before[SETTLEMENTS])} == floor.batches.keys()
    assert versions(after[SETTLEMENTS]) == versions(before[SETTLEMENTS])


def finals(records: list[Kept]) -> dict[bytes, bytes]:
    """Per key the bytes of what a consumer keeps."""
    kept = newest(records)
    return {record.key: record.value for record in records if json.loads(record.value) == kept[record.key]}


def since(before: Iterable[Kept], after: Iterable[Kept]) -> dict[bytes, set[bytes]]:
    """Per key what was sent after the records of ``before``, which come first."""
    counts: dict[bytes, int] = defaultdict(int)
    for record in before:
        counts[record.key] += 1
    sent: dict[bytes, set[bytes]] = defaultdict(set)
    for record in after:
        counts[record.key] -= 1
        if counts[record.key] < 0:
            sent[record.key].add(record.value)
    return sent


def versions(settled: Iterable[Kept]) -> dict[tuple[str, int], set[bytes]]:
    found: dict[tuple[str, int], set[bytes]] = defaultdict(set)
    for record in settled:
        event = json.loads(record.value)
        found[event["batch_id"], event["revision"]].add(record.value)
    assert all(len(values) == 1 for values in found.values())
    return found


async def test_a_replay_is_refused_while_a_worker_runs_and_changes_nothing_when_it_is_only_asked_about(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    floor = deal(12, tables=2, shoes=1, rounds=5, slips=1)
    async with house(fresh_kafka(), tmp_path) as built:
        assert await beadplate_replay(built, "scoreboards") == (
            0, f"scoreboards has done nothing yet on the Kafka at {built.bootstrap}: nothing to replay\n",
        )  # fmt: skip
        await built.publish(floor.records)
        built.start("scoreboards")
        await built.settled("scoreboards")
        code, said = await beadplate_replay(built, "scoreboards")
        assert code == 1
        assert "refused: workers of scoreboards that run: 1. Stop all of them first" in said
        assert built.stop("scoreboards") == 0
        before = sorted(await built.read("beadplate-scoreboards-rows-changelog"))
        code, said = await beadplate_replay(built, "scoreboards", "--dry-run")
        assert code == 0
        rounds = sum(record.topic == ROUNDS for record in floor.records)
        assert f"{ROUNDS}: {rounds} records on 12 partitions are read again, from offset 0 on" in said
        assert sorted(await built.read("beadplate-scoreboards-rows-changelog")) == before


async def test_a_replay_from_a_part_of_the_inputs_is_refused_unless_that_is_accepted(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    floor = deal(13, tables=1, shoes=2, rounds=6, slips=0)
    async with house(fresh_kafka(), tmp_path) as built:
        await built.publish(floor.records)
        await run_through(built, "scoreboards")
        plan = await look(Connection(bootstrap_servers=built.bootstrap), PROCESSORS["scoreboards"])
        (place,) = [place for place in plan.group.places if place.end]
        await delete(built, TopicPartition(ROUNDS, place.partition), 3)
        code, said = await beadplate_replay(built, "scoreboards")
        assert code == 1
        where = f"{ROUNDS} partition {place.partition} is kept from offset 3 on, and the state began at 0"
        assert f"refused: the inputs no longer reach back to where the state of scoreboards began: {where}" in said
        assert "what will differ: a table that was opened before what is kept has no name" in said
        code, said = await beadplate_replay(built, "scoreboards", "--accept-partial")
        assert code == 0, said
        await run_through(built, "scoreboards")
        board = newest(await built.read("baccarat.scoreboards.v1"))[b"T01"]
        assert (board["shoe_no"], board["roads"]["rounds"]) == (2, floor.letters("T01", 2))
        code, said = await beadplate_replay(built, "scoreboards", "--dry-run")
        assert (code, "not as it was" in said) == (0, False)


async def delete(built: House, place: TopicPartition, before: int) -> None:
    async with admin_client(Connection(bootstrap_servers=built.bootstrap)) as admin:
        await admin.delete_records({place: RecordsToDelete(before_offset=before)})


async def goes_through(built: House, name: str) -> bool:
    """Whether the command does it; a worker that ended by itself leaves its group when its session has timed out."""
    code, said = await beadplate_replay(built, name)
    assert code == 0 or "one that was killed leaves its group after 10 s" in said
    return code == 0


async def test_a_replay_that_was_broken_off_lets_no_worker_start_until_it_has_come_to_its_end(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    floor = deal(14, tables=2, shoes=1, rounds=5, slips=1)
    async with house(fresh_kafka(), tmp_path) as built:
        await built.publish(floor.records)
        await run_through(built, "scoreboards")
        async with opened(AIOKafkaProducer(bootstrap_servers=built.bootstrap)) as producer:
            for partition in range(PARTITIONS):
                mark = replay(partition, Replay(state="asked"))
                await producer.send_and_wait("beadplate-scoreboards-rows-changelog", mark.value, mark.key, partition)
        built.start("scoreboards")
        assert await built.ended("scoreboards") == 1
        said = (tmp_path / "scoreboards.log").read_text()
        assert "run `beadplate replay scoreboards` once more" in said
        assert "Traceback" not in said
        await until(partial(goes_through, built, "scoreboards"), built.failure)
        await run_through(built, "scoreboards")
        boards = newest(await built.read("baccarat.scoreboards.v1"))
    assert {key.decode(): board["roads"]["rounds"] for key, board in boards.items()} == {
        table_id: floor.letters(table_id, 1) for table_id in ("T01", "T02")
    }
