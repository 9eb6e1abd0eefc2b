"""The streams of a real server in a child process."""

import functools
import json
import re
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import httpx
import pytest

from contract.scoreboards import Scoreboard
from tests.dashboards.child import PageServer, connect, read_until, running
from tests.dashboards.tables import example, keyed_rounds, scoreboard

TABLE, LOBBY = "/stream?table=B07", "/stream?lobby=1"
END = b"data:</footer>\ndata:</div>\n\n"
"""Of a table's frame."""


@pytest.fixture(scope="module")
def page() -> Iterator[PageServer]:
    """A server with one table and its statistics, shared by the tests that leave it as it is."""
    with running(beat=0.2) as server:
        server.take(example("scoreboard"))
        server.take(example("bet_statistics"))
        wait_for(lambda: "B07" in get(server, "/api/v1/tables").text)
        yield server


def wait_for(condition: Callable[[], bool], within_s: float = 10) -> None:
    until = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < until, "it did not come to pass"
        time.sleep(0.02)


def get(server: PageServer, path: str, method: str = "GET", **headers: str) -> httpx.Response:
    return httpx.request(method, server.address(path), headers=headers, timeout=10)


def metric(server: PageServer, name: str) -> float:
    found = re.search(rf"^beadplate_page_{name} (\S+)$", get(server, "/metrics").text, re.MULTILINE)
    assert found is not None
    return float(found[1])


def to_the_end(client: socket.socket) -> bytes:
    return b"".join(iter(functools.partial(client.recv, 65536), b""))


