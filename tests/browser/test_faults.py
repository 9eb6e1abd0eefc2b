"""What happens to a wall over months: servers and proxies that fail, tabs that pile up, rounds that are taken back."""

import signal
from collections.abc import Callable
from http import HTTPStatus

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Watched, connected
from tests.browser.wire import Wire
from tests.dashboards.child import PageServer, running
from tests.dashboards.tables import board_shoe, dealt, keyed_rounds, scoreboard

pytestmark = pytest.mark.browser
Serve = Callable[..., PageServer]
SIX = 6
"""Connections that a browser opens to one server."""


def beads(page: Page) -> Locator:
    return page.locator("svg[data-road=bead] use[href^='#bead-']")


def test_a_page_server_that_was_killed_and_is_back_shows_the_newest(served: Serve, watched: Watched) -> None:
    server = served(beat=0.2)
    server.take(scoreboard(keyed_rounds("BPB"), version=1))
    page = watched.open(server.address("/tables/B07"))
    page.evaluate("globalThis.same = true")
    server.stop(signal.SIGKILL)
    expect(page.locator(".link--lost")).to_be_visible()
    expect(beads(page)).to_have_count(3)
    with running(beat=0.2, port=server.port) as back:
        back.take(scoreboard(keyed_rounds("BPBP"), version=2))
        expect(beads(page)).to_have_count(4, timeout=45_000)
        expect(page.locator(".link--live")).to_be_visible()
        assert page.evaluate("same") is True


def test_a_lobby_loses_the_tables_that_went_while_its_server_was_away(served: Serve, watched: Watched) -> None:
    server = served(beat=0.2)
    for table_id in ("A", "B", "C"):
        server.take(scoreboard(keyed_rounds("BPB"), table_id=table_id, version=1))
    page = watched.open(server.address("/"))
    expect(page.locator(".tile")).to_have_count(3)
    server.stop(signal.SIGKILL)
    with running(beat=0.2, port=server.port) as back:
        for table_id in ("A", "C"):
            back.take(scoreboard(keyed_rounds("BPBP"), table_id=table_id, version=2))
        expect(page.locator("[data-part=tile-A] svg[data-road=bead] use")).to_have_count(5, timeout=45_000)
        expect(page.locator(".tile")).to_have_count(2)
        assert page.locator("[data-part=tile-B]").count() == 0


def test_a_board_whose_table_went_while_its_server_was_away_says_so(served: Serve, watched: Watched) -> None:
    server = served(beat=0.2)
    for table_id in ("A", "C"):
        server.take(scoreboard(keyed_rounds("BPB"), table_id=table_id, version=1))
    page = watched.open(server.address("/tables/C"))
    server.stop(signal.SIGKILL)
    with running(beat=0.2, port=server.port) as back:
        back.take(scoreboard(keyed_rounds("BPBP"), table_id="A", version=2))
        expect(page.locator("h1")).to_have_text("Not found", timeout=45_000)
        back.take(scoreboard(keyed_rounds("B"), table_id="C", version=3))
        expect(beads(page)).to_have_count(1, timeout=45_000)
    watched.complaints = [each for each in watched.complaints if "404" not in each]


def test_a_wall_learns_how_often_its_server_beats_now(served: Serve, watched: Watched) -> None:
    server = served(beat=0.2)
    server.take(scoreboard(keyed_rounds("BPB"), version=1))
    page = watched.open(server.address("/tables/B07"))
    server.stop(signal.SIGKILL)
    with running(beat=30, port=server.port) as back:
        back.take(scoreboard(keyed_rounds("BPBP"), version=2))
        expect(beads(page)).to_have_count(4, timeout=45_000)
        expect(page.locator(".link--live")).to_be_visible()
        page.wait_for_timeout(2500)  # five times the silence that the former server allowed
        expect(page.locator(".link--live")).to_be_visible()


def test_a_proxys_error_page_in_between_never_takes_the_wall(served: Serve, watched: Watched) -> None:
    server = served(beat=0.2)
    server.take(scoreboard(keyed_rounds("BPB"), version=1))
    page = watched.open(server.address("/tables/B07"))
    refused: list[str] = []

    def gateway(route: Route) -> None:
        refused.append(route.request.url)
        route.fulfill(status=HTTPStatus.BAD_GATEWAY, body="<h1>502 Bad Gateway</h1>", content_type="text/html")

    page.route("**/*", gateway)
    server.process.send_signal(signal.SIGSTOP)  # the stream that is open says nothing more
    expect(page.locator(".link--lost")).to_be_visible()
    while len(refused) < 2:
        page.wait_for_timeout(50)
    server.process.send_signal(signal.SIGCONT)
    expect(beads(page)).to_have_count(3)
    page.unroute("**/*")
    server.take(scoreboard(keyed_rounds("BPBT"), version=2))
    expect(beads(page)).to_have_count(4, timeout=45_000)
    expect(page.locator(".link--live")).to_be_visible()


