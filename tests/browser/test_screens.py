"""What fits on which screen: nothing overflows, nothing is cut off."""

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.browser.boards import LANGS, PATHS, boards, furnish
from tests.browser.conftest import Watched, connected
from tests.dashboards.child import PageServer, running
from tests.dashboards.tables import keyed_rounds, scoreboard

pytestmark = pytest.mark.browser
WALLS = [(1920, 1080), (1280, 720), (1080, 1920), (3840, 2160)]
SMALL = [(960, 540), (480, 270), (390, 844), (320, 256)]
"""A wall's page at 200 % and 400 % zoom, a telephone, and a desk's at 400 %."""


OVERFLOW = """
() => [document.documentElement, ...document.querySelectorAll(".wall, .data, .panel, .last, .side, .foot, .head")]
  .filter((box) => getComputedStyle(box).display !== "none")
  .filter((box) => box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1)
  .map((box) => `${box.className}: ${box.scrollWidth}x${box.scrollHeight} in ${box.clientWidth}x${box.clientHeight}`)
"""
SMALLEST = """
Math.min(...[...document.querySelectorAll(".legend, .limits dt, .tile__limits, .panel__title, td")]
  .map((box) => Number.parseFloat(getComputedStyle(box).fontSize)))
"""
OUTSIDE = """
() => [...document.querySelectorAll(".panel, .foot > *, .head > *, .recent li, .counter, .badge")]
  .filter((box) => getComputedStyle(box).display !== "none")
  .filter((box) => {
    const { left, top, right, bottom } = box.getBoundingClientRect();
    return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
  })
  .map((box) => box.className || box.tagName)
"""


@pytest.fixture(scope="module")
def server() -> Iterator[PageServer]:
    """All boards, fresh."""
    with running() as made:
        furnish(made)
        yield made


@pytest.fixture(scope="module")
def silent() -> Iterator[PageServer]:
    """All boards, their tables long silent."""
    with running(silent_after=0.05) as made:
        furnish(made)
        yield made


@pytest.mark.parametrize(("width", "height"), WALLS)
def test_every_board_fits_every_wall(server: PageServer, watched: Watched, width: int, height: int) -> None:
    page = watched.blank(width, height)
    layouts = ["landscape", "portrait"] if height > width else ["landscape"]
    for path in [f"/tables/{table_id}?orientation={layout}" for table_id in boards() for layout in layouts]:
        page.goto(server.address(path))
        connected(page)
        assert page.evaluate(OVERFLOW) == [], path
        assert page.evaluate(OUTSIDE) == [], path


@pytest.mark.parametrize(("width", "height"), WALLS)
def test_a_warning_fits_every_wall_too(silent: PageServer, watched: Watched, width: int, height: int) -> None:
    page = watched.blank(width, height)
    layouts = ["landscape", "portrait"] if height > width else ["landscape"]
    for path in [
        f"/tables/{table_id}?orientation={layout}" for table_id in ("full", "gap", "long", "tail") for layout in layouts
    ]:
        page.goto(silent.address(path))
        expect(page.locator(".alert--stale")).to_be_visible()
        assert page.evaluate(OVERFLOW) == [], path
        assert page.evaluate(OUTSIDE) == [], path


@pytest.fixture(scope="module")
def twelve() -> Iterator[PageServer]:
    """As many tables as the lobby shows on one wall."""
    with running() as made:
        for board in list(boards().values())[:12]:
            made.take(board)
        yield made


@pytest.mark.parametrize(("width", "height"), WALLS)
def test_a_lobby_of_twelve_fits_every_wall(twelve: PageServer, watched: Watched, width: int, height: int) -> None:
    page = watched.open(twelve.address("/"), width, height)
    expect(page.locator(".tile")).to_have_count(12)
    assert page.evaluate(OVERFLOW) == []
    assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize(("width", "height"), SMALL)
def test_a_small_or_zoomed_screen_scrolls_down_and_not_sideways(
    server: PageServer, watched: Watched, width: int, height: int
) -> None:
    page = watched.blank(width, height)
    for path in [*PATHS, "/?good=1&open=1&sort=quiet"]:
        page.goto(server.address(path))
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate(SMALLEST) >= 12, path


def test_a_warning_on_a_small_screen_scrolls_down_and_not_sideways(silent: PageServer, watched: Watched) -> None:
    page = watched.blank(320, 256)
    for table_id in ("new", "full", "long", "hostile"):
        for lang in LANGS:
            page.goto(silent.address(f"/tables/{table_id}?lang={lang}"))
            expect(page.locator(".alert--stale")).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, (table_id, lang)


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1366, 768), (1080, 1920)])
def test_a_lobbys_heading_is_read_whole_whatever_is_chosen(watched: Watched, width: int, height: int) -> None:
    pit = "Main floor · Pit 3, the one between the fountain and the second bar, next to the cashiers' desk"
    page = watched.blank(width, height)
    with running() as server:
        server.take(scoreboard(keyed_rounds("BPB"), place=pit))
        for lang in LANGS:
            page.goto(server.address(f"/?open=1&good=1&sort=good&lang={lang}&{urlencode({'pit': pit})}"))
            assert page.locator("h1").evaluate("(box) => box.scrollWidth - box.clientWidth") <= 1, lang
            assert page.evaluate(OUTSIDE) == [], lang


def test_a_wall_is_the_same_picture_at_every_size(server: PageServer, watched: Watched) -> None:
    pictures = []
    for width, height in ((1280, 720), (1920, 1080), (3840, 2160)):
        page = watched.open(server.address("/tables/full"), width, height)
        pictures.append(
            page.locator(".panel").evaluate_all(
                "(panels) => panels.map((panel) => { const b = panel.getBoundingClientRect(); "
                "return [b.left, b.top, b.width, b.height].map((value) => Math.round(1000 * value / innerWidth)) })"
            )
        )
    for picture in pictures[1:]:
        for one, other in zip(picture, pictures[0], strict=True):
            assert one == pytest.approx(other, abs=2)


def test_limits_counters_totals_and_the_winner_can_be_read_from_afar(server: PageServer, watched: Watched) -> None:
    page = watched.open(server.address("/tables/full"))
    rem = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    assert rem == pytest.approx(16, abs=0.1)
    for what in (".limits dd", ".counters th", ".counters .num", ".side .total", ".winner strong", ".count-of dd"):
        size = page.evaluate(f"parseFloat(getComputedStyle(document.querySelector({what!r})).fontSize)")
        assert size >= 1.7 * rem - 0.1, what


def test_every_link_is_reached_by_the_tab_key(server: PageServer, watched: Watched) -> None:
    page = watched.open(server.address("/tables/full"))
    reached = []
    for _ in range(3):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.getAttribute('href')"))
    assert reached == ["/", "/tables/full/shoes", "/tables/full/statistics"]
