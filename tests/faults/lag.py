"""What the groups have not committed yet, by the broker's own words."""

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError

from contract.topics import PARTITIONS, PROCESSORS

AWAY = (KafkaError, OSError, RuntimeError, TimeoutError)
"""What the client library raises of a broker that is away, or that has just come back."""


async def lag(bootstrap: str) -> int | None:
    """Records that some group has not committed; None where the broker does not tell. Never too little.

    The groups are asked in the order in which a record walks, so that what one publishes counts for the next.
    """
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap, request_timeout_ms=10_000)
    reader = AIOKafkaConsumer(bootstrap_servers=bootstrap, request_timeout_ms=10_000)
    try:
        await admin.start()
        await reader.start()
        waiting = 0
        for processor in PROCESSORS.values():
            sources = [TopicPartition(topic.name, n) for topic in processor.sources for n in range(PARTITIONS)]
            found = await admin.list_consumer_group_offsets(processor.group)
            ends = await reader.end_offsets(sources)
            waiting += sum(end - (found[tp].offset if tp in found else 0) for tp, end in ends.items())
    except AWAY:
        return None
    finally:
        await admin.close()
        await reader.stop()
    return waiting
