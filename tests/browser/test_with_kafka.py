"""The whole of the page with its Kafka: a record becomes a mark, and a restarted page server shows the same."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from aiokafka import AIOKafkaProducer
from playwright.sync_api import expect

from broker.catalogue import apply
from broker.closing import opened
from broker.connection import Connection
from contract.codec import encode
from contract.scoreboards import Scoreboard
from contract.topics import SCOREBOARDS
from tests.browser.conftest import Watched
from tests.dashboards.child import PageServer
from tests.dashboards.tables import board_shoe, scoreboard

pytestmark = [pytest.mark.kafka, pytest.mark.browser]
RUN = """
import sys
from broker.connection import Connection
from dashboards.serve import run
from dashboards.settings import Page
sys.exit(run(Page(port=int(sys.argv[2]), beat=0.5), Connection(bootstrap_servers=sys.argv[1])))
"""
PICTURE = "document.querySelector('[data-part=table] main').outerHTML.replace(/\\s*([<>])\\s*/g, '$1')"


async def _publish(bootstrap: str, board: Scoreboard) -> None:
    async with opened(AIOKafkaProducer(bootstrap_servers=bootstrap, acks="all")) as producer:
        await producer.send_and_wait(SCOREBOARDS.name, encode(board), key=board.table_id.encode())


def beside(work: Coroutine[Any, Any, object]) -> None:
    """Run it in a thread of its own: the browser's driver has a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


def publish(bootstrap: str, board: Scoreboard) -> None:
    beside(_publish(bootstrap, board))


@pytest.fixture
def page_server(kafka: str) -> Iterator[Callable[[int], PageServer]]:
    """``page_server(port)`` starts the real thing on the session's Kafka; 0 takes a free port."""
    beside(apply(Connection(bootstrap_servers=kafka)))
    started: list[PageServer] = []

    def start(port: int) -> PageServer:
        started.append(PageServer(["-c", RUN, kafka, str(port)]))
        return started[-1]

    yield start
    for server in started:
        server.close()


def test_a_record_becomes_a_mark_and_a_restarted_page_server_shows_the_same(
    kafka: str, page_server: Callable[[int], PageServer], watched: Watched
) -> None:
    rounds, _ = board_shoe()
    table_id = "browser-restart"
    publish(kafka, scoreboard(rounds[:56], table_id=table_id, version=1))
    server = page_server(0)
    page = watched.blank()
    page.goto(server.address(f"/tables/{table_id}"))  # asks again by itself while the server starts
    expect(page.locator("body[data-heard]")).to_have_count(1, timeout=45_000)
    page.evaluate("globalThis.same = true")
    beads = page.locator("svg[data-road=bead] use[href^='#bead-']")
    expect(beads).to_have_count(56)
    publish(kafka, scoreboard(rounds, table_id=table_id, version=2))
    expect(beads).to_have_count(58)
    before = page.evaluate(PICTURE)

    assert server.stop() == 0
    expect(page.locator(".link--lost")).to_be_visible(timeout=20_000)
    assert page.evaluate(PICTURE) == before
    again = page_server(server.port)
    expect(page.locator(".link--live")).to_be_visible(timeout=45_000)
    assert page.evaluate(PICTURE) == before
    assert page.evaluate("same") is True, "it found back without a reload"

    fresh = watched.open(again.address(f"/tables/{table_id}"))
    expect(fresh.locator(".link--live")).to_be_visible()
    assert fresh.evaluate(PICTURE) == before
    publish(kafka, scoreboard(rounds, table_id=table_id, version=3, status="dealing"))
    for shown in (page, fresh):
        expect(shown.locator(".status--dealing")).to_be_visible()
    assert again.stop() == 0
