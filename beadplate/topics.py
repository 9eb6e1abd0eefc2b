"""``beadplate topics``: the catalogue, created and corrected on a Kafka, compared with one, or listed."""

import asyncio
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from beadplate.endings import CHECK_FAILED, DONE, kafka_meaning
from beadplate.logs import quiet
from beadplate.settings import KAFKA
from broker.catalogue import TOPICS, apply, check
from broker.connection import Connection
from contract.topics import Topic

_AtLeastOne = Parameter(validator=Number(gte=1))


def apply_topics(
    *,
    partitions: Annotated[int | None, _AtLeastOne] = None,
    replication_factor: Annotated[int, _AtLeastOne] = 1,
    connection: Annotated[Connection, KAFKA] = Connection(),
) -> int:
    """Create the topics that are missing, correct settings that differ, and wait until every partition has a leader.

    Parameters
    ----------
    partitions
        Partitions of each topic; all topics have the same number. Without it new ones get as many as those that exist,
        12 where none does.
    replication_factor
        Brokers that keep each partition.
    connection
        How to reach Kafka.
    """
    quiet()
    with kafka_meaning():
        applied = asyncio.run(apply(connection, partitions=partitions, replication_factor=replication_factor))
    for name in applied.created:
        print(f"created {name}")
    for difference in applied.corrected:
        print(f"corrected {difference.topic}: {difference.key} was {difference.found}, is {difference.wanted}")
    print(
        f"{len(TOPICS)} topics are ready at {connection.bootstrap_servers}, with {applied.partitions} partitions each"
    )
    return DONE


def check_topics(*, connection: Annotated[Connection, KAFKA] = Connection()) -> int:
    """Print every difference between the catalogue and this Kafka; exit code 1 where there is one.

    Parameters
    ----------
    connection
        How to reach Kafka.
    """
    quiet()
    with kafka_meaning():
        differences = asyncio.run(check(connection))
    for difference in differences:
        print(difference)
    if differences:
        print("`beadplate topics apply` creates topics and corrects settings; it never changes a number of partitions")
        return CHECK_FAILED
    print(f"{len(TOPICS)} topics at {connection.bootstrap_servers} are as the catalogue has them")
    return DONE


def list_topics() -> int:
    """Print every topic of the catalogue: name, cleanup, retention, key, and what it is for."""
    width = max(len(topic.name) for topic in TOPICS)
    for topic in TOPICS:
        print(f"{topic.name:{width}}  {topic.cleanup:15}  {_kept(topic):9}  key {topic.key:19}  {topic.purpose}")
    return DONE


def _kept(topic: Topic) -> str:
    return "for ever" if topic.retention_days is None else f"{topic.retention_days} days"
