"""Every size, theme and language of the board, and every profile that an address can ask for.

All combinations of the table's page are walked here; those of the other pages in pairs that meet every value, and all
of them in ``make soak``. Pictures stay in ``tests/browser/shots`` for eyes.
"""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from contract.scoreboards import Scoreboard
from tests.browser.boards import LANGS, PATHS, boards, furnish
from tests.browser.conftest import Watched, connected
from tests.browser.test_screens import OUTSIDE, OVERFLOW
from tests.dashboards.child import PageServer, running
from tests.dashboards.tables import keyed_rounds, scoreboard

pytestmark = pytest.mark.browser
SHOTS = Path(__file__).parent / "shots"
SIZES = [(1280, 720), (1920, 1080), (3840, 2160), (1080, 1920)]
THEMES = ["dark", "light"]
OTHERS = [path for path in PATHS if not path.startswith(("/tables/full?", "/tables/gap", "/tables/new"))]
Look = tuple[tuple[int, int], str, str]
"""Size, theme and language."""
SHOWN = ["full", "gap", "new", "hostile", "ties", "leading", "long", "tail", "unknown"]
LEFT = ["-recent", "-last,-recent", "bead,big", "big", "last", "counters,bead", "-bead,-counters", "eye,ask", "-eye"]
CUT = """
() => [...document.querySelectorAll(".wall h2, .wall dt, .wall dd, .wall .status, .wall .winner strong, .wall .badge,"
  + ".wall .counter > *, .wall .good, .wall .legend, .wall .link, .wall .age, .wall .alert span, .wall .panel__title,"
  + ".recent li, .recent li > *, .tile__limits, .tile__status, .tile__line > *, .tile__counts > *")]
  .filter((box) => getComputedStyle(box).display !== "none" && box.scrollWidth > box.clientWidth + 1 && box.clientWidth)
  .map((box) => `${box.className || box.tagName}: ${box.textContent.trim().slice(0, 40)}`)
"""
READ = """
(kind) => { const svg = document.querySelector(`svg[data-road=${kind}]`);
  return [...svg.querySelectorAll("use")].map((use) => [use.getAttribute("href"), Number(use.getAttribute("x")) / 20,
    Number(use.getAttribute("y")) / 20]); }
"""
MARKS = {"bead": "#bead-", "big": "#big-", "eye": "#eye-", "small": "#small-", "roach": "#roach-"}


@pytest.fixture(scope="module")
def server() -> Iterator[PageServer]:
    """All boards, records and statistics."""
    with running() as made:
        furnish(made)
        yield made


def shoot(page: Page, *names: Any) -> None:
    """Keep a picture."""
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"{'-'.join(map(str, names))}.png")


def read(page: Page, kind: str) -> list[tuple[int, int, str]]:
    """Row, column in the whole road, and mark of each cell that a road shows."""
    marks = [use for use in page.evaluate(READ, kind) if use[0].startswith(MARKS[kind])]
    return [(int(row), int(col), href.removeprefix(MARKS[kind])) for href, col, row in marks]


def told(board: Scoreboard, kind: str) -> list[tuple[int, int, str]]:
    """The same of the scoreboard."""
    roads = board.roads
    match kind:
        case "bead":
            return [(row, col, mark) for row, col, mark in roads.bead_plate if mark != "?"]
        case "big":
            return [(row, col, side) for row, col, side, _ in roads.big_road]
        case _:
            road = {"eye": roads.big_eye_boy, "small": roads.small_road, "roach": roads.cockroach_road}[kind]
            return [(row, col, {"R": "R", "B": "U"}[mark]) for row, col, mark in road.cells]


