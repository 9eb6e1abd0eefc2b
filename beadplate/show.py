"""``beadplate show``: what is in a topic, one JSON object a line, with nothing lost."""

import base64
import sys
from typing import Annotated, Any, BinaryIO

import msgspec
from cyclopts import Parameter

from beadplate import running
from beadplate.endings import DONE, Misuse, kafka_meaning
from beadplate.logs import quiet
from beadplate.settings import KAFKA
from broker.connection import Connection
from broker.reading import read_topic
from contract.topics import CATALOGUE, DEAD_LETTERS, Topic, topic_named


class _Head(msgspec.Struct):
    table_id: str | None = None


_head = msgspec.json.Decoder(_Head)


def show(
    topic: str,
    *,
    table: str | None = None,
    follow: Annotated[bool, Parameter(negative=())] = False,
    connection: Annotated[Connection, KAFKA] = Connection(),
) -> int:
    """Show what is in a topic, one JSON object a line: each value as it is.

    A value that is no JSON object is shown as {"undecodable": BASE64}, a record without a value as {"tombstone": KEY},
    a dead letter with its headers, key and value. Records of one table come in their order.

    Parameters
    ----------
    topic
        Name in the catalogue, short or full: scoreboards or baccarat.scoreboards.v1.
    table
        Show this table alone.
    follow
        Go on with what comes, until Ctrl-C.
    """
    try:
        chosen = topic_named(topic)
    except KeyError as error:
        short = ", ".join(known.name.split(".")[1] for known in CATALOGUE)
        raise Misuse(f"there is no topic {topic!r}; there are {short}") from error
    quiet()
    with kafka_meaning():
        return running.run(_show(connection, chosen, table, follow=follow, out=sys.stdout.buffer))


async def _show(connection: Connection, topic: Topic, table: str | None, *, follow: bool, out: BinaryIO) -> int:
    async for record in read_topic(connection, topic.name, follow=follow):
        if table is None or concerns(table, record.key, record.value):
            out.write(line(topic, record) + b"\n")
            if follow:
                out.flush()
    out.flush()
    return DONE


def concerns(table: str, key: bytes | None, value: bytes | None) -> bool:
    """Whether a record's key or value names the table; a shoe's key begins with it."""
    if key is not None and key.split(b"/", 1)[0] == table.encode():
        return True
    try:
        return _head.decode(value or b"").table_id == table
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def line(topic: Topic, record: Any) -> bytes:
    """A record as one line of JSON; numbers and texts of the value stand as they were written."""
    if topic is DEAD_LETTERS:
        headers = {name: value.decode("utf-8", "replace") for name, value in record.headers}
        value = msgspec.Raw(_value(record.key, record.value))
        return msgspec.json.encode({"headers": headers, "key": shown_key(record.key), "value": value})
    return _value(record.key, record.value)


def _value(key: bytes | None, value: bytes | None) -> bytes:
    if value is None:
        return msgspec.json.encode({"tombstone": shown_key(key)})
    try:
        value.decode()
        text = msgspec.json.format(value, indent=-1)
        if text.startswith(b"{"):
            return text
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    return msgspec.json.encode(_undecodable(value))


def shown_key(key: bytes | None) -> str | dict[str, str] | None:
    """A key as text; bytes that are none as {"undecodable": BASE64}."""
    if key is None:
        return None
    try:
        return key.decode()
    except UnicodeDecodeError:
        return _undecodable(key)


def _undecodable(raw: bytes) -> dict[str, str]:
    return {"undecodable": base64.b64encode(raw).decode()}
