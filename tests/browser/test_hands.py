"""Frames come while people look and type: focus, scroll and choices stay where they are; what has left leaves."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.boards import furnish
from tests.browser.conftest import Watched, until
from tests.dashboards.child import PageServer, running
from tests.dashboards.tables import example, keyed_rounds, scoreboard, shoe_record

pytestmark = pytest.mark.browser
FOCUSED = "document.activeElement.textContent.trim()"


def floor_of(server: PageServer, **tables: dict[str, object]) -> None:
    """Tables of three rounds, with what is said of each besides."""
    for table_id, more in tables.items():
        server.take(scoreboard(keyed_rounds("BPB"), table_id=table_id, **{"version": 1, **more}))


def names(page: Page) -> list[str]:
    return [str(each) for each in page.locator(".tile:visible").evaluate_all("all => all.map(a => a.dataset.part)")]


@pytest.mark.parametrize(("path", "stop"), [("/tables/T1", "History"), ("/", "T1"), ("/?sort=round", "T1")])
def test_the_focus_goes_on_when_its_part_is_replaced(watched: Watched, path: str, stop: str) -> None:
    with running() as server:
        floor_of(server, T1={"names": {"en": "T1"}}, T2={})
        page = watched.open(server.address(path))
        page.get_by_role("link", name=re.compile(stop)).first.focus()
        before = page.evaluate(FOCUSED)
        server.take(scoreboard(keyed_rounds("BPBP"), table_id="T1", names={"en": "T1"}, version=2))
        expect(page.locator("[data-table=T1][data-version='2'], [data-part=tile-T1][data-version='2']")).to_have_count(
            1
        )
        after = page.evaluate(FOCUSED)
        assert before.startswith(stop)
        assert after.startswith(stop)


def test_a_table_of_figures_stays_where_it_was_scrolled_to_and_its_heads_keep_the_focus(watched: Watched) -> None:
    with running() as server:
        furnish(server)
        page = watched.open(server.address("/tables/B07/statistics"), width=700, height=800)
        page.get_by_role("button", name="Hits").first.focus()
        page.evaluate("document.querySelector('.scroll').scrollLeft = 150")
        statistics = page.locator("[data-part]").first
        version = statistics.get_attribute("data-version")
        server.take(_later_statistics())
        expect(statistics).not_to_have_attribute("data-version", version or "")
        assert page.evaluate("document.querySelector('.scroll').scrollLeft") == 150
        assert page.evaluate(FOCUSED) == "Hits"


def _later_statistics() -> bytes:
    return re.sub(rb'"version":\d+', b'"version":999999', example("bet_statistics"), count=1)


def test_a_table_that_leaves_the_pit_or_the_floor_leaves_the_lobby(watched: Watched) -> None:
    with running() as server:
        floor_of(server, T1={"place": "Pit 1"}, T2={"place": "Pit 1"}, T3={"place": "Pit 1"})
        pages = [watched.open(server.address(f"/?pit=Pit 1{more}")) for more in ("", "&sort=round")]
        floor_of(server, T1={"place": "Pit 2", "version": 2, "status": "closed"})
        for page in pages:
            expect(page.locator(".tile")).to_have_count(2)
        server.take(b"gone T2")
        for page in pages:
            expect(page.locator(".tile")).to_have_count(1)
        floor_of(server, T2={"place": "Pit 1", "shoe_no": 1})
        for page in pages:
            expect(page.locator(".tile[data-part=tile-T2][data-shoe='1']")).to_have_count(1)


def test_the_board_of_a_table_that_is_gone_says_so(watched: Watched) -> None:
    with running() as server:
        floor_of(server, T1={}, T2={})
        page, other = watched.open(server.address("/tables/T1")), watched.open(server.address("/tables/T2"))
        server.take(b"gone T1")
        expect(page.locator("body")).to_contain_text("No table is called T1", timeout=20_000)
        assert other.locator("[data-table=T2]").count() == 1
    assert all("404" in each for each in watched.complaints)
    watched.complaints.clear()


def test_a_silent_table_announces_no_good_road(watched: Watched) -> None:
    with running(silent_after=1) as server:
        server.take(scoreboard(keyed_rounds("B" * 9), table_id="T1"))
        page, good = watched.open(server.address("/")), watched.open(server.address("/?good=1"))
        expect(page.locator(".tile.is-silent")).to_have_count(1, timeout=20_000)
        expect(page.locator(".tile__good")).to_be_hidden()
        expect(good.locator(".tile")).to_be_hidden(timeout=20_000)


def test_no_choice_of_a_form_leaves_the_page_before_it_is_asked_to(watched: Watched) -> None:
    with running() as server:
        furnish(server)
        for path in ("/", "/tables/B07/statistics", "/screens"):
            page = watched.blank()
            page.goto(server.address(path))
            page.evaluate("globalThis.same = true")
            for summary in page.locator("summary").all():
                summary.click()
            for field in page.locator("select:visible").all():
                field.focus()
                page.keyboard.press("ArrowDown")
                assert field.evaluate("(field) => field === document.activeElement"), path
            assert page.evaluate("globalThis.same"), path


def test_a_gaming_day_is_typed_and_a_shoe_chosen_one_after_the_other(watched: Watched) -> None:
    with running() as server:
        furnish(server)
        page = watched.blank()
        page.goto(server.address("/tables/B07/statistics?shoe=400"))
        page.locator("input[type=date]").focus()
        page.keyboard.type("11102026")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(r"/tables/B07/statistics\?.*day=2026-11-10"))
        page.locator("select[name=table]").select_option("")
        page.locator("form", has=page.locator("select[name=table]")).get_by_role("button").click()
        expect(page).to_have_url(re.compile(r"/statistics\?table="))
        expect(page.locator("h1")).to_have_text("Statistics")


def test_a_preview_follows_the_form_and_the_focus_stays_in_it(watched: Watched) -> None:
    with running() as server:
        furnish(server)
        page = watched.blank()
        page.goto(server.address("/screens?table=full"))
        page.evaluate("globalThis.same = true")
        field = page.locator("select[name=theme]")
        field.focus()
        page.keyboard.press("ArrowDown")
        expect(page.locator(".screens__address")).to_contain_text("theme=light")
        expect(page.locator("iframe")).to_have_attribute("src", re.compile("theme=light"))
        assert page.evaluate("globalThis.same")
        assert field.evaluate("(field) => field === document.activeElement")


def test_a_field_that_is_out_of_range_is_told_and_nothing_is_asked(watched: Watched) -> None:
    with running() as server:
        furnish(server)
        page = watched.blank()
        page.goto(server.address("/screens?table=full"))
        field = page.locator("input[name=big]")
        field.fill("2")
        expect(field).to_be_focused()
        assert page.locator("input:invalid").count() == 1
        assert "cols" not in page.locator(".screens__address").inner_text()
        field.fill("20")
        expect(page.locator(".screens__address")).to_contain_text("cols=big:20")


def test_arrow_keys_in_a_box_that_scrolls_scroll_it(watched: Watched) -> None:
    with running() as server:
        furnish(server)
        page = watched.blank(480, 800)
        page.goto(server.address("/tables/full/shoes/412"))
        before = page.locator("output").inner_text()
        box = page.locator(".scroll").first
        box.focus()
        page.keyboard.press("ArrowRight")
        until(page, "document.querySelector('.scroll').scrollLeft > 0")
        assert page.locator("output").inner_text() == before


def test_a_running_shoes_history_grows_under_the_slider(watched: Watched) -> None:
    with running() as server:
        server.take(scoreboard(keyed_rounds("BPB"), table_id="T1", version=1))
        page = watched.blank()
        page.goto(server.address("/tables/T1/shoes/412"))
        server.take(scoreboard(keyed_rounds("BPBPP"), table_id="T1", version=2))
        page.keyboard.press("ArrowLeft")
        expect(page.locator("output")).to_have_text("2 / 5")
        expect(page.locator("tr[data-round]")).to_have_count(5)
        page.get_by_role("slider").focus()
        page.keyboard.press("End")
        expect(page.locator("output")).to_have_text("5 / 5")


def test_arrow_keys_go_the_way_of_the_writing(watched: Watched) -> None:
    with running() as server:
        server.take(scoreboard(keyed_rounds("BPBPP"), table_id="T1"))
        page = watched.blank()
        page.goto(server.address("/tables/T1/shoes/412"))
        page.evaluate("document.documentElement.dir = 'rtl'")
        page.keyboard.press("ArrowRight")
        expect(page.locator("output")).to_have_text("4 / 5")
        page.get_by_role("slider").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("output")).to_have_text("3 / 5")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("output")).to_have_text("4 / 5")


def test_what_is_not_known_stands_last_whichever_way_a_table_is_sorted(watched: Watched) -> None:
    with running() as server:
        furnish(server)
        page = watched.open(server.address("/tables/B07/statistics"))
        heads = page.locator("table.bets").first.get_by_role("button", name="Hold %")
        column = "(table) => [...table.tBodies[0].rows].map((row) => row.cells[13].textContent.trim())"
        for _ in range(2):
            heads.click()
            said = page.locator("table.bets").first.evaluate(column)
            assert "–" in said
            assert said.index("–") == len(said) - said.count("–")


def test_paper_says_after_which_round_its_roads_stand(watched: Watched) -> None:
    with running() as server:
        board = scoreboard(keyed_rounds("BPB" * 20), table_id="T1", shoe_no=413)
        server.take(board)
        server.take(shoe_record(scoreboard(keyed_rounds("BPB" * 20), table_id="T1")))
        page = watched.blank()
        page.goto(server.address("/tables/T1/shoes/412?round=20"))
        page.emulate_media(media="print")
        expect(page.locator(".slider label")).to_be_visible()
        expect(page.locator(".slider output")).to_have_text("20 / 60")
        expect(page.get_by_role("slider")).to_be_hidden()


def test_no_test_waits_by_what_polls_inside_a_page() -> None:
    """It holds at once on a quick machine; on a slow one it breaks the page's policy, and its test with it."""
    here = Path(__file__).parent
    polling = re.compile(r"\.wait_for_function\(")
    assert [path.name for path in here.glob("*.py") if polling.search(path.read_text(encoding="utf-8"))] == []
