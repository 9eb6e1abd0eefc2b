"""The pages as HTML: complete without script, escaped, under the strict policy, and mark by mark as the topics say."""

import json
from typing import Any
from urllib.parse import urlencode

import pytest

from contract.scoreboards import Round, Version
from dashboards.openapi import OPERATIONS
from dashboards.options import PANELS
from dashboards.site import Site
from dashboards.views.plain import CONTROLS, plain
from dashboards.words import ENGLISH
from tests.dashboards.dom import Element, marks, parse, placed
from tests.dashboards.tables import (
    DATA,
    NOON_MS,
    board_shoe,
    dealt,
    example,
    keyed_rounds,
    record,
    scoreboard,
    shoe_record,
    site,
)
from tests.dashboards.web import asking

VECTORS: list[dict[str, Any]] = json.loads((DATA / "roads.json").read_bytes())["vectors"]
HOSTILE = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'&<b>", "\u202e\r\nid: 1"]
LIVE = ["/", "/tables/B07", "/tables/B07/statistics", "/statistics"]
PAGES = [*LIVE, "/tables/B07/shoes", "/tables/B07/shoes/412", "/docs"]
ROADS = {
    "big": "big_road",
    "eye": "big_eye_boy",
    "small": "small_road",
    "roach": "cockroach_road",
    "bead": "bead_plate",
}


def whole() -> Site:
    return site([example("scoreboard"), example("bet_statistics"), example("shoe_record")])


async def page(of: Site, path: str, **headers: str) -> Element:
    async with asking(of) as client:
        answer = await client.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return parse(answer.text)


@pytest.mark.asyncio
@pytest.mark.parametrize("path", PAGES)
async def test_every_page_is_well_formed_html_in_its_language(path: str) -> None:
    root = (await page(whole(), path)).one("html")
    assert root.attributes["lang"] == "en"
    assert root.one("head").one("title").text.endswith("Beadplate")


@pytest.mark.asyncio
@pytest.mark.parametrize("path", PAGES)
async def test_nothing_is_inline_and_nothing_comes_from_elsewhere(path: str) -> None:
    root = await page(whole(), path)
    for element in root.all():
        assert "style" not in element.attributes
        assert not [name for name in element.attributes if name.startswith("on")]
        for name in ("src", "href"):
            assert element.attributes.get(name, "/").startswith(("/", "#"))
    assert [script.text for script in root.all("script")] in ([], [""])
    assert root.all("style") == []


