"""The reader and the archive against a real Kafka."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer

from broker.catalogue import apply
from broker.closing import opened
from broker.connection import BrokerAway, Connection
from broker.embedded import EmbeddedKafka
from contract.codec import encode
from contract.rounds import Event
from contract.topics import SCOREBOARDS, SHOE_STATISTICS, SHOES, STATISTICS
from dashboards.archive import Archive, Gone
from dashboards.reader import Reader
from dashboards.settings import Page
from dashboards.site import Site
from dashboards.store import Shoe, ShoeHead
from tests.dashboards.tables import keyed_rounds, record, scoreboard, shoe_record

pytestmark = pytest.mark.kafka
_numbers = itertools.count(1)


@pytest.fixture
def table_id(request: pytest.FixtureRequest) -> str:
    """A table of this test alone."""
    return f"page-{next(_numbers)}-{abs(hash(request.node.name)) % 10**8}"


async def wait_for(condition: Callable[[], bool], within_s: float = 30) -> None:
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - the condition is another task's or another process's
            await asyncio.sleep(0.02)


async def publish(bootstrap: str, *values: Event | bytes | tuple[str, bytes | None, bytes | None]) -> list[int]:
    """Put outputs on their topics, in order; their offsets."""
    async with opened(AIOKafkaProducer(bootstrap_servers=bootstrap, acks="all")) as producer:
        offsets = []
        for value in values:
            if isinstance(value, tuple):
                topic, key, raw = value
            else:
                made = record(value)
                topic, key, raw = made.topic.name, made.key, made.value
            sent = await producer.send_and_wait(topic, raw, key=key)
            offsets.append(sent.offset)
        return offsets


@contextlib.asynccontextmanager
async def reading(bootstrap: str) -> AsyncIterator[Site]:
    """A site that reads this Kafka."""
    site = Site(Page())
    reader = asyncio.create_task(
        Reader(Connection(bootstrap_servers=bootstrap), site.take, site.source, site.clock).run()
    )
    try:
        yield site
    finally:
        reader.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await reader


def indexed(site: Site) -> Callable[[str, int], Shoe | None]:
    return lambda table_id, shoe_no: site.store.shoes.get(table_id, {}).get(shoe_no)


class Pointing:
    """An index that points to one place, whatever it is asked."""

    def __init__(self, shoe: Shoe) -> None:
        self.shoe = shoe

    def __call__(self, *_: object) -> Shoe:
        return self.shoe


@pytest.mark.asyncio
async def test_it_catches_up_with_what_was_there_and_goes_on(kafka: str, table_id: str) -> None:
    await apply(Connection(bootstrap_servers=kafka))
    before = scoreboard(keyed_rounds("BP"), table_id=table_id, version=1)
    await publish(kafka, before)
    async with reading(kafka) as site:
        assert not site.source.caught_up
        await wait_for(lambda: site.source.caught_up)
        assert site.store.boards[table_id].event == before
        assert site.source.ready(site.clock())
        after = scoreboard(keyed_rounds("BPT"), table_id=table_id, version=2)
        await publish(kafka, after)
        await wait_for(lambda: site.store.boards[table_id].event == after)


@pytest.mark.asyncio
async def test_two_page_servers_and_one_after_a_restart_know_the_same(kafka: str, table_id: str) -> None:
    await apply(Connection(bootstrap_servers=kafka))
    boards = [scoreboard(keyed_rounds("B" * n), table_id=table_id, version=n) for n in (1, 3, 2)]
    await publish(kafka, *boards, shoe_record(boards[0], shoe_no=411))
    known = []
    for _ in range(2):
        async with reading(kafka) as site:
            await wait_for(lambda: site.source.caught_up)
            kept, shoe = site.store.boards[table_id], site.store.shoes[table_id][411]
            known.append((kept.raw, kept.at_ms, shoe.offset, shoe.partition))
    assert known[0] == known[1]
    assert known[0][0] == encode(boards[1])


@pytest.mark.asyncio
async def test_rubbish_in_the_topics_is_skipped_and_the_page_goes_on(kafka: str, table_id: str) -> None:
    await apply(Connection(bootstrap_servers=kafka))
    key = table_id.encode()
    good = scoreboard(keyed_rounds("BP"), table_id=table_id)
    await publish(
        kafka,
        good,
        (SCOREBOARDS.name, key, b"{"),
        (SCOREBOARDS.name, key, b"\xff"),
        (SCOREBOARDS.name, b"somebody else", encode(good)),
        (STATISTICS.name, key, b'{"type":"bet_statistics"}'),
        (SHOES.name, key, b"[]"),
        (SHOE_STATISTICS.name, key, b"[]"),
    )
    async with reading(kafka) as site:
        await wait_for(lambda: site.source.caught_up)
        assert site.store.boards[table_id].event == good
        assert {name: count >= 1 for name, count in site.intake.skipped.items()} == dict.fromkeys(
            site.intake.skipped, True
        )


@pytest.mark.asyncio
async def test_a_shoe_is_fetched_byte_for_byte_and_moves_with_its_newest_copy(kafka: str, table_id: str) -> None:
    connection = Connection(bootstrap_servers=kafka)
    await apply(connection)
    first = shoe_record(scoreboard(keyed_rounds("BP"), table_id=table_id), shoe_no=7, version=1)
    second = shoe_record(scoreboard(keyed_rounds("BPT"), table_id=table_id), shoe_no=7, version=2)
    await publish(kafka, scoreboard(table_id=table_id), first)
    async with reading(kafka) as site:
        await wait_for(lambda: site.source.caught_up)
        archive = Archive(connection, indexed(site))
        try:
            assert await archive.body(table_id, 7) == encode(first)
            await publish(kafka, second)
            await wait_for(lambda: site.store.shoes[table_id][7].head.version == 2)
            assert await archive.body(table_id, 7) == encode(second)
            with pytest.raises(Gone):
                await archive.body(table_id, 8)
        finally:
            await archive.close()


@pytest.mark.asyncio
async def test_many_shoes_asked_for_at_once_are_each_their_own(kafka: str, table_id: str) -> None:
    connection = Connection(bootstrap_servers=kafka)
    await apply(connection)
    records = {
        number: shoe_record(scoreboard(keyed_rounds("B" * number), table_id=table_id), shoe_no=number)
        for number in range(1, 41)
    }
    await publish(kafka, *records.values())
    async with reading(kafka) as site:
        await wait_for(lambda: site.source.caught_up)
        archive = Archive(connection, indexed(site))
        try:
            bodies = await asyncio.gather(*(archive.body(table_id, number) for number in records))
        finally:
            await archive.close()
    assert bodies == [encode(each) for each in records.values()]


@pytest.mark.asyncio
async def test_a_record_that_is_not_at_its_place_any_more_is_gone(kafka: str, table_id: str) -> None:
    connection = Connection(bootstrap_servers=kafka)
    await apply(connection)
    other = shoe_record(scoreboard(table_id=table_id), shoe_no=1)
    await publish(kafka, other)
    async with reading(kafka) as site:
        await wait_for(lambda: site.source.caught_up)
    right = site.store.shoes[table_id][1]
    for place in (right.offset, right.offset + 1_000_000):
        wrong = Shoe(right.head, right.partition, place)
        archive = Archive(connection, Pointing(wrong))
        try:
            with pytest.raises(Gone):
                await archive.body(table_id, 2)
        finally:
            await archive.close()


@pytest.mark.asyncio
async def test_without_kafka_a_shoe_is_not_gone_but_away() -> None:
    head = ShoeHead(table_id="T", shoe_no=1, version=1, decks=8, counts=scoreboard().counts)
    shoe = Shoe(head, 0, 0)
    archive = Archive(Connection(bootstrap_servers="127.0.0.1:1"), Pointing(shoe))
    with pytest.raises(BrokerAway, match=r"127\.0\.0\.1:1"):
        await archive.body("T", 1)
    await archive.close()


@pytest.mark.asyncio
async def test_missing_topics_are_told_and_waited_for(fresh_kafka: Callable[..., str]) -> None:
    bootstrap = fresh_kafka()
    async with reading(bootstrap) as site:
        await wait_for(lambda: "beadplate topics apply" in site.source.trouble)
        assert not site.source.caught_up
        assert site.source.alive(site.clock())
        await apply(Connection(bootstrap_servers=bootstrap))
        await wait_for(lambda: site.source.caught_up)
        assert site.source.trouble == ""


@pytest.mark.asyncio
async def test_a_kafka_that_is_not_there_yet_is_told_and_waited_for() -> None:
    async with reading("127.0.0.1:1") as site:
        await wait_for(lambda: site.source.trouble != "")
        assert "Kafka does not answer at 127.0.0.1:1" in site.source.trouble
        assert not site.source.ready(site.clock())
        assert site.source.alive(site.clock())


@pytest.mark.asyncio
async def test_a_kafka_that_goes_away_leaves_the_picture_and_is_read_on_when_it_is_back(tmp_path: Path) -> None:
    first, second = (scoreboard(keyed_rounds("BP" * n), table_id="T1", version=n) for n in (1, 2))
    async with EmbeddedKafka(tmp_path) as node:
        await apply(Connection(bootstrap_servers=node.bootstrap))
        await publish(node.bootstrap, first)
        port = int(node.bootstrap.rpartition(":")[2])
        reader = reading(node.bootstrap)
        site = await reader.__aenter__()
        await wait_for(lambda: site.source.ready(site.clock()))
    try:
        await wait_for(lambda: site.source.lost(site.clock()))
        assert site.source.caught_up
        assert site.source.alive(site.clock())
        assert site.store.boards["T1"].event == first
        async with EmbeddedKafka(tmp_path, port=port) as node:
            await wait_for(lambda: site.source.ready(site.clock()), within_s=60)
            await publish(node.bootstrap, second)
            await wait_for(lambda: site.store.boards["T1"].event == second)
            assert site.source.trouble == ""
    finally:
        await reader.__aexit__(None, None, None)


@pytest.mark.asyncio
async def test_a_kafka_that_is_away_for_long_is_read_on_by_a_new_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboards.reader.ANEW_AFTER_MS", 1500)
    async with EmbeddedKafka(tmp_path) as node:
        await apply(Connection(bootstrap_servers=node.bootstrap))
        port = int(node.bootstrap.rpartition(":")[2])
        reader = reading(node.bootstrap)
        site = await reader.__aenter__()
        await wait_for(lambda: site.source.ready(site.clock()))
    try:
        await wait_for(lambda: "Kafka does not answer" in site.source.trouble)
        board = scoreboard(keyed_rounds("BP"), table_id="T1")
        async with EmbeddedKafka(tmp_path, port=port) as node:
            await publish(node.bootstrap, board)
            await wait_for(lambda: "T1" in site.store.boards)
    finally:
        await reader.__aexit__(None, None, None)
