"""How a processor's process ends, and what it has committed then."""

import asyncio
import datetime as dt
import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from broker.connection import Connection, admin_client
from broker.doctor import examine
from broker.embedded import EmbeddedKafka
from tests.integration.floor import ROUNDS, Sent, deal
from tests.integration.house import House, house, newest, until

pytestmark = [pytest.mark.asyncio, pytest.mark.kafka, pytest.mark.timeout(180)]

BROKEN = """
import sys
from broker.connection import Connection
from processors import worker
from processors.scoreboards import Scoreboards

class Broken(Scoreboards):
    def step(self, record):
        if b'"round_no": 3' in record.value:
            raise ZeroDivisionError("round 3")
        return super().step(record)

worker.FOLDS = {**worker.FOLDS, "scoreboards": Broken}
sys.exit(worker.run("scoreboards", worker.Worker(), Connection(bootstrap_servers=sys.argv[1])))
"""


def rounds(*numbers: int) -> list[Sent]:
    event = {
        "type": "round_dealt", "table_id": "B07", "shoe_no": 1, "occurred_at": "2026-11-30T18:00:00.000Z",
        "revision": 0, "outcome": "player", "paytable": "classic@1",
    }  # fmt: skip
    return [Sent(ROUNDS, b"B07", json.dumps({**event, "round_no": number}).encode()) for number in numbers]


async def committed(built: House, group: str) -> int:
    """The sum of a group's committed offsets."""
    async with admin_client(Connection(bootstrap_servers=built.bootstrap)) as admin:
        return sum(found.offset for found in (await admin.list_consumer_group_offsets(group)).values())