@pytest.mark.asyncio
@pytest.mark.parametrize("path", PAGES)
async def test_ids_are_unique_and_every_shape_that_is_used_exists(path: str) -> None:
    root = await page(whole(), path)
    ids = [element.attributes["id"] for element in root.all() if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    assert {use.attributes["href"].removeprefix("#") for use in root.all("use")} <= set(ids)


@pytest.mark.asyncio
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
async def test_a_table_page_draws_the_roads_of_the_vectors(vector: dict[str, Any]) -> None:
    letters, expected = vector["rounds"], vector["expected"]
    board = scoreboard(keyed_rounds(letters), rows=vector["rows"], tail=vector["tail"])
    root = await page(site([board]), "/tables/B07")
    for kind, name in ROADS.items():
        cells = expected.get(name, {})
        cells = cells.get("cells") if isinstance(cells, dict) else cells
        if cells is None:
            continue
        hidden = int(root.one("svg", data_road=kind).attributes["data-hidden"])
        blue = {"B": "U"} if kind in {"eye", "small", "roach"} else {}
        wanted = {(row, col, blue.get(mark, mark)) for row, col, mark, *_ in cells if col >= hidden}
        assert set(marks(root, kind)) == wanted, kind


@pytest.mark.asyncio
async def test_the_designed_board_is_drawn_to_the_last_dot() -> None:
    rounds, told = board_shoe()
    root = await page(site([scoreboard(rounds)]), "/tables/B07")
    assert marks(root, "big") == [(row, col, mark) for row, col, mark, *_ in told["big"]]
    assert placed(root, "big", "#tie") == {(row, col) for row, col, _, ties, *_ in told["big"] if ties}
    assert placed(root, "big", "#pair-P") == {(row, col) for row, col, *_, player, _ in told["big"] if player}
    assert placed(root, "big", "#pair-B") == {(row, col) for row, col, *_, banker in told["big"] if banker}
    assert [text.text for text in root.one("svg", data_road="big").all("text")] == [
        str(ties) for *_, ties, _, _ in told["big"] if ties > 1
    ]
    assert placed(root, "big", "#newest") == {tuple(told["big"][-1][:2])}
    for side, kinds in told["ask"].items():
        for kind, mark in zip(("eye", "small", "roach"), kinds, strict=True):
            cell = root.one("g", data_ask=f"{side}-{kind}")
            assert cell.one("use").attributes["href"] == f"#{kind}-{mark}"


@pytest.mark.asyncio
async def test_a_table_page_says_what_the_board_says() -> None:
    rounds, _ = board_shoe()
    root = await page(site([scoreboard(rounds)]), "/tables/B07")
    assert root.one("h1").text == "Baccarat 07"
    assert [dd.text for dd in root.one("dl", class_="count-of").all("dd")] == ["412", "58"]
    assert root.one("p", class_="status--betting").text.strip() == "Betting open"
    limits = root.one("dl", class_="limits")
    assert [dt.text for dt in limits.all("dt")] == ["Banker / Player", "Tie", "Pair"]
    assert [dd.text for dd in limits.all("dd")] == ["500 – 50,000", "100 – 5,000", "100 – 3,000"]
    winner = root.one("p", class_="winner")
    assert winner.one("strong").text == "Banker wins"
    assert [badge.text for badge in winner.all("span", class_="badge")] == ["Natural 9", "Player pair"]
    assert [total.text for total in root.all("p", class_="total")] == ["2", "9"]
    assert [rank.text for rank in root.all("text", class_="card__rank")] == ["A", "A", "9", "J"]
    rows = root.all("tr", class_="counter")
    assert [row.one("th").text.strip() for row in rows] == list(ENGLISH.counter.values())
    assert [row.one("td", class_="num").text for row in rows] == ["29", "22", "7", "4", "5", "22"]
    recent = root.one("ol", class_="recent__list").all("li")
    assert [row.attributes["data-round"] for row in recent] == [str(number) for number in range(58, 38, -1)]
    hands = recent[0].all("span", class_="recent__hand")
    assert [hand.text.replace("\ufe0e", "") for hand in hands] == ["A♠A♥", "9♥J♣"]
    assert root.one("p", id="spoken").text == "Round 58: Banker wins. Player 2, Banker 9. Natural. Player pair."
    assert root.one("p", class_="good").text == "Banker streak · 7"


@pytest.mark.asyncio
async def test_the_third_card_lies_sideways() -> None:
    rounds = [dealt(1, ["2H", "3D", "4C"], ["KS", "7C"])]
    root = await page(site([scoreboard(rounds)]), "/tables/B07")
    cards = root.all("g", class_="card")
    assert ["rotate" in card.attributes["transform"] for card in cards] == [False, False, True, False, False]
    assert len(root.all("rect", class_="card__slot")) == 1


@pytest.mark.asyncio
@pytest.mark.parametrize("hostile", HOSTILE)
async def test_a_hostile_name_shows_as_text(hostile: str) -> None:
    board = scoreboard(keyed_rounds("BP"), names={"en": hostile}, place=hostile)
    served = site([board, shoe_record(board)])
    for path in ("/tables/B07", "/", "/tables/B07/shoes", "/tables/B07/statistics", "/statistics"):
        root = await page(served, path)
        assert root.all("img") == []
        assert root.all("b", class_="evil") == []
        assert all(script.text == "" for script in root.all("script"))
        assert plain(hostile).replace("\r\n", "\n").strip() in root.text.replace("\r\n", "\n")


@pytest.mark.asyncio
async def test_nothing_that_turns_a_texts_direction_round_reaches_a_page() -> None:
    turning = f"T{CONTROLS}S"
    versions = tuple(
        Version(revision=number, voided=False, outcome="banker", occurred_at="2026-11-30T10:31:00.000Z", reason=reason)
        for number, reason in ((0, None), (1, turning))
    )
    corrected = Round(round_no=1, revision=1, voided=False, outcome="banker", versions=versions)
    board = scoreboard([corrected], names={"en": turning}, place=turning)
    served = site([board, shoe_record(board)])
    paths = ["/tables/B07", "/", "/?pit=TS", "/tables/B07/shoes", "/tables/B07/shoes/412", "/tables/B07/statistics"]
    async with asking(served) as client:
        for path in [*paths, "/statistics", "/screens"]:
            text = (await client.get(path)).text
            assert "TS" in text
            assert not set(text) & set(CONTROLS), path
        assert turning in (await client.get("/api/v1/tables/B07")).json()["place"]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "place", ["Pit 3 ", " \tPit 6", "Pit  4", 'Pit "5" & <b>', f"Pit{CONTROLS} 7", "Pit\n8", "Pit\r\n9"]
)
async def test_every_pit_that_is_offered_can_be_chosen(place: str) -> None:
    served = site([scoreboard(keyed_rounds("B"), place=place)])
    root = await page(served, "/")
    (_, *offered) = [option.attributes["value"] for option in root.one("select", name="pit").all("option")]
    async with asking(served) as client:
        for asked in (offered[0], place, "\r\n".join(place.splitlines())):
            chosen = parse((await client.get("/", params={"pit": asked})).text)
            assert len(chosen.all("a", class_="tile")) == 1, asked
    assert len(offered) == 1


