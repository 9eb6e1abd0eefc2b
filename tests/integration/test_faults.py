"""Processors are killed, joined and left while records flow; what they publish must not show it."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.integration.floor import Floor, deal
from tests.integration.house import House, Kept, house, newest, until

PROCESSORS = ("scoreboards", "settlements", "statistics")


@pytest.mark.asyncio
@pytest.mark.kafka
@pytest.mark.timeout(300)
async def test_workers_that_are_killed_joined_and_stopped_lose_nothing_and_contradict_nothing(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    floor = deal(1, tables=12, shoes=4, rounds=40, slips=10)
    third = len(floor.records) // 3
    async with house(fresh_kafka(), tmp_path) as built:
        for name in PROCESSORS:
            built.start(name)
        await built.publish(floor.records[:third])
        await until(lambda: _some_settled(built), built.failure)
        publishing = asyncio.create_task(built.publish(floor.records[third : 2 * third]))
        for name in PROCESSORS:
            built.kill(name)
        await publishing
        for name in PROCESSORS:
            built.start(name)
            built.start(name, "-second")
        await built.publish(floor.records[2 * third :])
        await built.settled("settlements")
        assert [built.stop(name) for name in PROCESSORS] == [0, 0, 0]
        await built.settled(*PROCESSORS)
        settled = await built.read("baccarat.settlements.v1")
        boards = await built.read("baccarat.scoreboards.v1")
        records = await built.read("baccarat.shoes.v1")
        statistics = await built.read("baccarat.statistics.v1")
        assert await built.read("baccarat.dead-letters.v1") == []
    _check_settlements(floor, settled)
    _check_boards(floor, boards, records)
    _check_statistics(floor, statistics)


async def _some_settled(built: House) -> bool:
    return len(await built.read("baccarat.settlements.v1")) > 50


def _check_settlements(floor: Floor, settled: list[Kept]) -> None:
    """One final settlement per slip, at the last version of its round; every repeat equal to the byte."""
    versions: dict[tuple[str, int], set[bytes]] = defaultdict(set)
    last: dict[str, dict[str, Any]] = {}
    for record in settled:
        event = json.loads(record.value)
        versions[event["batch_id"], event["revision"]].add(record.value)
        if event["revision"] >= last.get(event["batch_id"], event)["revision"]:
            last[event["batch_id"]] = event
    assert [identity for identity, values in versions.items() if len(values) > 1] == []
    assert last.keys() == floor.batches.keys()
    for batch_id, event in last.items():
        batch = floor.batches[batch_id]
        assert event["revision"] == floor.rounds[batch["table_id"], batch["shoe_no"], batch["round_no"]]["revision"]
        assert {slip["slip_id"]: slip["payout"] for slip in event["settlements"]} == floor.worth(batch_id)


def _check_boards(floor: Floor, boards: list[Kept], records: list[Kept]) -> None:
    shown = newest(boards)
    tables = {key[0] for key in floor.rounds}
    assert {key.decode() for key in shown} == tables
    for table_id in tables:
        board = shown[table_id.encode()]
        assert (board["shoe_no"], board["status"], board["round_no"]) == (4, "shuffling", 40)
        assert board["roads"]["rounds"] == floor.letters(table_id, 4)
        assert board["roads"]["big_road"] == [list(cell) for cell in floor.board(table_id, 4).big_road]
    shoes = newest(records)
    assert {key.decode() for key in shoes} == {f"{table_id}/{shoe}" for table_id in tables for shoe in (1, 2, 3, 4)}
    for key, record in shoes.items():
        table_id, shoe_no = key.decode().split("/")
        assert record["roads"]["rounds"] == floor.letters(table_id, int(shoe_no))
        for entry in record["rounds"]:
            last = floor.rounds[table_id, int(shoe_no), entry["round_no"]]
            assert (entry["revision"], entry.get("player")) == (last["revision"], last.get("player"))


def _check_statistics(floor: Floor, statistics: list[Kept]) -> None:
    for key, event in newest(statistics).items():
        lifetime = event["scopes"]["lifetime"]
        letters = "".join(floor.letters(key.decode(), shoe_no) for shoe_no in (1, 2, 3, 4))
        assert {bet: (lifetime[bet]["rounds"], lifetime[bet]["hits"]) for bet in ("player", "banker", "tie")} == {
            "player": (len(letters), letters.count("P")),
            "banker": (len(letters), letters.count("B")),
            "tie": (len(letters), letters.count("T")),
        }
        money = {bet: lifetime[bet]["money"]["EUR"] for bet in lifetime}
        assert {bet: [row["slips"], row["stake"], row["paid"]] for bet, row in money.items()} == floor.money(
            key.decode()
        )
