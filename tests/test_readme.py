"""What the README tells people to do, done: its commands, its quotes, its examples."""

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from aiokafka import AIOKafkaProducer

from beadplate.cli import COMMANDS, build
from broker.closing import opened
from contract.codec import decode
from contract.topics import CATALOGUE, ROUNDS
from tests.integration.house import house, until

ROOT: Final = Path(__file__).parent.parent
README: Final = (ROOT / "README.md").read_text()
EXAMPLES: Final = sorted((ROOT / "examples").glob("*.py"))
BEADPLATE: Final = f'beadplate() {{ {shlex.quote(sys.executable)} -m beadplate "$@"; }}'


def blocks(kind: str) -> list[str]:
    """The fenced blocks of a kind, in their order."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def sessions() -> Iterator[tuple[str, str]]:
    """Every command that is shown with its output."""
    for block in blocks("console"):
        for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = session.partition("\n")
            yield command, output


@pytest.mark.parametrize(("command", "output"), list(sessions()))
def test_a_command_prints_what_is_shown(command: str, output: str, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BEADPLATE_")}
    done = subprocess.run(
        ["bash", "-c", f"{BEADPLATE}; {command}"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == output


def test_there_are_commands_with_their_outputs() -> None:
    assert {command.partition("beadplate ")[2].split()[0] for command, _ in sessions()} == {"roads", "settle", "odds"}


def test_the_table_of_commands_has_each_command_once() -> None:
    listed = re.findall(r"^\| `beadplate ([a-z -]+[a-z])(?: [A-Z]+)?` \|", README, re.MULTILINE)
    known = [
        name if isinstance(below, tuple) else f"{name} {sub}"
        for name, below in COMMANDS.items()
        for sub in (below if isinstance(below, dict) else [""])
    ]
    assert sorted(listed) == sorted(known)


def calls() -> Iterator[str]:
    """Everything that the README has people type after `beadplate`."""
    yield from re.findall(r"`beadplate ([^`]+)`", README)
    yield from re.findall(r"^beadplate (.+)$", "\n".join(blocks("sh")), re.MULTILINE)
    yield from (f"demo {flags}" for flags in re.findall(r'make demo ARGS="([^"]*)"', README))


@pytest.mark.parametrize("call", sorted(set(calls())))
def test_every_flag_belongs_to_its_command(call: str) -> None:
    words = call.split()
    _, apps, rest = build().parse_commands(words)
    flags = {word.partition("=")[0] for word in rest if word.startswith("--")}
    known = {name for argument in apps[-1].assemble_argument_collection() for name in argument.names}
    assert flags <= known | {"--help"}


def test_what_make_is_asked_for_it_can_do() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    asked = set(
        re.findall(r"\bmake ([a-z]+)\b(?=[` ]|$)", "\n".join([*blocks("sh"), *re.findall(r"`(make [^`]+)`", README)]))
    )
    assert {"demo", "test", "install"} <= asked <= targets


def test_every_topic_that_is_named_is_in_the_catalogue() -> None:
    named = set(re.findall(r"\bbaccarat\.[a-z-]+\.v\d+", README))
    assert {"baccarat.scoreboards.v1", "baccarat.settlements.v1"} <= named <= {topic.name for topic in CATALOGUE}


def test_every_page_that_is_named_is_served() -> None:
    pages = {
        path for row in re.findall(r"^\| (`/.*?) \|", README, re.MULTILINE) for path in re.findall(r"`(/[^`]*)`", row)
    }
    assert len(pages) > 8
    served = [re.sub(r"\{\w+\}", r"[^/]+", path) for path in _routes()]
    assert [page for page in pages if not any(re.fullmatch(path, page) for path in served)] == []


def _routes() -> list[str]:
    from dashboards.app import build as build_page  # noqa: PLC0415
    from dashboards.settings import Page  # noqa: PLC0415
    from dashboards.site import Site  # noqa: PLC0415
    from tests.dashboards.web import BODIES  # noqa: PLC0415

    application = build_page(Site(Page()), BODIES)._app
    return [route.path for route in application.routes]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_is_quoted_whole_and_stands_alone(example: Path) -> None:
    code = example.read_text()
    assert code in blocks("python")
    assert len(blocks("python")) == len(EXAMPLES)
    imported = set(re.findall(r"^(?:from|import) (\w+)", code, re.MULTILINE))
    assert imported - sys.stdlib_module_names == {"aiokafka"}


@asynccontextmanager
async def running(example: str, kafka: str) -> AsyncIterator[asyncio.StreamReader]:
    """What an example prints while it runs."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, ROOT / "examples" / example, kafka, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        yield process.stdout
    finally:
        process.kill()
        await process.wait()


