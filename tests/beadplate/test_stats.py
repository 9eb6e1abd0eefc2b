"""``beadplate stats``: what is chosen, in which form, and read from a real Kafka as the API tells it."""

import asyncio
import csv
import io
import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from aiokafka import AIOKafkaProducer

from beadplate.cli import run
from beadplate.stats import chosen, written
from broker.catalogue import apply
from broker.closing import opened
from broker.connection import Connection
from contract.codec import decode
from contract.periods import part_of, running_part
from contract.topics import SHOE_STATISTICS, STATISTICS

EXAMPLES = Path(__file__).parents[1] / "data" / "examples"
DAY = "2026-11-30"


def example(name: str, **changes: Any) -> dict[str, Any]:
    said: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text())
    return said | changes


def found(shoe: int | None = None, day: str | None = None, table: str | None = "B07") -> list[Any]:
    tables = [decode(STATISTICS, json.dumps(example("bet_statistics", gaming_day=DAY)).encode())]
    over = [decode(SHOE_STATISTICS, json.dumps(example("shoe_statistics", shoe_no=n)).encode()) for n in (410, 411)]
    parts = [*map(running_part, tables), *map(part_of, over)]
    return list(chosen(tables, parts, table, shoe, day))


def test_without_a_period_the_life_of_every_table_and_of_one_its_running_shoe_too() -> None:
    assert [each.scope for each in found(table=None)] == ["lifetime"]
    assert [each.scope for each in found()] == ["shoe", "lifetime"]


def test_a_shoe_and_a_day_are_found_or_not() -> None:
    assert [each.shoe_no for each in found(shoe=411)] == [411]
    assert [each.shoe_no for each in found(shoe=412)] == [412]
    assert found(shoe=7) == found(day="2026-01-01") == []
    (day,) = found(day=DAY)
    assert (day.shoes, day.bets["player"].rounds) == (3, 21)


def test_json_is_one_object_a_line_and_csv_a_row_a_bet_and_currency() -> None:
    (line,) = written(found(shoe=411), "json")
    assert json.loads(line)["bets"] == example("shoe_statistics")["bets"]
    rows = list(csv.DictReader(io.StringIO("\n".join(written(found(shoe=411), "csv")))))
    assert [row["bet"] for row in rows] == ["player", "banker", "tie", "player_pair", "banker_pair"]
    player = rows[0]
    assert (player["scope"], player["shoe_no"], player["gaming_day"], player["currency"]) == ("shoe", "411", DAY, "EUR")
    assert (player["stake"], player["expected_hold"], player["interval_low"]) == ("27500", "339.647", "0.082219")
    assert (rows[4]["currency"], rows[4]["stake"]) == ("", "")


def test_text_is_a_table_for_people() -> None:
    lines = list(written(found(day=DAY), "text"))
    assert lines[0] == "2026-11-30, B07: 14 rounds of 3 shoes, 30.9 rounds an hour"
    assert lines[2].split()[:3] == ["player", "21", "6"]
    assert all(len(line) < 200 for line in lines)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--shoe", "1"], "say which with --table"),
        (["--table", "B07", "--shoe", "1", "--day", DAY], "name one of them"),
        (["--day", "today"], "--day is a date"),
        (["--day", "2026-13-01"], "--day is a date"),
        (["--shoe", "0", "--table", "B07"], "shoe"),
    ],
)
def test_wrong_use_is_told(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["stats", *arguments]) == 2
    assert said in capsys.readouterr().err


async def _published(kafka: str, table: str) -> None:
    await apply(Connection(bootstrap_servers=kafka))
    async with opened(AIOKafkaProducer(bootstrap_servers=kafka, acks="all")) as producer:
        for version, gone in ((3, "2026-11-01"), (9, DAY), (5, "2026-11-02")):  # a delayed old writer comes last
            event = example("shoe_statistics", table_id=table, shoe_no=411, version=version, gaming_day=gone)
            await producer.send_and_wait(SHOE_STATISTICS.name, json.dumps(event).encode(), f"{table}/411".encode())
        running = example("bet_statistics", table_id=table, gaming_day=DAY)
        await producer.send_and_wait(STATISTICS.name, json.dumps(running).encode(), table.encode())
        await producer.send_and_wait(STATISTICS.name, b"rubbish", table.encode())


@pytest.mark.kafka
def test_the_highest_version_counts_and_nothing_found_is_told(kafka: str, capsys: pytest.CaptureFixture[str]) -> None:
    table, server = f"st-{uuid.uuid4().hex[:8]}", ["--bootstrap-servers", kafka]
    asyncio.run(_published(kafka, table))
    assert run(["stats", *server, "--table", table, "--day", DAY, "--format", "json"]) == 0
    day = json.loads(capsys.readouterr().out)
    assert (day["shoes"], day["table_id"], day["bets"]["player"]["rounds"]) == (2, table, 14)
    assert run(["stats", *server, "--table", table, "--day", "2026-11-01"]) == 1
    assert "there are no statistics of 2026-11-01" in capsys.readouterr().err
    assert run(["stats", *server, "--table", table]) == 0
    assert capsys.readouterr().out.count("banker") >= 2
