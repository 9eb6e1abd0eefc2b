"""A shoe or a gaming day that is asked for: the API and the pages say the same, and a wrong question is told."""

import json
import uuid
from collections.abc import Iterable
from typing import Any

import pytest
from aiokafka import AIOKafkaProducer

from broker.catalogue import apply
from broker.closing import opened
from broker.connection import BrokerAway, Connection
from contract.codec import decode
from contract.partitions import partition_of
from contract.periods import Part, part_of, running_part
from contract.topics import SHOE_STATISTICS, STATISTICS
from dashboards.days import Found
from dashboards.site import Site
from dashboards.statistics_archive import FAR, StatisticsArchive
from tests.dashboards.dom import parse
from tests.dashboards.tables import example, site
from tests.dashboards.web import asking

DAY = "2026-11-30"


def over(shoe_no: int = 411, **changes: Any) -> bytes:
    said: dict[str, Any] = json.loads(example("shoe_statistics")) | {"shoe_no": shoe_no} | changes
    return json.dumps(said).encode()


def house() -> Site:
    """A table at shoe 412 of the day, whose shoe 411 is over."""
    running = json.dumps(json.loads(example("bet_statistics")) | {"gaming_day": DAY}).encode()
    return site([example("scoreboard"), running, over()])


async def parts(places: Iterable[Found]) -> tuple[Part, ...]:
    return tuple(part_of(decode(SHOE_STATISTICS, over(found.shoe_no))) for found in places)


async def away(places: Iterable[Found]) -> tuple[Part, ...]:
    raise BrokerAway("Kafka does not answer at 127.0.0.1:9092")


@pytest.mark.asyncio
async def test_a_shoe_that_is_over_and_the_running_one_are_told() -> None:
    async with asking(house(), parts) as client:
        told = (await client.get("/api/v1/tables/B07/statistics?shoe=411")).json()
        assert (told["scope"], told["shoe_no"], told["gaming_day"]) == ("shoe", 411, DAY)
        assert told["bets"] == json.loads(example("shoe_statistics"))["bets"]
        running = (await client.get("/api/v1/tables/B07/statistics?shoe=412")).json()
        assert running["bets"]["banker"]["rounds"] == 7


@pytest.mark.asyncio
async def test_a_day_is_the_sum_of_its_shoes_with_the_running_one() -> None:
    async with asking(house(), parts) as client:
        for address in (f"/api/v1/tables/B07/statistics?day={DAY}", f"/api/v1/statistics?day={DAY}"):
            told = (await client.get(address)).json()
            assert (told["shoes"], told["tables"], told["bets"]["banker"]["rounds"]) == (2, 1, 14)
            assert told["bets"]["player"]["money"]["EUR"]["stake"] == 2 * 27500


@pytest.mark.asyncio
async def test_without_a_period_the_event_and_the_lives_of_all_tables_are_told() -> None:
    async with asking(house(), parts) as client:
        assert (await client.get("/api/v1/tables/B07/statistics")).json()["type"] == "bet_statistics"
        (life,) = (await client.get("/api/v1/statistics")).json()
        assert (life["scope"], life["table_id"], life["bets"]["banker"]["hits"]) == ("lifetime", "B07", 4)


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/api/v1/tables/B07/statistics?shoe=1", 404),
        ("/api/v1/tables/B07/statistics?day=2026-01-01", 404),
        ("/api/v1/statistics?day=2026-01-01", 404),
        ("/api/v1/tables/C99/statistics?shoe=1", 404),
        ("/api/v1/tables/B07/statistics?shoe=0", 400),
        ("/api/v1/tables/B07/statistics?shoe=01", 400),
        ("/api/v1/tables/B07/statistics?shoe=x", 400),
        ("/api/v1/tables/B07/statistics?shoe=" + "9" * 5000, 400),
        ("/api/v1/tables/B07/statistics?day=today", 400),
        ("/api/v1/tables/B07/statistics?shoe=1&day=2026-11-30", 400),
        ("/api/v1/statistics?shoe=1", 400),
        ("/statistics?day=30.11.2026", 400),
        ("/api/v1/statistics?day=2026-02-30", 400),
        ("/tables/B07/statistics?shoe=-1", 400),
    ],
)
@pytest.mark.asyncio
async def test_a_wrong_question_and_an_unknown_period_are_told(address: str, status: int) -> None:
    async with asking(house(), parts) as client:
        answer = await client.get(address)
        assert answer.status_code == status
        assert len(answer.text) < 6000


@pytest.mark.asyncio
async def test_while_kafka_is_away_a_period_is_asked_for_later() -> None:
    async with asking(house(), away) as client:
        answer = await client.get("/api/v1/tables/B07/statistics?shoe=411")
        assert (answer.status_code, "retry-after" in answer.headers) == (503, True)


@pytest.mark.parametrize(
    "address", ["/tables/B07/statistics?shoe=411", f"/tables/B07/statistics?day={DAY}", f"/statistics?day={DAY}"]
)
@pytest.mark.asyncio
async def test_a_page_shows_the_period_with_a_plot_for_each_bet(address: str) -> None:
    async with asking(house(), parts) as client:
        text = (await client.get(address)).text
        parse(text)
        assert text.count('class="plot"') == 5
        assert "Player: observed 28.57%" in text
        assert "style=" not in text


@pytest.mark.asyncio
async def test_a_period_without_statistics_has_a_page_that_says_so() -> None:
    async with asking(house(), parts) as client:
        answer = await client.get("/tables/B07/statistics?shoe=5")
        assert (answer.status_code, "There are no statistics of that shoe or day" in answer.text) == (200, True)


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_the_figures_are_read_from_kafka_wherever_they_lie(kafka: str) -> None:
    connection = Connection(bootstrap_servers=kafka)
    await apply(connection)
    tables = [uuid.uuid4().hex[:12] for _ in range(3)]
    found = []
    async with opened(AIOKafkaProducer(bootstrap_servers=kafka, acks="all")) as producer:
        for table_id in tables:
            partition = partition_of(table_id.encode(), 12)
            for shoe_no in range(1, 4):
                value = over(shoe_no, table_id=table_id)
                sent = await producer.send_and_wait(
                    SHOE_STATISTICS.name, value, f"{table_id}/{shoe_no}".encode(), partition=partition
                )
                found.append(Found(table_id, shoe_no, partition, sent.offset))
    archive = StatisticsArchive(connection)
    wanted = [place for place in found if place.shoe_no != 2]
    read = await archive.parts(wanted)
    assert {(part.table_id, part.shoe_no) for part in read} == {(place.table_id, place.shoe_no) for place in wanted}
    assert await archive.parts(reversed(wanted)) is read
    gone = found[0]._replace(offset=found[0].offset + 10 * FAR)
    another = found[1]._replace(table_id="nobody")
    assert await archive.parts([gone, another]) == ()
    assert await archive.parts([]) == ()


@pytest.mark.asyncio
async def test_a_kafka_that_is_away_is_told() -> None:
    archive = StatisticsArchive(Connection(bootstrap_servers="127.0.0.1:1"))
    with pytest.raises(BrokerAway, match=r"127\.0\.0\.1:1"):
        await archive.parts([Found("B07", 1, 0, 0)])


def test_the_running_shoe_is_a_part() -> None:
    part = running_part(decode(STATISTICS, example("bet_statistics")))
    assert (part.table_id, part.shoe_no, part.running) == ("B07", 412, True)
