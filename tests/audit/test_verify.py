"""``beadplate verify`` on a real Kafka behind real processors."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer

from broker.closing import opened
from tests.integration.floor import deal
from tests.integration.house import house

pytestmark = [pytest.mark.asyncio, pytest.mark.kafka, pytest.mark.timeout(240)]
PROCESSORS = ("scoreboards", "settlements", "statistics")


def verify(bootstrap: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "beadplate", "verify", *arguments],
        env={**os.environ, "BEADPLATE_BOOTSTRAP_SERVERS": bootstrap},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


async def test_verify_agrees_with_what_processors_made_and_finds_what_was_put_there_besides(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    floor = deal(3, tables=3, shoes=2, rounds=12, slips=6, corrections=0.3)
    async with house(fresh_kafka(), tmp_path) as built:
        await built.publish(floor.records)
        early = verify(built.bootstrap, "--wait", "0")
        assert early.returncode == 3, early.stdout
        assert "processors are behind the sources" in early.stderr

        for name in PROCESSORS:
            built.start(name)
        said = verify(built.bootstrap, "--from-beginning", "--wait", "90")
        assert said.returncode == 0, said.stdout + said.stderr
        assert said.stdout.splitlines()[-1] == "All outputs agree with the whole history."
        told = json.loads(verify(built.bootstrap, "--format", "json").stdout)
        assert (told["ok"], told["counts"]["batches"]) == (True, len(floor.batches))
        stakes = sum(slip["stake"] for batch in floor.batches.values() for slip in batch["slips"])
        assert sum(row["staked"] for row in told["sums"]) == stakes
        paid = sum(sum(floor.worth(batch_id).values()) for batch_id in floor.batches)
        assert sum(row["paid"] for row in told["sums"]) == paid

        unknown = verify(built.bootstrap, "--table", "T99")
        assert (unknown.returncode, unknown.stderr.count("\n")) == (2, 1)
        assert "T01, T02, T03" in unknown.stderr
        assert verify(built.bootstrap, "--shoe", "2").returncode == 2

        settled = json.loads((await built.read("baccarat.settlements.v1"))[-1].value)
        settled["settlements"][0]["payout"] += 100
        async with opened(AIOKafkaProducer(bootstrap_servers=built.bootstrap)) as producer:
            value, key = json.dumps(settled).encode(), settled["table_id"].encode()
            await producer.send_and_wait("baccarat.settlements.v1", value, key)
        wrong = verify(built.bootstrap)
        assert wrong.returncode == 1
        assert f"wrong settlement batch {settled['batch_id']}" in wrong.stdout
        assert f"contradictory settlement batch {settled['batch_id']}" in wrong.stdout
        others = [name for name in ("T01", "T02", "T03") if name != settled["table_id"]]
        assert verify(built.bootstrap, "--table", others[0]).returncode == 0