def test_what_was_missed_while_the_wire_was_cut_is_shown_at_once(served: Serve, watched: Watched) -> None:
    server = served(beat=0.2)
    server.take(scoreboard(keyed_rounds("B"), version=1))
    with Wire(server.port) as wire:
        page = watched.open(f"http://127.0.0.1:{wire.port}/tables/B07")
        wire.cut()
        for version in range(2, 40):
            server.take(scoreboard(keyed_rounds("B" * version), version=version))
        expect(beads(page)).to_have_count(39, timeout=45_000)


def test_a_display_that_comes_late_shows_the_whole_shoe(floor: PageServer, table_id: str, watched: Watched) -> None:
    rounds, _ = board_shoe()
    for version in range(1, len(rounds) + 1):
        floor.take(scoreboard(rounds[:version], table_id=table_id, version=version))
    page = watched.open(floor.address(f"/tables/{table_id}"))
    expect(beads(page)).to_have_count(len(rounds))
    expect(page.locator(".count-of dd").nth(1)).to_have_text("58")


def test_a_new_shoe_clears_the_board(floor: PageServer, table_id: str, watched: Watched) -> None:
    floor.take(scoreboard(keyed_rounds("BPBTT"), table_id=table_id, shoe_no=7, version=90))
    page = watched.open(floor.address(f"/tables/{table_id}"))
    floor.take(scoreboard([], table_id=table_id, shoe_no=8, version=1, status="shuffling"))
    expect(beads(page)).to_have_count(0)
    for kind in ("big", "eye", "small", "roach"):
        expect(page.locator(f"svg[data-road={kind}] use")).to_have_count(0)
    assert set(page.locator(".counter .num").all_text_contents()) == {"0"}
    expect(page.locator(".winner")).to_have_text("New shoe, no rounds yet")
    assert page.locator(".total").all_text_contents() == ["–", "–"]


def test_a_void_leaves_every_road_and_count(floor: PageServer, table_id: str, watched: Watched) -> None:
    rounds = [dealt(1, ["2H", "4D"], ["9S", "KD"]), dealt(2, ["9H", "KS"], ["2S", "4D"])]
    floor.take(scoreboard(rounds, table_id=table_id, version=1))
    page = watched.open(floor.address(f"/tables/{table_id}"))
    expect(beads(page)).to_have_count(2)
    floor.take(scoreboard(rounds[:1], table_id=table_id, version=2))
    expect(beads(page)).to_have_count(1)
    expect(page.locator(".winner")).to_contain_text("Banker wins")
    assert page.locator(".counter--P .num").text_content() == "0"


def test_six_boards_are_live_in_one_browser_and_a_seventh_when_one_is_left(
    floor: PageServer, table_id: str, watched: Watched
) -> None:
    for version, number in enumerate(range(SIX + 1), start=1):
        floor.take(scoreboard(keyed_rounds("B"), table_id=f"{table_id}-{number}", version=version))
    first = watched.open(floor.address(f"/tables/{table_id}-0"))
    pages = [first]
    for number in range(1, SIX):
        page = first.context.new_page()
        page.goto(floor.address(f"/tables/{table_id}-{number}"))
        connected(page)
        pages.append(page)
    for number in range(SIX):
        floor.take(scoreboard(keyed_rounds("BP"), table_id=f"{table_id}-{number}", version=100 + number))
        expect(beads(pages[number])).to_have_count(2)
    hide(first, hidden=True)  # what a browser says of a tab that is left for another
    seventh = first.context.new_page()
    seventh.goto(floor.address(f"/tables/{table_id}-{SIX}"))
    connected(seventh)
    expect(beads(seventh)).to_have_count(1)
    floor.take(scoreboard(keyed_rounds("BPT"), table_id=f"{table_id}-0", version=200))
    seventh.close()
    hide(first, hidden=False)
    expect(beads(first)).to_have_count(3)


def hide(page: Page, *, hidden: bool) -> None:
    """Tell the page that nobody sees it, or that somebody does again."""
    page.evaluate(
        "(hidden) => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
        "document.dispatchEvent(new Event('visibilitychange')); }",
        hidden,
    )


def test_one_stream_serves_the_whole_lobby(served: Serve, watched: Watched) -> None:
    server = served()
    for number in range(200):
        server.take(scoreboard(keyed_rounds("BPB"), table_id=f"T{number:03}", place=f"Pit {number % 5}"))
    page = watched.blank()
    streams: list[str] = []
    page.on("request", lambda request: streams.append(request.url) if "/stream" in request.url else None)
    page.goto(server.address("/"))
    connected(page)
    expect(page.locator(".tile")).to_have_count(200)
    server.take(scoreboard(keyed_rounds("BPBP"), table_id="T199", version=900))
    expect(page.locator("[data-part=tile-T199] svg[data-road=bead] use[href^='#bead-']")).to_have_count(4)
    assert len(streams) == 1
    page.mouse.wheel(0, 100_000)
    expect(page.locator("[data-part=tile-T199]")).to_be_in_viewport()
    expect(page.locator(".lobby .head")).to_be_in_viewport()