def hidden(page: Page, kind: str) -> int:
    return int(page.locator(f"svg[data-road={kind}]").get_attribute("data-hidden") or 0)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_the_board_fits_in_every_size_theme_and_language(
    server: PageServer, watched: Watched, size: tuple[int, int], theme: str, lang: str
) -> None:
    width, height = size
    page = watched.blank(width, height)
    for table_id in SHOWN:
        page.goto(server.address(f"/tables/{table_id}?lang={lang}&theme={theme}"))
        connected(page)
        page.evaluate("document.fonts.ready")
        if height > width:
            expect(page.locator(".wall--portrait")).to_have_count(1)
        for question in (OVERFLOW, OUTSIDE, CUT):
            assert page.evaluate(question) == [], table_id
    page.goto(server.address(f"/tables/full?lang={lang}&theme={theme}"))
    connected(page)
    shoot(page, "table", f"{width}x{height}", theme, lang)


@pytest.mark.parametrize("table_id", sorted({*boards()} - {"unknown"}))
@pytest.mark.parametrize("orientation", ["landscape", "portrait"])
def test_every_mark_on_the_wall_is_the_scoreboards(
    server: PageServer, watched: Watched, table_id: str, orientation: str
) -> None:
    board = boards()[table_id]
    page = watched.open(server.address(f"/tables/{table_id}?orientation={orientation}"))
    for kind in MARKS:
        first = hidden(page, kind)
        shown = read(page, kind)
        last = first + page.evaluate(f"document.querySelector('svg[data-road={kind}]').viewBox.baseVal.width") // 20
        assert shown == [cell for cell in told(board, kind) if first <= cell[1] < last], kind
        assert not told(board, kind) or kind == "bead" or told(board, kind)[-1][1] < last, kind
    counters = page.locator(".counter .num").all_text_contents()
    counts = board.counts
    expected = (counts.banker, counts.player, counts.tie, counts.banker_pair, counts.player_pair, counts.natural)
    assert counters == [str(count) for count in expected]
    drawn = [(col, many) for _, col, _, many in board.roads.big_road] or [(0, 0)]
    drawn[0] = (drawn[0][0], drawn[0][1] + board.roads.leading_ties)
    first = hidden(page, "big")
    many = [str(ties) for col, ties in drawn if ties > 1 and col >= first]
    assert page.locator("svg[data-road=big] .tie-count").all_text_contents() == many


def test_the_marks_stay_the_scoreboards_in_every_profile(server: PageServer, watched: Watched) -> None:
    page = watched.blank()
    for query in (
        "marks=distinct",
        "beads=han",
        "beads=letters&lang=zh-Hant",
        "cols=bead:20,big:60,eye:40,small:9,roach:3",
    ):
        page.goto(server.address(f"/tables/full?{query}"))
        connected(page)
        for kind in MARKS:
            first = hidden(page, kind)
            assert read(page, kind) == [cell for cell in told(boards()["full"], kind) if cell[1] >= first], query
            assert page.evaluate(OVERFLOW) == [], query


READABLE = """
(least) => [...document.querySelectorAll("svg[data-road]")]
  .map((svg) => [svg.dataset.road, svg.getBoundingClientRect(), svg.viewBox.baseVal])
  .map(([road, box, view]) => [road, 20 * Math.min(box.width / view.width, box.height / view.height)])
  .filter(([, cell]) => cell < least).map(([road, cell]) => `${road}: a cell of ${cell} px`)
"""
FEW = ["big:3", "big:6", "bead:3", "eye:3", "small:3,roach:3", "bead:3,big:3,eye:3,small:3,roach:3"]
ASKS = ["ask", "last,ask", "recent,ask", "counters,ask", "big,ask", "last,bead,ask", "-eye", "-small", "-roach"]


