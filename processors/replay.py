"""A processor's state made anew from the beginning of its sources: what would be done, why not, and doing it.

``look`` asks Kafka, ``Plan`` decides and says, ``carry_out`` acts. It acts in an order that may be broken off anywhere:
while the marks of ``processors.marks`` say ``asked`` no worker starts, and the same command begins again.
"""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.errors import KafkaError

from broker.catalogue import require
from broker.closing import opened
from broker.connection import Connection, admin_client, told_as_away
from broker.groups import Group, look_at_groups
from broker.reading import read_topic
from contract.topics import ALERTS, Processor, ProcessorName, Topic
from processors.effects import Row
from processors.marks import Marks, Replay, began, is_mark, marks_of, replay

AT_ONCE: Final = 1000
"""Rows that are on their way out at most."""

DIFFERS: Final[dict[ProcessorName, tuple[str, ...]]] = {
    "scoreboards": (
        "the records of shoes whose rounds are gone are not made again; those in baccarat.shoes.v1 stay as they are",
        "the oldest shoe of a table may lack its first rounds: its board and its record show them as gaps",
        "a table that was opened before what is kept has no name, limits or currency until its next table_opened",
        "a board may get a lower version than the one it had: consumers keep the old one until the table's next shoe",
    ),
    "settlements": (
        "rounds and bets that are gone are not settled again; what was settled of them stays as it is",
        "a correction of a round whose bets are gone settles nothing, and bets whose round is gone stay unsettled",
    ),
    "statistics": (
        "the lifetime of every table counts only the rounds and settlements that are kept",
        "statistics may get a lower version than they had: consumers keep the old ones until the table's next shoe",
    ),
}
"""What a replay from only a part of the inputs changes, per processor."""


class ReplayRefused(RuntimeError):
    """The replay was not begun, or not ended; the message says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Short:
    """A source that no longer reaches back to where the state began."""

    topic: str
    partition: int
    began: int
    begin: int

    def __str__(self) -> str:
        return (
            f"{self.topic} partition {self.partition} is kept from offset {self.begin} on, and the state began at "
            f"{self.began}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What stands on Kafka of one processor, and what a replay of it would do.

    ``rows`` are the keys of its rows, each with its partition.
    """

    processor: Processor
    group: Group
    rows: dict[bytes, int]
    marks: Marks

    @property
    def nothing(self) -> bool:
        """Whether the processor has never done anything."""
        return not self.rows and not self.marks.replays and all(not place.committed for place in self.group.places)

    @property
    def short(self) -> list[Short]:
        """The sources that no longer reach back."""
        filled = set(self.rows.values())
        found = []
        for place in self.group.places:
            start = self.marks.began.get(place.partition, {}).get(place.topic, 0)
            if place.begin > start and (place.committed or place.partition in filled):
                found.append(Short(topic=place.topic, partition=place.partition, began=start, begin=place.begin))
        return found

    def refusal(self, *, accept_partial: bool) -> str | None:
        """Why it must not be done now, and what to do."""
        name = self.processor.name
        if self.group.members:
            return (
                f"workers of {name} that run: {self.group.members}. Stop all of them first; one that was killed leaves "
                "its group after 10 s"
            )
        if self.short and not accept_partial:
            more = f" (and {len(self.short) - 1} more like it)" if len(self.short) > 1 else ""
            return (
                f"the inputs no longer reach back to where the state of {name} began: {self.short[0]}{more}. With "
                "--accept-partial it is made from what is kept"
            )
        return None

    def sentences(self) -> Iterator[str]:
        """What would be done."""
        yield f"the state of {self.processor.name} is made anew from the beginning of its sources"
        for topic in self.processor.sources:
            yield _source(topic, self.group)
        yield f"its {len(self.rows)} rows in {self.processor.changelog.name} are deleted"
        yield f"the group {self.group.name} goes back to the first offset of every partition"
        for topic in self.processor.outputs:
            yield f"{topic.name}: {_fate(topic)}"
        if self.short:
            yield from (f"not as it was: {each}" for each in self.short)
            yield from (f"what will differ: {each}" for each in DIFFERS[self.processor.name])


