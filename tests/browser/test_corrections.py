"""A correction, from the operator's command to every open board and to the history, through real processors."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from aiokafka import AIOKafkaProducer
from playwright.sync_api import Page, expect

from broker.catalogue import apply
from broker.closing import opened
from broker.connection import Connection
from contract.topics import ROUNDS
from tests.browser.conftest import Watched
from tests.dashboards.child import PageServer

pytestmark = [pytest.mark.kafka, pytest.mark.browser]
SEEN_WITHIN_MS = 5_000
PAGE = """
import sys
from broker.connection import Connection
from dashboards.serve import run
from dashboards.settings import Page
sys.exit(run(Page(port=0, beat=0.5), Connection(bootstrap_servers=sys.argv[1])))
"""
TABLE = "B07"
DEALT = {
    "type": "round_dealt", "table_id": TABLE, "occurred_at": "2026-11-30T18:00:00.000Z", "shoe_no": 1, "revision": 0,
    "paytable": "classic@1", "player": ["4H", "5S"], "banker": ["KD", "3C"],
}  # fmt: skip
BEADS = "svg[data-road=bead] use[href^='#bead-']"


def beside(work: Any) -> None:
    """Run it in a thread of its own: the browser's driver has a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


async def _deal(bootstrap: str, rounds: int) -> None:
    async with opened(AIOKafkaProducer(bootstrap_servers=bootstrap, acks="all")) as producer:
        for number in range(1, rounds + 1):
            await producer.send_and_wait(ROUNDS.name, json.dumps(DEALT | {"round_no": number}).encode(), TABLE.encode())


@pytest.fixture
def served(fresh_kafka: Callable[..., str]) -> Iterator[tuple[str, PageServer]]:
    """A Kafka of its own with a scoreboards processor and a page server."""
    bootstrap = fresh_kafka()
    beside(apply(Connection(bootstrap_servers=bootstrap)))
    beside(_deal(bootstrap, 3))
    processor = subprocess.Popen(
        [sys.executable, "-m", "beadplate", "processors", "scoreboards"],
        env={**os.environ, "BEADPLATE_BOOTSTRAP_SERVERS": bootstrap},
    )
    server = PageServer(["-c", PAGE, bootstrap])
    _until_shown(server)
    yield bootstrap, server
    server.close()
    processor.kill()
    processor.wait()


def _until_shown(server: PageServer) -> None:
    """Returns when the page has the table; before, its address is none."""
    deadline = time.monotonic() + 60
    while httpx.get(server.address(f"/api/v1/tables/{TABLE}")).status_code != httpx.codes.OK:
        assert time.monotonic() < deadline
        time.sleep(0.2)


def operator(bootstrap: str, *arguments: str) -> dict[str, Any]:
    """An operator's command; the event that it published."""
    done = subprocess.run(
        [sys.executable, "-m", "beadplate", "producer", *arguments],
        env={**os.environ, "BEADPLATE_BOOTSTRAP_SERVERS": bootstrap}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    event: dict[str, Any] = json.loads(done.stdout)
    return event


def letters(page: Page) -> list[str]:
    return [str(href)[-1] for href in page.locator(BEADS).evaluate_all("all => all.map(a => a.getAttribute('href'))")]


def test_a_correction_is_on_every_open_board_and_its_mark_is_in_the_history(
    served: tuple[str, PageServer], watched: Watched
) -> None:
    bootstrap, server = served
    wall, portrait = watched.blank(), watched.blank(1080, 1920)
    for page, query in ((wall, ""), (portrait, "?orientation=portrait")):
        page.goto(server.address(f"/tables/{TABLE}{query}"))
        expect(page.locator(BEADS)).to_have_count(3, timeout=60_000)
    lobby = watched.open(server.address("/"))
    assert letters(wall) == letters(portrait) == ["P", "P", "P"]

    event = operator(
        bootstrap, "correct", TABLE, "1", "2",
        "--player", "4H,TS,2H", "--banker", "KD,7C", "--reason", "cards read in the wrong order", "--operator", "amy",
    )  # fmt: skip
    assert (event["type"], event["revision"], event["paytable"]) == ("round_corrected", 1, "classic@1")
    for page in (wall, portrait, lobby):
        expect(page.locator(f"{BEADS}[href='#bead-B']").first).to_be_visible(timeout=SEEN_WITHIN_MS)
    assert letters(wall) == letters(portrait) == ["P", "B", "P"]

    history = watched.blank()
    history.goto(server.address(f"/tables/{TABLE}/shoes/1"))
    row = history.locator("tr[data-round='2']")
    assert "is-revised" in (row.get_attribute("class") or "")
    expect(row.locator("del").filter(has_text="9")).to_have_count(1)
    expect(row.locator("ins").filter(has_text="6")).to_have_count(1)
    expect(row).to_contain_text("cards read in the wrong order, amy")
    expect(history.locator("tr.is-revised")).to_have_count(1)

    operator(bootstrap, "void", TABLE, "1", "2", "--reason", "exposed card", "--operator", "amy")
    for page in (wall, portrait):
        expect(page.locator(BEADS)).to_have_count(2, timeout=SEEN_WITHIN_MS)
    history.reload()
    expect(history.locator("tr.is-void[data-round='2']")).to_contain_text("exposed card, amy")
    server.stop()