@pytest.mark.asyncio
async def test_a_long_list_of_shoes_is_shown_page_by_page() -> None:
    records = [shoe_record(scoreboard(shoe_no=number)) for number in range(1, 451)]
    served = site([scoreboard(keyed_rounds("B"), shoe_no=451), *records])
    shown: list[list[int]] = []
    path = "/tables/B07/shoes?lang=en"
    while path:
        root = await page(served, path)
        shown.append([int(row.attributes["data-shoe"]) for row in root.all("tr") if "data-shoe" in row.attributes])
        path = next((link.attributes["href"] for link in root.all("a") if link.text == "Older"), "")
    assert shown == [[451, *range(450, 250, -1)], list(range(250, 50, -1)), list(range(50, 0, -1))]
    back = await page(served, "/tables/B07/shoes?before=51&lang=en")
    (newer,) = [link.attributes["href"] for link in back.all("a") if link.text == "Newer"]
    middle = await page(served, newer)
    assert next(row.attributes["data-shoe"] for row in middle.all("tr") if "data-shoe" in row.attributes) == "250"
    (first,) = [link.attributes["href"] for link in middle.all("a") if link.text == "Newer"]
    assert "before" not in first


@pytest.mark.asyncio
async def test_without_script_the_page_asks_again_by_itself() -> None:
    for path in LIVE:
        root = await page(whole(), path)
        refresh = root.one("noscript").one("meta").attributes
        assert (refresh["http-equiv"], refresh["content"]) == ("refresh", "10")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("path", "stream"),
    [
        ("/tables/B07", "/stream?lang=en&table=B07"),
        ("/", "/stream?lang=en&lobby=1"),
        ("/tables/B07/statistics", "/stream?lang=en&table=B07&statistics=1"),
        ("/statistics", "/stream?lang=en&lobby=1&statistics=1"),
        ("/tables/B07?orientation=portrait&theme=light", "/stream?lang=en&orientation=portrait&table=B07"),
    ],
)
async def test_a_page_names_its_one_stream_and_the_frame_that_it_shows(path: str, stream: str) -> None:
    served = whole()
    body = (await page(served, path)).one("body").attributes
    assert body["data-stream"] == stream
    last = body["data-last"]
    assert last.startswith(f"{served.build}/")
    if "B07" in stream:
        assert last.endswith("/412/11" if "statistics" in stream else "/412/36")


@pytest.mark.asyncio
async def test_an_address_says_how_a_display_looks() -> None:
    root = await page(whole(), "/tables/B07?theme=light&orientation=portrait&marks=distinct&shift=1")
    assert root.one("html").attributes["data-theme"] == "light"
    assert root.one("div", data_part="table").matches("div", {"class_": "wall--portrait"})
    assert root.one("body").attributes["data-shift"] == "1"
    assert len(root.one("g", id="big-P").all("circle")) == 2


@pytest.mark.asyncio
async def test_the_usual_marks_are_the_trades_plain_ones() -> None:
    root = await page(whole(), "/tables/B07")
    for banker, player in (("big-B", "big-P"), ("eye-R", "eye-U"), ("small-R", "small-U"), ("roach-R", "roach-U")):
        red, blue = root.one(id=banker), root.one(id=player)
        assert red.tag == blue.tag
        geometry = ("cx", "cy", "r", "d")
        assert [red.attributes.get(name) for name in geometry] == [blue.attributes.get(name) for name in geometry]