def _source(topic: Topic, group: Group) -> str:
    places = [place for place in group.places if place.topic == topic.name]
    count = sum(place.end - place.begin for place in places)
    begins = sorted({place.begin for place in places})
    at = f"offset {begins[0]}" if len(begins) == 1 else f"offsets {begins[0]} to {begins[-1]}"
    return f"{topic.name}: {count} records on {len(places)} partitions are read again, from {at} on"


def _fate(topic: Topic) -> str:
    if "compact" in topic.cleanup:
        return "nothing is sent until a partition has caught up, then each key once; a shoe's record when it is past"
    if topic is ALERTS:
        return "notices are sent again as the records come by"
    return "sent again as the records come by, equal to what was sent before"


async def look(connection: Connection, processor: Processor) -> Plan:
    """Ask Kafka. Raises ``TopicsNotReady`` and ``BrokerAway``."""
    partitions = await require(connection, (*processor.sources, *processor.outputs, processor.changelog))
    rows: dict[bytes, int] = {}
    values: dict[bytes, bytes] = {}
    async for record in read_topic(connection, processor.changelog.name):
        _note(rows, values, record)
    marks = marks_of(values.items())
    return Plan(processor=processor, group=await _group(connection, processor, partitions), rows=rows, marks=marks)


def _note(rows: dict[bytes, int], marks: dict[bytes, bytes], record: Any) -> None:
    if is_mark(record.key):
        marks.pop(record.key, None)
        if record.value is not None:
            marks[record.key] = record.value
    elif record.value is None:
        rows.pop(record.key, None)
    else:
        rows[record.key] = record.partition


async def _group(connection: Connection, processor: Processor, partitions: int) -> Group:
    async with admin_client(connection) as admin:
        topics = {processor.group: [topic.name for topic in processor.sources]}
        (group,) = await look_at_groups(connection, admin, topics, partitions)
    return group


async def carry_out(connection: Connection, plan: Plan) -> None:
    """Do it: the next start of a worker reads everything again.

    Raises ``ReplayRefused`` where a worker has come in between, and ``BrokerAway``; then it is to be begun again.
    """
    changelog = plan.processor.changelog.name
    partitions = len({place.partition for place in plan.group.places})
    client = AIOKafkaProducer(**connection.client_options(), enable_idempotence=True)
    with told_as_away(connection):
        async with opened(client) as producer:
            await _write(producer, changelog, (_asked(partition) for partition in range(partitions)))
            await _write(producer, changelog, ((partition, Row(key, None)) for key, partition in plan.rows.items()))
            group = await _group(connection, plan.processor, partitions)
            if group.members:
                raise ReplayRefused(_joined(plan.processor))
            await _go_back(connection, group)
            await _write(producer, changelog, _begun(group, partitions))


def _asked(partition: int) -> tuple[int, Row]:
    return partition, replay(partition, Replay(state="asked"))


def _begun(group: Group, partitions: int) -> Iterator[tuple[int, Row]]:
    for partition in range(partitions):
        places = [place for place in group.places if place.partition == partition]
        yield partition, began(partition, {place.topic: place.begin for place in places})
        running = Replay(state="running", ends={place.topic: place.end for place in places})
        yield partition, replay(partition, running)


def _joined(processor: Processor) -> str:
    return (
        f"a worker of {processor.name} has joined while its state was being emptied: stop it, and run "
        f"`beadplate replay {processor.name}` again; until then none starts"
    )


async def _write(producer: AIOKafkaProducer, topic: str, rows: Iterable[tuple[int, Row]]) -> None:
    """Write rows, each on its partition; returns when all of them are acknowledged."""
    sent = []
    for partition, row in rows:
        sent.append(await producer.send(topic, row.value, row.key, partition))
        if len(sent) >= AT_ONCE:
            await asyncio.gather(*sent)
            sent.clear()
    await asyncio.gather(*sent)


async def _go_back(connection: Connection, group: Group) -> None:
    """Commit the first offset of each partition for a group that has no members."""
    client = AIOKafkaConsumer(**connection.client_options(), group_id=group.name, enable_auto_commit=False)
    begins = {TopicPartition(place.topic, place.partition): place.begin for place in group.places}
    async with opened(client) as consumer:
        consumer.assign([*begins])
        try:
            await consumer.commit(begins)
        except KafkaError as error:
            raise ReplayRefused(
                f"Kafka does not let the group {group.name} go back ({error}): see that no worker runs, and begin again"
            ) from error
