"""What goes wrong is answered in the asker's form: problem details for programs, a page for people."""

import pytest

from dashboards.languages import languages
from dashboards.site import Site
from tests.dashboards.dom import parse
from tests.dashboards.tables import example, site
from tests.dashboards.web import asking

READS = [
    "/",
    "/tables/B07",
    "/tables/B07/shoes",
    "/tables/B07/shoes/412",
    "/tables/B07/statistics",
    "/statistics",
    "/api/v1/tables",
    "/api/v1/tables/B07",
    "/api/v1/tables/B07/shoes",
    "/api/v1/tables/B07/shoes/412",
    "/api/v1/tables/B07/statistics",
    "/stream?table=B07",
    "/stream?lobby=1",
]
PROGRAMS = ("/api/", "/stream", "/livez", "/readyz", "/metrics", "/openapi.json")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "path",
    ["/tables/T99", "/tables/T99/shoes", "/tables/T99/statistics", "/tables/B07/shoes/1", "/nowhere", "/static/no.js"],
)
async def test_an_unknown_page_is_a_page_that_says_so_and_asks_again(path: str) -> None:
    async with asking(site([example("scoreboard")])) as client:
        answer = await client.get(path)
    assert answer.status_code == 404
    root = parse(answer.text)
    assert root.one("h1").text == "Not found"
    assert root.one("noscript").one("meta", http_equiv="refresh").attributes["content"] == "10"
    assert root.one("body").attributes["data-again"] == "10"


@pytest.mark.asyncio
async def test_a_missing_table_is_named_and_escaped() -> None:
    async with asking(site()) as client:
        answer = await client.get("/tables/<script>")
    assert "No table is called &lt;script&gt;." in answer.text


@pytest.mark.asyncio
@pytest.mark.parametrize("path", ["/api/v1/tables/T99", "/api/v1/nothing", "/stream?table=T99"])
async def test_an_unknown_thing_of_programs_is_a_problem(path: str) -> None:
    async with asking(site([example("scoreboard")])) as client:
        answer = await client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["instance"] == path.partition("?")[0]


@pytest.mark.asyncio
async def test_a_stream_of_nothing_is_a_bad_request() -> None:
    async with asking(site([example("scoreboard")])) as client:
        answer = await client.get("/stream")
    assert answer.status_code == 400
    assert answer.json()["detail"] == "A stream shows ?table=ID or ?lobby=1."


@pytest.mark.asyncio
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize(
    "path", [*READS, "/docs", "/openapi.json", "/livez", "/readyz", "/metrics", "/static/board.js"]
)
async def test_there_is_no_way_to_write(method: str, path: str) -> None:
    async with asking(site([example("scoreboard")])) as client:
        answer = await client.request(method, path)
    assert answer.status_code == 405
    form = "application/problem+json" if path.startswith(PROGRAMS) else "text/html; charset=utf-8"
    assert answer.headers["content-type"] == form


@pytest.mark.asyncio
@pytest.mark.parametrize("path", READS)
async def test_until_it_has_caught_up_the_page_says_that_it_starts(path: str) -> None:
    starting = site([example("scoreboard")])
    starting.source.caught_up = False
    async with asking(starting) as client:
        answer = await client.get(path)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert "reading the tables from Kafka" in answer.text


@pytest.mark.asyncio
async def test_what_keeps_it_from_starting_is_told_to_operators_and_no_address_of_ours_to_guests() -> None:
    starting = site()
    starting.source.caught_up = False
    starting.source.trouble = "Kafka does not answer at 127.0.0.1:1"
    async with asking(starting) as client:
        for path in ("/readyz", "/api/v1/tables", "/stream?lobby=1"):
            assert "does not answer at 127.0.0.1:1" in (await client.get(path)).text
        for lang, words in languages().items():
            for path in ("/", "/tables/B07", "/statistics"):
                page = (await client.get(path, params={"lang": lang})).text
                assert words.away_why in page
                assert "127.0.0.1" not in page


@pytest.mark.asyncio
@pytest.mark.parametrize("lang", languages())
async def test_an_address_that_is_written_to_says_that_it_can_only_be_read(lang: str) -> None:
    async with asking(site()) as client:
        answer = await client.post("/", params={"lang": lang})
    assert answer.status_code == 405
    assert languages()[lang].read_only in answer.text
    assert languages()[lang].no_such_page not in answer.text


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "path",
    [
        *READS[:11],
        "/docs",
        "/openapi.json",
        "/livez",
        "/readyz",
        "/metrics",
        "/static/board.js",
        "/nowhere",
        "/api/x",
        "/stream",
    ],
)
async def test_every_answer_carries_the_policy(path: str) -> None:
    async with asking(site([example("scoreboard"), example("bet_statistics")])) as client:
        headers = (await client.get(path)).headers
    policy = headers["content-security-policy"]
    for rule in (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
        "require-trusted-types-for 'script'",
    ):
        assert rule in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"


@pytest.mark.asyncio
async def test_a_mistake_of_ours_is_told_in_the_askers_form_under_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret inside")

    served = site([example("scoreboard")])
    monkeypatch.setattr(Site, "table", broken)
    monkeypatch.setattr(served.store, "table_ids", broken)
    async with asking(served) as client:
        page, problem = await client.get("/tables/B07"), await client.get("/api/v1/tables")
    assert (page.status_code, problem.status_code) == (500, 500)
    assert "secret inside" not in page.text + problem.text
    assert parse(page.text).one("h1").text == "Trouble"
    assert problem.headers["content-type"] == "application/problem+json"
    assert "content-security-policy" in page.headers


@pytest.mark.asyncio
async def test_an_id_that_is_none_is_not_repeated_at_length() -> None:
    async with asking(site()) as client:
        for path in (f"/api/v1/tables/{'x' * 5000}", f"/tables/{'x' * 5000}", f"/statistics?table={'x' * 5000}"):
            answer = await client.get(path)
            assert answer.status_code == 404
            assert "x" * 128 in answer.text
            assert "x" * 129 not in answer.text.replace("x" * 5000, "")