async def lines(stream: asyncio.StreamReader, number: int) -> list[str]:
    """The next lines."""
    async with asyncio.timeout(60):
        return [(await stream.readline()).decode().rstrip("\n") for _ in range(number)]


async def publish(kafka: str, topic: str, *events: dict[str, Any]) -> None:
    """Put events on a topic, in order, under their table's key."""
    async with opened(AIOKafkaProducer(bootstrap_servers=kafka, acks="all")) as producer:
        for event in events:
            await producer.send_and_wait(topic, json.dumps(event).encode(), key=event["table_id"].encode())


def event(name: str, **changes: Any) -> dict[str, Any]:
    """An example of the contract."""
    return {**json.loads((ROOT / "tests" / "data" / "examples" / f"{name}.json").read_text()), **changes}


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_the_wallet_pays_each_slip_once_whatever_comes_twice_or_late(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    async with house(fresh_kafka(), tmp_path) as built:
        dealt, corrected, voided = (event(f"bets_settled{kind}") for kind in ("", "_corrected", "_voided"))
        await publish(built.bootstrap, "baccarat.settlements.v1", corrected, dealt, corrected, dealt)
        async with running("wallet.py", built.bootstrap) as wallet:
            # 195.97 for the banker's slip and 50 back for the refused one, as settled at revision 1
            assert await lines(wallet, 4) == [
                "B07-412-2-1: moved 24597, paid 24597 EUR",
                *["B07-412-2-1: moved 0, paid 24597 EUR"] * 3,
            ]
            await publish(built.bootstrap, "baccarat.settlements.v1", voided, dealt, voided, corrected)
            stakes = sum(slip["stake"] for slip in event("bets_placed")["slips"])
            assert await lines(wallet, 4) == [
                f"B07-412-2-1: moved {stakes - 24597}, paid {stakes} EUR",
                *[f"B07-412-2-1: moved 0, paid {stakes} EUR"] * 3,
            ]
        async with running("wallet.py", built.bootstrap) as anew:
            assert (await lines(anew, 8))[-1] == f"B07-412-2-1: moved 0, paid {stakes} EUR"


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_the_display_never_goes_back(fresh_kafka: Callable[..., str], tmp_path: Path) -> None:
    async with house(fresh_kafka(), tmp_path) as built:
        board = event("scoreboard")
        road = board["roads"]["rounds"]
        older = event("scoreboard", version=board["version"] - 1, status="dealing")
        before = event("scoreboard", shoe_no=411, version=999)
        later = event("scoreboard", status="betting")
        other = event("scoreboard", table_id="B08", shoe_no=1, version=1)
        await publish(built.bootstrap, "baccarat.scoreboards.v1", board, older, board, before, later, older, other)
        async with running("boards.py", built.bootstrap) as display:
            shown = await lines(display, 4)
    assert [line for line in shown if line.startswith("B07")] == [
        f"B07: shoe 412, {status}, {road}" for status in ("dealt", "dealt", "betting")
    ]
    assert f"B08: shoe 1, dealt, {road}" in shown


@pytest.mark.kafka
@pytest.mark.asyncio
@pytest.mark.timeout(180)
async def test_a_round_that_the_shoe_publishes_comes_out_on_the_display(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    async with house(fresh_kafka(), tmp_path) as built:
        for _ in range(2):
            subprocess.run([sys.executable, ROOT / "examples" / "deal.py", built.bootstrap], check=True)
        published = await built.read(ROUNDS.name)
        kinds = [type(decode(ROUNDS, record.value)).__name__ for record in published]
        assert kinds == ["ShoeStarted", "BettingOpened", "BettingClosed", "RoundDealt"] * 2
        built.start("scoreboards")
        await built.settled("scoreboards")
        async with running("boards.py", built.bootstrap) as display:
            seen: list[str] = []

            async def last_is_dealt() -> bool:
                seen.extend(await lines(display, 1))
                return seen[-1] == "X1: shoe 1, dealt, P"

            await until(last_is_dealt, built.failure)
        assert await built.read("baccarat.dead-letters.v1") == []
