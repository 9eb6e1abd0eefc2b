"""Everybody can read the pages: WCAG 2.2 AA as far as axe-core can tell, the keyboard, and the line that is spoken."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.boards import LANGS, PATHS, furnish
from tests.browser.conftest import Watched, connected, until
from tests.dashboards.child import PageServer, running

pytestmark = pytest.mark.browser
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture(scope="module")
def server() -> Iterator[PageServer]:
    """All boards, records and statistics."""
    with running() as made:
        furnish(made)
        yield made


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong: rule, what it means, and the first place."""
    axe = Axe()
    for frame in page.frames[1:]:  # it looks into a frame where it stands in it too
        frame.wait_for_load_state()
        frame.evaluate(axe.axe_script)
    found: list[dict[str, Any]] = axe.run(page, options={"runOnly": TAGS}).response["violations"]
    return [f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:150]}" for each in found]


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("lang", LANGS)
def test_no_page_breaks_a_rule_of_wcag(server: PageServer, watched: Watched, lang: str, theme: str) -> None:
    page = watched.blank()
    for path in [*PATHS, "/tables/full?theme=pink"]:
        mark = "&" if "?" in path else "?"
        asked = f"lang={lang}" if "theme" in path else f"lang={lang}&theme={theme}"
        page.goto(server.address(f"{path}{mark}{asked}"))
        until(page, "document.fonts.status === 'loaded'")
        assert violations(page) == [], path


def test_distinct_marks_and_a_stale_board_break_none_either(server: PageServer, watched: Watched) -> None:
    page = watched.open(server.address("/tables/full?marks=distinct&beads=numbers"))
    assert violations(page) == []
    server.take(b"lost")
    expect(page.locator(".link--source")).to_be_visible(timeout=20_000)
    assert violations(page) == []
    server.take(b"found")
    expect(page.locator(".link--live")).to_be_visible(timeout=20_000)


def test_the_history_is_walked_by_arrow_keys_wherever_the_focus_is(server: PageServer, watched: Watched) -> None:
    page = watched.blank()
    page.goto(server.address("/tables/full/shoes/412"))
    beads = page.locator("svg[data-road=bead] use[href^='#bead-']")
    expect(beads).to_have_count(58)
    for count in (57, 56):
        page.keyboard.press("ArrowLeft")
        expect(beads).to_have_count(count)
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")
    expect(beads).to_have_count(55)
    expect(page).to_have_url(server.address("/tables/full/shoes/412?round=55"))
    page.keyboard.press("Home")
    expect(beads).to_have_count(0)


def test_a_table_of_figures_is_sorted_by_its_heads(server: PageServer, watched: Watched) -> None:
    page = watched.open(server.address("/tables/B07/statistics"))
    table = page.locator("table.bets").first
    hits = "(table) => [...table.tBodies[0].rows].map((row) => Number(row.cells[2].dataset.v))"
    before = table.evaluate(hits)
    head = table.get_by_role("button", name="Hits")
    head.focus()
    page.keyboard.press("Enter")
    assert table.evaluate(hits) == sorted(before, reverse=True)
    sorts = "(table) => table.tHead.rows[0].cells[2].ariaSort"
    assert table.evaluate(sorts) == "descending"
    page.keyboard.press("Enter")
    assert table.evaluate(hits) == sorted(before)
    assert table.evaluate(sorts) == "ascending"


def test_only_the_newest_result_is_spoken(server: PageServer, watched: Watched) -> None:
    page = watched.open(server.address("/tables/full"))
    assert page.locator("[aria-live], [role=alert], [role=log]").count() == 0
    expect(page.get_by_role("status")).to_have_count(1)
    expect(page.get_by_role("status")).to_have_text("Round 58: Banker wins. Player 2, Banker 9. Natural. Player pair.")


def test_each_road_has_a_name(server: PageServer, watched: Watched) -> None:
    page = watched.open(server.address("/tables/full"))
    for name in ("Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach road"):
        expect(page.get_by_role("img", name=name, exact=True)).to_have_count(1)


@pytest.mark.parametrize("path", PATHS)
def test_a_language_that_is_written_from_the_right_keeps_the_layout(
    server: PageServer, watched: Watched, path: str
) -> None:
    page = watched.blank()
    page.goto(server.address(path))
    if page.locator("body[data-stream]").count():
        connected(page)
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
    cut = page.evaluate(
        "[...document.querySelectorAll('.panel, .head > *, .foot > *')].filter((box) => {"
        "const { left, right, width } = box.getBoundingClientRect();"
        "return width && (left < -1 || right > innerWidth + 1) }).map((box) => box.className)"
    )
    assert cut == []
    for road in page.locator("svg[data-road=big]").all():
        marks = road.locator("use[href^='#big-']").evaluate_all(
            "(uses) => uses.map((use) => use.getBoundingClientRect().x)"
        )
        assert not marks or marks[0] <= marks[-1]  # roads go from left to right in every language


def test_numbers_and_drawings_are_read_from_left_to_right_in_every_language(
    server: PageServer, watched: Watched
) -> None:
    page = watched.blank()
    page.goto(server.address("/tables/B07/statistics"))
    inside = """() => [...document.querySelectorAll(".chart text")].filter((text) => {
      const { left, right } = text.getBoundingClientRect(), box = text.ownerSVGElement.getBoundingClientRect();
      return left < box.left - 1 || right > box.right + 1;
    }).length + [...document.querySelectorAll(".chart__grid")].filter((line) => {
      const { left } = line.getBoundingClientRect();
      return [...line.ownerSVGElement.querySelectorAll("[text-anchor=end]")]
        .some((text) => text.getBoundingClientRect().right > left);
    }).length"""
    assert page.locator(".chart text").count() > 0
    for direction in ("ltr", "rtl"):
        page.evaluate("(direction) => { document.documentElement.dir = direction }", direction)
        assert page.evaluate(inside) == 0, direction
        directions = "(cells) => [...new Set(cells.map((cell) => getComputedStyle(cell).direction))]"
        assert page.locator("td.num").evaluate_all(directions) == ["ltr"]
