"""Recorded shoes on a real Kafka."""

import asyncio
import json
import os
import signal
import uuid
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from aiokafka import ConsumerRecord
from structlog.testing import capture_logs

from broker.connection import Connection
from contract.codec import decode
from contract.rounds import Event, RoundDealt, ShoeEnded, ShoeStarted, TableOpened
from contract.topics import ROUNDS, Topic
from producer.recordings import UnknownRecording
from producer.replay import BadReplay, Replay, run

Reader = Callable[[Connection, Topic], Awaitable[list[ConsumerRecord]]]
RECORDED = Path(__file__).parent.parent / "data" / "recorded_shoes.jsonl"
HEADER = "table,shoe,round,player_cards,banker_cards\n"
NOBODY = Connection(bootstrap_servers="127.0.0.1:1")
on_kafka = pytest.mark.kafka


def prefix() -> str:
    return f"{uuid.uuid4().hex[:8]}-"


async def events_of(floor: Connection, everything_in: Reader, name: str) -> dict[str, list[Event]]:
    """By table, the events of all tables whose id begins with ``name``, in their order."""
    found: dict[str, list[Event]] = {}
    for record in await everything_in(floor, ROUNDS):
        if (record.key or b"").startswith(name.encode()):
            found.setdefault(record.key.decode(), []).append(decode(ROUNDS, record.value))
    return found


async def replay(floor: Connection, file: Path, **settings: Any) -> tuple[int, int]:
    """Exit status and the number of records that the broker acknowledged."""
    with capture_logs() as logs:
        status = await run(Replay(file=file, **settings), floor)
    return status, logs[-1]["acknowledged"]


def recorded(tmp_path: Path, name: str) -> tuple[Path, list[dict[str, Any]]]:
    """The recorded shoes with table ids of this test's own."""
    shoes = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]
    shoes = [shoe | {"table_id": name + shoe["table_id"]} for shoe in shoes]
    file = tmp_path / "shoes.jsonl"
    file.write_text("\n".join(map(json.dumps, shoes)), encoding="utf-8")
    return file, shoes


@on_kafka
@pytest.mark.asyncio
@pytest.mark.parametrize("pace", [0, 0.01])
async def test_recorded_results_are_published_as_keyed_rounds(
    floor: Connection, everything_in: Reader, tmp_path: Path, pace: float
) -> None:
    name = prefix()
    file, shoes = recorded(tmp_path, name)
    status, acknowledged = await replay(floor, file, pace=pace)
    found = await events_of(floor, everything_in, name)
    assert (status, acknowledged) == (0, sum(map(len, found.values())))
    assert set(found) == {shoe["table_id"] for shoe in shoes}
    for shoe in shoes:
        opened, started, *rounds, ended = found[shoe["table_id"]]
        assert isinstance(opened, TableOpened)
        assert (opened.config_no, opened.bets) == (0, False)
        assert isinstance(started, ShoeStarted)
        assert isinstance(ended, ShoeEnded)
        assert (started.shoe_no, ended.rounds) == (shoe["shoe_no"], len(shoe["outcomes"]))
        for number, (dealt, letter) in enumerate(zip(rounds, shoe["outcomes"], strict=True), start=1):
            assert dealt == RoundDealt(
                table_id=shoe["table_id"],
                occurred_at=dealt.occurred_at,
                shoe_no=shoe["shoe_no"],
                round_no=number,
                revision=0,
                outcome={"B": "banker", "P": "player", "T": "tie"}[letter],  # type: ignore[arg-type]
                player_pair=number in shoe["player_pairs"],
                banker_pair=number in shoe["banker_pairs"],
                paytable="classic@1",
            )


