"""``beadplate dead-letters``: what is printed of letters, and what a replay answers."""

import asyncio
import base64
import json
import uuid
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka import AIOKafkaProducer

from beadplate.cli import run
from beadplate.dead_letters import as_json, as_text, printable
from broker.catalogue import apply
from broker.closing import opened
from broker.connection import Connection
from contract.dead_letters import DeadLetter
from contract.topics import DEAD_LETTERS, ROUNDS
from producer.dead_letters import Letter, Place, letter

HEADERS = DeadLetter("scoreboards", ROUNDS.name, 7, 15023, "impossible_round", "Banker drew on 7: 7C KS 2D")
Posted = list[tuple[DeadLetter, bytes | None, bytes | None]]


def read(key: bytes | None = b"B07", value: bytes | None = b"{}", headers: DeadLetter = HEADERS) -> Letter:
    place = {"topic": DEAD_LETTERS.name, "partition": 7, "offset": 12, "timestamp": 1_795_975_200_000}
    return letter(SimpleNamespace(**{"headers": headers.headers(), "key": key, "value": value, **place}))


def test_a_letter_is_a_line_that_begins_with_its_place() -> None:
    assert as_text(read(), None).split() == [
        "rounds/7/15023",
        "impossible_round",
        "B07",
        "2026-11-29T18:00:00.000Z",
        *["Banker", "drew", "on", "7:", "7C", "KS", "2D"],
    ]
    assert as_text(read(), Place(DEAD_LETTERS.name, 7, 3)).endswith("2D (again, as dead-letters/7/3)")
    assert " no key " in as_text(read(key=None), None)


def test_a_letter_is_an_object_of_json() -> None:
    assert json.loads(as_json(read(key=b"\xff", value=None), Place(DEAD_LETTERS.name, 7, 3))) == {
        "source": "rounds/7/15023",
        "letter": "dead-letters/7/12",
        "at": "2026-11-29T18:00:00.000Z",
        "processor": "scoreboards",
        "code": "impossible_round",
        "key": {"undecodable": base64.b64encode(b"\xff").decode()},
        "message": "Banker drew on 7: 7C KS 2D",
        "bytes": None,
        "again": "dead-letters/7/3",
    }


def test_a_terminal_is_given_nothing_to_obey() -> None:
    nasty = "a\x1b[2Jb\r\nc\x9b\u202e" + "d" * 1000
    shown = as_text(read(key=nasty.encode(), headers=HEADERS._replace(message=nasty)), None)
    assert shown.isprintable()
    assert r"a\x1b[2Jb\r\nc\x9b\u202edd" in shown
    assert len(shown) < 1000
    assert printable("百家樂 · ok") == "百家樂 · ok"


@pytest.fixture
def table() -> str:
    return f"letter-{uuid.uuid4().hex[:8]}"


async def _post(kafka: str, posted: Posted) -> None:
    connection = Connection(bootstrap_servers=kafka)
    await apply(connection)
    async with opened(AIOKafkaProducer(**connection.client_options())) as producer:
        for headers, key, value in posted:
            await producer.send_and_wait(DEAD_LETTERS.name, value, key, partition=7, headers=headers.headers())


def post(kafka: str, table: str) -> None:
    """Four letters of a table: an impossible round twice, a shoe that is too far, rubbish."""
    impossible = b'{ "table_id" : "%s", "n": 1.10 }' % table.encode()
    base = hash(table) % 10**9 * 1000
    posted: Posted = [
        (HEADERS._replace(offset=base + 1), table.encode(), impossible),
        (HEADERS._replace(offset=base + 1), table.encode(), impossible),
        (HEADERS._replace(offset=base + 2, code="shoe_jump"), table.encode(), b'{"n":2}'),
        (HEADERS._replace(offset=base + 3, code="undecodable", processor="settlements"), table.encode(), b"\xff"),
    ]
    asyncio.run(_post(kafka, posted))


