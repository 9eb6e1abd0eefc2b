"""Frames and their ids."""

import pytest

from dashboards.frames import FrameId, beat, bye, frame, parse_frame_id, with_id


def test_a_frame_id_reads_back() -> None:
    frame_id = FrameId("a1b2", "T01/statistics", 412, 36)
    assert str(frame_id) == "a1b2/T01/statistics/412/36"
    assert parse_frame_id(str(frame_id)) == frame_id


@pytest.mark.parametrize("text", ["", "/", "a/b", "a/b/c/d", "a/b/1/", "a/b/-1/2", "a/b/1/٣", "//1/2", "a//1/2"])
def test_what_is_no_frame_id_is_none(text: str) -> None:
    assert parse_frame_id(text) is None


@pytest.mark.parametrize("separator", ["\n", "\r", "\r\n", "\x0b", "\x85", "\u2028"])
def test_no_text_can_end_a_frame_or_begin_a_field(separator: str) -> None:
    sent = frame("table", f"<h1>one{separator}{separator}id: evil{separator}event: bye</h1>")
    lines = sent.decode().split("\n")
    assert lines[0] == "event: table"
    assert all(line.startswith("data:") for line in lines[1:-2])
    assert lines[-2:] == ["", ""]
    assert sent.count(b"\r") == 0


def test_the_id_stands_before_the_frame() -> None:
    assert with_id(FrameId("b", "T", 1, 2), frame("lobby", "<p></p>")) == b"id: b/T/1/2\nevent: lobby\ndata:<p></p>\n\n"


def test_a_heartbeat_is_an_event_that_scripts_see() -> None:
    assert beat(b"{}") == b"event: beat\ndata: {}\n\n"


def test_a_goodbye_says_when_to_come_back() -> None:
    assert bye(1234) == b"retry: 1234\nevent: bye\ndata:\n\n"
