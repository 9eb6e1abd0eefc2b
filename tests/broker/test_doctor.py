"""The doctor's words: what holds, what is wrong and what to do."""

from collections.abc import Callable

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from broker.catalogue import Difference, apply
from broker.closing import opened
from broker.connection import Connection
from broker.doctor import Finding, Seen, examine, judge
from broker.groups import Group, Place
from contract.topics import ALERTS, DEAD_LETTERS, PROCESSORS, ROUNDS
from processors import notices

LONG = 400 * 24 * 60


def seen(
    *differences: Difference, groups: tuple[Group, ...] = (), kafka_4: bool = True, retention: int | None = LONG
) -> Seen:
    return Seen(
        address="host:9092",
        brokers=1,
        is_kafka_4=kafka_4,
        offsets_retention_min=retention,
        partitions=12,
        differences=differences,
        groups=groups,
    )


def group(*, members: int = 1, begin: int = 0, end: int = 10, committed: int | None = 10) -> Group:
    place = Place(topic="baccarat.rounds.v1", partition=4, begin=begin, end=end, committed=committed)
    return Group(name="beadplate-scoreboards", members=members, places=(place,))


def wrong(findings: list[Finding]) -> list[str]:
    return [finding.sentence for finding in findings if finding.verdict == "wrong"]


def test_where_all_is_well_everything_holds() -> None:
    findings = list(judge(seen(groups=(group(),))))
    assert [finding.verdict for finding in findings] == ["holds", "holds", "holds"]
    assert findings[0].sentence == "Kafka answers at host:9092: one broker, version 4.0 or newer"
    assert findings[1].sentence == "all 12 topics are as the catalogue has them, 12 partitions each"
    assert findings[2].sentence == "scoreboards: workers running: 1, 0 records behind by what is committed"


@pytest.mark.parametrize(
    ("difference", "remedy"),
    [
        (Difference(kind="missing", topic="t"), "beadplate topics apply"),
        (Difference(kind="config", topic="t", key="retention.ms", wanted="1", found="2"), "beadplate topics apply"),
        (Difference(kind="partitions", topic="t", wanted="12", found="6"), "one number of partitions"),
        (Difference(kind="no_leader", topic="t", found="3"), "a broker is down"),
    ],
)
def test_each_difference_is_wrong_and_comes_with_what_to_do(difference: Difference, remedy: str) -> None:
    (sentence,) = wrong(list(judge(seen(difference))))
    assert sentence.startswith(f"{difference}: ")
    assert remedy in sentence


def test_records_that_wait_while_nobody_works_are_wrong() -> None:
    (sentence,) = wrong(list(judge(seen(groups=(group(members=0, end=25),)))))
    assert sentence == "15 records wait for scoreboards and no worker runs: start `beadplate processors scoreboards`"


def test_records_that_wait_while_a_worker_works_are_told_as_lag() -> None:
    findings = list(judge(seen(groups=(group(end=25),))))
    assert not wrong(findings)
    assert findings[-1].sentence == "scoreboards: workers running: 1, 15 records behind by what is committed"


def test_how_the_workers_share_and_those_that_only_wait_are_told() -> None:
    place = group().places[0]
    two = Group(name="beadplate-scoreboards", members=2, places=(place,), shares=(5, 7))
    assert list(judge(seen(groups=(two,))))[-1].sentence.startswith(
        "scoreboards: workers running: 2 (partitions of each: 7, 5), 0 records behind"
    )
    many = Group(name="beadplate-scoreboards", members=14, places=(place,), shares=(1,) * 12 + (0, 0))
    assert "2 of them only wait to take over" in list(judge(seen(groups=(many,))))[-1].sentence
    moving = Group(name="beadplate-scoreboards", members=2, places=(place,), state="PreparingRebalance")
    assert (
        "sharing out their partitions (Kafka says PreparingRebalance)"
        in list(judge(seen(groups=(moving,))))[-1].sentence
    )


def test_records_deleted_before_they_were_read_are_wrong() -> None:
    (sentence,) = wrong(list(judge(seen(groups=(group(begin=13, end=20, committed=10),)))))
    assert sentence.startswith("3 records of baccarat.rounds.v1 partition 4 were deleted before scoreboards had read")


def test_more_committed_than_there_is_is_wrong() -> None:
    (sentence,) = wrong(list(judge(seen(groups=(group(end=7, committed=10),)))))
    assert sentence.startswith("scoreboards has committed offset 10 of baccarat.rounds.v1 partition 4, which ends at 7")


def test_lag_counts_what_is_there() -> None:
    assert group(begin=5, end=20, committed=None).lag == 15
    assert group(begin=15, end=20, committed=10).lag == 5
    assert group(begin=0, end=7, committed=10).lag == 0


def test_an_old_kafka_and_a_short_memory_of_groups_are_notes() -> None:
    findings = list(judge(seen(kafka_4=False, retention=7 * 24 * 60)))
    notes = [finding.sentence for finding in findings if finding.verdict == "note"]
    assert notes[0] == "this Kafka is older than 4.0, with which Beadplate is tested"
    assert "none has run for 7 days (offsets.retention.minutes)" in notes[1]
    assert "set it to 129600 or more" in notes[1]
    assert not wrong(findings)


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_a_real_kafka_is_looked_over_before_and_after_its_topics_and_records(
    fresh_kafka: Callable[..., str],
) -> None:
    connection = Connection(bootstrap_servers=fresh_kafka())
    assert any(sentence.startswith("baccarat.rounds.v1 is missing") for sentence in wrong(await examine(connection)))

    await apply(connection)
    findings = await examine(connection)
    assert {finding.verdict for finding in findings} == {"holds"}
    assert len(findings) == 2 + len(PROCESSORS)

    async with opened(AIOKafkaProducer(**connection.client_options())) as producer:
        for _ in range(3):
            await producer.send_and_wait(ROUNDS.name, b"{}", key=b"T01", partition=0)
        await producer.send_and_wait(DEAD_LETTERS.name, b"{}", headers=[("code", b"invalid")])
        letter = notices.alert("clock", "T01", "2026-11-30T18:00:00.000Z", "It is late.", subject="T01")
        await producer.send_and_wait(ALERTS.name, letter.value, key=letter.key)
    await commit(connection, PROCESSORS["scoreboards"].group, 1)
    notes = [finding.sentence for finding in await examine(connection) if finding.verdict == "note"]
    assert [note.partition(" in the last day")[0] for note in notes] == [
        "1 dead letters invalid",
        "1 alerts of kind clock raised",
    ]
    assert {sentence.partition(":")[0] for sentence in wrong(await examine(connection))} == {
        "3 of the 3 newest records of baccarat.rounds.v1 cannot be read; partition 0 offset 2",
        "2 records wait for scoreboards and no worker runs",
        "3 records wait for settlements and no worker runs",
        "3 records wait for statistics and no worker runs",
    }


async def commit(connection: Connection, group_id: str, offset: int) -> None:
    client = AIOKafkaConsumer(**connection.client_options(), group_id=group_id, enable_auto_commit=False)
    async with opened(client) as consumer:
        place = TopicPartition(ROUNDS.name, 0)
        consumer.assign([place])
        await consumer.commit({place: offset})