@pytest.mark.parametrize(
    ("width", "height", "orientation"),
    [(1920, 1080, "landscape"), (1080, 1920, "portrait"), (1080, 1920, "landscape")],
)
def test_no_choice_of_columns_or_panels_starves_a_road(
    server: PageServer, watched: Watched, width: int, height: int, orientation: str
) -> None:
    page = watched.blank(width, height)
    for query in [*(f"cols={columns}" for columns in FEW), *(f"show={panels}" for panels in ASKS)]:
        page.goto(server.address(f"/tables/full?orientation={orientation}&{query}"))
        assert page.evaluate(READABLE, 10) == [], query
        assert page.evaluate(OVERFLOW) == [], query


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1280, 1024), (1920, 1080), (3440, 1440)])
def test_a_tall_board_on_a_wide_screen_is_whole(server: PageServer, watched: Watched, width: int, height: int) -> None:
    page = watched.open(server.address("/tables/full?orientation=portrait"), width, height)
    assert page.evaluate(READABLE, height / 80) == []
    assert page.evaluate(OVERFLOW) == []


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080), (1080, 1920)])
def test_a_shifting_wall_stays_within_the_screen(server: PageServer, watched: Watched, width: int, height: int) -> None:
    page = watched.blank(width, height)
    for path in ("/tables/full?shift=1", "/tables/full?shift=1&lang=zh-Hant"):
        page.goto(server.address(path))
        places = set()
        for minute in range(8):
            page.evaluate(
                "(at) => document.getAnimations().forEach((each) => (each.currentTime = at))", minute * 60_000
            )
            places.add(page.evaluate("getComputedStyle(document.querySelector('.wall')).translate"))
            beyond = "({ scrollWidth, scrollHeight }) => [scrollWidth - innerWidth, scrollHeight - innerHeight]"
            assert page.locator("html").evaluate(beyond) == [0, 0], (path, minute)
        assert len(places) == 8


def test_beads_show_the_winners_points(server: PageServer, watched: Watched) -> None:
    page = watched.open(server.address("/tables/full?beads=numbers"))
    rounds = boards()["full"].rounds
    points = [each.player_total if each.outcome == "player" else each.banker_total for each in rounds]
    assert page.locator("svg[data-road=bead] text").all_text_contents() == [str(total) for total in points]


@pytest.mark.parametrize("lang", ["en", "zh-Hant"])
def test_beads_bear_what_the_language_has(server: PageServer, watched: Watched, lang: str) -> None:
    page = watched.open(server.address(f"/tables/full?lang={lang}"))
    assert page.locator("#bead-B text").count() == (lang == "en")
    assert page.locator("#zh-B").count() == (lang == "zh-Hant")


def test_panels_leave_and_the_others_take_their_place(server: PageServer, watched: Watched) -> None:
    page = watched.blank()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for show in (
            "-recent",
            "-last,-recent",
            "bead,big",
            "big",
            "last",
            "counters,bead",
            "-bead,-counters",
            "eye,ask",
            "-eye",
        ):
            page.goto(server.address(f"/tables/full?show={show}"))
            connected(page)
            assert page.evaluate(OVERFLOW) == [], (show, width)
            assert page.evaluate(OUTSIDE) == [], (show, width)
            assert page.locator(".panel").count() == page.evaluate(
                "[...document.querySelectorAll('.panel')].filter((panel) => panel.clientWidth > 100).length"
            )
    shoot(page, "panels", "-eye")


def test_a_screen_that_is_turned_gets_the_other_columns(server: PageServer, watched: Watched) -> None:
    page = watched.open(server.address("/tables/full"))
    expect(page.locator(".wall--landscape")).to_have_count(1)
    page.set_viewport_size({"width": 1080, "height": 1920})
    expect(page.locator(".wall--portrait")).to_have_count(1)
    page.set_viewport_size({"width": 1920, "height": 1080})
    expect(page.locator(".wall--landscape")).to_have_count(1)


def test_characters_come_with_the_page(server: PageServer, watched: Watched) -> None:
    page = watched.open(server.address("/tables/full?lang=zh-Hant"))
    page.evaluate("document.fonts.load('600 20px \"Beadplate TC\"', '莊閒和曱甴')")
    loaded = "[...document.fonts].some((face) => face.family.includes('Beadplate TC') && face.status === 'loaded')"
    assert page.evaluate(loaded) is True


def walk(server: PageServer, page: Page, path: str, look: Look) -> None:
    """Look at one page in one size, theme and language."""
    (width, height), theme, lang = look
    page.set_viewport_size({"width": width, "height": height})
    mark = "&" if "?" in path else "?"
    page.goto(server.address(f"{path}{mark}lang={lang}&theme={theme}"))
    page.evaluate("document.fonts.ready")
    assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width, theme, lang)
    assert page.evaluate(CUT) == [], (path, width, theme, lang)
    name = path.strip("/").replace("/", "_").replace("?", "_") or "lobby"
    shoot(page, name, f"{width}x{height}", theme, lang)


