import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from contract.asyncapi import document
from contract.dead_letters import CODES
from contract.schema import events
from contract.topics import CATALOGUE, PROCESSORS, Topic, event_name

DATA = Path(__file__).parent.parent / "data"
DOCUMENT = document()


def resolve(reference: str) -> Any:
    node: Any = DOCUMENT
    for name in reference.removeprefix("#/").split("/"):
        node = node[name]
    return node


def references(node: Any) -> list[str]:
    match node:
        case {"$ref": str() as reference}:
            return [reference]
        case dict():
            return [found for value in node.values() for found in references(value)]
        case list():
            return [found for value in node for found in references(value)]
        case _:
            return []


def test_the_document_is_valid_by_the_schema_of_asyncapi_3() -> None:
    schema = json.loads((DATA / "asyncapi" / "3.0.0.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator(schema).validate(DOCUMENT)


def test_that_schema_refuses_a_document_with_a_fault() -> None:
    schema = json.loads((DATA / "asyncapi" / "3.0.0.json").read_text(encoding="utf-8"))
    wrong = json.loads(json.dumps(DOCUMENT))
    wrong["operations"]["receive_rounds"]["action"] = "publish"
    assert not jsonschema.Draft7Validator(schema).is_valid(wrong)


def test_every_reference_leads_somewhere() -> None:
    found = references(DOCUMENT)
    assert found
    assert all(resolve(reference) for reference in found)


@pytest.mark.parametrize("topic", CATALOGUE, ids=lambda topic: topic.name)
def test_every_topic_is_a_channel_with_its_events_and_its_limits(topic: Topic) -> None:
    (channel,) = (channel for channel in DOCUMENT["channels"].values() if channel["address"] == topic.name)
    assert list(channel["messages"]) == ([event_name(event) for event in topic.events] or ["dead_letter"])
    assert channel["bindings"]["kafka"]["topicConfiguration"]["max.message.bytes"] == topic.max_message_bytes


def test_what_processors_write_is_sent_and_what_tables_write_is_received() -> None:
    actions = {resolve(o["channel"]["$ref"])["address"]: o["action"] for o in DOCUMENT["operations"].values()}
    made = {topic.name for processor in PROCESSORS.values() for topic in processor.outputs}
    assert actions == {topic.name: "send" if topic.name in made else "receive" for topic in CATALOGUE}


def test_every_event_is_a_message_with_its_key_and_a_payload() -> None:
    for event in events():
        message = DOCUMENT["components"]["messages"][event_name(event)]
        assert message["bindings"]["kafka"]["key"]["type"] == "string"
        assert resolve(message["payload"]["$ref"])["properties"]["type"] == {"enum": [event_name(event)]}


def test_a_dead_letter_names_every_code() -> None:
    headers = DOCUMENT["components"]["messages"]["dead_letter"]["headers"]["properties"]
    assert headers["code"]["enum"] == list(CODES)
    example = json.loads((DATA / "examples" / "dead_letter.json").read_text(encoding="utf-8"))["headers"]
    jsonschema.validate(example, DOCUMENT["components"]["messages"]["dead_letter"]["headers"])


@pytest.mark.parametrize("name", ["scoreboard", "shoe_record", "round_dealt", "bets_settled", "bet_statistics"])
def test_the_payloads_accept_the_examples_by_the_dialect_of_asyncapi(name: str) -> None:
    example = json.loads((DATA / "examples" / f"{name}.json").read_text(encoding="utf-8"))
    payload = DOCUMENT["components"]["messages"][name]["payload"]
    validator = jsonschema.Draft7Validator({"components": DOCUMENT["components"], "allOf": [payload]})
    validator.validate(example)
    assert not validator.is_valid({**example, "table_id": 5})


def test_cells_of_the_roads_are_checked_position_by_position() -> None:
    example = json.loads((DATA / "examples" / "scoreboard.json").read_text(encoding="utf-8"))
    example["roads"]["bead_plate"][0] = [0, "B", 0]
    validator = jsonschema.Draft7Validator(
        {"components": DOCUMENT["components"], "allOf": [{"$ref": "#/components/schemas/Scoreboard"}]}
    )
    assert not validator.is_valid(example)


def test_the_document_names_no_host_of_its_own() -> None:
    (server,) = DOCUMENT["servers"].values()
    assert server["host"] == "{bootstrap}"
