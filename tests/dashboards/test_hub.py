"""Who is woken, what they are sent, and that nobody queues."""

import asyncio

import pytest

from dashboards.frames import GONE, FrameId, parse_frame_id
from dashboards.hub import Closed, Full, Hub, Mosaic, NewestFrame, Recency, Subject

TABLE = Subject("table", "T1")
OTHER = Subject("table", "T2")


def hub(most: int = 10) -> Hub:
    return Hub(most, lambda: b"beat")


class Picture:
    """A picture whose version the test sets, and which counts how often it was drawn."""

    def __init__(self) -> None:
        self.version, self.drawn = 1, 0

    def newest(self) -> FrameId:
        return FrameId("b", "T1", 1, self.version)

    def render(self) -> str:
        self.drawn += 1
        return f"<p>{self.version}</p>"

    def feed(self) -> NewestFrame:
        return NewestFrame("table", self.newest, self.render)


def test_a_viewer_who_has_seen_nothing_gets_the_newest_frame() -> None:
    frames, seen = Picture().feed().news(None)
    assert frames == (b"id: b/T1/1/1\nevent: table\ndata:<p>1</p>\n\n",)
    assert seen == FrameId("b", "T1", 1, 1)


def test_a_viewer_who_shows_the_newest_gets_nothing() -> None:
    assert Picture().feed().news(FrameId("b", "T1", 1, 1)) == ((), FrameId("b", "T1", 1, 1))


def test_a_slow_viewer_gets_the_newest_alone() -> None:
    picture = Picture()
    feed = picture.feed()
    feed.news(None)
    picture.version = 7
    frames, seen = feed.news(FrameId("b", "T1", 1, 1))
    assert [frame.count(b"<p>7</p>") for frame in frames] == [1]
    assert seen == FrameId("b", "T1", 1, 7)


def test_a_version_is_drawn_once_for_all_and_only_when_asked_for() -> None:
    picture = Picture()
    feed = picture.feed()
    for version in (1, 2, 3):
        picture.version = version
    first, _ = feed.news(None)
    second, _ = feed.news(FrameId("b", "T1", 1, 1))
    assert picture.drawn == 1
    assert first[0] is second[0]


def test_a_subject_without_a_picture_sends_nothing() -> None:
    assert NewestFrame("table", lambda: None, lambda: "never").news(None) == ((), None)


def test_keys_come_in_the_order_of_their_last_change() -> None:
    recency = Recency()
    for key in ("a", "b", "a", "c", "b"):
        recency.touch(key)
    assert recency.since(0) == ["a", "c", "b"]
    assert recency.since(3) == ["c", "b"]
    assert recency.since(5) == []


def mosaic(recency: Recency, subject: str = "lobby/1") -> tuple[Mosaic, dict[str, int], list[str]]:
    versions: dict[str, int] = {}
    drawn: list[str] = []

    def draw(key: str) -> str:
        drawn.append(key)
        return f"<i>{key}{versions[key]}</i>"

    def newest(key: str) -> int:
        return versions[key]

    return Mosaic("b", subject, recency, newest=newest, render=draw, roll=" ".join), versions, drawn


def test_only_the_pictures_that_changed_are_sent_and_the_last_carries_the_id() -> None:
    recency = Recency()
    feed, versions, _ = mosaic(recency)
    for key in ("a", "b", "a"):
        versions[key] = versions.get(key, 0) + 1
        recency.touch(key)
    frames, seen = feed.news(None)
    assert frames == [
        b"event: lobby\ndata:b a\n\n",
        b"event: lobby\ndata:<i>b1</i>\n\n",
        b"id: b/lobby/1/0/3\nevent: lobby\ndata:<i>a2</i>\n\n",
    ]
    versions["b"] = 2
    recency.touch("b")
    frames, seen = feed.news(seen)
    assert frames == [b"id: b/lobby/1/0/4\nevent: lobby\ndata:<i>b2</i>\n\n"]
    assert feed.news(seen) == ((), seen)


