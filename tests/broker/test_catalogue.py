"""The catalogue on a Kafka: created, corrected, compared, required."""

import asyncio
import dataclasses
import uuid

import pytest
from aiokafka.admin import NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

from broker.catalogue import TOPICS, Difference, TopicsNotReady, apply, check, compare, require, usual_partitions
from broker.cluster import FoundTopic, Refused, find_topics, with_configs
from broker.connection import Connection, admin_client
from contract.topics import CATALOGUE, CHANGELOGS, ROUNDS, SCOREBOARDS, Topic


def found(topic: Topic, *, partitions: int = 12, leaderless: tuple[int, ...] = (), **config: str) -> FoundTopic:
    settings = topic.config() | {name.replace("_", "."): value for name, value in config.items()}
    return FoundTopic(partitions=partitions, leaderless=leaderless, config=settings)


def differences(there: FoundTopic | None) -> list[str]:
    return [str(found) for found in compare([SCOREBOARDS], {SCOREBOARDS.name: there} if there else {}, 12)]


def test_a_topic_as_the_catalogue_has_it_does_not_differ() -> None:
    assert differences(found(SCOREBOARDS)) == []


def test_every_kind_of_difference_is_a_sentence() -> None:
    assert differences(None) == ["baccarat.scoreboards.v1 is missing"]
    assert differences(found(SCOREBOARDS, partitions=6)) == ["baccarat.scoreboards.v1 has 6 partitions, not 12"]
    assert differences(found(SCOREBOARDS, leaderless=(3, 7))) == [
        "baccarat.scoreboards.v1 has no leader for partition 3, 7"
    ]
    assert differences(found(SCOREBOARDS, cleanup_policy="delete")) == [
        "baccarat.scoreboards.v1 has cleanup.policy=delete, not compact"
    ]


def test_the_order_within_a_cleanup_policy_is_no_difference() -> None:
    shoes = next(topic for topic in CATALOGUE if topic.cleanup == "compact,delete")
    assert list(compare([shoes], {shoes.name: found(shoes, cleanup_policy="delete, compact")}, 12)) == []


def test_the_usual_number_of_partitions_is_what_most_topics_have() -> None:
    topics = {name: FoundTopic(partitions=partitions) for name, partitions in zip("abc", (6, 6, 12), strict=True)}
    assert usual_partitions(topics) == 6
    assert usual_partitions({}) == 12


def test_the_changelogs_belong_to_what_is_applied() -> None:
    assert {topic.name for topic in TOPICS} == {topic.name for topic in (*CATALOGUE, *CHANGELOGS)}


@pytest.fixture
def connection(kafka: str) -> Connection:
    return Connection(bootstrap_servers=kafka)


@pytest.fixture
def topics() -> tuple[Topic, ...]:
    """Topics like the catalogue's under names that no other test has."""
    mark = uuid.uuid4().hex[:8]
    return tuple(dataclasses.replace(topic, name=f"{topic.name}-{mark}") for topic in (ROUNDS, SCOREBOARDS))


async def config_of(connection: Connection, topic: Topic) -> FoundTopic:
    async with admin_client(connection) as admin:
        return (await with_configs(admin, await find_topics(admin, [topic.name])))[topic.name]


async def create(connection: Connection, topic: Topic, partitions: int, config: dict[str, str]) -> None:
    async with admin_client(connection) as admin:
        await admin.create_topics([NewTopic(topic.name, partitions, 1, topic_configs=config)])
    await until_it_has(connection, topic, config)


