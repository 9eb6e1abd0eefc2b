"""An operator's commands through the whole house: what they say is taken, and what a replay mends stays mended."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.integration.floor import BETS, ROUNDS, Sent
from tests.integration.house import House, house, newest

DATA = Path(__file__).parents[1] / "data"
OUTPUTS = ("scoreboards", "settlements", "shoes", "statistics")


def sent(topic: str, name: str, **changes: Any) -> Sent:
    event = {**json.loads((DATA / "examples" / f"{name}.json").read_text()), **changes}
    return Sent(topic, event["table_id"].encode(), json.dumps(event).encode())


async def call(built: House, *words: str) -> None:
    """One command of an operator; it must be done."""
    command = [*words, "--bootstrap-servers", built.bootstrap]
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "beadplate", *command, stderr=PIPE)
    _, said = await process.communicate()
    assert process.returncode == 0, said.decode()


async def say(built: House, command: str, *words: str) -> None:
    await call(built, "producer", command, "B07", *words)


async def outcome(built: House) -> dict[str, Any]:
    """What consumers hold when the processors have read everything: by key, or by batch and revision."""
    await built.settled("scoreboards", "settlements", "statistics")
    await built.settled("statistics")
    read = {name: await built.read(f"baccarat.{name}.v1") for name in OUTPUTS}
    settled: dict[tuple[str, int], Any] = {}
    for event in (json.loads(kept.value) for kept in read.pop("settlements")):
        assert settled.setdefault((event["batch_id"], event["revision"]), event) == event
    return {"settlements": settled, **{name: newest(records) for name, records in read.items()}}


async def codes(built: House) -> list[str]:
    return sorted(kept.headers["code"] for kept in await built.read("baccarat.dead-letters.v1"))


@pytest.mark.asyncio
@pytest.mark.kafka
@pytest.mark.timeout(180)
async def test_rounds_of_a_shoe_that_came_too_early_are_replayed_once_an_operator_has_opened_it(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    async with house(fresh_kafka(), tmp_path) as built:
        for name in ("scoreboards", "settlements", "statistics"):
            built.start(name)
        batch = sent(BETS, "bets_placed", shoe_no=421, round_no=1, batch_id="early")
        first = sent(ROUNDS, "round_dealt", round_no=1)
        early = [sent(ROUNDS, "round_dealt", shoe_no=421, round_no=number) for number in (1, 2)]
        await built.publish([sent(ROUNDS, "table_opened"), first, *early, batch, Sent(ROUNDS, b"B07", b"rubbish")])
        await built.settled("scoreboards", "settlements")
        assert await codes(built) == ["shoe_jump", "shoe_jump", "undecodable"]

        await say(built, "open-shoe", "421", "--decks", "8", "--force")
        await call(built, "dead-letters", "replay", "--table", "B07")
        mended = await outcome(built)
        board = mended["scoreboards"][b"B07"]
        assert (board["shoe_no"], board["roads"]["rounds"]) == (421, "PP")
        assert list(mended["settlements"]) == [("early", 0)]

        await call(built, "dead-letters", "replay", "--table", "B07")
        assert await outcome(built) == mended
        assert await codes(built) == ["shoe_jump", "shoe_jump", "undecodable"]

        await say(built, "correct", "421", "1", "--player", "KD,7C", "--banker", "4H,5S", "--reason", "misread")
        await say(built, "void", "421", "2", "--reason", "exposed card")
        await say(built, "deal", "421", "3", "--outcome", "tie")
        corrected = await outcome(built)
        board = corrected["scoreboards"][b"B07"]
        assert (board["roads"]["rounds"], board["rounds"][0]["versions"][1]["reason"]) == ("BT", "misread")
        assert list(corrected["settlements"]) == [("early", 0), ("early", 1)]
        assert await codes(built) == ["shoe_jump", "shoe_jump", "undecodable"]
