"""Looks a Kafka over and says, in plain words, what holds, what to keep an eye on, what is wrong and what to do.

``judge`` is a function of what was seen; ``examine`` goes and looks.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.protocol.admin import ApiVersionRequest

from broker.catalogue import TOPICS, Difference, compare, usual_partitions
from broker.cluster import broker_config, find_topics, with_configs
from broker.connection import Connection, admin_client
from broker.groups import Group, Place, look_at_groups
from broker.samples import Sample, newest, since
from broker.symptoms import READABLE, Finding, LastDay, Verdict, clocks, last_day, schemas
from contract.topics import ALERTS, CATALOGUE, DAY_MS, DEAD_LETTERS, PROCESSORS

_FETCH: Final = 1
_FETCH_SINCE_KAFKA_4: Final = 4
"""Kafka 4.0 dropped the versions of the fetch request below this one (KIP-896)."""
_OFFSETS_RETENTION: Final = "offsets.retention.minutes"
_DAY_MIN: Final = 24 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What there is on a Kafka, as far as it concerns Beadplate."""

    address: str
    brokers: int
    is_kafka_4: bool
    offsets_retention_min: int | None
    partitions: int
    differences: Sequence[Difference]
    groups: Sequence[Group] = ()
    samples: Sequence[Sample] = ()
    day: LastDay = field(default_factory=LastDay)
    now_ms: int = 0


async def examine(connection: Connection) -> list[Finding]:
    """Look this Kafka over. Raises ``BrokerAway``, and ``Refused`` where it does not let us look."""
    return list(judge(await look(connection)))


async def look(connection: Connection) -> Seen:
    """Ask Kafka for all that is judged."""
    now_ms = round(time.time() * 1000)
    async with admin_client(connection) as admin:
        found = await with_configs(admin, await find_topics(admin, (topic.name for topic in TOPICS)))
        partitions = usual_partitions(found)
        differences = list(compare(TOPICS, found, partitions))
        brokers = [broker["node_id"] for broker in (await admin.describe_cluster())["brokers"]]
        settings = await broker_config(admin, brokers[0], [_OFFSETS_RETENTION])
        # lag can be told only where the topics are as the processors need them
        ready = not any(difference.kind != "config" for difference in differences)
        there = [topic.name for topic in READABLE if topic.name in found] if ready else []
        return Seen(
            address=connection.bootstrap_servers,
            brokers=len(brokers),
            is_kafka_4=await _is_kafka_4(admin),
            offsets_retention_min=int(settings[_OFFSETS_RETENTION]) if _OFFSETS_RETENTION in settings else None,
            partitions=partitions,
            differences=differences,
            groups=await look_at_groups(connection, admin, _read_by(), partitions) if ready else (),
            samples=await newest(connection, there, partitions) if ready else (),
            day=await _last_day(connection, partitions, now_ms) if ready else LastDay(),
            now_ms=now_ms,
        )


async def _last_day(connection: Connection, partitions: int, now_ms: int) -> LastDay:
    day, start = LastDay(), now_ms - DAY_MS
    letters = await since(connection, DEAD_LETTERS.name, partitions, start, day.take_letter)
    day.complete = await since(connection, ALERTS.name, partitions, start, day.take_alert) and letters
    return day


def _read_by() -> dict[str, list[str]]:
    return {processor.group: [topic.name for topic in processor.sources] for processor in PROCESSORS.values()}


async def _is_kafka_4(admin: AIOKafkaAdminClient) -> bool:
    answer = await admin._send_request(ApiVersionRequest())  # noqa: SLF001 - the client has no other way to ask
    oldest = {key: oldest for key, oldest, _ in answer.api_versions}
    return bool(oldest.get(_FETCH, 0) >= _FETCH_SINCE_KAFKA_4)


