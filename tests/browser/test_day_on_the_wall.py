"""A day on the wall in minutes: rounds pour onto one display, and neither its nodes nor its memory grow."""

import time
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from contract.scoreboards import Scoreboard
from tests.browser.conftest import Watched
from tests.dashboards.child import PageServer, running
from tests.dashboards.tables import board_shoe, scoreboard

pytestmark = pytest.mark.browser
PER_SECOND = 20
WARM_UP = 0.2
"""The part of the time after which everything must be flat."""
MAY_GROW = 1.10
LONG_TASKS = """
globalThis.long = [];
new PerformanceObserver((seen) => long.push(...seen.getEntries().map(({ duration }) => duration)))
  .observe({ entryTypes: ["longtask"] });
"""


def measured(devtools: CDPSession) -> tuple[int, int]:
    """Nodes of the document, and bytes of the script's heap, after a full collection."""
    for _ in range(3):  # what a first collection lets go of, a later one frees
        devtools.send("HeapProfiler.collectGarbage")
    answer = devtools.send("Performance.getMetrics")
    metrics: dict[str, Any] = {each["name"]: each["value"] for each in answer["metrics"]}
    return int(metrics["Nodes"]), int(metrics["JSHeapUsedSize"])


def pour(server: PageServer, seconds: float, version: int) -> int:
    """Rounds, shoe after shoe, for so long; the next version."""
    rounds, _ = board_shoe()
    until, sent = time.monotonic() + seconds, 0
    started = time.monotonic()
    while time.monotonic() < until:
        server.take(board(rounds, version))
        version, sent = version + 1, sent + 1
        time.sleep(max(0.0, started + sent / PER_SECOND - time.monotonic()))
    return version


def board(rounds: list[Any], version: int) -> Scoreboard:
    shoe, dealt = divmod(version, len(rounds))
    return scoreboard(rounds[: dealt + 1], shoe_no=shoe + 1, version=dealt + 1)


def stay_flat(watched: Watched, seconds: float, capsys: pytest.CaptureFixture[str]) -> None:
    with running(beat=1) as server:
        server.take(board(board_shoe()[0], 0))
        page: Page = watched.blank()
        page.add_init_script(LONG_TASKS)
        page.goto(server.address("/tables/B07"))
        expect(page.locator("body[data-heard]")).to_have_count(1)
        devtools = page.context.new_cdp_session(page)
        devtools.send("Performance.enable")
        whole = len(board_shoe()[0])
        version = pour(server, seconds * WARM_UP, 1)
        version = settle(server, page, version, whole)
        nodes, heap = measured(devtools)
        version = pour(server, seconds * (1 - WARM_UP), version)
        settle(server, page, version, whole)
        nodes_after, heap_after = measured(devtools)
        long = page.evaluate("long")
    with capsys.disabled():
        print(  # noqa: T201 - the figures are the report
            f"\na day on the wall, {seconds:.0f} s of {PER_SECOND} rounds a second: nodes {nodes} -> {nodes_after}, "
            f"heap {heap / 1e6:.2f} -> {heap_after / 1e6:.2f} MB, {len(long)} tasks over 50 ms, "
            f"longest {max(long, default=0):.0f} ms"
        )
    assert nodes_after <= nodes * MAY_GROW
    assert heap_after < heap * MAY_GROW


def settle(server: PageServer, page: Page, version: int, whole: int) -> int:
    """Go on to the end of the shoe, so that both measurements see the same board, and wait until it is shown."""
    last = version + whole - 1 - version % whole
    server.take(board(board_shoe()[0], last))
    expect(page.locator("[data-part=table]")).to_have_attribute("data-shoe", str(last // whole + 1))
    expect(page.locator("[data-part=table]")).to_have_attribute("data-version", str(whole))
    return last + 1


@pytest.mark.timeout(400)
def test_three_minutes_on_the_wall_leave_nothing_behind(watched: Watched, capsys: pytest.CaptureFixture[str]) -> None:
    stay_flat(watched, 180, capsys)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_ten_minutes_on_the_wall_leave_nothing_behind(watched: Watched, capsys: pytest.CaptureFixture[str]) -> None:
    stay_flat(watched, 600, capsys)
