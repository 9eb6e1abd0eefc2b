import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from contract.codec import Invalid, decode
from contract.rounds import RoundDealt, TableOpened
from contract.schema import events, schema_of
from contract.topics import ROUNDS, event_name

EXAMPLES = Path(__file__).parent.parent / "data" / "examples"


def example(name: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    return value


def accepted(event: Any, value: dict[str, Any]) -> bool:
    return jsonschema.Draft202012Validator(schema_of(event)).is_valid(value)


@pytest.mark.parametrize("event", events(), ids=event_name)
def test_each_schema_is_one_by_its_dialect_and_names_its_event(event: Any) -> None:
    schema = schema_of(event)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["title"] == event_name(event)
    assert schema["$defs"][event.__name__]["properties"]["type"] == {"enum": [event_name(event)]}


@pytest.mark.parametrize("event", events(), ids=event_name)
def test_patterns_are_understood_outside_python(event: Any) -> None:
    patterns = re.findall(r'"pattern": "(.*?)"', json.dumps(schema_of(event)))
    assert all(pattern.startswith("^") and pattern.endswith("$") and r"\Z" not in pattern for pattern in patterns)


BARE = {
    name: value
    for name, value in example("round_dealt").items()
    if name not in {"player", "banker", "outcome", "betting_closed_at"}
}
HANDS: dict[str, Any] = {"player": ["7H", "9H"], "banker": ["8H", "4H", "KC"]}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        HANDS,
        HANDS | {"outcome": "player"},
        HANDS | {"outcome": None},
        {"outcome": "tie"},
        {"outcome": None},
        {"outcome": "tie", "player": None, "banker": None},
        {"outcome": "tie", "player": None},
        {"player": HANDS["player"]},
        {"banker": HANDS["banker"], "outcome": "player"},
        {"banker": HANDS["banker"], "player": None, "outcome": "player"},
        HANDS | {"player": ["7H"]},
        HANDS | {"player": ["1H", "9H"]},
        HANDS | {"player_total": 10},
        HANDS | {"shoe_no": 0},
        HANDS | {"shoe_no": 10**9 + 1},
        HANDS | {"revision": 1},
        HANDS | {"dealer": "amy"},
    ],
    ids=str,
)
def test_the_schema_accepts_exactly_the_rounds_that_the_codec_accepts(fields: dict[str, Any]) -> None:
    value = BARE | fields
    try:
        decode(ROUNDS, json.dumps(value).encode())
        taken = True
    except Invalid:
        taken = False
    assert accepted(RoundDealt, value) is taken


def test_descriptions_are_one_paragraph_for_people() -> None:
    described = schema_of(TableOpened)["$defs"]["TableOpened"]
    assert described["description"] == "A table's settings; what holds is the one with the highest ``config_no``."
    assert "Raises" not in json.dumps([schema_of(event) for event in events()])