def judge(seen: Seen) -> Iterator[Finding]:
    """What is to be said about it, the ground first."""
    brokers = "one broker" if seen.brokers == 1 else f"{seen.brokers} brokers"
    yield Finding("holds", f"Kafka answers at {seen.address}: {brokers}, {_version(seen)}")
    if not seen.is_kafka_4:
        yield Finding("note", "this Kafka is older than 4.0, with which Beadplate is tested")
    yield from _topics(seen.differences, seen.partitions)
    yield from _retention(seen.offsets_retention_min)
    for group in seen.groups:
        yield from _group(group, seen.partitions)
    yield from schemas(seen.samples)
    yield from clocks(seen.samples, seen.now_ms)
    yield from last_day(seen.day)


def _version(seen: Seen) -> str:
    return "version 4.0 or newer" if seen.is_kafka_4 else "a version before 4.0"


def _topics(differences: Sequence[Difference], partitions: int) -> Iterator[Finding]:
    if not differences:
        yield Finding("holds", f"all {len(TOPICS)} topics are as the catalogue has them, {partitions} partitions each")
    for difference in differences:
        yield Finding("wrong", f"{difference}: {_remedy(difference)}")


def _remedy(difference: Difference) -> str:
    match difference.kind:
        case "missing" | "config":
            return "run `beadplate topics apply`"
        case "partitions":
            return (
                "all topics need one number of partitions; delete the topic if it may go, then `beadplate topics apply`"
            )
        case "no_leader":
            return "a broker is down; bring it back, or look at its log"


def _retention(offsets_retention_min: int | None) -> Iterator[Finding]:
    longest = max(
        topic.retention_days or 0 for topic in CATALOGUE if "delete" in topic.cleanup and topic.log_append_time
    )
    if offsets_retention_min is not None and offsets_retention_min < longest * _DAY_MIN:
        yield Finding(
            "note",
            "the broker forgets what a processor has read once none has run for "
            f"{offsets_retention_min / _DAY_MIN:.0f} days ({_OFFSETS_RETENTION}); topics keep {longest} days, and it "
            f"would read them all again as too old: set it to {longest * _DAY_MIN} or more",
        )


def _group(group: Group, partitions: int) -> Iterator[Finding]:
    name = group.name.removeprefix("beadplate-")
    workers = "no worker runs" if not group.members else f"workers running: {group.members}{_shares(group)}"
    yield from _out_of_reach(name, group.places)
    if group.lag and not group.members:
        yield Finding(
            "wrong", f"{group.lag} records wait for {name} and {workers}: start `beadplate processors {name}`"
        )
    else:
        yield Finding("holds", f"{name}: {workers}, {group.lag} records behind by what is committed")
    if group.members > partitions:
        yield Finding(
            "note",
            f"{name} has {group.members} workers for {partitions} partitions: {group.members - partitions} of them "
            "only wait to take over",
        )
    if group.members and group.state != "Stable":
        yield Finding(
            "note",
            f"the workers of {name} are sharing out their partitions (Kafka says {group.state}); ask again, and if it "
            "stays so, look at their logs",
        )


def _shares(group: Group) -> str:
    """How many partitions each worker has of a source; the same of each, since all have one number of them."""
    sources = len({place.topic for place in group.places})
    if not any(group.shares):
        return ""
    shares = sorted((share // sources for share in group.shares), reverse=True)
    return f" (partitions of each: {', '.join(map(str, shares))})"


def _out_of_reach(name: str, places: Iterable[Place]) -> Iterator[Finding]:
    for place in places:
        where = f"{place.topic} partition {place.partition}"
        if place.lost:
            yield Finding(
                "wrong",
                f"{place.lost} records of {where} were deleted before {name} had read them: its outputs lack them; "
                "its next worker tells so in an alert and goes on; run one before the topic's retention ends",
            )
        if place.beyond:
            yield Finding(
                "wrong",
                f"{name} has committed offset {place.committed} of {where}, which ends at {place.end}: the topic was "
                "deleted and made anew, or its end was lost; stop its workers and run `beadplate replay {name}`",
            )


__all__ = ["Finding", "Seen", "Verdict", "examine", "judge", "look"]
