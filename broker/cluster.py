"""What a Kafka cluster has: topics with their partitions, leaders and configuration; asked and changed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import for_code

_DYNAMIC_TOPIC_CONFIG: Final = 1
_TOPIC_ALREADY_EXISTS: Final = 36
_UNKNOWN_TOPIC: Final = 3


class Refused(RuntimeError):
    """Kafka does not do what it was asked; the message has its reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTopic:
    """A topic as it is: number of partitions, those of them that have no leader, its configuration.

    ``own`` are the names that are set on the topic itself, and not the broker's default.
    """

    partitions: int
    leaderless: tuple[int, ...] = ()
    config: Mapping[str, str] = field(default_factory=dict)
    own: frozenset[str] = frozenset()


async def find_topics(admin: AIOKafkaAdminClient, names: Iterable[str]) -> dict[str, FoundTopic]:
    """Those of the named topics that exist, without their configuration. A topic that does not exist is left out."""
    wanted = set(names)
    # all are asked for, because a broker with auto.create.topics.enable creates what it is asked for by name
    described = [topic for topic in await admin.describe_topics() if topic["topic"] in wanted]
    return {topic["topic"]: _found(topic["partitions"]) for topic in described if topic["partitions"]}


def _found(partitions: Sequence[Mapping[str, Any]]) -> FoundTopic:
    leaderless = tuple(sorted(partition["partition"] for partition in partitions if partition["leader"] < 0))
    return FoundTopic(partitions=len(partitions), leaderless=leaderless)


async def with_configs(admin: AIOKafkaAdminClient, topics: Mapping[str, FoundTopic]) -> dict[str, FoundTopic]:
    """The same topics with their configurations. One that was deleted in between is left out."""
    if not topics:
        return {}
    answers = await admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, name) for name in topics])
    found = {}
    for resource in (resource for answer in answers for resource in answer.to_object()["resources"]):
        name = resource["resource_name"]
        if resource["error_code"] == _UNKNOWN_TOPIC:
            continue
        _refuse(resource["error_code"], resource["error_message"], f"the configuration of {name} cannot be read")
        entries = resource["config_entries"]
        found[name] = FoundTopic(
            partitions=topics[name].partitions,
            leaderless=topics[name].leaderless,
            config={entry["config_names"]: entry["config_value"] or "" for entry in entries},
            own=frozenset(
                entry["config_names"] for entry in entries if entry["config_source"] == _DYNAMIC_TOPIC_CONFIG
            ),
        )
    return found


async def create_topics(
    admin: AIOKafkaAdminClient, configs: Mapping[str, Mapping[str, str]], *, partitions: int, replication_factor: int
) -> list[str]:
    """Create topics with these configurations; the names that were created, without those that somebody else just did.

    Raises ``Refused``.
    """
    if not configs:
        return []
    new = [NewTopic(name, partitions, replication_factor, topic_configs=dict(configs[name])) for name in configs]
    answer = (await admin.create_topics(new)).to_object()
    fresh = [topic for topic in answer["topic_errors"] if topic["error_code"] != _TOPIC_ALREADY_EXISTS]
    for topic in fresh:
        _refuse(topic["error_code"], topic["error_message"], f"{topic['topic']} cannot be created")
    return [topic["topic"] for topic in fresh]


async def set_configs(
    admin: AIOKafkaAdminClient, topics: Mapping[str, FoundTopic], changes: Mapping[str, Mapping[str, str]]
) -> None:
    """Set what ``changes`` names per topic and leave all else that was set on the topic. Raises ``Refused``."""
    resources = []
    for name, change in changes.items():
        # the client has only the older request, which replaces everything that is set on the topic
        kept = {key: topics[name].config[key] for key in topics[name].own}
        resources.append(ConfigResource(ConfigResourceType.TOPIC, name, configs=kept | dict(change)))
    if not resources:
        return
    for answer in await admin.alter_configs(resources):
        for resource in answer.to_object()["resources"]:
            what = f"the configuration of {resource['resource_name']} cannot be changed"
            _refuse(resource["error_code"], resource["error_message"], what)


async def broker_config(admin: AIOKafkaAdminClient, broker: int, names: Iterable[str]) -> dict[str, str]:
    """Settings of one broker; names that it does not tell are left out."""
    resource = ConfigResource(ConfigResourceType.BROKER, str(broker), configs=dict.fromkeys(names))
    (answer,) = await admin.describe_configs([resource])
    (described,) = answer.to_object()["resources"]
    _refuse(described["error_code"], described["error_message"], f"the configuration of broker {broker} cannot be read")
    return {entry["config_names"]: entry["config_value"] for entry in described["config_entries"]}


def _refuse(code: int, message: str | None, what: str) -> None:
    if code:
        raise Refused(f"{what}: {message or for_code(code).__name__}")
