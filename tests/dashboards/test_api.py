"""The JSON API: byte for byte what the topics say."""

import json

import pytest
from starlette.requests import Request
from starlette.responses import Response

from contract.codec import decode, encode
from contract.scoreboards import Scoreboard
from contract.topics import SCOREBOARDS, SHOES
from dashboards.asked import tagged
from dashboards.site import Site
from dashboards.words import ENGLISH
from tests.dashboards.tables import example, keyed_rounds, scoreboard, shoe_record, site
from tests.dashboards.web import asking

TABLE = "/api/v1/tables/B07"


def whole() -> Site:
    return site([example("scoreboard"), example("bet_statistics"), example("shoe_record")])


@pytest.mark.asyncio
async def test_the_list_of_tables_is_the_contracts_example() -> None:
    async with asking(whole()) as client:
        answer = await client.get("/api/v1/tables")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == json.loads(example("api_v1_tables"))


@pytest.mark.asyncio
async def test_a_table_without_a_round_has_no_last_outcome() -> None:
    async with asking(site([scoreboard(shoe_no=0, status="unknown", names={})])) as client:
        listed = (await client.get("/api/v1/tables")).json()
    assert [table["name"] for table in listed] == ["B07"]
    assert "last_outcome" not in listed[0]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("path", "event"), [("", "scoreboard"), ("/statistics", "bet_statistics"), ("/shoes/412", "shoe_record")]
)
async def test_an_event_is_answered_byte_for_byte(path: str, event: str) -> None:
    async with asking(whole()) as client:
        answer = await client.get(TABLE + path)
    assert answer.status_code == 200
    assert answer.content == example(event)


@pytest.mark.asyncio
@pytest.mark.parametrize("path", ["", "/statistics"])
async def test_who_holds_the_newest_is_told_so(path: str) -> None:
    async with asking(whole()) as client:
        first = await client.get(TABLE + path)
        again = await client.get(TABLE + path, headers={"if-none-match": first.headers["etag"]})
        other = await client.get(TABLE + path, headers={"if-none-match": '"1.1"'})
    assert (again.status_code, again.content) == (304, b"")
    assert other.status_code == 200


@pytest.mark.asyncio
async def test_the_shoes_are_listed_running_first() -> None:
    async with asking(site([scoreboard(keyed_rounds("BP"), shoe_no=413), example("shoe_record")])) as client:
        shoes = (await client.get(f"{TABLE}/shoes")).json()
    assert [(shoe["shoe_no"], shoe["running"]) for shoe in shoes] == [(413, True), (412, False)]
    assert shoes[1]["counts"] == json.loads(example("shoe_record"))["counts"]
    assert shoes[1]["ended_at"] == "2026-11-30T18:14:40.000Z"
    assert "ended_at" not in shoes[0]


@pytest.mark.asyncio
async def test_the_running_shoe_is_answered_as_a_record_that_the_contract_reads() -> None:
    board: Scoreboard = decode(SCOREBOARDS, example("scoreboard"))
    async with asking(site([board])) as client:
        answer = await client.get(f"{TABLE}/shoes/412")
    record = decode(SHOES, answer.content)
    assert (record.rounds, record.counts, record.roads, record.ended_at) == (
        board.rounds,
        board.counts,
        board.roads,
        None,
    )
    assert json.loads(answer.content)["type"] == "shoe_record"


@pytest.mark.asyncio
async def test_a_record_that_kafka_has_dropped_is_not_found_and_not_listed_any_more() -> None:
    served = site([scoreboard(shoe_no=412), shoe_record(scoreboard(shoe_no=400))])
    async with asking(served) as client:
        answer = await client.get(f"{TABLE}/shoes/400")
        shoes = (await client.get(f"{TABLE}/shoes")).json()
    assert answer.status_code == 404
    assert "400" in answer.json()["detail"]
    assert [shoe["shoe_no"] for shoe in shoes] == [412]


@pytest.mark.asyncio
async def test_a_record_that_cannot_be_fetched_now_is_to_be_asked_for_again() -> None:
    served = site([scoreboard(shoe_no=412), shoe_record(scoreboard(shoe_no=404))])
    async with asking(served) as client:
        answer = await client.get(f"{TABLE}/shoes/404")
        page = await client.get("/tables/B07/shoes/404")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert "does not answer" in answer.json()["detail"]
    assert page.status_code == 503
    assert "Data service lost" in page.text
    assert ENGLISH.away_why in page.text
    assert "Kafka" not in page.text


@pytest.mark.asyncio
@pytest.mark.parametrize("shoe", ["0", "1", "0412", "-1", "x", "4\u0661", "9" * 30, "412.0", "%2e"])
async def test_a_shoe_that_is_not_there_is_not_found(shoe: str) -> None:
    async with asking(whole()) as client:
        answer = await client.get(f"{TABLE}/shoes/{shoe}")
    assert answer.status_code == 404
    problem = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert (problem["status"], problem["title"], problem["type"]) == (404, "Not Found", "about:blank")


@pytest.mark.asyncio
async def test_what_is_served_decodes_to_what_was_published() -> None:
    board = scoreboard(keyed_rounds("BPTBB"))
    async with asking(site([board])) as client:
        answer = await client.get(TABLE)
    assert answer.content == encode(board)
    assert decode(SCOREBOARDS, answer.content) == board


@pytest.mark.parametrize(
    ("held", "status"),
    [
        ("{}", 304),
        ("W/{}", 304),
        ("*", 304),
        (' "a,b" ,, {},W/"c"', 304),
        ('"{}', 200),
        ("w/x", 200),
        ("", 200),
        ('"*"', 200),
    ],
)
@pytest.mark.asyncio
async def test_who_holds_one_of_a_list_of_tags_is_told_so(held: str, status: int) -> None:
    async with asking(whole()) as client:
        etag = (await client.get(TABLE)).headers["etag"]
        answer = await client.get(TABLE, headers={"if-none-match": held.replace("{}", etag)})
    assert answer.status_code == status


@pytest.mark.asyncio
async def test_a_tag_with_a_comma_in_it_is_one_tag_and_no_list() -> None:
    path = "/tables/B07?cols=bead:12,big:40"
    async with asking(whole()) as client:
        etag = (await client.get(path)).headers["etag"]
        several = [("if-none-match", '"x"'), ("if-none-match", f'"y", {etag}')]
        statuses = [
            (await client.get(path, headers=held)).status_code
            for held in ([("if-none-match", etag)], several, [("if-none-match", etag.replace("bead", '"bead'))])
        ]
    assert "," in etag
    assert statuses == [304, 304, 200]


def test_a_quote_that_a_query_brings_does_not_end_the_tag() -> None:
    request = Request({"type": "http", "headers": []})
    assert tagged(request, 'W/"1?pit="a,b"/en"', Response).headers["etag"] == 'W/"1?pit=%22a,b%22/en"'
