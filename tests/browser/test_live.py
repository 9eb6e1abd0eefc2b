"""The live page in a real browser: it goes on by itself, and says what keeps it from doing so."""

import re
import signal
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboards.hub import Subject
from dashboards.options import View
from tests.browser.conftest import Watched, connected
from tests.browser.wire import Wire
from tests.dashboards.child import PageServer
from tests.dashboards.tables import board_shoe, dealt, example, keyed_rounds, scoreboard, site

pytestmark = pytest.mark.browser
Serve = Callable[..., PageServer]
STALE = re.compile("is-stale")
MOVING = "getComputedStyle(document.querySelector('svg[data-road=big] .now')).animationName"
COUNT_CHANGES = """
() => { globalThis.changes = 0; new MutationObserver((seen) => {
  changes += seen.filter(({ addedNodes }) => [...addedNodes].some((node) => node.dataset?.part)).length;
}).observe(document.body, { childList: true, subtree: true }) }
"""


def beads(page: Page) -> Locator:
    return page.locator("svg[data-road=bead] use[href^='#bead-']")


def part(page: Page) -> Locator:
    return page.locator("[data-part=table]")


def stale_title(page: Page) -> Locator:
    return page.locator("[data-say=stale-title]")


def stale_text(page: Page) -> Locator:
    return page.locator("[data-say=stale-text]")


def test_a_round_appears_without_reload_and_is_spoken(floor: PageServer, table_id: str, watched: Watched) -> None:
    floor.take(scoreboard(keyed_rounds("BPB"), table_id=table_id, version=1))
    page = watched.open(floor.address(f"/tables/{table_id}"))
    expect(beads(page)).to_have_count(3)
    page.evaluate("globalThis.same = true")
    rounds = [*keyed_rounds("BPB"), dealt(4, ["2H", "4D"], ["9S", "KD"])]
    floor.take(scoreboard(rounds, table_id=table_id, version=2))
    expect(beads(page)).to_have_count(4)
    expect(page.locator("#spoken")).to_have_text("Round 4: Banker wins. Player 6, Banker 9. Natural.")
    assert page.evaluate("same") is True


def test_an_older_version_and_a_repeat_change_nothing(floor: PageServer, table_id: str, watched: Watched) -> None:
    floor.take(scoreboard(keyed_rounds("BPB"), table_id=table_id, version=5))
    page = watched.open(floor.address(f"/tables/{table_id}"))
    page.evaluate(COUNT_CHANGES)
    floor.take(scoreboard(keyed_rounds("B"), table_id=table_id, version=4))
    floor.take(scoreboard(keyed_rounds("BPB"), table_id=table_id, version=5))
    floor.take(scoreboard(keyed_rounds("P"), table_id=f"{table_id}-other"))
    floor.take(scoreboard(keyed_rounds("BPBP"), table_id=table_id, version=6))
    expect(part(page)).to_have_attribute("data-version", "6")
    assert page.evaluate("changes") == 1


def frames(*shown: tuple[int, int, str]) -> bytes:
    """A stream that sends the table in these shoes and versions with these rounds, right or wrong."""
    sent = [b"retry: 600000\n\n"]
    for shoe_no, version, letters in shown:
        board = scoreboard(keyed_rounds(letters), table_id="B07", shoe_no=shoe_no, version=version)
        sent += site([board]).feed(Subject("table", "B07"), View()).news(None)[0]
    return b"".join(sent)


@pytest.mark.parametrize(
    ("sent", "letters"),
    [
        ([(412, 4, "B"), (411, 900, "BB"), (412, 5, "T")], "BPB"),
        ([(412, 6, "BPBP"), (412, 4, "B")], "BPBP"),
        ([(413, 1, "P"), (412, 900, "BBBB")], "P"),
    ],
    ids=["older and equal", "older after newer", "a new shoe, then the old one"],
)
def test_a_browser_takes_no_frame_that_is_not_newer(
    served: Serve, watched: Watched, sent: list[tuple[int, int, str]], letters: str
) -> None:
    server = served()
    server.take(scoreboard(keyed_rounds("BPB"), version=5))
    page = watched.blank()
    last = b'event: beat\ndata: {"now":1,"build":"","lost":false,"contact":1}\n\n'
    page.route("**/stream?*", lambda route: route.fulfill(body=frames(*sent) + last, content_type="text/event-stream"))
    page.goto(server.address("/tables/B07"))
    connected(page)
    marks = beads(page).evaluate_all("(uses) => uses.map((use) => use.getAttribute('href').at(-1)).join('')")
    assert marks == letters