@pytest.mark.asyncio
async def test_old_data_is_grey_and_says_why_and_closed_is_no_alarm() -> None:
    for status, classes in (("betting", True), ("closed", False)):
        served = Site(whole().settings, clock=lambda: NOON_MS + 300_000)
        served.take(record(scoreboard(keyed_rounds("BP"), status=status), NOON_MS))
        served.source.caught_up, served.source.contact_ms = True, NOON_MS + 300_000
        part = (await page(served, "/tables/B07")).one("div", data_part="table")
        assert part.matches("div", {"class_": "is-silent"}) is classes
        title = part.one("strong", data_say="stale-title").text
        assert title == ("No rounds from the table since 20:00:00" if classes else "")
        assert part.one("span", data_say="age").text == "Data 5 min 00 s ago"


@pytest.mark.asyncio
async def test_a_page_that_has_lost_kafka_keeps_its_picture_and_says_so() -> None:
    served = whole()
    served.source.contact_ms = NOON_MS - 129_000
    root = await page(served, "/tables/B07")
    assert "is-source" in root.one("body").attributes["class"]
    assert root.one("strong", data_say="stale-title").text == "No live data since 19:57:51"
    assert len(marks(root, "bead")) == 7


@pytest.mark.asyncio
async def test_money_is_never_on_a_wall() -> None:
    served = whole()
    for path in ("/", "/tables/B07"):
        text = (await page(served, path)).one("body").text
        for word in ("Stake", "Paid back", "Hold", "195.97"):
            assert word not in text
    assert "195.97" in (await page(served, "/tables/B07/statistics")).text
    assert "195.97" in (await page(served, "/statistics")).text


@pytest.mark.asyncio
async def test_the_lobby_has_a_tile_for_each_table_by_id() -> None:
    boards = [scoreboard(keyed_rounds("BBP"), table_id=table_id, names={}) for table_id in ("T2", "T10", "T1")]
    root = await page(site(boards), "/")
    links = [tile.attributes["href"] for tile in root.all("a", class_="tile")]
    assert links == ["/tables/T1", "/tables/T2", "/tables/T10"]
    assert root.one("p", data_part="note").text == "Main floor · Pit 3 · 3 of 3 open"


@pytest.mark.asyncio
async def test_a_lobby_without_tables_says_so() -> None:
    root = await page(site(), "/")
    assert root.all("a", class_="tile") == []
    assert "No table has dealt yet" in root.one("main").text


@pytest.mark.asyncio
async def test_a_shoes_page_strikes_the_earlier_version_through_and_keeps_a_void_round() -> None:
    root = await page(whole(), "/tables/B07/shoes/412")
    listed = [row for row in root.one("table", class_="rounds").all("tr") if "data-round" in row.attributes]
    rows = {row.attributes["data-round"]: row for row in listed}
    assert list(rows) == [str(number) for number in range(1, 9)]
    corrected = rows["2"]
    assert corrected.attributes["class"] == "is-revised"
    struck = [each.text.strip() for each in corrected.all("del")]
    holds = [each.text.strip() for each in corrected.all("ins")]
    assert "PPlayer" in struck or "Player" in struck
    assert ("6" in struck, "2" in struck) == (True, True)
    assert ("0" in holds, "7" in holds) == (True, True)
    assert "cards read in the wrong order, pit-3/amy" in corrected.text
    void = rows["6"]
    assert void.attributes["class"] == "is-void"
    assert void.one("span", class_="tag--void").text == "Void"
    assert "exposed card, pit-3/amy" in void.text
    assert len(marks(root, "bead")) == 7


@pytest.mark.asyncio
async def test_the_running_shoe_is_shown_from_the_scoreboard() -> None:
    root = await page(site([scoreboard(keyed_rounds("BPT?B"), shoe_no=99)]), "/tables/B07/shoes/99")
    assert "Running" in root.one("header").text
    assert len(root.all("tr", class_="is-missing")) == 1


@pytest.mark.asyncio
async def test_the_list_of_shoes_links_to_each() -> None:
    served = site([scoreboard(keyed_rounds("BP"), shoe_no=413), example("shoe_record")])
    root = await page(served, "/tables/B07/shoes")
    rows = [row for row in root.all("tr") if "data-shoe" in row.attributes]
    assert [row.one("a").attributes["href"] for row in rows] == ["/tables/B07/shoes/413", "/tables/B07/shoes/412"]
    assert [row.one("span", class_="tag").text for row in rows] == ["Running", "Ended"]


