"""What the tests of the producer share: topics on the session's Kafka, and reading them from the beginning."""

from collections.abc import Awaitable, Callable

import pytest
import pytest_asyncio
from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition

from broker.catalogue import apply
from broker.closing import opened
from broker.connection import Connection
from contract.topics import Topic

Reader = Callable[[Connection, Topic], Awaitable[list[ConsumerRecord]]]


async def _everything_in(connection: Connection, topic: Topic) -> list[ConsumerRecord]:
    """All records of a topic as they stand, those of one partition in their order."""
    client = AIOKafkaConsumer(**connection.client_options(), enable_auto_commit=False, auto_offset_reset="earliest")
    async with opened(client) as consumer:
        partitions = [TopicPartition(topic.name, number) for number in range(12)]
        consumer.assign(partitions)
        ends = await consumer.end_offsets(partitions)
        await consumer.seek_to_beginning(*partitions)
        records: list[ConsumerRecord] = []
        while unread := [partition for partition, end in ends.items() if await consumer.position(partition) < end]:
            for partition, batch in (await consumer.getmany(*unread, timeout_ms=1000)).items():
                records += [record for record in batch if record.offset < ends[partition]]
        return records


@pytest.fixture
def everything_in() -> Reader:
    return _everything_in


@pytest_asyncio.fixture
async def floor(kafka: str) -> Connection:
    """The session's Kafka with every topic of the catalogue."""
    connection = Connection(bootstrap_servers=kafka)
    await apply(connection)
    return connection
