"""Closing a client of a Kafka that is away: it ends, and takes nobody with it."""

import asyncio
import re
from pathlib import Path
from typing import Any, Final

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.errors import KafkaConnectionError

from broker.catalogue import apply
from broker.closing import close, opened
from broker.connection import Connection
from broker.embedded import EmbeddedKafka
from contract.topics import SCOREBOARDS

ROOT: Final = Path(__file__).parents[2]


class Client:
    """The part of a client that is closed last."""

    closed = False

    async def close(self) -> None:
        self.closed = True


class Consumer:
    """A consumer whose stop ends as it is told."""

    def __init__(self, ending: BaseException | None) -> None:
        self._ending, self._client = ending, Client()

    async def stop(self) -> None:
        if self._ending is not None:
            raise self._ending
        await self._client.close()


@pytest.mark.parametrize("ending", [None, asyncio.CancelledError()])
@pytest.mark.asyncio
async def test_the_sockets_are_closed_however_the_stop_ends(ending: BaseException | None) -> None:
    consumer = Consumer(ending)
    await close(consumer)
    assert consumer._client.closed


@pytest.mark.asyncio
async def test_a_kafka_that_is_away_is_no_fault_of_the_end() -> None:
    await close(Consumer(KafkaConnectionError("gone")))


@pytest.mark.asyncio
async def test_a_fault_of_ours_comes_out() -> None:
    with pytest.raises(TypeError):
        await close(Consumer(TypeError()))


@pytest.mark.parametrize("kind", [AIOKafkaConsumer, AIOKafkaProducer])
@pytest.mark.asyncio
async def test_a_client_that_cannot_start_is_closed_too(kind: Any) -> None:
    client = kind(bootstrap_servers="127.0.0.1:1")
    with pytest.raises(KafkaConnectionError):
        async with opened(client):
            raise AssertionError
    assert client._closed


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_a_consumer_that_fetches_from_a_kafka_that_is_gone_is_closed(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    node = EmbeddedKafka(tmp_path_factory.mktemp("kafka"))
    await node.__aenter__()
    connection = Connection(bootstrap_servers=node.bootstrap)
    await apply(connection, topics=[SCOREBOARDS])
    consumer = AIOKafkaConsumer(**connection.client_options())
    await consumer.start()
    consumer.assign([TopicPartition(SCOREBOARDS.name, 0)])
    await consumer.getmany(timeout_ms=500)
    await node.stop()
    await consumer.getmany(timeout_ms=1000)
    await close(consumer)
    assert not [task for task in asyncio.all_tasks() if "aiokafka" in repr(task.get_coro())]


def test_no_client_is_opened_in_the_way_that_leaves_it_open_where_its_start_fails() -> None:
    """The examples are read without the rest of the project, and end with their client."""
    rooms = [
        room for room in ROOT.iterdir() if room.is_dir() and not room.name.startswith(".") and room != ROOT / "examples"
    ]
    sources = [path for room in rooms for path in room.rglob("*.py")]
    careless = re.compile(r"async with AIOKafka\w+\(")
    assert [str(path) for path in sources if careless.search(path.read_text(encoding="utf-8"))] == []