class Called:
    """One call of ``beadplate dead-letters``: its exit code and what it wrote."""

    def __init__(self, capsys: pytest.CaptureFixture[str], kafka: str, *words: str) -> None:
        self.code = run(["dead-letters", *words, "--bootstrap-servers", kafka])
        said = capsys.readouterr()
        self.out, self.err = said.out, said.err

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.mark.kafka
def test_letters_are_listed_and_counted(kafka: str, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    post(kafka, table)
    listed = Called(capsys, kafka, "list", "--table", table)
    assert listed.code == 0
    assert [line.split()[1] for line in listed.out.splitlines()] == [
        "impossible_round",
        "impossible_round",
        "shoe_jump",
        "undecodable",
    ]
    assert ["again" in line for line in listed.out.splitlines()] == [False, True, False, False]
    assert listed.err == "4 dead letters: impossible_round 2, shoe_jump 1, undecodable 1\n"
    counted = Called(capsys, kafka, "list", "--table", table, "--counts", "--since", "1h")
    assert counted.out == listed.err
    counted = Called(capsys, kafka, "list", "--table", table, "--counts", "--format", "json")
    assert counted.objects == [{"impossible_round": 2, "shoe_jump": 1, "undecodable": 1}]
    two = Called(capsys, kafka, "list", "--table", table, "--code", "shoe_jump", "--code", "undecodable")
    assert len(two.out.splitlines()) == 2
    settled = Called(capsys, kafka, "list", "--table", table, "--processor", "settlements", "--format", "json")
    assert [each["code"] for each in settled.objects] == ["undecodable"]
    none = Called(capsys, kafka, "list", "--table", table, "--since", "2999-01-01T00:00:00Z")
    assert (none.out, none.err) == ("", "0 dead letters\n")


@pytest.mark.kafka
def test_a_letter_is_shown_whole_with_what_can_be_done(
    kafka: str, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    post(kafka, table)
    listed = Called(capsys, kafka, "list", "--table", table, "--format", "json").objects
    shown = Called(capsys, kafka, "show", listed[3]["source"])
    assert shown.code == 0
    whole = json.loads(shown.out)
    assert whole["value"] == {"undecodable": base64.b64encode(b"\xff").decode()}
    assert (whole["key"], whole["headers"]["processor"]) == (table, "settlements")
    assert "undecodable: no program can read it" in shown.err
    twice = Called(capsys, kafka, "show", listed[0]["source"])
    assert twice.out.count('"n": 1.10') == 2  # the number as it was written
    once = Called(capsys, kafka, "show", listed[1]["letter"])
    assert once.out.count('"n": 1.10') == 1
    none = Called(capsys, kafka, "show", "rounds/11/999999999999")
    assert (none.code, none.out) == (1, "")
    assert "no dead letter stands at rounds/11/999999999999" in none.err


def rounds_of(capsys: pytest.CaptureFixture[str], kafka: str, table: str) -> list[str]:
    assert run(["show", "rounds", "--table", table, "--bootstrap-servers", kafka]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.kafka
def test_a_replay_says_what_it_published_and_what_it_passed_over(
    kafka: str, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    post(kafka, table)
    shown = Called(capsys, kafka, "replay", "--table", table, "--dry-run")
    assert shown.out.count("would be published") == 1
    assert rounds_of(capsys, kafka, table) == []
    done = Called(capsys, kafka, "replay", "--table", table)
    assert done.code == 0
    assert done.err == "1 published, and acknowledged by Kafka (shoe_jump 1); 3 passed over\n"
    assert done.out.count("passed over: the round stays impossible") == 2
    assert rounds_of(capsys, kafka, table) == ['{"n":2}']
    named = Called(capsys, kafka, "replay", "--table", table, "--code", "impossible_round")
    assert named.err == "1 published, and acknowledged by Kafka (impossible_round 1); 1 passed over\n"
    assert "passed over: the same record has been published from an earlier letter" in named.out
    assert len(rounds_of(capsys, kafka, table)) == 2
    missing = Called(capsys, kafka, "replay", "rounds/11/999999999999")
    assert missing.code == 1
    assert "no dead letter stands at rounds/11/999999999999" in missing.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["replay"], "say which letters: places such as rounds/7/15023, "),
        (["replay", "--all", "--table", "B07"], "or --all, and then nothing else"),
        (["replay", "rounds/x"], "a place is TOPIC/PARTITION/OFFSET such as rounds/7/15023, not 'rounds/x'"),
        (["replay", "--code", "too_late"], "there is no code 'too_late'; there are undecodable, "),
        (["list", "--since", "yesterday"], "'yesterday' is no RFC 3339 time"),
        (["show", "B07"], "a place is TOPIC/PARTITION/OFFSET"),
        (["show"], "See beadplate dead-letters show --help."),
    ],
)
def test_wrong_use_is_a_sentence_and_exit_code_2(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    called = Called(capsys, "127.0.0.1:1", *words)
    assert (called.code, called.out) == (2, "")
    assert said in called.err
    assert called.err.count("\n") == 1


@pytest.mark.parametrize("words", [["list"], ["show", "rounds/7/1"], ["replay", "--all"]])
def test_a_kafka_that_does_not_answer_is_exit_code_3(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    called = Called(capsys, "127.0.0.1:1", *words)
    assert (called.code, called.out) == (3, "")
    assert "Kafka does not answer at 127.0.0.1:1: start it" in called.err