@pytest.mark.asyncio
async def test_a_table_without_statistics_or_shoes_says_so() -> None:
    served = site([scoreboard(shoe_no=0, status="unknown")])
    assert "No statistics yet" in (await page(served, "/tables/B07/statistics")).text
    assert "No shoe is recorded yet" in (await page(served, "/tables/B07/shoes")).text
    assert (await page(served, "/tables/B07")).one("p", class_="status--unknown").text.strip() == "No shoe yet"


@pytest.mark.asyncio
@pytest.mark.parametrize("path", ["/tables/B07/", "/statistics/", "/api/v1/tables/"])
async def test_an_address_with_a_slash_too_many_is_not_found_rather_than_sent_to_whatever_host_was_asked(
    path: str,
) -> None:
    async with asking(whole()) as client:
        answer = await client.get(path, headers={"host": "elsewhere.example"})
    assert answer.status_code == 404
    assert "location" not in answer.headers


@pytest.mark.parametrize(
    ("asked", "status"), [("0", 200), ("8", 200), ("9", 400), ("-1", 400), ("x", 400), ("07", 400)]
)
@pytest.mark.asyncio
async def test_a_shoe_is_asked_for_as_after_one_of_its_rounds(asked: str, status: int) -> None:
    async with asking(whole()) as client:
        answer = await client.get(f"/tables/B07/shoes/412?round={asked}")
        assert answer.status_code == status
        assert status == 200 or "0 – 8" in answer.text


@pytest.mark.asyncio
async def test_only_the_form_of_the_screens_may_frame_a_display_and_only_its_own() -> None:
    async with asking(whole()) as client:

        async def policy(path: str) -> str:
            answer = await client.get(path)
            assert answer.status_code == 200
            return answer.headers["content-security-policy"]

        assert "frame-src 'self'" in await policy("/screens")
        assert "frame-ancestors 'none'" in await policy("/screens")
        assert "frame-ancestors 'self'" in await policy("/screens/tables/B07")
        for path in ("/", "/tables/B07", "/statistics"):
            assert "frame-ancestors 'none'" in await policy(path)
            assert "frame-src" not in await policy(path)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/?open=1&good=1&sort=quiet&pit=x", 200),
        ("/?open=yes", 400),
        ("/?sort=size", 400),
        ("/?round=1", 400),
        ("/tables/B07?open=1", 400),
        ("/screens?table=B07&panel=bead&panel=big&big=30&beads=usual&screen=portrait", 200),
        ("/screens?panel=nothing", 400),
        ("/screens?big=1000", 400),
        ("/screens?table=C99", 404),
        ("/statistics?table=B07&shoe=&day=&bet=tie", 200),
        ("/statistics?table=C99", 404),
        ("/statistics?bet=moon", 400),
        ("/docs?x=1", 400),
        ("/api/v1/tables?x=1", 400),
        ("/stream?lobby=1&sort=good&x=1", 400),
        ("/stream?lobby=1&table=B07", 400),
        ("/stream?table=B07&statistics=banana", 400),
        ("/stream?table=B07&statistics=0", 400),
        ("/stream?lobby=yes", 400),
        ("/stream?table=", 400),
        ("/stream?table=B07&sort=good", 400),
        ("/stream?lobby=1&statistics=1&sort=good", 400),
        ("/stream?table=B07&last=" + "x" * 501, 400),
        ("/screens?screen=banana", 400),
        ("/screens?bead=12&cols=bead:13", 400),
        ("/screens?bead=12&cols=big:13", 400),
        ("/screens?bead=&cols=bead:13&panel=&screen=", 200),
        ("/screens?bead=12,big:13", 400),
        ("/screens?bead=2", 400),
        ("/screens?bead=12&bead=13", 400),
        ("/screens?panel=big&show=-big", 400),
        ("/screens?panel=&show=-big", 200),
        ("/screens?panel=-big", 400),
        ("/screens?panel=big,bead", 400),
        ("/screens?panel=big&panel=big", 400),
        ("/tables/B07?show=big,big", 400),
        ("/?pit=" + "x" * 500, 200),
        ("/?pit=" + "x" * 501, 400),
        ("/?pit=&sort=&open=&good=", 200),
        ("/statistics?bet=", 200),
        ("/statistics?shoe=1&day=2026-11-30", 400),
        ("/api/v1/tables/B07/shoes/412?format=", 200),
        ("/api/v1/tables/B07/shoes/412?format=xml", 400),
        ("/static/board.js?v=0", 200),
        ("/static/board.js?v=0&v=1", 400),
    ],
)
@pytest.mark.asyncio
async def test_an_address_is_understood_or_refused_with_a_sentence(path: str, status: int) -> None:
    async with asking(whole()) as client:
        answer = await client.get(path)
        assert answer.status_code == status
        assert "Traceback" not in answer.text


