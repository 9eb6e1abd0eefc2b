"""The catalogue of topics, brought onto a Kafka and compared with one.

``apply`` creates and corrects, ``check`` only looks, ``require`` is what a service asks before it starts: a processor
on a missing topic would run and do nothing, for ever.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, assert_never

from aiokafka.admin import AIOKafkaAdminClient

from broker.cluster import FoundTopic, Refused, create_topics, find_topics, set_configs, with_configs
from broker.connection import Connection, admin_client
from contract.topics import CATALOGUE, CHANGELOGS, PARTITIONS, Topic

TOPICS: Final[tuple[Topic, ...]] = (*CATALOGUE, *CHANGELOGS)
"""Everything that the house needs on a Kafka."""
SEEN_WITHIN_S: Final = 30.0

Kind = Literal["missing", "partitions", "config", "no_leader"]


class TopicsNotReady(RuntimeError):
    """The topics are not as the house needs them; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Something about one topic that is not as the catalogue has it; ``key`` is the setting where it is one."""

    kind: Kind
    topic: str
    key: str = ""
    wanted: str = ""
    found: str = ""

    def __str__(self) -> str:
        match self.kind:
            case "missing":
                return f"{self.topic} is missing"
            case "partitions":
                return f"{self.topic} has {self.found} partitions, not {self.wanted}"
            case "config":
                return f"{self.topic} has {self.key}={self.found}, not {self.wanted}"
            case "no_leader":
                return f"{self.topic} has no leader for partition {self.found}"
            case _:
                assert_never(self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What ``apply`` did: topics created, settings corrected, and the number of partitions that all topics have."""

    partitions: int
    created: tuple[str, ...]
    corrected: tuple[Difference, ...]


def compare(topics: Iterable[Topic], found: Mapping[str, FoundTopic], partitions: int) -> Iterator[Difference]:
    """How the topics that were found differ from those that are wanted with this number of partitions."""
    for topic in topics:
        if (there := found.get(topic.name)) is None:
            yield Difference(kind="missing", topic=topic.name)
            continue
        if there.partitions != partitions:
            numbers = {"wanted": str(partitions), "found": str(there.partitions)}
            yield Difference(kind="partitions", topic=topic.name, **numbers)
        if there.leaderless:
            yield Difference(kind="no_leader", topic=topic.name, found=", ".join(map(str, there.leaderless)))
        for key, wanted in topic.config().items():
            if not _same(key, there.config.get(key, ""), wanted):
                yield Difference(
                    kind="config", topic=topic.name, key=key, wanted=wanted, found=there.config.get(key, "nothing")
                )


def _same(key: str, one: str, other: str) -> bool:
    if key == "cleanup.policy":  # a list without order
        return {name.strip() for name in one.split(",")} == {name.strip() for name in other.split(",")}
    return one == other


def usual_partitions(found: Mapping[str, FoundTopic]) -> int:
    """The number of partitions that most of the topics have, the greater of two equally frequent; 12 for none."""
    counts = [topic.partitions for topic in found.values()]
    return max(set(counts), key=lambda count: (counts.count(count), count), default=PARTITIONS)


async def check(connection: Connection, topics: Sequence[Topic] = TOPICS) -> list[Difference]:
    """Every difference between the catalogue and this Kafka; its topics may have any one number of partitions.

    Raises ``BrokerAway``, and ``Refused`` where Kafka does not let us look.
    """
    async with admin_client(connection) as admin:
        found = await _found(admin, topics)
    return list(compare(topics, found, usual_partitions(found)))


async def _found(admin: AIOKafkaAdminClient, topics: Iterable[Topic]) -> dict[str, FoundTopic]:
    return await with_configs(admin, await find_topics(admin, (topic.name for topic in topics)))


async def apply(
    connection: Connection,
    *,
    partitions: int | None = None,
    replication_factor: int = 1,
    topics: Sequence[Topic] = TOPICS,
) -> Applied:
    """Create what is missing, correct what differs, wait until Kafka shows it so and each partition has a leader.

    Without ``partitions`` new topics get as many as those that exist, 12 where none does. Partitions of a topic that
    exists are never changed, since keys would move: raises ``TopicsNotReady`` before anything was done. Raises
    ``Refused`` where Kafka does not accept a topic or a setting, and ``BrokerAway``.
    """
    async with admin_client(connection) as admin:
        found = await _found(admin, topics)
        number = usual_partitions(found) if partitions is None else partitions
        differences = list(compare(topics, found, number))
        _refuse_partitions(differences, number)
        missing = {difference.topic for difference in differences if difference.kind == "missing"}
        configs = {topic.name: topic.config() for topic in topics if topic.name in missing}
        created = await create_topics(admin, configs, partitions=number, replication_factor=replication_factor)
        corrected = tuple(difference for difference in differences if difference.kind == "config")
        await set_configs(admin, found, _changes(corrected))
    await _until_seen(connection, topics, number)
    return Applied(partitions=number, created=tuple(created), corrected=corrected)


def _refuse_partitions(differences: Iterable[Difference], number: int) -> None:
    if wrong := [str(difference) for difference in differences if difference.kind == "partitions"]:
        raise TopicsNotReady(
            f"{'; '.join(wrong)}: all topics need one number of partitions, and those of a topic with records cannot "
            f"be changed without moving its keys. Apply with another number than {number}, or delete the topic if it "
            "may go"
        )


def _changes(corrected: Iterable[Difference]) -> dict[str, dict[str, str]]:
    changes: dict[str, dict[str, str]] = {}
    for difference in corrected:
        changes.setdefault(difference.topic, {})[difference.key] = difference.wanted
    return changes


async def _until_seen(connection: Connection, topics: Sequence[Topic], partitions: int) -> None:
    """Returns when Kafka shows the topics as they were asked for; changes reach its brokers one after the other.

    Raises ``TopicsNotReady`` where that does not come.
    """
    left: list[Difference] = []
    try:
        async with asyncio.timeout(SEEN_WITHIN_S), admin_client(connection) as admin:
            while left := list(compare(topics, await _found(admin, topics), partitions)):  # noqa: ASYNC110 - see above
                await asyncio.sleep(0.1)
    except TimeoutError as error:
        raise TopicsNotReady(
            f"{SEEN_WITHIN_S:.0f} s after it was told, {'; '.join(map(str, left))}: look at the brokers"
        ) from error


async def require(connection: Connection, topics: Iterable[Topic]) -> int:
    """The one number of partitions of these topics, if all exist, have leaders and have the same number.

    Raises ``TopicsNotReady`` otherwise, and ``BrokerAway``.
    """
    wanted = {topic.name: topic for topic in topics}
    async with admin_client(connection) as admin:
        found = await find_topics(admin, wanted)
    number = usual_partitions(found)
    differences = [difference for difference in compare(wanted.values(), found, number) if difference.kind != "config"]
    if differences:
        first, more = differences[0], len(differences) - 1
        also = f", and {more} more like it" if more else ""
        raise TopicsNotReady(
            f"{first}{also} (Kafka at {connection.bootstrap_servers}): run `beadplate topics apply` there first, "
            "`beadplate topics check` shows all"
        )
    return number


__all__ = [
    "TOPICS",
    "Applied",
    "Difference",
    "Refused",
    "TopicsNotReady",
    "apply",
    "check",
    "compare",
    "require",
    "usual_partitions",
]
