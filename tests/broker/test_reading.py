"""Reading a topic from its beginning."""

import asyncio
import uuid

import pytest
from aiokafka import AIOKafkaProducer
from aiokafka.admin import NewTopic

from broker.catalogue import TopicsNotReady
from broker.closing import opened
from broker.connection import BrokerAway, Connection, admin_client
from broker.reading import read_topic

pytestmark = [pytest.mark.kafka, pytest.mark.asyncio]


async def topic_with(connection: Connection, values: list[bytes], **configs: str) -> str:
    name = f"reading-{uuid.uuid4().hex[:8]}"
    async with admin_client(connection) as admin:
        await admin.create_topics([NewTopic(name, 3, 1, topic_configs=configs)])
    await produce(connection, name, values)
    return name


async def produce(connection: Connection, topic: str, values: list[bytes]) -> None:
    async with opened(AIOKafkaProducer(**connection.client_options())) as producer:
        for number, value in enumerate(values):
            await producer.send_and_wait(topic, value, partition=number % 3)


async def test_every_record_of_every_partition_is_read_in_its_order(kafka: str) -> None:
    connection = Connection(bootstrap_servers=kafka)
    values = [b"%d" % number for number in range(300)]
    topic = await topic_with(connection, values)
    got = [(record.partition, record.value) async for record in read_topic(connection, topic)]
    for partition in range(3):
        assert [value for place, value in got if place == partition] == values[partition::3]


async def test_an_empty_topic_ends_at_once(kafka: str) -> None:
    connection = Connection(bootstrap_servers=kafka)
    topic = await topic_with(connection, [])
    assert [record async for record in read_topic(connection, topic)] == []


async def test_what_comes_after_the_start_is_left_out(kafka: str) -> None:
    connection = Connection(bootstrap_servers=kafka)
    long = b"first" * 2000
    topic = await topic_with(connection, [long] * 900)  # three partitions of 3 MB: more than one answer brings
    got: list[bytes] = []
    async for record in read_topic(connection, topic):
        if not got:
            await produce(connection, topic, [b"later"] * 30)
        got.append(record.value)
    assert got == [long] * 900


async def test_following_goes_on_with_what_comes(kafka: str) -> None:
    connection = Connection(bootstrap_servers=kafka)
    topic = await topic_with(connection, [b"first"] * 3)
    records = read_topic(connection, topic, follow=True)
    async with asyncio.timeout(30):
        assert [(await anext(records)).value for _ in range(3)] == [b"first"] * 3
        await produce(connection, topic, [b"later"] * 3)
        assert [(await anext(records)).value for _ in range(3)] == [b"later"] * 3
    await records.aclose()


async def test_a_topic_that_is_not_there_is_named(kafka: str) -> None:
    with pytest.raises(TopicsNotReady, match="there is no topic nothing"):
        await anext(read_topic(Connection(bootstrap_servers=kafka), "nothing"))


async def test_nobody_there_is_told() -> None:
    with pytest.raises(BrokerAway):
        await anext(read_topic(Connection(bootstrap_servers="127.0.0.1:1"), "rounds"))
