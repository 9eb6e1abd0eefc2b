"""Records are not passed over, wherever the fetches before the end of a recovery have brought the consumer."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.integration.floor import deal
from tests.integration.house import House, house, newest

FLOOR = deal(3, tables=4, shoes=1, rounds=12, slips=1)


def start_strayed(built: House, when: str) -> None:
    with (built.logs / "strayed.log").open("ab") as out:
        built.processes["strayed"] = subprocess.Popen(
            [sys.executable, "-m", "tests.integration.strayed", built.bootstrap, when], stdout=out, stderr=out
        )


@pytest.mark.asyncio
@pytest.mark.kafka
@pytest.mark.timeout(200)
async def test_partitions_of_which_nothing_is_committed_are_read_from_their_beginning(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    async with house(fresh_kafka(), tmp_path) as built:
        await built.publish(FLOOR.records)
        start_strayed(built, "before")
        await built.settled("scoreboards")
        boards = newest(await built.read("baccarat.scoreboards.v1"))
    assert {key.decode(): board["roads"]["rounds"] for key, board in boards.items()} == {
        table_id: FLOOR.letters(table_id, 1) for table_id in ("T01", "T02", "T03", "T04")
    }


@pytest.mark.asyncio
@pytest.mark.kafka
@pytest.mark.timeout(200)
async def test_a_worker_that_would_begin_past_uncommitted_records_ends_with_3(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    async with house(fresh_kafka(), tmp_path) as built:
        await built.publish(FLOOR.records)
        start_strayed(built, "after")
        has_ended = asyncio.Event()
        publishing = asyncio.create_task(_go_on(built, has_ended))
        try:
            assert await built.ended("strayed") == 3
        finally:
            has_ended.set()
            await publishing
    assert "has to be read from offset 0" in (tmp_path / "strayed.log").read_text()


async def _go_on(built: House, has_ended: asyncio.Event) -> None:
    """Publish for as long as it takes: what stands there when the worker is ready is passed over."""
    while not has_ended.is_set():
        await built.publish(FLOOR.records[:1])
        await asyncio.sleep(0.2)
