"""The simulated floor on a real Kafka."""

import asyncio
import os
import signal
import socket
import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from aiokafka import ConsumerRecord
from structlog.testing import capture_logs

from baccarat.paytables import UnknownPaytable
from broker.catalogue import TopicsNotReady, apply
from broker.connection import BrokerAway, Connection
from broker.embedded import EmbeddedKafka
from contract.bets import BetsPlaced
from contract.codec import decode
from contract.partitions import partition_of
from contract.rounds import (
    BettingClosed,
    BettingOpened,
    Event,
    RoundCorrected,
    RoundDealt,
    RoundVoided,
    ShoeEnded,
    ShoeStarted,
    TableOpened,
)
from contract.topics import BETS, PARTITIONS, ROUNDS, Topic
from producer.reached import Reached, reached
from producer.simulate import BadSimulation, Simulation, run

Reader = Callable[[Connection, Topic], Awaitable[list[ConsumerRecord]]]
on_kafka = pytest.mark.kafka


class ClockThatJumps:
    """Nobody waits for it: it is as late as the moment that was last waited for."""

    def __init__(self) -> None:
        self._now = datetime(2026, 11, 30, 18, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self._now

    async def sleep_until(self, moment: datetime) -> None:
        await asyncio.sleep(0)
        self._now = max(self._now, moment)


def prefix() -> str:
    return f"{uuid.uuid4().hex[:8]}-"


async def events_of(floor: Connection, everything_in: Reader, topic: Topic, table_id: str) -> list[Event]:
    """The table's events in their order, each checked for key and partition."""
    found: list[Event] = []
    for record in await everything_in(floor, topic):
        if record.key == table_id.encode():
            assert record.partition == partition_of(record.key, PARTITIONS)
            found.append(decode(topic, record.value))
    return found


async def simulate(floor: Connection, **settings: Any) -> tuple[int, int]:
    """Exit status and the number of records that the broker acknowledged."""
    with capture_logs() as logs:
        status = await run(Simulation(**settings), floor, clock=settings.pop("clock", None))
    return status, logs[-1]["acknowledged"]


@on_kafka
@pytest.mark.asyncio
async def test_every_table_deals_its_shoes_in_order_and_every_record_is_acknowledged(
    floor: Connection, everything_in: Reader
) -> None:
    name = prefix()
    status, acknowledged = await simulate(floor, tables=3, shoes=2, pace=0, bettors=20, seed=7, prefix=name)
    assert status == 0
    count = 0
    for table_id in (f"{name}01", f"{name}02", f"{name}03"):
        rounds = await events_of(floor, everything_in, ROUNDS, table_id)
        bets = await events_of(floor, everything_in, BETS, table_id)
        count += len(rounds) + len(bets)
        for shoe_no in (1, 2):
            check_shoe([event for event in rounds if getattr(event, "shoe_no", None) == shoe_no], bets, shoe_no)
        assert [type(event) for event in rounds[:3]] == [TableOpened, ShoeStarted, BettingOpened]
        assert [event.config_no for event in rounds if isinstance(event, TableOpened)] == [1, 1]
        assert isinstance(rounds[-1], ShoeEnded)
    assert count == acknowledged


def check_shoe(events: list[Event], bets: list[Event], shoe_no: int) -> None:
    started, *dealing, ended = events
    assert isinstance(started, ShoeStarted)
    assert isinstance(ended, ShoeEnded)
    assert [type(event) for event in dealing] == [BettingOpened, BettingClosed, RoundDealt] * ended.rounds
    assert [event.round_no for event in dealing] == [n for n in range(1, ended.rounds + 1) for _ in range(3)]  # type: ignore[attr-defined]
    times = [event.occurred_at for event in events]
    assert times == sorted(times)
    played = {batch.round_no for batch in bets if isinstance(batch, BetsPlaced) and batch.shoe_no == shoe_no}
    assert played == set(range(1, ended.rounds + 1))


@on_kafka
@pytest.mark.asyncio
async def test_run_again_a_floor_goes_on_with_the_next_shoes_and_settings(
    floor: Connection, everything_in: Reader
) -> None:
    name = prefix()
    for _ in range(2):
        assert (await simulate(floor, tables=2, shoes=1, pace=0, bettors=0, prefix=name))[0] == 0
    await simulate(floor, tables=3, shoes=1, pace=0, bettors=0, prefix=name)
    rounds = await events_of(floor, everything_in, ROUNDS, f"{name}01")
    new = await events_of(floor, everything_in, ROUNDS, f"{name}03")
    assert [event.shoe_no for event in rounds if isinstance(event, ShoeStarted)] == [1, 2, 3]
    assert [event.config_no for event in rounds if isinstance(event, TableOpened)] == [1, 2, 3]
    assert [event.shoe_no for event in new if isinstance(event, ShoeStarted)] == [1]


@on_kafka
@pytest.mark.asyncio
async def test_a_shoe_that_was_left_is_followed_by_the_next(floor: Connection, everything_in: Reader) -> None:
    name = prefix()
    running = asyncio.create_task(simulate(floor, tables=1, pace=0.01, prefix=name))
    await until(lambda: events_of(floor, everything_in, BETS, f"{name}01"))
    running.cancel()
    await asyncio.wait({running})
    await simulate(floor, tables=1, shoes=1, pace=0, prefix=name)
    rounds = await events_of(floor, everything_in, ROUNDS, f"{name}01")
    assert [event.shoe_no for event in rounds if isinstance(event, ShoeStarted)] == [1, 2]
    assert [event.shoe_no for event in rounds if isinstance(event, ShoeEnded)] == [2]


@on_kafka
@pytest.mark.asyncio
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_floor_that_is_stopped_flushes_and_says_how_much_is_acknowledged(
    floor: Connection, everything_in: Reader, number: signal.Signals
) -> None:
    name = prefix()
    running = asyncio.create_task(simulate(floor, tables=2, pace=0, prefix=name))
    await until(lambda: events_of(floor, everything_in, BETS, f"{name}02"))
    os.kill(os.getpid(), number)
    async with asyncio.timeout(15):
        status, acknowledged = await running
    assert status == 0
    tables = (f"{name}01", f"{name}02")
    found = [
        len(await events_of(floor, everything_in, topic, table_id)) for topic in (ROUNDS, BETS) for table_id in tables
    ]
    assert sum(found) == acknowledged


@on_kafka
@pytest.mark.asyncio
async def test_a_floor_that_is_stopped_while_kafka_is_away_says_what_is_left(tmp_path: Path) -> None:
    async with EmbeddedKafka(tmp_path / "kafka") as node:
        floor = Connection(bootstrap_servers=node.bootstrap)
        await apply(floor)
        with capture_logs() as logs:
            running = asyncio.create_task(run(Simulation(tables=2, pace=0.05, bettors=2), floor))
            async with asyncio.timeout(30):
                while await reached(floor, ["T01"], PARTITIONS) != {"T01": Reached(shoe_no=1, config_no=1)}:
                    pass
            await node.stop()
            os.kill(os.getpid(), signal.SIGTERM)
            async with asyncio.timeout(10):
                assert await running == 3
    assert logs[-1]["event"] == "Stopped before Kafka acknowledged everything"
    assert logs[-1]["acknowledged"] > 0
    assert logs[-1]["unacknowledged"] > 0


@on_kafka
@pytest.mark.asyncio
async def test_a_floor_that_is_stopped_before_it_opens_publishes_nothing(
    floor: Connection, everything_in: Reader
) -> None:
    name = prefix()
    running = asyncio.create_task(simulate(floor, tables=1, pace=0, prefix=name))
    await asyncio.sleep(0)  # it listens to signals from its first step on
    os.kill(os.getpid(), signal.SIGTERM)
    assert await running == (0, 0)
    assert await events_of(floor, everything_in, ROUNDS, f"{name}01") == []


@on_kafka
@pytest.mark.asyncio
async def test_tables_deal_side_by_side_at_the_pace(floor: Connection, everything_in: Reader) -> None:
    name = prefix()
    with capture_logs():
        settings = Simulation(tables=3, shoes=1, pace=10, bettors=2, prefix=name)
        assert await run(settings, floor, clock=ClockThatJumps()) == 0
    begins = []
    for table_id in (f"{name}01", f"{name}02", f"{name}03"):
        rounds = await events_of(floor, everything_in, ROUNDS, table_id)
        opens = [datetime.fromisoformat(e.occurred_at) for e in rounds if isinstance(e, BettingOpened)]
        seconds = [(after - before).total_seconds() for before, after in pairwise(opens)]
        assert sum(seconds) / len(seconds) == pytest.approx(10, rel=0.1)
        begins.append((opens[0], opens[-1]))
    assert max(first for first, _ in begins) < min(last for _, last in begins)


@on_kafka
@pytest.mark.asyncio
async def test_mistakes_are_corrected_or_voided_after_the_round(floor: Connection, everything_in: Reader) -> None:
    name = prefix()
    await simulate(floor, tables=1, shoes=1, pace=0, bettors=0, corrections=0.3, seed=5, prefix=name)
    rounds = await events_of(floor, everything_in, ROUNDS, f"{name}01")
    mended = [e for e in rounds if isinstance(e, RoundCorrected | RoundVoided)]
    assert {type(event) for event in mended} == {RoundCorrected, RoundVoided}
    for event in mended:
        before = rounds[rounds.index(event) - 1]
        assert isinstance(before, RoundDealt)
        assert before.round_no == event.round_no


@on_kafka
@pytest.mark.asyncio
async def test_a_kafka_without_topics_is_said_before_anything_is_dealt(fresh_kafka: Callable[..., str]) -> None:
    with pytest.raises(TopicsNotReady, match="beadplate topics apply"):
        await run(Simulation(), Connection(bootstrap_servers=fresh_kafka()))


@pytest.mark.asyncio
async def test_a_kafka_that_is_away_is_said() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        nobody = Connection(bootstrap_servers=f"127.0.0.1:{listener.getsockname()[1]}")
        with pytest.raises(BrokerAway, match="does not answer"):
            await run(Simulation(), nobody)


def test_settings_that_make_no_floor_are_refused_all_at_once() -> None:
    with pytest.raises(BadSimulation) as fault:
        Simulation(
            tables=0,
            shoes=0,
            pace=-1,
            bettors=-1,
            decks=9,
            corrections=2,
            currency="euro",
            time_zone="Mars/Olympus",
        )
    for part in (
        "'Mars/Olympus'",
        "0",
        "-1",
        "9",
        "2",
        "'euro'",
        "table",
        "shoe",
        "pace",
        "bettors",
        "decks",
    ):
        assert part in str(fault.value)


@pytest.mark.asyncio
async def test_a_pay_table_that_there_is_not_is_refused_before_anybody_is_asked() -> None:
    with pytest.raises(UnknownPaytable, match="'free-money@1'"):
        await run(Simulation(paytable="free-money@1"), Connection(bootstrap_servers="127.0.0.1:1"))


@pytest.mark.parametrize("pace", [float("nan"), float("inf"), -0.1])
def test_a_pace_is_a_number_of_seconds(pace: float) -> None:
    with pytest.raises(BadSimulation, match="pace"):
        Simulation(pace=pace)


@pytest.mark.parametrize("name", ["-", "T/", "T" * 62])
def test_a_prefix_makes_ids_of_tables(name: str) -> None:
    with pytest.raises(BadSimulation, match="prefix"):
        Simulation(prefix=name)


def test_tables_may_be_numbers_alone() -> None:
    assert Simulation(prefix="").prefix == ""


async def until(found: Callable[[], Awaitable[list[Event]]]) -> None:
    async with asyncio.timeout(30):
        while not await found():
            pass