def test_a_picture_is_drawn_once_per_version_for_all_viewers() -> None:
    recency = Recency()
    feed, versions, drawn = mosaic(recency)
    versions["a"] = 1
    recency.touch("a")
    feed.news(None)
    feed.news(FrameId("b", "lobby/1", 0, 0))
    assert drawn == ["a"]


@pytest.mark.parametrize("seen", ["", "b/lobby/2/0/1", "other/lobby/1/0/1", "rubbish", "b/T1/0/1"])
def test_a_viewer_of_another_process_or_build_is_sent_all_and_first_what_all_is(seen: str) -> None:
    recency = Recency()
    feed, versions, _ = mosaic(recency)
    versions["a"] = 1
    recency.touch("a")
    frames, _ = feed.news(parse_frame_id(seen))
    assert frames == [b"event: lobby\ndata:a\n\n", b"id: b/lobby/1/0/1\nevent: lobby\ndata:<i>a1</i>\n\n"]


def test_a_viewer_of_another_process_learns_that_there_is_nothing() -> None:
    feed, _, _ = mosaic(Recency())
    frames, seen = feed.news(FrameId("b", "lobby/2", 0, 7))
    assert frames == [b"id: b/lobby/1/0/0\nevent: lobby\ndata:\n\n"]
    assert feed.news(seen) == ((), seen)


@pytest.mark.asyncio
async def test_a_change_wakes_who_watches_it_and_nobody_else() -> None:
    house = hub()
    with house.watch(TABLE) as one, house.watch(OTHER) as other:
        one.wake.clear()
        other.wake.clear()
        house.changed(TABLE)
        assert one.wake.is_set()
        assert not other.wake.is_set()


@pytest.mark.asyncio
async def test_a_heartbeat_wakes_everybody() -> None:
    house = hub()
    with house.watch(TABLE) as one, house.watch(OTHER) as other:
        one.wake.clear()
        other.wake.clear()
        house.beat()
        assert one.wake.is_set()
        assert other.wake.is_set()
        assert house.beats == 1


@pytest.mark.asyncio
async def test_many_changes_within_the_pace_wake_once() -> None:
    house = hub()
    with house.watch(TABLE) as viewer:
        viewer.wake.clear()
        for _ in range(5):
            house.changed(TABLE, pace_s=0.01)
        assert not viewer.wake.is_set()
        async with asyncio.timeout(5):
            await viewer.wake.wait()
        viewer.wake.clear()
        house.changed(TABLE, pace_s=0.01)
        async with asyncio.timeout(5):
            await viewer.wake.wait()


@pytest.mark.asyncio
async def test_at_the_cap_a_new_viewer_is_turned_away_and_the_others_stay() -> None:
    house = hub(most=1)
    with house.watch(TABLE):
        with pytest.raises(Full), house.watch(TABLE):
            pass
        assert house.viewers == 1
        assert house.turned_away == 1
    with house.watch(TABLE):
        assert house.viewers == 1


@pytest.mark.asyncio
async def test_a_thousand_viewers_that_leave_leave_nothing_behind() -> None:
    house = hub(most=2000)
    for number in range(1000):
        with house.watch(Subject("table", f"T{number}")):
            pass
    assert house.viewers == 0
    assert house._watching == {}


@pytest.mark.asyncio
async def test_a_closed_hub_wakes_all_and_takes_nobody() -> None:
    house = hub()
    with house.watch(TABLE) as viewer:
        viewer.wake.clear()
        house.changed(TABLE, pace_s=60)
        house.close()
        assert viewer.wake.is_set()
    with pytest.raises(Closed), house.watch(TABLE):
        pass


def test_who_has_seen_a_picture_that_is_gone_is_told_so_once() -> None:
    newest: FrameId | None = FrameId("b", "T", 1, 1)
    feed = NewestFrame("table", lambda: newest, lambda: "<p></p>")
    (_,), seen = feed.news(None)
    newest = None
    assert feed.news(seen) == ((GONE,), None)
    assert feed.news(None) == ((), None)
