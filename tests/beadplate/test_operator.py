"""The operator's commands: what they print, what they refuse, and what stands in the topic afterwards."""

import asyncio
import getpass
import json
import uuid
from typing import Any

import pytest

from beadplate.cli import run
from beadplate.operator import operator_name
from broker.catalogue import apply
from broker.connection import Connection
from producer.nonsense import Nonsense

NOBODY = "127.0.0.1:1"
COMMANDS = (
    ["correct", "B07", "412", "17", "--player", "4H,5S", "--banker", "KD,3C", "--reason", "misread"],
    ["void", "B07", "412", "17", "--reason", "exposed card"],
    ["deal", "B07", "--player", "4H,5S", "--banker", "KD,3C"],
    ["open-table", "B07", "--currency", "EUR"],
    ["close-table", "B07"],
    ["open-shoe", "B07"],
    ["end-shoe", "B07"],
    ["open-betting", "B07"],
    ["close-betting", "B07"],
)


class Desk:
    """An operator's terminal at one table."""

    def __init__(self, kafka: str, capsys: pytest.CaptureFixture[str]) -> None:
        self.table = f"desk-{uuid.uuid4().hex[:8]}"
        self._kafka, self._capsys = kafka, capsys

    def say(self, command: str, *words: str) -> dict[str, Any]:
        """The event that is printed; it must have been published."""
        code, out, err = self.call(command, *words)
        assert code == 0, err
        assert "published: partition " in err
        event = json.loads(out)
        assert isinstance(event, dict)
        return event

    def refused(self, command: str, *words: str) -> str:
        code, out, err = self.call(command, *words)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        return err

    def call(self, command: str, *words: str) -> tuple[int, str, str]:
        code = run(["producer", command, self.table, *words, "--bootstrap-servers", self._kafka])
        said = self._capsys.readouterr()
        return code, said.out, said.err

    def published(self) -> list[dict[str, Any]]:
        assert run(["show", "rounds", "--table", self.table, "--bootstrap-servers", self._kafka]) == 0
        return [json.loads(line) for line in self._capsys.readouterr().out.splitlines()]


@pytest.fixture
def desk(kafka: str, capsys: pytest.CaptureFixture[str]) -> Desk:
    asyncio.run(apply(Connection(bootstrap_servers=kafka)))
    return Desk(kafka, capsys)


@pytest.mark.kafka
def test_a_table_is_run_from_the_command_line(desk: Desk) -> None:
    hands = ("--player", "4H,5S", "--banker", "KD,3C")
    said = [
        desk.say("open-table", "--currency", "EUR", "--name.en", "Desk", "--limit.player", "100-500", "--no-bets"),
        desk.say("open-shoe", "--decks", "6"),
        desk.say("open-betting"),
        desk.say("close-betting"),
        desk.say("deal", *hands),
        desk.say("deal", "1", "3", "--outcome", "banker", "--banker-total", "9", "--player-pair", "--force"),
        desk.say("void", "1", "2", "--reason", "never dealt", "--operator", "amy"),
        desk.say("correct", "1", "1", "--player", "kd 7c", "--banker", "4h 5s", "--reason", "misread"),
        desk.say("void", "1", "1", "--reason", "exposed card", "--revision", "2"),
        desk.say("correct", "1", "1", *hands, "--reason", "it was none", "--paytable", "classic-8@1"),
        desk.say("end-shoe"),
        desk.say("close-table"),
    ]
    assert desk.published() == said
    assert [event["type"] for event in said[:5]] == [
        "table_opened",
        "shoe_started",
        "betting_opened",
        "betting_closed",
        "round_dealt",
    ]
    assert (said[0]["names"], said[0]["limits"]["player"], said[0]["bets"]) == (
        {"en": "Desk"},
        {"min": 100, "max": 500},
        False,
    )
    assert (said[4]["player"], said[4]["betting_closed_at"]) == (["4H", "5S"], said[3]["occurred_at"])
    assert (said[5]["outcome"], said[5]["player_pair"]) == ("banker", True)
    assert (said[6]["revision"], said[6]["operator"]) == (1, "amy")
    assert (said[7]["player"], said[7]["operator"]) == (["KD", "7C"], getpass.getuser())
    assert (said[9]["revision"], said[9]["paytable"]) == (3, "classic-8@1")
    assert said[9]["betting_closed_at"] == said[3]["occurred_at"]
    assert (said[10]["rounds"], said[11]["config_no"]) == (3, 2)


@pytest.mark.kafka
def test_nonsense_is_one_sentence_and_nothing_is_published(desk: Desk) -> None:
    assert f"there is no table {desk.table}" in desk.refused("void", "1", "1", "--reason", "x")
    desk.say("open-table", "--currency", "EUR")
    desk.say("open-shoe", "7")
    desk.say("deal", "--player", "4H,5S", "--banker", "KD,3C")
    before = desk.published()
    hands = ("--player", "KD,7C", "--banker", "4H,5S", "--reason", "misread")
    assert "its highest is 1" in desk.refused("correct", "7", "2", *hands)
    assert "--reason" in desk.refused("void", "7", "1")
    assert "--reason" in desk.refused("void", "7", "1", "--reason", " ")
    assert "the next revision" in desk.refused("correct", "7", "1", *hands, "--revision", "4")
    assert "say --force" in desk.refused("open-shoe", "9")
    assert "Player stood on 0" in desk.refused(
        "correct", "7", "1", "--player", "KD,KC", "--banker", "4H,KS", *hands[4:]
    )
    assert "--outcome" in desk.refused("correct", "7", "1", "--outcome", "dragon", "--reason", "misread")
    assert desk.published() == before


@pytest.mark.kafka
def test_a_dry_run_prints_the_event_and_publishes_nothing(desk: Desk) -> None:
    code, out, err = desk.call("open-shoe", "--dry-run")
    assert code == 2  # a table that there is not
    code, out, err = desk.call("open-table", "--currency", "EUR", "--dry-run")
    assert code == 0
    assert json.loads(out)["type"] == "table_opened"
    assert err.startswith("not published; it belongs in partition ")
    assert desk.published() == []


@pytest.mark.kafka
def test_what_a_correction_leaves_unknown_is_said_beside_it(desk: Desk) -> None:
    desk.say("open-table", "--currency", "EUR")
    desk.say("open-shoe")
    desk.say("deal", "--player", "4H,5S", "--banker", "KD,3C")
    code, _, err = desk.call("correct", "1", "1", "--outcome", "banker", "--reason", "misread")
    assert code == 0
    assert "not known any more: player_total, banker_total, player_natural, banker_natural, player_pair, " in err


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_kafka_that_does_not_answer_is_exit_code_3(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["producer", *command, "--bootstrap-servers", NOBODY]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert f"Kafka does not answer at {NOBODY}: start it" in said.err
    assert said.err.count("\n") == 1


def test_an_operator_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert operator_name(" pit-3/amy ") == "pit-3/amy"
    assert operator_name(None) == getpass.getuser()
    for bad in ("", "  ", "x" * 501):
        with pytest.raises(Nonsense, match="--operator"):
            operator_name(bad)

    def nobody() -> str:
        raise OSError("no such user")

    monkeypatch.setattr(getpass, "getuser", nobody)
    with pytest.raises(Nonsense, match="--operator"):
        operator_name(None)