async def until_it_has(connection: Connection, topic: Topic, config: dict[str, str]) -> None:
    """A change reaches the brokers a moment after it was accepted."""
    async with asyncio.timeout(20), admin_client(connection) as admin:
        there: dict[str, FoundTopic] = {}
        while topic.name not in there or not config.items() <= there[topic.name].config.items():
            there = await with_configs(admin, await find_topics(admin, [topic.name]))


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_apply_creates_what_is_missing_and_the_second_time_nothing(
    connection: Connection, topics: tuple[Topic, ...]
) -> None:
    assert {str(difference) for difference in await check(connection, topics)} == {
        f"{topic.name} is missing" for topic in topics
    }
    applied = await apply(connection, topics=topics)
    assert set(applied.created) == {topic.name for topic in topics}
    assert (applied.partitions, applied.corrected) == (12, ())
    assert await check(connection, topics) == []
    assert await require(connection, topics) == 12
    assert (await apply(connection, topics=topics)).created == ()
    there = await config_of(connection, topics[0])
    assert there.partitions == 12
    assert there.config["message.timestamp.type"] == "LogAppendTime"
    assert there.config["retention.ms"] == str(90 * 24 * 3600 * 1000)


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_apply_corrects_a_setting_reports_it_and_leaves_the_others(
    connection: Connection, topics: tuple[Topic, ...]
) -> None:
    rounds = topics[0]
    await create(connection, rounds, 12, rounds.config() | {"retention.ms": "1000", "segment.bytes": "2000000"})
    applied = await apply(connection, topics=topics)
    assert applied.corrected == (
        Difference(
            kind="config", topic=rounds.name, key="retention.ms", wanted=str(90 * 24 * 3600 * 1000), found="1000"
        ),
    )
    there = await config_of(connection, rounds)
    assert there.config["retention.ms"] == str(90 * 24 * 3600 * 1000)
    assert there.config["segment.bytes"] == "2000000"


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_topics_with_another_number_of_partitions_are_fine_as_long_as_all_have_it(
    connection: Connection, topics: tuple[Topic, ...]
) -> None:
    await apply(connection, partitions=3, topics=topics[:1])
    assert (await apply(connection, topics=topics)).partitions == 3
    assert await require(connection, topics) == 3
    assert await check(connection, topics) == []


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_apply_refuses_another_number_of_partitions_before_it_does_anything(
    connection: Connection, topics: tuple[Topic, ...]
) -> None:
    await apply(connection, partitions=3, topics=topics[:1])
    with pytest.raises(TopicsNotReady, match=rf"{topics[0].name} has 3 partitions, not 12: all topics need one number"):
        await apply(connection, partitions=12, topics=topics)
    async with admin_client(connection) as admin:
        assert set(await find_topics(admin, [topic.name for topic in topics])) == {topics[0].name}


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_require_names_what_is_not_ready_and_what_to_do(
    connection: Connection, topics: tuple[Topic, ...]
) -> None:
    with pytest.raises(TopicsNotReady, match=rf"{topics[0].name} is missing, and 1 more .*beadplate topics apply"):
        await require(connection, topics)
    await apply(connection, partitions=3, topics=topics[:1])
    await create(connection, topics[1], 4, topics[1].config())
    with pytest.raises(TopicsNotReady, match=rf"{topics[0].name} has 3 partitions, not 4"):
        await require(connection, topics)


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_what_kafka_refuses_is_told_in_its_words(connection: Connection, topics: tuple[Topic, ...]) -> None:
    with pytest.raises(Refused, match=rf"{topics[0].name} cannot be created: .*replicat"):
        await apply(connection, replication_factor=5, topics=topics)


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_a_change_by_hand_is_found(connection: Connection, topics: tuple[Topic, ...]) -> None:
    await apply(connection, topics=topics)
    scoreboards = topics[1]
    async with admin_client(connection) as admin:
        by_hand = ConfigResource(ConfigResourceType.TOPIC, scoreboards.name, configs={"cleanup.policy": "delete"})
        await admin.alter_configs([by_hand])
    await until_it_has(connection, scoreboards, {"cleanup.policy": "delete"})
    found_now = {difference.key: difference for difference in await check(connection, topics)}
    assert (found_now["cleanup.policy"].found, found_now["cleanup.policy"].wanted) == ("delete", "compact")