def test_the_other_pages_fit_in_pairs_that_meet_every_value(server: PageServer, watched: Watched) -> None:
    page = watched.blank()
    for at, path in enumerate(OTHERS):
        for turn in range(len(SIZES)):
            walk(server, page, path, (SIZES[turn], THEMES[(turn + at) % 2], LANGS[(turn + at) % 3]))


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_the_other_pages_fit_in_every_size_theme_and_language(server: PageServer, watched: Watched) -> None:
    page = watched.blank()
    for path, size, theme, lang in itertools.product(OTHERS, SIZES, THEMES, LANGS):
        walk(server, page, path, (size, theme, lang))


def test_the_form_of_the_screens_makes_an_address_that_works(server: PageServer, watched: Watched) -> None:
    page = watched.blank()
    page.goto(server.address("/screens?table=full"))
    page.locator("select[name=lang]").select_option("ru")
    expect(page.locator(".screens__address a")).to_have_text(server.address("/tables/full?lang=ru"))
    page.get_by_label("Last 20 rounds").uncheck()
    expect(page.locator(".screens__address a")).to_have_text(server.address("/tables/full?lang=ru&show=-recent"))
    preview = page.frame_locator(".preview iframe")
    expect(preview.locator("svg[data-road=bead] use[href^='#bead-']")).to_have_count(58)
    expect(preview.locator(".recent")).to_have_count(0)
    page.locator(".screens__address a").click()
    connected(page)
    expect(page.locator(".recent")).to_have_count(0)


def test_the_lobby_filters_and_sorts_as_tables_change(watched: Watched) -> None:
    with running(beat=0.2) as own:
        rounds = {"T1": ("B" * 4, "Pit 1"), "T2": ("BPP", "Pit 2"), "T10": ("B" * 6, "Pit 1")}
        for version, (name, (letters, place)) in enumerate(rounds.items()):
            own.take(lobby_board(name, letters, place, version))
        page = watched.open(own.address("/?sort=good"))
        order = "[...document.querySelectorAll('.tile')].map((tile) => tile.dataset.part.slice(5))"
        assert page.evaluate(order) == ["T10", "T1", "T2"]
        own.take(lobby_board("T2", "P" * 9, "Pit 2", 100))
        expect(page.locator(".tile").first).to_have_attribute("data-part", "tile-T2")
        page.locator(".filter summary").click()
        page.locator("select[name=pit]").select_option("Pit 1")
        page.get_by_role("button", name="Show").click()
        expect(page.locator(".tile")).to_have_count(2)
        page.goto(own.address("/?good=1"))
        connected(page)
        expect(page.locator(".tile:visible")).to_have_count(3)
        own.take(lobby_board("T1", "BBBBP", "Pit 1", 101))
        expect(page.locator(".tile:visible")).to_have_count(2)
        page.goto(own.address("/?pit=Pit 9"))
        expect(page.locator(".tiles__none--shown")).to_be_visible()


def lobby_board(table_id: str, letters: str, place: str, version: int) -> Scoreboard:
    """A board whose good roads are those of its results."""
    return scoreboard(keyed_rounds(letters), table_id=table_id, place=place, version=version)


def test_rubbish_in_an_address_is_a_sentence(server: PageServer, watched: Watched) -> None:
    page = watched.blank()
    for query in (
        "theme=pink",
        "lang=xx",
        "cols=bead:x",
        "show=all",
        "theem=dark",
        "orientation=up",
        "beads=1&beads=2",
    ):
        answer = page.goto(server.address(f"/tables/full?{query}"))
        assert answer is not None
        assert answer.status == 400
        expect(page.locator("h1")).to_have_text("Not understood")
        assert "Traceback" not in page.content()
    assert json.loads((page.request.get(server.address("/stream?table=full&lang=xx"))).text())["status"] == 400
