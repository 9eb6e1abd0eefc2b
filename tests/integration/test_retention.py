"""Records that Kafka deleted before a processor had read them, and logs that end before what was committed."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition

from broker.closing import opened
from contract.partitions import partition_of
from contract.topics import PARTITIONS
from tests.integration.house import House, house, newest, until
from tests.integration.test_endings import answers, committed, rounds
from tests.integration.test_replay import delete, goes_through, run_through

pytestmark = [pytest.mark.asyncio, pytest.mark.kafka, pytest.mark.timeout(240)]

ROUNDS = "baccarat.rounds.v1"
PLACE = TopicPartition(ROUNDS, partition_of(b"B07", PARTITIONS))


async def alerts(built: House) -> list[dict[str, Any]]:
    """The notices of what was lost."""
    found = [json.loads(record.value) for record in await built.read("baccarat.alerts.v1")]
    return [alert for alert in found if alert["kind"] == "retention_lost"]


async def test_a_stop_longer_than_retention_is_told_once_and_the_processor_goes_on(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    async with house(fresh_kafka(), tmp_path) as built:
        await built.publish(rounds(1, 2, 3, 4))
        await run_through(built, "scoreboards")
        await built.publish(rounds(5, 6, 7, 8, 9))
        await delete(built, PLACE, 7)
        await run_through(built, "scoreboards")
        (alert,) = await alerts(built)
        await built.publish(rounds(10))
        await run_through(built, "scoreboards")
        assert await alerts(built) == [alert]
        board = newest(await built.read("baccarat.scoreboards.v1"))[b"B07"]
        assert await committed(built, "beadplate-scoreboards") == 10
    assert board["gaps"] == [5, 6, 7]
    assert board["last_round"] == 10
    assert (alert["table_id"], alert["state"], alert["value"]) == ("all-tables", "raised", 3)
    assert alert["subject"] == f"scoreboards {ROUNDS}/{PLACE.partition}"
    assert alert["message"].startswith(
        f"3 records of {ROUNDS} partition {PLACE.partition}, offsets 4 to 6, were deleted before scoreboards had read"
    )


async def test_it_is_told_once_also_where_nothing_is_left_or_nothing_had_ever_come(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    async with house(fresh_kafka(), tmp_path) as built:
        await be_ready(built)
        await built.publish(rounds(1, 2))
        await delete(built, PLACE, 2)
        for _ in range(2):
            await be_ready(built)
        (alert,) = await alerts(built)
        assert "offsets 0 to 1" in alert["message"]
        assert await committed(built, "beadplate-scoreboards") == 2


async def be_ready(built: House) -> None:
    """A worker that is stopped as soon as it is ready."""
    port = built.free_port()
    built.start("scoreboards", BEADPLATE_HEALTH_PORT=str(port))
    await until(partial(answers, port, "/readyz", 200), built.failure)
    assert built.stop("scoreboards") == 0


async def test_more_committed_than_there_is_ends_the_process_which_says_what_to_do_and_that_helps(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    async with house(fresh_kafka(), tmp_path) as built:
        await built.publish(rounds(1, 2))
        await run_through(built, "scoreboards")
        group = "beadplate-scoreboards"
        # without commits of its own: at its end the client would commit again where it stands
        async with opened(
            AIOKafkaConsumer(bootstrap_servers=built.bootstrap, group_id=group, enable_auto_commit=False)
        ) as consumer:
            consumer.assign([PLACE])
            await consumer.commit({PLACE: 100})
        built.start("scoreboards")
        assert await built.ended("scoreboards") == 1
        said = (tmp_path / "scoreboards.log").read_text()
        assert f"scoreboards has committed offset 100 of {ROUNDS} partition {PLACE.partition}, which ends at 2" in said
        assert "Traceback" not in said
        await until(partial(goes_through, built, "scoreboards"), built.failure)
        await built.publish(rounds(3))
        await run_through(built, "scoreboards")
        board = newest(await built.read("baccarat.scoreboards.v1"))[b"B07"]
    assert board["roads"]["rounds"] == "PPP"