def test_the_newest_cell_pulses_for_a_new_round_and_not_for_a_new_phase(
    floor: PageServer, table_id: str, watched: Watched
) -> None:
    floor.take(scoreboard(keyed_rounds("BP"), table_id=table_id, version=1))
    page = watched.open(floor.address(f"/tables/{table_id}"))
    assert page.evaluate(MOVING) == "none"
    floor.take(scoreboard(keyed_rounds("BPB"), table_id=table_id, version=2))
    expect(part(page)).to_have_attribute("data-version", "2")
    assert page.evaluate(MOVING) == "newest"
    floor.take(scoreboard(keyed_rounds("BPB"), table_id=table_id, version=3, status="dealing"))
    expect(part(page)).to_have_attribute("data-version", "3")
    assert page.evaluate(MOVING) == "none"


def test_the_page_stays_the_same_size_however_often_it_changes(
    floor: PageServer, table_id: str, watched: Watched
) -> None:
    rounds, _ = board_shoe()
    floor.take(scoreboard(rounds, table_id=table_id, version=1))
    page = watched.open(floor.address(f"/tables/{table_id}"))
    before = page.evaluate("document.querySelectorAll('*').length")
    for version in range(2, 60):
        floor.take(scoreboard(rounds, table_id=table_id, version=version))
    expect(part(page)).to_have_attribute("data-version", "59")
    assert page.evaluate("document.querySelectorAll('*').length") == before


def test_a_lost_link_greys_the_data_and_says_since_when_and_is_found_again(served: Serve, watched: Watched) -> None:
    server = served(beat=0.2)
    rounds, _ = board_shoe()
    server.take(scoreboard(rounds))
    page = watched.open(server.address("/tables/B07"))
    expect(page.locator(".link--live")).to_be_visible()
    server.process.send_signal(signal.SIGSTOP)
    try:
        expect(page.locator(".link--lost")).to_be_visible()
        expect(page.locator(".link--live")).to_be_hidden()
        expect(stale_title(page)).to_have_text(re.compile(r"No live data since \d\d:\d\d:\d\d"))
        expect(stale_text(page)).to_have_text(re.compile(r"Link lost \d+ s ago\. This is the board after round 58\."))
        expect(page.locator(".status--nodata")).to_be_visible()
        for hidden in (".limits", ".good", ".status--betting"):
            expect(page.locator(hidden)).to_be_hidden()
        assert "grayscale" in page.evaluate("getComputedStyle(document.querySelector('.dims')).filter")
        expect(beads(page)).to_have_count(len(rounds))
    finally:
        server.process.send_signal(signal.SIGCONT)
    expect(page.locator(".link--live")).to_be_visible(timeout=45_000)
    expect(page.locator("body")).not_to_have_class(STALE)
    server.take(scoreboard(rounds, version=900))
    expect(part(page)).to_have_attribute("data-version", "900")


def test_a_lost_kafka_a_silent_table_and_a_closed_one_are_three_things(served: Serve, watched: Watched) -> None:
    server = served(beat=0.2, silent_after=1)
    server.take(scoreboard(keyed_rounds("BP")))
    server.take(scoreboard(keyed_rounds("BP"), table_id="C1", status="closed"))
    silent, closed = (watched.open(server.address(f"/tables/{table_id}")) for table_id in ("B07", "C1"))
    lobby = watched.open(server.address("/"))
    expect(stale_title(silent)).to_have_text(re.compile("No rounds from the table since"))
    expect(silent.locator(".link--live")).to_be_visible()
    expect(part(silent)).to_have_class(STALE)
    expect(closed.locator(".status--closed")).to_be_visible()
    expect(closed.locator(".alert--stale")).to_be_hidden()
    server.take(b"lost")
    for page in (silent, closed):
        expect(stale_text(page)).to_have_text(re.compile("The data service is lost"), timeout=20_000)
        expect(page.locator(".link--source")).to_be_visible()
        expect(page.locator(".link--live")).to_be_hidden()
    for tile in lobby.locator(".tile").all():
        assert tile.locator(".tile__status:visible").all_inner_texts() == ["No data"]
    server.take(b"found")
    expect(closed.locator(".link--live")).to_be_visible(timeout=20_000)
    server.take(scoreboard(keyed_rounds("BPP")))
    expect(part(silent)).not_to_have_class(STALE)


