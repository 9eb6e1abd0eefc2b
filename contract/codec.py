"""Bytes to events and back.

A record is judged in this order: no JSON object of text keys → ``Undecodable``; an unknown ``type`` → ``UnknownType``
(skipped and counted by the reader, never a dead letter: an older program meets a newer one); a broken schema, or an
event that belongs on another topic → ``Invalid``.

JSON leaves open what a name means that stands twice in one object. Here the last one counts, as it does in JavaScript
and in Python's json, and each of them must fit the schema.
"""

import functools
from typing import Any, Final

import msgspec

from contract.dead_letters import DeadLetterCode
from contract.rounds import Event
from contract.topics import CATALOGUE, Topic, event_name

_JSON_SPACE = b" \t\n\r"
_encoder = msgspec.json.Encoder()
_KNOWN = {event_name(event): event for topic in CATALOGUE for event in topic.events}


_LONGEST_MESSAGE: Final = 400
"""In characters; what is longer quotes a value at length, and the message has to fit beside it in a dead letter."""


class BadRecord(ValueError):
    """A record that cannot be taken; ``code`` is the dead letter's. A long message loses its middle."""

    code: DeadLetterCode

    def __init__(self, message: str) -> None:
        super().__init__(_brief(message))


def _brief(message: str) -> str:
    half = _LONGEST_MESSAGE // 2
    return message if len(message) <= _LONGEST_MESSAGE else f"{message[:half]} … {message[-half:]}"


class Undecodable(BadRecord):
    """The value is no JSON object, or no UTF-8."""

    code = "undecodable"


class Invalid(BadRecord):
    """The value breaks the schema of its event, or stands on the wrong topic."""

    code = "invalid"


class UnknownType(Exception):
    """An event of a type that this program does not know."""


class _Head(msgspec.Struct):
    type: str


def encode(event: Event) -> bytes:
    """The event as JSON; equal events give equal bytes."""
    return _encoder.encode(event)


@functools.cache
def _decoder(topic: Topic) -> msgspec.json.Decoder[Any]:
    events = topic.events
    return msgspec.json.Decoder(functools.reduce(lambda union, event: union | event, events[1:], events[0]))  # type: ignore[arg-type, return-value]


_head = msgspec.json.Decoder(_Head)


def decode(topic: Topic, value: bytes | None) -> Any:
    """The event in a record's value.

    Raises ``Undecodable``, ``Invalid`` (their text names the place in the value) or ``UnknownType``.
    """
    if not value:
        raise Undecodable("the record has no value")
    try:
        if not value.isascii():
            value.decode()  # fields that are skipped are not looked at otherwise, and every reader must agree
        return _decoder(topic).decode(value)
    except msgspec.ValidationError as error:
        raise _judged(topic, value, error) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Undecodable(str(error)) from error


def _judged(topic: Topic, value: bytes, error: msgspec.ValidationError) -> Exception:
    """Why the schema refused the value: no JSON object, a type unknown to us or of another topic, a broken event."""
    try:
        msgspec.json.decode(value, type=msgspec.Raw)  # the schema may have refused a value that breaks off later
        kind = _head.decode(value).type
    except msgspec.ValidationError:
        return Invalid(str(error)) if value.lstrip(_JSON_SPACE).startswith(b"{") else Undecodable(str(error))
    except (msgspec.DecodeError, RecursionError) as broken:
        return Undecodable(str(broken))
    if kind not in _KNOWN:
        return UnknownType(kind)
    if _KNOWN[kind] not in topic.events:
        return Invalid(f"a {kind} does not belong in {topic.name}")
    return Invalid(str(error))
