"""JSON Schema (draft 2020-12) of every event, made from the structs themselves.

What a struct checks beyond its types is said here too where JSON Schema can say it; a ``slip_id`` used twice in a
batch is the one rule that it cannot.
"""

import inspect
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from contract.rounds import Event, RoundCorrected, RoundDealt
from contract.topics import CATALOGUE, event_name

Schema: TypeAlias = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_CARDS_OR_OUTCOME: Final[Schema] = {
    "anyOf": [
        {
            "title": "with cards",
            "required": ["player", "banker"],
            "properties": {"player": {"type": "array"}, "banker": {"type": "array"}},
        },
        {
            "title": "from a keypad",
            "required": ["outcome"],
            "properties": {"outcome": {"type": "string"}, "player": {"type": "null"}, "banker": {"type": "null"}},
        },
    ]
}
"""What ``Played`` checks of its hands."""
_BEYOND_TYPES: Final[dict[str, Schema]] = {event.__name__: _CARDS_OR_OUTCOME for event in (RoundDealt, RoundCorrected)}


def events() -> tuple[type[Event], ...]:
    """Every event of the catalogue, topic by topic."""
    return tuple(event for topic in CATALOGUE for event in topic.events)


def schema_of(event: type[Event]) -> Schema:
    """One event as a JSON Schema document of its own, with all that it refers to in ``$defs``."""
    (reference,), definitions = _components((event,), "#/$defs/{name}")
    return {
        "$schema": DIALECT,
        "$id": f"urn:beadplate:{event_name(event)}:v1",
        "title": event_name(event),
        **reference,
        "$defs": definitions,
    }


def draft_07_components(wanted: tuple[type[Event], ...]) -> dict[str, Schema]:
    """The events and all that they refer to, as the components of an AsyncAPI document, whose dialect is draft 07."""
    _, definitions = _components(wanted, "#/components/schemas/{name}")
    return {name: _walk(definition, _tuples_of_draft_07) for name, definition in sorted(definitions.items())}


def _components(wanted: tuple[type[Event], ...], template: str) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
    references, definitions = msgspec.json.schema_components(wanted, ref_template=template)
    told = {name: _walk(definition, _readable) for name, definition in definitions.items()}
    for name in told.keys() & _BEYOND_TYPES.keys():
        told[name] |= _BEYOND_TYPES[name]
    return references, told


def _walk(node: Any, change: Callable[[Schema], Schema]) -> Any:
    """The schema with ``change`` made at every object in it."""
    match node:
        case dict():
            return change({key: _walk(value, change) for key, value in node.items()})
        case list() | tuple():
            return [_walk(value, change) for value in node]
        case _:
            return node


def _readable(node: Schema) -> Schema:
    """Patterns as ECMA 262 spells them, and of a docstring the first paragraph: the rest is for our own code."""
    if isinstance(pattern := node.get("pattern"), str):
        node["pattern"] = pattern.replace(r"\Z", "$")
    if isinstance(description := node.get("description"), str):
        node["description"] = " ".join(inspect.cleandoc(description).split("\n\n")[0].split())
    return node


def _tuples_of_draft_07(node: Schema) -> Schema:
    """Cells such as ``[row, column, mark]`` in the words of draft 07, which does not know ``prefixItems``."""
    if "prefixItems" in node:
        node["additionalItems"] = node.pop("items", True)
        node["items"] = node.pop("prefixItems")
    return node
