"""The AsyncAPI 3 document: channels, messages and operations, made from the catalogue of topics."""

from typing import Any, Final

from contract.dead_letters import CODES, DeadLetter
from contract.partitions import partition_of
from contract.rounds import Event
from contract.schema import Schema, draft_07_components, events
from contract.topics import CATALOGUE, PARTITIONS, PROCESSORS, Topic, event_name

ASYNCAPI: Final = "3.0.0"
VERSION: Final = "1.0.0"
"""Version of the contract, not of the program: the first number is that of the topics' names."""
KAFKA_BINDING: Final = "0.5.0"
JSON: Final = "application/json"

_DESCRIPTION: Final = """\
Tables publish to the source topics; processors publish settlements, statistics and scoreboards.

Every record is keyed as its channel says, in UTF-8, and lies on the partition that Kafka's murmur2 gives that key
(the default of the Java client and of aiokafka; librdkafka needs `partitioner=murmur2_random`). With {partitions}
partitions the key `{key}` lies on partition {partition}. Deliveries may repeat: a version of a round, a batch and
a settlement have identities, and the same identity with the same content is the same fact. New fields come with
defaults and unknown ones are ignored; an event of an unknown `type` is skipped.
"""


def document() -> dict[str, Any]:
    """The whole document, ready for JSON."""
    return {
        "asyncapi": ASYNCAPI,
        "info": {
            "title": "Beadplate",
            "version": VERSION,
            "description": _DESCRIPTION.format(
                partitions=PARTITIONS, key="T01", partition=partition_of(b"T01", PARTITIONS)
            ),
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": JSON,
        "servers": {
            "kafka": {
                "host": "{bootstrap}",
                "protocol": "kafka",
                "description": "The Kafka cluster of the house",
                "variables": {"bootstrap": {"description": "HOST:PORT of one of its brokers"}},
            }
        },
        "channels": {_channel_name(topic): _channel(topic) for topic in CATALOGUE},
        "operations": {_operation_name(topic): _operation(topic) for topic in CATALOGUE},
        "components": {
            "messages": {event_name(event): _message(event) for event in events()} | {"dead_letter": _dead_letter()},
            "schemas": draft_07_components(events()),
        },
    }


def _channel_name(topic: Topic) -> str:
    return topic.name.removeprefix("baccarat.").removesuffix(".v1").replace("-", "_")


def _message_names(topic: Topic) -> tuple[str, ...]:
    return tuple(event_name(event) for event in topic.events) or ("dead_letter",)


def _channel(topic: Topic) -> dict[str, Any]:
    config = topic.config()
    return {
        "address": topic.name,
        "title": topic.purpose,
        "description": f"Key: {topic.key}.",
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in _message_names(topic)},
        "bindings": {
            "kafka": {
                "partitions": PARTITIONS,
                "topicConfiguration": {
                    "cleanup.policy": config["cleanup.policy"].split(","),
                    "retention.ms": int(config["retention.ms"]),
                    "max.message.bytes": int(config["max.message.bytes"]),
                },
                "bindingVersion": KAFKA_BINDING,
            }
        },
    }


def _operation_name(topic: Topic) -> str:
    return f"{_action(topic)}_{_channel_name(topic)}"


def _action(topic: Topic) -> str:
    """What Beadplate does with the topic, as its partners outside see it."""
    made_here = any(topic in processor.outputs for processor in PROCESSORS.values())
    return "send" if made_here else "receive"


def _operation(topic: Topic) -> dict[str, Any]:
    channel = f"#/channels/{_channel_name(topic)}"
    return {
        "action": _action(topic),
        "channel": {"$ref": channel},
        "summary": topic.purpose,
        "messages": [{"$ref": f"{channel}/messages/{name}"} for name in _message_names(topic)],
    }


def _message(event: type[Event]) -> dict[str, Any]:
    (topic,) = (topic for topic in CATALOGUE if event in topic.events)
    return {
        "name": event_name(event),
        "title": event_name(event).replace("_", " "),
        "contentType": JSON,
        "payload": {"$ref": f"#/components/schemas/{event.__name__}"},
        "bindings": {"kafka": {"key": {"type": "string", "description": topic.key}, "bindingVersion": KAFKA_BINDING}},
    }


def _dead_letter() -> dict[str, Any]:
    headers: dict[str, Schema] = {name: {"type": "string"} for name in DeadLetter._fields}
    headers["partition"]["pattern"] = headers["offset"]["pattern"] = "^[0-9]+$"
    headers["code"] |= {"enum": list(CODES), "description": "; ".join(f"{code}: {why}" for code, why in CODES.items())}
    return {
        "name": "dead_letter",
        "title": "dead letter",
        "summary": "A record that could not be taken: its own key and value, untouched, whatever they are",
        "contentType": "application/octet-stream",
        "headers": {"type": "object", "required": list(headers), "properties": headers},
        "payload": {"description": "The original bytes"},
    }