@on_kafka
@pytest.mark.asyncio
async def test_the_same_file_again_is_the_same_but_for_the_time(
    floor: Connection, everything_in: Reader, tmp_path: Path
) -> None:
    name = prefix()
    file, _ = recorded(tmp_path, name)
    for _ in range(2):
        assert (await replay(floor, file))[0] == 0

    def content(event: Event) -> dict[str, Any]:
        return {field: getattr(event, field) for field in event.__struct_fields__ if field != "occurred_at"}

    for events in (await events_of(floor, everything_in, name)).values():
        first, second = events[: len(events) // 2], events[len(events) // 2 :]
        assert [(type(event), content(event)) for event in first] == [(type(event), content(event)) for event in second]


@on_kafka
@pytest.mark.asyncio
async def test_recorded_cards_are_published_as_rounds_with_cards(
    floor: Connection, everything_in: Reader, tmp_path: Path
) -> None:
    name = prefix()
    file = tmp_path / "shoes.csv"
    file.write_text(HEADER + f"{name}1,3,1,7H 9H,8H 4H KC\n{name}1,4,1,4 5,K 3\n", encoding="utf-8")
    assert (await replay(floor, file))[0] == 0
    ((_, *events),) = (await events_of(floor, everything_in, name)).values()
    assert [(type(event), event.shoe_no) for event in events] == [  # type: ignore[attr-defined]
        (ShoeStarted, 3),
        (RoundDealt, 3),
        (ShoeEnded, 3),
        (ShoeStarted, 4),
        (RoundDealt, 4),
        (ShoeEnded, 4),
    ]
    dealt = events[1]
    assert isinstance(dealt, RoundDealt)
    assert (dealt.player, dealt.banker, dealt.outcome) == (("7H", "9H"), ("8H", "4H", "KC"), None)


@on_kafka
@pytest.mark.asyncio
async def test_a_bad_line_is_reported_the_others_stay_and_the_status_is_1(
    floor: Connection, everything_in: Reader, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = prefix()
    file = tmp_path / "shoes.csv"
    file.write_text(
        HEADER + f"{name}1,1,1,4H 5S,KD 3C\n{name}1,1,2,AH 6S,7C KS 2D\n{name}1,1,3,4H 5S,KD 3C\nrubbish\n",
        encoding="utf-8",
    )
    status, acknowledged = await replay(floor, file)
    assert (status, acknowledged) == (1, 5)
    told = capsys.readouterr().err.splitlines()
    assert told[0] == f"{file}:3: Banker drew on 7: 7C KS 2D"
    assert told[1].startswith(f"{file}:5: 1 fields instead of 5")
    ((*_, ended),) = (await events_of(floor, everything_in, name)).values()
    assert isinstance(ended, ShoeEnded)
    assert ended.rounds == 3


@on_kafka
@pytest.mark.asyncio
async def test_with_a_pace_tables_go_side_by_side_each_in_its_order(
    floor: Connection, everything_in: Reader, tmp_path: Path
) -> None:
    name = prefix()
    file, shoes = recorded(tmp_path, name)
    await replay(floor, file, pace=0.02)
    records = [r for r in await everything_in(floor, ROUNDS) if (r.key or b"").startswith(name.encode())]
    spans = []
    for shoe in shoes:
        own = [record for record in records if record.key == shoe["table_id"].encode()]
        dealt = [event for event in (decode(ROUNDS, r.value) for r in own) if isinstance(event, RoundDealt)]
        assert all(before.occurred_at < after.occurred_at for before, after in pairwise(dealt))
        spans.append((own[0].timestamp, own[-1].timestamp))
    assert max(first for first, _ in spans) < min(last for _, last in spans)


@on_kafka
@pytest.mark.asyncio
async def test_a_replay_that_is_stopped_flushes_and_ends_with_0(
    floor: Connection, everything_in: Reader, tmp_path: Path
) -> None:
    name = prefix()
    file, _ = recorded(tmp_path, name)
    running = asyncio.create_task(replay(floor, file, pace=30))
    async with asyncio.timeout(30):
        while len(await events_of(floor, everything_in, name)) < 5:
            pass
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(15):
        status, acknowledged = await running
    found = await events_of(floor, everything_in, name)
    assert (status, acknowledged) == (0, sum(map(len, found.values())))


@pytest.mark.asyncio
async def test_a_file_that_is_not_there_or_no_file_is_said(tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(BadReplay, match=f"{path} cannot be read: "):
            await run(Replay(file=path), NOBODY)


@pytest.mark.asyncio
async def test_a_file_that_is_no_recording_is_said_before_kafka_is_asked(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("buy milk\n", encoding="utf-8")
    with pytest.raises(UnknownRecording, match=r"notes\.txt is no recording"):
        await run(Replay(file=file), NOBODY)


@pytest.mark.parametrize("pace", [float("nan"), float("inf"), -0.1])
def test_a_pace_is_a_number_of_seconds(pace: float) -> None:
    with pytest.raises(BadReplay, match="pace"):
        Replay(file=Path("shoes.csv"), pace=pace)
