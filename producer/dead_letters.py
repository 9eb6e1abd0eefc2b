"""Dead letters as an operator works with them: read, chosen, and judged whether publishing them again can help.

Headers are the data of whoever wrote the letter: they are shown and searched, and trusted in nothing.
"""

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import msgspec

from contract.dead_letters import CODES
from contract.scalars import canonical_instant, parse_instant
from contract.topics import BETS, ROUNDS, topic_named

SOURCES: Final = {topic.name: topic for topic in (ROUNDS, BETS)}
"""Where letters may be published again; nothing else is ever written to, whatever a header names."""
FUTILE: Final = {
    "undecodable": "no program can read it: publish what was meant as a new record",
    "wrong_key": "it keeps its key, and the key is wrong: publish what was meant under its table_id",
    "impossible_round": "the round stays impossible: publish what was dealt",
    "conflict": "the first stays: publish a correction under the next revision",
    "too_old": "the table only goes on: the shoe stays closed",
}
"""Codes that the record itself keeps for ever, and what to do; replayed only where they are asked for by name."""
HOPEFUL: Final = {
    "invalid": "a newer program may take it",
    "wrong_partition": "its key finds the right partition now",
    "shoe_jump": "once its shoe_started stands before it, it is taken",
    "unknown_paytable": "once the pay table is deployed, its batches are settled",
}
"""Codes that a fix elsewhere cures, and which."""
UNKNOWN: Final = "unknown"
"""What stands for a header that is not there."""

_PLACE: Final = re.compile(r"([A-Za-z0-9._-]{1,249})/([0-9]{1,9})/([0-9]{1,18})")
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_AGO: Final = re.compile(r"([0-9]{1,5})([smhd])")
_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


class BadChoice(ValueError):
    """A place or a time that is none; the message quotes it."""


class Place(NamedTuple):
    """Where a record stands; written ``rounds/7/15023``."""

    topic: str
    partition: int
    offset: int

    def __str__(self) -> str:
        return f"{_short(self.topic)}/{self.partition}/{self.offset}"

    @classmethod
    def parse(cls, text: str) -> "Place":
        """The place that a person has written, with the short or the full name of the topic. Raises ``BadChoice``."""
        found = _PLACE.fullmatch(text)
        if found is None:
            raise BadChoice(f"a place is TOPIC/PARTITION/OFFSET such as rounds/7/15023, not {text!r}")
        try:
            topic = topic_named(found[1]).name
        except KeyError as error:
            raise BadChoice(f"there is no topic {found[1]!r}: a place is one such as rounds/7/15023") from error
        return cls(topic, int(found[2]), int(found[3]))


class _Head(msgspec.Struct):
    table_id: str | None = None


_head = msgspec.json.Decoder(_Head)


@dataclass(frozen=True, slots=True)
class Letter:
    """One dead letter: where it stands and since when, the record's key and value, and what the headers say of it.

    ``source`` is where the record was read; None where the headers do not say so.
    """

    place: Place
    at: datetime
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...]
    source: Place | None
    processor: str
    code: str
    message: str

    def concerns(self, table_id: str) -> bool:
        """Whether the key or the value names the table."""
        if self.key == table_id.encode():
            return True
        try:
            return _head.decode(self.value or b"").table_id == table_id
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return False

    def fingerprint(self) -> bytes:
        """Equal for letters of the same record: same topic, key and value."""
        digest = hashlib.blake2b(digest_size=16)
        for part in (self.source.topic.encode() if self.source else b"", self.key, self.value):
            digest.update(b"-" if part is None else b"%d:" % len(part) + part)
        return digest.digest()

    def hindrance(self) -> str | None:
        """Why the letter can never be published again; None where it can."""
        if self.source is None:
            return "its headers do not say where it was"
        if self.source.topic not in SOURCES:
            return f"it was in {_short(self.source.topic)}, and only rounds and bets are published to"
        if self.key is None and self.value is None:
            return "it has neither key nor value"
        most = SOURCES[self.source.topic].max_message_bytes
        if (size := len(self.key or b"") + len(self.value or b"")) > most:
            return f"it has {size} bytes, and {_short(self.source.topic)} takes {most}"
        return None


def letter(record: Any) -> Letter:
    """A record of the dead letters' topic, whatever its headers are."""
    said = {name: value.decode("utf-8", "replace") for name, value in reversed(record.headers) if value is not None}
    source = None
    if all(_NUMBER.fullmatch(said.get(name, "")) for name in ("partition", "offset")) and said.get("topic"):
        source = Place(said["topic"], int(said["partition"]), int(said["offset"]))
    return Letter(
        place=Place(record.topic, record.partition, record.offset),
        at=_moment(record.timestamp),
        key=record.key,
        value=record.value,
        headers=tuple(record.headers),
        source=source,
        processor=said.get("processor", UNKNOWN),
        code=said.get("code", UNKNOWN),
        message=said.get("message", ""),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which letters are meant: those that every filter lets pass, and of places those that are named."""

    places: frozenset[Place] = frozenset()
    codes: frozenset[str] = frozenset()
    table: str | None = None
    processor: str | None = None
    since: datetime | None = None

    def __post_init__(self) -> None:
        """Refuse codes that there are not."""
        if unknown := sorted(self.codes - {*CODES, UNKNOWN}):
            raise BadChoice(f"there is no code {', '.join(map(repr, unknown))}; there are {', '.join(CODES)}")

    @property
    def names_something(self) -> bool:
        """Whether anything was said about which letters are meant."""
        return self != Choice()

    def takes(self, found: Letter) -> bool:
        """Whether the letter is meant."""
        return (
            (not self.places or self.named(found) is not None)
            and (not self.codes or found.code in self.codes)
            and (self.processor is None or found.processor == self.processor)
            and (self.since is None or found.at >= self.since)
            and (self.table is None or found.concerns(self.table))
        )

    def named(self, found: Letter) -> Place | None:
        """The place by which the letter is named: its own, or the one where the record was read."""
        return next((place for place in (found.place, found.source) if place in self.places), None)

    def hindrance(self, found: Letter) -> str | None:
        """Why a letter that is meant is not published again; None where it is."""
        if (never := found.hindrance()) is not None:
            return never
        if self.named(found) is not None or found.code in self.codes:
            return None
        return FUTILE.get(found.code)


def moment(text: str, now: datetime) -> datetime:
    """The moment that a person has written: a time such as 2026-11-30T18:00:00Z, or 90m, 12h, 2d ago.

    Raises ``BadChoice``.
    """
    if (ago := _AGO.fullmatch(text)) is not None:
        return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
    try:
        return parse_instant(canonical_instant(text))
    except ValueError as error:
        raise BadChoice(f"{error}, nor a time ago such as 90m, 12h or 2d") from error


def _moment(timestamp_ms: int) -> datetime:
    """The moment of a timestamp; what no calendar names is its beginning, for any writer may have set it."""
    try:
        return datetime.fromtimestamp(timestamp_ms / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(0, UTC)


def _short(topic: str) -> str:
    """The name of a topic of the catalogue as people write it."""
    short = topic.removeprefix("baccarat.").removesuffix(".v1")
    try:
        return short if topic_named(short).name == topic else topic
    except KeyError:
        return topic