async def test_a_record_that_the_fold_cannot_take_ends_the_process_and_nothing_is_committed_past_it(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    async with house(fresh_kafka(), tmp_path) as built:
        await built.publish(rounds(1, 2, 3, 4))
        broken = subprocess.run(
            [sys.executable, "-c", BROKEN, built.bootstrap], capture_output=True, text=True, timeout=60, check=False
        )
        assert broken.returncode == 3
        assert "a record could not be folded" in broken.stdout + broken.stderr
        assert await committed(built, "beadplate-scoreboards") <= 2
        built.start("scoreboards")
        await built.settled("scoreboards")
        board = newest(await built.read("baccarat.scoreboards.v1"))[b"B07"]
    assert board["roads"]["rounds"] == "PPPP"


async def test_when_nearly_nothing_is_understood_the_fault_is_ours_and_the_process_ends_with_1(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    async with house(fresh_kafka(), tmp_path) as built:
        built.start("scoreboards")
        await built.publish(
            [Sent(ROUNDS, f"T{number % 30}".encode(), b'{"type":"round_dealt"}') for number in range(300)]
        )
        assert await built.ended("scoreboards") == 1
        assert await committed(built, "beadplate-scoreboards") <= 100
    assert "could not be understood" in (tmp_path / "scoreboards.log").read_text()


async def test_a_worker_that_stood_still_for_longer_than_its_session_ends_with_3_before_it_sends_more(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    async with house(fresh_kafka(), tmp_path) as built:
        built.start("scoreboards")
        await built.publish(rounds(1))
        await built.settled("scoreboards")
        process = built.processes["scoreboards"]
        process.send_signal(signal.SIGSTOP)
        built.start("scoreboards", "-second")
        await built.publish(rounds(2))
        await built.settled("scoreboards")
        process.send_signal(signal.SIGCONT)
        assert await built.ended("scoreboards") == 3
        board = newest(await built.read("baccarat.scoreboards.v1"))[b"B07"]
    assert board["roads"]["rounds"] == "PP"
    assert "stood still" in (tmp_path / "scoreboards.log").read_text()


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("stall", "4 records wait, and nothing of baccarat.rounds.v1 partition "),
        ("recovery", "the recovery has made no progress for "),
        ("hang", "the loop has hung for "),
    ],
)
async def test_a_worker_that_does_not_come_on_ends_with_3_and_one_line(
    fault: str, sentence: str, fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    async with house(fresh_kafka(), tmp_path) as built:
        await built.publish(rounds(1, 2, 3, 4))
        command = [sys.executable, "-m", "tests.integration.faulty", built.bootstrap, fault]
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 3
        lines = [json.loads(line) for line in done.stderr.splitlines()]
        last = lines.pop()
        assert last["event"].startswith(sentence)
        assert last["level"] == "critical"
        assert {line["event"] for line in lines} <= {"starting", "ready"}
        assert await committed(built, "beadplate-scoreboards") <= 2


async def test_a_recovery_that_takes_longer_than_its_deadline_and_moves_comes_to_its_end(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    async with house(fresh_kafka(), tmp_path) as built:
        await built.publish(rounds(1, 2, 3, 4))
        built.start("scoreboards")
        await built.settled("scoreboards")
        assert built.stop("scoreboards") == 0
        await built.publish(rounds(5))
        log = tmp_path / "slow.log"
        with log.open("ab") as out:
            command = [sys.executable, "-m", "tests.integration.faulty", built.bootstrap, "slow"]
            built.processes["slow"] = subprocess.Popen(command, stdout=out, stderr=out)
        await built.settled("scoreboards")
        assert built.stop("slow") == 0
        starting, ready = (json.loads(line) for line in log.read_text().splitlines())
        board = newest(await built.read("baccarat.scoreboards.v1"))[b"B07"]
    assert (starting["event"], ready["event"]) == ("starting", "ready")
    took = dt.datetime.fromisoformat(ready["timestamp"]) - dt.datetime.fromisoformat(starting["timestamp"])
    assert took.total_seconds() > 6, "twice the deadline of this worker"
    assert board["roads"]["rounds"] == "PPPPP"


async def test_a_worker_goes_on_after_the_broker_was_away(tmp_path: Path) -> None:
    floor = deal(7, tables=3, shoes=1, rounds=10, slips=5)
    half = len(floor.records) // 2
    node = EmbeddedKafka(tmp_path / "kafka")
    async with node, house(node.bootstrap, tmp_path) as built:
        port = int(node.bootstrap.rpartition(":")[2])
        built.start("settlements")
        await built.publish(floor.records[:half])
        await built.settled("settlements")
        pid = built.processes["settlements"].pid
        await node.stop()
        async with EmbeddedKafka(tmp_path / "kafka", port=port):
            await built.publish(floor.records[half:])
            await built.settled("settlements")
            settled = [json.loads(record.value) for record in await built.read("baccarat.settlements.v1")]
            assert built.processes["settlements"].pid == pid
            assert built.stop("settlements") == 0
    assert {event["batch_id"] for event in settled} == floor.batches.keys()


async def test_a_worker_tells_its_health_over_http(fresh_kafka: Callable[..., str], tmp_path: Path) -> None:
    async with house(fresh_kafka(), tmp_path) as built:
        port = built.free_port()
        built.start("scoreboards", BEADPLATE_HEALTH_PORT=str(port))
        await until(partial(answers, port, "/readyz", 200), built.failure)
        assert answers(port, "/livez", 200)
        await built.publish([*rounds(1), Sent(ROUNDS, b"B07", b"rubbish")])
        await built.settled("scoreboards")
        said = get(port, "/metrics")
        assert 'beadplate_processor_dead_letters_total{processor="scoreboards",code="undecodable"} 1' in said
        assert 'beadplate_processor_ready{processor="scoreboards"} 1' in said
        assert 'beadplate_processor_records_total{processor="scoreboards",outcome="taken"} 1' in said
        says = "working: 0 records wait on its partitions (12)"
        await until(lambda: json.loads(get(port, "/readyz"))["says"] == says, built.failure)
        findings = [finding.sentence for finding in await examine(Connection(bootstrap_servers=built.bootstrap))]
        assert (
            "scoreboards: workers running: 1 (partitions of each: 12), 0 records behind by what is committed"
            in findings
        )


def get(port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
        body: bytes = answer.read()
    return body.decode()


def answers(port: int, path: str, status: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return bool(answer.status == status)
    except urllib.error.HTTPError as error:
        return error.code == status
    except OSError:
        return False


async def test_a_processor_without_its_topics_says_what_to_do(fresh_kafka: Callable[..., str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "beadplate", "processors", "scoreboards"],
        env={**os.environ, "BEADPLATE_BOOTSTRAP_SERVERS": fresh_kafka()},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert "beadplate topics apply" in done.stderr
    assert "Traceback" not in done.stderr