@contextmanager
def not_reading(server: PageServer) -> Iterator[socket.socket]:
    """A viewer with a small buffer that has asked for the table's stream and reads nothing."""
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", server.port))
        client.sendall(f"GET {TABLE} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        wait_for(lambda: metric(server, "viewers") == 1)
        yield client


def version(number: int) -> Scoreboard:
    """The table in its next shoe, at a version of its own in every test."""
    return scoreboard(keyed_rounds("BP" * 40), shoe_no=500, version=number)


def ids(got: bytes) -> list[str]:
    return [found.decode() for found in re.findall(rb"^id: (.*)$", got, re.MULTILINE)]


def test_a_stream_begins_with_a_heartbeat_and_the_newest_frame(page: PageServer) -> None:
    with connect(page, TABLE) as client:
        got = read_until(client, b"event: table")
    head, _, body = got.partition(b"\r\n\r\n")
    assert b"200 OK" in head
    headers = head.lower()
    assert b"content-type: text/event-stream; charset=utf-8" in headers
    assert b"cache-control: no-cache, no-transform" in headers
    assert b"x-accel-buffering: no" in headers
    assert b"content-encoding" not in headers
    assert b"retry: 2000" in body
    assert body.index(b"event: beat") < body.index(b"event: table")
    assert ids(body)[0].endswith("/B07/412/36")


def test_heartbeats_go_on_and_tell_the_servers_time(page: PageServer) -> None:
    with connect(page, TABLE) as client:
        got = read_until(client, b"event: table")
        while got.count(b"event: beat") < 3:
            got += read_until(client, b"event: beat")
    told = [json.loads(text) for text in re.findall(rb"event: beat\r?\ndata: (.*)", got)]
    assert told[0]["now"] < told[-1]["now"]
    assert abs(told[-1]["now"] / 1000 - time.time()) < 5
    assert {beat["lost"] for beat in told} == {False}


def test_a_viewer_who_shows_the_newest_gets_no_frame_again(page: PageServer) -> None:
    with connect(page, TABLE) as client:
        newest = ids(read_until(client, b"event: table"))[0]
    for client in (connect(page, f"{TABLE}&last={newest}"), connect(page, TABLE, Last_Event_ID=newest)):
        with client:
            got = b""
            while got.count(b"event: beat") < 3:
                got += read_until(client, b"event: beat")
        assert b"event: table" not in got


def test_the_browsers_own_last_id_goes_before_the_pages(page: PageServer) -> None:
    with connect(page, TABLE) as client:
        newest = ids(read_until(client, b"event: table"))[0]
    with connect(page, f"{TABLE}&last={newest}", Last_Event_ID="old/B07/1/1") as client:
        assert b"event: table" in read_until(client, b"event: table")


def test_head_is_answered_without_a_stream(page: PageServer) -> None:
    answer = get(page, TABLE, "HEAD")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert metric(page, "viewers") == 0


def test_statistics_have_frames_and_ids_of_their_own(page: PageServer) -> None:
    with connect(page, f"{TABLE}&statistics=1") as client:
        got = read_until(client, b"event: statistics")
    assert ids(got)[0].endswith("/B07/statistics/412/11")
    assert b"event: table" not in got
    with connect(page, f"{LOBBY}&statistics=1") as client:
        assert b"event: lobby" not in read_until(client, b"event: statistics")


def test_an_asset_with_its_hash_is_immutable_and_a_bare_one_is_asked_for_again(page: PageServer) -> None:
    hashed = re.search(r'src="(/static/board\.js\?v=\w+)"', get(page, "/tables/B07").text)
    assert hashed is not None
    assert get(page, hashed[1]).headers["cache-control"] == "public, max-age=31536000, immutable"
    bare = get(page, "/static/board.js")
    assert bare.headers["cache-control"] == "no-cache"
    assert get(page, "/static/board.js", **{"If-None-Match": bare.headers["etag"]}).status_code == 304
    assert get(page, "/static/board.js?v=0").headers["cache-control"] == "no-cache"


def test_a_page_that_is_shown_already_is_not_sent_again(page: PageServer) -> None:
    def again() -> bool:  # a slot of five seconds may end between the two
        first = get(page, "/tables/B07")
        return get(page, "/tables/B07", **{"If-None-Match": first.headers["etag"]}).status_code == 304

    wait_for(again)
    other = get(page, "/tables/B07?theme=light", **{"If-None-Match": get(page, "/tables/B07").headers["etag"]})
    assert other.status_code == 200


def test_a_change_reaches_every_viewer_in_the_same_bytes() -> None:
    with running() as server:
        server.take(version(1))
        wait_for(lambda: "B07" in get(server, "/api/v1/tables").text)
        with ExitStack() as opened:
            clients = [opened.enter_context(connect(server, TABLE)) for _ in range(20)]
            for client in clients:
                read_until(client, END)
            server.take(version(2))
            frames = [read_until(client, END).partition(b"id: ")[2] for client in clients]
        assert len(set(frames)) == 1
        assert b"/B07/500/2\n" in frames[0]


def test_a_lower_version_is_sent_to_nobody() -> None:
    with running(beat=0.1) as server:
        server.take(version(5))
        wait_for(lambda: "B07" in get(server, "/api/v1/tables").text)
        with connect(server, TABLE) as client:
            read_until(client, b"event: table")
            server.take(version(4))
            server.take(version(6))
            got = read_until(client, b"event: table")
        assert [found.rsplit("/", 1)[1] for found in ids(got)] == ["6"]


def test_a_slow_viewer_gets_the_newest_and_not_a_queue() -> None:
    last = 400
    with running(beat=60) as server:
        server.take(version(1))
        wait_for(lambda: "B07" in get(server, "/api/v1/tables").text)
        with not_reading(server) as slow:
            for number in range(2, last + 1):
                server.take(version(number))
            wait_for(lambda: get(server, "/api/v1/tables").json()[0]["version"] == last)
            got = read_until(slow, f"/B07/500/{last}\n".encode())
    versions = [int(found.rsplit("/", 1)[1]) for found in ids(got)]
    assert versions == sorted(versions)
    assert len(versions) < last / 2
    assert versions[-1] == last


def test_the_lobby_sends_the_tile_that_changed_alone() -> None:
    with running() as server:
        for table_id in ("T1", "T2", "T3"):
            server.take(scoreboard(keyed_rounds("BP"), table_id=table_id))
        wait_for(lambda: len(get(server, "/api/v1/tables").json()) == 3)
        with connect(server, LOBBY) as client:
            got = read_until(client, b"id: ")
            got += b"" if b"tile-T3" in got else read_until(client, b"tile-T3")
            assert [got.count(f'data-part="tile-{table_id}"'.encode()) for table_id in ("T1", "T2", "T3")] == [1, 1, 1]
            server.take(scoreboard(keyed_rounds("BPT"), table_id="T2"))
            got = read_until(client, b"</a>")
        assert re.findall(rb'data-part="(tile-\w+)"', got) == [b"tile-T2"]
        last = ids(got)[0]
        with connect(server, f"{LOBBY}&last={last}") as client:
            server.take(scoreboard(keyed_rounds("BPTB"), table_id="T1"))
            got = read_until(client, b"</a>")
        assert re.findall(rb'data-part="(tile-\w+)"', got) == [b"tile-T1"]


def test_at_the_cap_a_new_viewer_is_asked_to_come_back_and_the_others_stay() -> None:
    with running(max_viewers=2, beat=0.1) as server:
        server.take(example("scoreboard"))
        wait_for(lambda: "B07" in get(server, "/api/v1/tables").text)
        with ExitStack() as opened:
            first, second = (opened.enter_context(connect(server, TABLE)) for _ in range(2))
            for client in (first, second):
                read_until(client, b"event: table")
            refused = [get(server, TABLE) for _ in range(12)]
            assert {answer.status_code for answer in refused} == {503}
            waits = {int(answer.headers["retry-after"]) for answer in refused}
            assert len(waits) > 1
            assert waits <= set(range(5, 31))
            for client in (first, second):
                assert b"event: beat" in read_until(client, b"event: beat")
            second.close()
            wait_for(lambda: metric(server, "viewers") == 1)
            with connect(server, TABLE) as client:
                assert b"200 OK" in read_until(client, b"event: table")


def test_a_thousand_viewers_that_leave_even_before_the_first_byte_leave_nothing_behind() -> None:
    with running() as server:
        server.take(example("scoreboard"))
        wait_for(lambda: "B07" in get(server, "/api/v1/tables").text)
        for number in range(1000):
            client = connect(server, TABLE)
            if number % 10 == 0:
                read_until(client, b"event: table")
            client.close()
        wait_for(lambda: metric(server, "viewers") == 0)


def test_a_viewer_that_does_not_read_is_dropped_after_the_deadline() -> None:
    with running(send_timeout=0.3, beat=60) as server:
        server.take(version(1))
        wait_for(lambda: "B07" in get(server, "/api/v1/tables").text)
        number = 1

        def dropped() -> bool:
            nonlocal number
            for _ in range(20):
                number += 1
                server.take(version(number))
            return metric(server, "viewers") == 0

        with not_reading(server):
            wait_for(dropped, within_s=30)
            assert metric(server, "viewers_dropped_total") == 1


def test_viewers_are_told_at_once_that_kafka_is_lost_and_that_it_is_back() -> None:
    with running(beat=60) as server:
        server.take(example("scoreboard"))
        wait_for(lambda: "B07" in get(server, "/api/v1/tables").text)
        with connect(server, TABLE) as client:
            read_until(client, b"event: table")
            server.take(b"lost")
            assert b'"lost":true' in read_until(client, b'"lost":true', within_s=20)
            assert get(server, "/readyz").status_code == 503
            assert get(server, "/livez").status_code == 200
            server.take(b"found")
            assert b'"lost":false' in read_until(client, b'"lost":false', within_s=20)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_goodbye_on_fifty_streams_and_ends_within_three_seconds(number: signal.Signals) -> None:
    with running() as server:
        server.take(example("scoreboard"))
        wait_for(lambda: "B07" in get(server, "/api/v1/tables").text)
        with ExitStack() as opened:
            paths = [TABLE, LOBBY] * 25
            clients = [opened.enter_context(connect(server, path)) for path in paths]
            for client in clients:
                read_until(client, b"event: beat")
            started = time.monotonic()
            status = server.stop(number)
            assert time.monotonic() - started < 3
            assert status == 0
            rests = [to_the_end(client) for client in clients]
        assert all(rest.endswith(b"0\r\n\r\n") for rest in rests), "an answer ends in order, not by a cut"
        waits = {re.findall(rb"retry: (\d+)\nevent: bye", rest)[0] for rest in rests}
        assert len(waits) > 10, "they do not all come back at once"
        assert b"Traceback" not in server.said


def test_it_ends_in_time_though_a_viewer_does_not_read() -> None:
    with running(beat=60) as server:
        server.take(version(1))
        wait_for(lambda: "B07" in get(server, "/api/v1/tables").text)
        with not_reading(server):
            for number in range(2, 300):
                server.take(version(number))
            wait_for(lambda: get(server, "/api/v1/tables").json()[0]["version"] == 299)
            started = time.monotonic()
            assert server.stop() == 0
            assert time.monotonic() - started < 3
        assert b"graceful shutdown exceeded" not in server.said, "it was cut off, not waited for"