def test_the_clock_is_the_servers_in_the_tables_zone(floor: PageServer, table_id: str, watched: Watched) -> None:
    macau = ZoneInfo("Asia/Macau")
    floor.take(scoreboard(keyed_rounds("BP"), table_id=table_id, time_zone="Asia/Macau"))
    page = watched.open(floor.address(f"/tables/{table_id}"), timezone_id="America/New_York", locale="ar-EG")
    now = datetime.now(macau)
    about_now = {f"{now + timedelta(seconds=away):%H:%M:%S}" for away in range(-2, 15)}
    expect(page.locator("[data-say=clock]")).to_have_text(re.compile("|".join(about_now)))


def test_a_kiosk_with_a_wrong_clock_shows_the_servers_time_and_age(
    floor: PageServer, table_id: str, watched: Watched
) -> None:
    floor.take(scoreboard(keyed_rounds("BP"), table_id=table_id, time_zone="UTC"))
    page = watched.blank()
    wrong = datetime.now(UTC) + timedelta(hours=7, days=4000)
    page.clock.install(time=wrong)
    page.clock.resume()
    page.goto(floor.address(f"/tables/{table_id}"))
    connected_at = datetime.now(UTC)
    expect(page.locator("[data-say=age]")).to_have_text(re.compile(r"Data \d+(\.\d)? s ago"))
    about_now = {f"{connected_at + timedelta(seconds=away):%H:%M:%S}" for away in range(-2, 15)}
    expect(page.locator("[data-say=clock]")).to_have_text(re.compile("|".join(about_now)))


def test_the_lobby_takes_a_new_table_in_its_place_and_changes_tiles_alone(served: Serve, watched: Watched) -> None:
    server = served()
    for table_id in ("T1", "T3"):
        server.take(scoreboard(keyed_rounds("BP"), table_id=table_id))
    page = watched.open(server.address("/?theme=light"))
    expect(page.locator(".tile")).to_have_count(2)
    page.evaluate("document.querySelector('[data-part=tile-T3]').dataset.kept = 'yes'")
    server.take(scoreboard(keyed_rounds("BPT"), table_id="T2", status="closed"))
    expect(page.locator(".tile")).to_have_count(3)
    parts = page.locator(".tile").evaluate_all("(tiles) => tiles.map((tile) => tile.dataset.part)")
    assert parts == ["tile-T1", "tile-T2", "tile-T3"]
    expect(page.locator("[data-part=note]")).to_have_text(re.compile("2 of 3 open"))
    server.take(scoreboard(keyed_rounds("BPTT"), table_id="T1", version=999))
    expect(page.locator("[data-part=tile-T1] svg[data-road=bead] use[href^='#bead-']")).to_have_count(4)
    assert page.locator("[data-part=tile-T3]").get_attribute("data-kept") == "yes"
    page.locator("[data-part=tile-T2]").click()
    expect(page).to_have_url(server.address("/tables/T2?theme=light"))


def test_statistics_go_on_by_themselves(served: Serve, watched: Watched) -> None:
    server = served()
    server.take(example("scoreboard"))
    server.take(example("bet_statistics"))
    pages = [watched.open(server.address(path)) for path in ("/tables/B07/statistics", "/statistics")]
    for page in pages:
        expect(page.locator("tfoot").last).to_contain_text("400.50")
    newer = example("bet_statistics").replace(b'"version":11', b'"version":12')
    server.take(newer.replace(b'"stake":27500', b'"stake":127500'))
    for page in pages:
        expect(page.locator("tfoot").last).to_contain_text("1,400.50")


def test_a_page_that_finds_no_place_keeps_its_picture_until_there_is_one(served: Serve, watched: Watched) -> None:
    server = served(max_viewers=1, beat=0.2)
    server.take(scoreboard(keyed_rounds("BPB"), version=1))
    first = watched.open(server.address("/tables/B07"))
    second = watched.blank()
    second.goto(server.address("/tables/B07"))
    expect(second.locator(".link--lost")).to_be_visible()
    expect(beads(second)).to_have_count(3)
    first.goto("about:blank")
    server.take(scoreboard(keyed_rounds("BPBP"), version=2))
    expect(part(second)).to_have_attribute("data-version", "2", timeout=45_000)
    expect(second.locator(".link--live")).to_be_visible()


