"""A real Chromium, and pages that must not complain: no console error, no breach of the policy, no failed script."""

import itertools
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.dashboards.child import PageServer, running

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WATCH = """
globalThis.breaches = [];
document.addEventListener("securitypolicyviolation", (event) =>
  breaches.push(`${event.violatedDirective} ${event.blockedURI}`));
"""
_numbers = itertools.count(1)


@pytest.fixture(scope="module")  # its event loop runs in this thread as long as it is open: no other module may see it
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found is not None, f"browser tests need one of {', '.join(NAMES)}; `make test` installs it where it can"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield chromium
        chromium.close()


class Watched:
    """Opens pages, and keeps what they complain about."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def blank(self, width: int = 1920, height: int = 1080, **context: Any) -> Page:
        """An empty page of a context of its own."""
        made = self._browser.new_context(viewport={"width": width, "height": height}, **context)
        self._contexts.append(made)
        made.add_init_script(WATCH)
        page = made.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(f"a dialog: {dialog.message}"))
        return page

    def open(self, address: str, width: int = 1920, height: int = 1080, **context: Any) -> Page:
        """A live page that has heard from its server."""
        page = self.blank(width, height, **context)
        page.goto(address)
        connected(page)
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        # a connection that is refused while the server is away or full is what the test is about, as is a bad address
        expected = ("net::ERR_", "503", "status of 400", "502")
        if message.type in {"error", "warning"} and not any(each in message.text for each in expected):
            self.complaints.append(f"{message.text} {message.location.get('url', '')}".strip())

    def close(self) -> None:
        for context in self._contexts:
            for page in context.pages:
                if page.evaluate("typeof breaches") != "undefined":
                    self.complaints += page.evaluate("breaches")
            context.close()


def connected(page: Page) -> None:
    """Wait until the page has heard from its server."""
    expect(page.locator("body[data-heard]")).to_have_count(1, timeout=20_000)


def until(page: Page, said: str, seconds: float = 20) -> None:
    """Wait until an expression holds, asked from outside: what polls inside a page breaks the page's own policy."""
    end = time.monotonic() + seconds
    while not page.evaluate(said):
        assert time.monotonic() < end, f"after {seconds} s this does not hold: {said}"
        page.wait_for_timeout(20)


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    """Pages of this test; it fails where one of them complained."""
    made = Watched(browser)
    yield made
    made.close()
    assert made.complaints == []


@pytest.fixture(scope="session")
def floor() -> Iterator[PageServer]:
    """A page server without Kafka that tests share, each with tables of its own."""
    with running(beat=0.2) as server:
        yield server


@pytest.fixture
def table_id() -> str:
    """A table of this test alone."""
    return f"T{next(_numbers):03}"


@pytest.fixture
def served() -> Iterator[Callable[..., PageServer]]:
    """``served(beat=0.2)`` starts a page server without Kafka for this test alone."""
    with ExitStack() as started:
        yield lambda **settings: started.enter_context(running(**settings))
