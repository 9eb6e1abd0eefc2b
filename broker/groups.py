"""How far the processors have come, by what they have committed to Kafka: lag, and records that are out of reach."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.coordinator.protocol import ConsumerProtocolMemberAssignment
from aiokafka.errors import GroupCoordinatorNotAvailableError

from broker.closing import opened
from broker.connection import Connection, told_as_away


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One partition that a group reads: first offset kept, offset after the last record, and what is committed."""

    topic: str
    partition: int
    begin: int
    end: int
    committed: int | None

    @property
    def lag(self) -> int:
        """Records that are there and not committed as read."""
        return self.end - max(self.begin, min(self.committed or 0, self.end))

    @property
    def next_offset(self) -> int:
        """Offset from which the group goes on: what is committed, or the first one that is kept."""
        return max(self.committed or 0, self.begin)

    @property
    def lost(self) -> int:
        """Records that were deleted before the group had read them."""
        return 0 if self.committed is None else max(0, self.begin - self.committed)

    @property
    def beyond(self) -> bool:
        """Whether more is committed than there is: the topic is not the one that was read."""
        return self.committed is not None and self.committed > self.end


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A consumer group: its name, how many workers are in it now, and its places.

    ``state`` is Kafka's word; ``shares`` are the source partitions that each worker has, as far as they are known.
    """

    name: str
    members: int
    places: tuple[Place, ...]
    state: str = "Stable"
    shares: tuple[int, ...] = ()

    @property
    def lag(self) -> int:
        """Records that wait for the group, over all partitions."""
        return sum(place.lag for place in self.places)


async def look_at_groups(
    connection: Connection, admin: AIOKafkaAdminClient, topics_of: Mapping[str, Iterable[str]], partitions: int
) -> list[Group]:
    """Each group with the topics that it reads, all of which have this many partitions."""
    places = {
        name: [TopicPartition(topic, partition) for topic in topics for partition in range(partitions)]
        for name, topics in topics_of.items()
    }
    begins, ends = await _bounds(connection, sorted({place for found in places.values() for place in found}))
    groups = []
    for name, found in places.items():
        committed, described = await _committed(admin, name), await _described(admin, name)
        groups.append(
            Group(
                name=name,
                members=len(described["members"]),
                state=described["state"],
                shares=tuple(_share(member, {place.topic for place in found}) for member in described["members"]),
                places=tuple(
                    Place(
                        topic=place.topic,
                        partition=place.partition,
                        begin=begins[place],
                        end=ends[place],
                        committed=committed.get(place),
                    )
                    for place in found
                ),
            )
        )
    return groups


async def _bounds(
    connection: Connection, places: list[TopicPartition]
) -> tuple[dict[TopicPartition, int], dict[TopicPartition, int]]:
    client = AIOKafkaConsumer(**connection.client_options(), enable_auto_commit=False)
    with told_as_away(connection):
        async with opened(client) as consumer:
            return await consumer.beginning_offsets(places), await consumer.end_offsets(places)


async def _committed(admin: AIOKafkaAdminClient, group: str) -> dict[TopicPartition, int]:
    try:
        offsets = await admin.list_consumer_group_offsets(group)
    except GroupCoordinatorNotAvailableError:  # no group has ever committed anything on this Kafka
        return {}
    return {place: found.offset for place, found in offsets.items() if found.offset >= 0}


async def _described(admin: AIOKafkaAdminClient, group: str) -> Any:
    try:
        (answer,) = await admin.describe_consumer_groups([group])
    except GroupCoordinatorNotAvailableError:
        return {"members": [], "state": "Empty"}
    (found,) = answer.to_object()["groups"]
    return found


def _share(member: Any, topics: set[str]) -> int:
    """Partitions of these topics that are assigned to a member; none while the group rebalances."""
    if not member["member_assignment"]:
        return 0
    assigned = ConsumerProtocolMemberAssignment.decode(member["member_assignment"]).partitions()
    return sum(place.topic in topics for place in assigned)
