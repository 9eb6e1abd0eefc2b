"""Every example of the contract, as it stands on the wire, is understood, given back and described by its schema."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from contract.codec import decode, encode
from contract.schema import events, schema_of
from contract.topics import CATALOGUE, Topic, event_name

EXAMPLES = Path(__file__).parent.parent / "data" / "examples"
NO_EVENTS = {"dead_letter.json", "api_v1_tables.json"}
FILES = sorted(path for path in EXAMPLES.glob("*.json") if path.name not in NO_EVENTS)


def example(path: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return value


def topic_of(kind: str) -> Topic:
    (topic,) = (topic for topic in CATALOGUE if kind in map(event_name, topic.events))
    return topic


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_decodes_and_encodes_to_equal_json(path: Path) -> None:
    value = example(path)
    event = decode(topic_of(value["type"]), path.read_bytes())
    assert json.loads(encode(event)) == value


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_was_encoded_decodes_to_an_equal_event_and_equal_bytes(path: Path) -> None:
    topic = topic_of(example(path)["type"])
    event = decode(topic, path.read_bytes())
    again = decode(topic, encode(event))
    assert again == event
    assert encode(again) == encode(event)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_is_valid_by_the_schema_of_its_event(path: Path) -> None:
    value = example(path)
    (event,) = (event for event in events() if event_name(event) == value["type"])
    jsonschema.validate(
        value,
        schema_of(event),
        jsonschema.Draft202012Validator,
        format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
    )


def test_there_is_an_example_of_every_event() -> None:
    assert {event_name(event) for event in events()} == {example(path)["type"] for path in FILES}
