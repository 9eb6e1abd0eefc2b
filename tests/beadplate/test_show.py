"""``beadplate show``: nothing in a topic is lost on the way to a line."""

import asyncio
import base64
import json
import signal
import subprocess
import sys
import uuid
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka import AIOKafkaProducer

from beadplate.cli import run
from beadplate.show import concerns, line
from broker.catalogue import apply
from broker.closing import opened
from broker.connection import Connection
from contract.dead_letters import DeadLetter
from contract.topics import ALERTS, DEAD_LETTERS, ROUNDS, SHOES, Topic


def record(value: bytes | None, key: bytes | None = b"T01", headers: Any = ()) -> Any:
    return SimpleNamespace(key=key, value=value, headers=headers)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (b'{"a":1}', b'{"a":1}'),
        (b'{ "a" : 1,\n "b": [ ] }', b'{"a":1,"b":[]}'),
        (b'{"n":123456789012345678901234567890.10}', b'{"n":123456789012345678901234567890.10}'),
        (b'{"a":1,"a":2}', b'{"a":1,"a":2}'),
        ('{"name":"百家樂 \\u767e"}'.encode(), '{"name":"百家樂 \\u767e"}'.encode()),
    ],
)
def test_a_value_is_shown_as_it_was_written_on_one_line(value: bytes, shown: bytes) -> None:
    assert line(ROUNDS, record(value)) == shown


@pytest.mark.parametrize(
    "value", [b"", b"rubbish", b"\xff\xfe", b'{"a":', b"[1]", b"7", b'{"a":NaN}', b'{"a":"\xff"}', b'{"a":"\\ud800"}']
)
def test_what_is_no_json_object_is_shown_byte_by_byte(value: bytes) -> None:
    shown = json.loads(line(ROUNDS, record(value)))
    assert base64.b64decode(shown["undecodable"]) == value
    assert list(shown) == ["undecodable"]


def test_a_record_without_a_value_is_shown_by_its_key() -> None:
    assert json.loads(line(SHOES, record(None, key=b"T01/4"))) == {"tombstone": "T01/4"}


def test_a_dead_letter_is_shown_with_headers_key_and_value() -> None:
    headers = DeadLetter("scoreboards", ROUNDS.name, 7, 15023, "undecodable", "the record has no value").headers()
    shown = json.loads(line(DEAD_LETTERS, record(b"rubbish", key=b"\xff", headers=headers)))
    assert shown == {
        "headers": {
            "processor": "scoreboards",
            "topic": "baccarat.rounds.v1",
            "partition": "7",
            "offset": "15023",
            "code": "undecodable",
            "message": "the record has no value",
        },
        "key": {"undecodable": base64.b64encode(b"\xff").decode()},
        "value": {"undecodable": base64.b64encode(b"rubbish").decode()},
    }


@pytest.mark.parametrize(
    ("key", "value"),
    [(b"T01", b"rubbish"), (b"T01/7", None), (b"T02", b'{"table_id":"T01"}'), (None, b'{"table_id":"T01"}')],
)
def test_a_record_concerns_the_table_of_its_key_and_of_its_value(key: bytes | None, value: bytes | None) -> None:
    assert concerns("T01", key, value)


@pytest.mark.parametrize(
    ("key", "value"), [(b"T011", b"{}"), (None, None), (b"\xff", b"\xff"), (b"T02", b'{"table_id":1}')]
)
def test_other_records_do_not(key: bytes | None, value: bytes | None) -> None:
    assert not concerns("T01", key, value)


@pytest.fixture
def table() -> str:
    return f"show-{uuid.uuid4().hex[:8]}"


async def publish(bootstrap: str, topic: Topic, table: str, values: list[bytes]) -> None:
    connection = Connection(bootstrap_servers=bootstrap)
    await apply(connection)
    async with opened(AIOKafkaProducer(**connection.client_options())) as producer:
        for value in values:
            await producer.send_and_wait(topic.name, value, key=table.encode())


def values(number: int) -> list[bytes]:
    return [b'{"n":%d}' % n for n in range(number)]


@pytest.mark.kafka
def test_a_topic_is_shown_up_to_its_end(kafka: str, table: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    asyncio.run(publish(kafka, ALERTS, table, [*values(20), b"rubbish"]))
    assert run(["show", "alerts", "--table", table, "--bootstrap-servers", kafka]) == 0
    shown = capsysbinary.readouterr().out.splitlines()
    assert shown == [*values(20), b'{"undecodable":"cnViYmlzaA=="}']


@pytest.mark.kafka
def test_following_shows_what_comes_until_it_is_told_to_stop(kafka: str, table: str) -> None:
    asyncio.run(publish(kafka, ALERTS, table, values(2)))
    command = ["show", "baccarat.alerts.v1", "--table", table, "--follow", "--bootstrap-servers", kafka]
    with subprocess.Popen([sys.executable, "-m", "beadplate", *command], stdout=subprocess.PIPE) as shown:
        assert shown.stdout is not None
        assert [shown.stdout.readline() for _ in range(2)] == [b'{"n":0}\n', b'{"n":1}\n']
        asyncio.run(publish(kafka, ALERTS, table, [b'{"n":2}']))
        assert shown.stdout.readline() == b'{"n":2}\n'
        shown.send_signal(signal.SIGINT)
        assert shown.wait(20) == 0