@pytest.mark.parametrize("path", [*(operation.path for operation in OPERATIONS), "/static/board.js"])
@pytest.mark.asyncio
async def test_no_address_has_a_parameter_that_it_does_not_know(path: str) -> None:
    async with asking(whole()) as client:
        answer = await client.get(path.format(table_id="B07", shoe_no=412), params={"x": "1"})
    assert answer.status_code == 400
    assert "?x=" in answer.text


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/api/v1/tables?x=1", "This address has no parameters: leave ?x= out."),
        ("/stream?lobby=1&table=B07", "Give ?lobby= or ?table=, not both."),
        ("/stream?table=B07&statistics=banana", "?statistics=banana is not understood. It may be: 1."),
        ("/stream?lobby=1&last=" + "x" * 501, "?last= is longer than 500 characters."),
    ],
)
@pytest.mark.asyncio
async def test_a_refusal_says_what_may_stand_there(path: str, said: str) -> None:
    async with asking(whole()) as client:
        assert (await client.get(path)).json()["detail"] == said


@pytest.mark.asyncio
async def test_the_form_of_the_screens_says_which_of_its_fields_is_not_understood() -> None:
    async with asking(whole()) as client:
        assert "?panel=nothing is not understood" in (await client.get("/screens?panel=nothing")).text
        assert "?bead=2 is not understood. It may be: 3 – 120." in (await client.get("/screens?bead=2")).text


@pytest.mark.asyncio
async def test_a_screen_without_a_panel_is_told_to_have_one_and_the_form_keeps_what_was_chosen() -> None:
    root = await page(whole(), "/screens?table=B07&screen=portrait&lang=en&theme=light&beads=usual&bead=12&big=")
    assert [box for box in root.all("input", name="panel") if "checked" in box.attributes] == []
    assert root.one("input", name="bead").attributes["value"] == "12"
    chosen = [option.attributes["value"] for option in root.all("option") if "selected" in option.attributes]
    assert {"B07", "portrait", "light"} <= set(chosen)
    assert root.one("p", role="status").text == ENGLISH.no_panel
    assert root.all("iframe") == []


@pytest.mark.parametrize("query", ["", "?theme=light", "?table=B07", "?screen=portrait&panel=big"])
@pytest.mark.asyncio
async def test_a_screen_has_the_panels_that_are_ticked_and_all_where_the_form_was_not_sent(query: str) -> None:
    root = await page(whole(), f"/screens{query}")
    ticked = [box.attributes["value"] for box in root.all("input", name="panel") if "checked" in box.attributes]
    assert ticked == (["big"] if "panel" in query else list(PANELS))
    assert root.all("p", role="status") == []
    assert len(root.all("iframe")) == 1


@pytest.mark.asyncio
async def test_what_the_form_of_the_screens_sends_makes_the_same_form() -> None:
    root = await page(whole(), "/screens?cols=bead:12&show=-ask&shift=1")
    form = root.one("form")
    boxes = [
        box for box in form.all("input") if box.attributes.get("type") != "checkbox" or "checked" in box.attributes
    ]
    sent = [(box.attributes["name"], box.attributes["value"]) for box in boxes]
    for select in form.all("select"):
        options = select.all("option")
        chosen = next((option for option in options if "selected" in option.attributes), options[0])
        sent.append((select.attributes["name"], chosen.attributes["value"]))
    again = await page(whole(), f"/screens?{urlencode(sent)}")
    address = again.one("p", class_="screens__address").one("a").attributes["href"]
    assert address == "/tables/B07?lang=en&cols=bead:12&shift=1&show=-ask"