def test_after_an_answer_that_is_no_stream_the_page_asks_again_by_itself(served: Serve, watched: Watched) -> None:
    server = served(max_viewers=1, beat=60)  # no silence is noticed within this test
    server.take(scoreboard(keyed_rounds("BPB"), version=1))
    first = watched.open(server.address("/tables/B07"))
    second = watched.blank()
    with second.expect_response("**/stream?*") as refused:
        second.goto(server.address("/tables/B07"))
    assert refused.value.status == 503
    first.goto("about:blank")
    server.take(scoreboard(keyed_rounds("BPBP"), version=2))
    expect(part(second)).to_have_attribute("data-version", "2", timeout=45_000)


def test_a_connection_that_died_without_a_word_is_opened_anew(served: Serve, watched: Watched) -> None:
    server = served(beat=0.2)
    server.take(scoreboard(keyed_rounds("BPB"), version=1))
    with Wire(server.port) as wire:
        page = watched.open(f"http://127.0.0.1:{wire.port}/tables/B07")
        wire.cut()
        expect(page.locator(".link--lost")).to_be_visible()
        server.take(scoreboard(keyed_rounds("BPBP"), version=2))
        expect(part(page)).to_have_attribute("data-version", "2", timeout=45_000)
        expect(page.locator(".link--live")).to_be_visible()


def test_another_build_is_loaded_after_a_minute_at_the_earliest(
    floor: PageServer, table_id: str, watched: Watched
) -> None:
    floor.take(scoreboard(keyed_rounds("BPB"), table_id=table_id))
    page = watched.blank()
    page.clock.install()
    page.clock.resume()
    page.goto(floor.address(f"/tables/{table_id}"))
    expect(page.locator("body[data-heard]")).to_have_count(1)
    page.evaluate("document.body.dataset.build = 'old'")
    heard = page.locator("body").get_attribute("data-heard")
    assert heard is not None
    expect(page.locator("body")).not_to_have_attribute("data-heard", heard)
    expect(page.locator("body")).to_have_attribute("data-build", "old")
    page.clock.fast_forward(61_000)
    expect(page.locator("body")).not_to_have_attribute("data-build", "old")


def test_without_script_the_board_is_complete_and_asks_again(
    floor: PageServer, table_id: str, watched: Watched
) -> None:
    rounds, _ = board_shoe()
    floor.take(scoreboard(rounds, table_id=table_id))
    page = watched.blank(java_script_enabled=False)
    page.goto(floor.address(f"/tables/{table_id}"))
    expect(beads(page)).to_have_count(len(rounds))
    expect(page.locator(".winner strong")).to_have_text("Banker wins")
    assert page.locator("meta[http-equiv=refresh]").get_attribute("content") == "10"


def test_hostile_names_are_text_in_frames_too(served: Serve, watched: Watched) -> None:
    server = served()
    hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    server.take(scoreboard(keyed_rounds("BP"), names={"en": "plain"}, version=1))
    table, lobby = watched.open(server.address("/tables/B07")), watched.open(server.address("/"))
    server.take(scoreboard(keyed_rounds("BPB"), names={"en": hostile}, place=hostile, version=2))
    expect(table.locator("h1")).to_have_text(hostile)
    expect(lobby.locator(".tile__name")).to_have_text(hostile)
    assert table.locator("img").count() == lobby.locator("img").count() == 0


def test_a_shifting_page_moves_a_few_pixels(floor: PageServer, table_id: str, watched: Watched) -> None:
    floor.take(scoreboard(keyed_rounds("BP"), table_id=table_id))
    page = watched.open(floor.address(f"/tables/{table_id}?shift=1"))
    moved = page.evaluate("getComputedStyle(document.querySelector('.wall')).translate").replace("px", "").split()
    assert [-3 <= float(pixels) <= 3 for pixels in moved] == [True] * len(moved)
    assert any(float(pixels) > 0 for pixels in moved)


def test_motion_is_left_out_where_it_is_not_wanted(floor: PageServer, table_id: str, watched: Watched) -> None:
    floor.take(scoreboard(keyed_rounds("BP"), table_id=table_id, version=1))
    page = watched.open(floor.address(f"/tables/{table_id}"), reduced_motion="reduce")
    floor.take(scoreboard(keyed_rounds("BPB"), table_id=table_id, version=2))
    expect(part(page)).to_have_attribute("data-version", "2")
    assert page.evaluate(MOVING) == "none"
