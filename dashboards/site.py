"""The page server's inner life: what is known, who watches, and what they are shown. No sockets, no Kafka."""

import functools
import secrets
from collections.abc import Callable
from weakref import WeakValueDictionary

import msgspec
from markupsafe import Markup

from dashboards.assets import build_id
from dashboards.frames import FrameId, beat
from dashboards.hub import HOUSE_PACE_S, Feed, Hub, Mosaic, NewestFrame, Recency, Subject
from dashboards.intake import Change, Intake, Record
from dashboards.options import View
from dashboards.renderer import Renderer
from dashboards.settings import Page
from dashboards.source import Source
from dashboards.store import Store
from dashboards.views.lobby import Tile, head_line, tile
from dashboards.views.state import Source as SourceState
from dashboards.views.statistics import StatisticsView, house_statistics, table_statistics
from dashboards.views.table import TableView, table_view
from dashboards.views.times import now_ms, zone

LOBBY = Subject("lobby")
HOUSE = Subject("house")


class _Beat(msgspec.Struct):
    """What a heartbeat says: the server's time, the build, whether Kafka is lost and when it last answered, and the
    seconds to the next.
    """

    now: int
    build: str
    lost: bool
    contact: int
    beat: float


class Site:
    """Store, hub and renderer of one page server; ``clock`` is its time in milliseconds since 1970."""

    def __init__(self, settings: Page, *, clock: Callable[[], int] = now_ms) -> None:
        self.settings, self.clock = settings, clock
        self.build = build_id()
        self.store, self.source, self.renderer = Store(), Source(turn_ms=clock()), Renderer()
        self.intake = Intake(self.store)
        self.hub = Hub(settings.max_viewers, self.heartbeat)
        self.recency, self.house_recency = Recency(), Recency()
        self._epoch = secrets.token_hex(4)
        self._feeds: WeakValueDictionary[tuple[Subject, View], Feed] = WeakValueDictionary()
        """A feed lives as long as somebody watches it: what an address asks for costs nothing when it is left."""

    # ---- what comes in

    def take(self, record: Record) -> None:
        """Take a record and wake whom it concerns."""
        if change := self.intake.take(record):
            self._tell(change)

    def _tell(self, change: Change) -> None:
        match change:
            case Change("board", table_id):
                self.recency.touch(table_id)
                self.hub.changed(Subject("table", table_id))
                self.hub.changed(LOBBY)
            case Change("statistics", table_id):
                self.house_recency.touch(table_id)
                self.hub.changed(Subject("statistics", table_id))
                self.hub.changed(HOUSE, HOUSE_PACE_S)
            case Change(_, table_id):
                self.recency.touch(table_id)
                self.hub.changed(Subject("table", table_id))
                self.hub.changed(LOBBY)

    def heartbeat(self) -> bytes:
        """A heartbeat of now."""
        now = self.clock()
        said = _Beat(now, self.build, self.source.lost(now), self.source.contact_ms, self.settings.beat)
        return beat(msgspec.json.encode(said))

    # ---- what is shown

    def source_state(self, now: int) -> SourceState:
        """The source as a page shows it."""
        return SourceState(self.source.lost(now), self.source.contact_ms)

    def table(self, table_id: str, view: View) -> TableView:
        """A table's view; KeyError where there is no such table."""
        kept = self.store.boards[table_id]
        return table_view(kept.event, kept.at_ms, view, self.settings.silent_after)

    def tile(self, table_id: str, view: View) -> Tile:
        """A table's tile; KeyError where there is no such table."""
        kept = self.store.boards[table_id]
        return tile(kept.event, kept.at_ms, view, self.settings.silent_after)

    def lobby_line(self, view: View) -> Markup:
        """What the lobby's head says."""
        return head_line([kept.event for kept in self.store.boards.values()], view)

    def zone(self, table_id: str = "") -> str:
        """A table's time zone; without one, that of the first table."""
        table_id = table_id or next(iter(self.store.table_ids()), "")
        kept = self.store.boards.get(table_id)
        return zone(kept.event.time_zone) if kept else "UTC"

    def statistics(self, table_id: str, view: View) -> tuple[StatisticsView, int]:
        """A table's statistics and their time; without any yet no scope and 0."""
        kept = self.store.statistics.get(table_id)
        return (table_statistics(kept.event, view.words), kept.at_ms) if kept else (StatisticsView(0, 0, ()), 0)

    def house(self, view: View) -> tuple[StatisticsView, int]:
        """All tables' statistics and the time of the newest; without any yet no scope and 0."""
        kept = self.store.statistics.values()
        scope = house_statistics([each.event for each in kept], view.words)
        scopes = (scope,) if scope.bets else ()
        newest_ms, count = self._house_version()
        return StatisticsView(newest_ms, count, scopes), newest_ms

    # ---- ids: what a page shows and its stream goes on from

    def id_of(self, subject: Subject) -> FrameId | None:
        """The id of the subject's newest frame; None where there is nothing to show."""
        match subject:
            case Subject("table", table_id):
                return self._id_of_board(table_id)
            case Subject("statistics", table_id):
                kept = self.store.statistics.get(table_id)
                subject_id = f"{table_id}/statistics"
                return FrameId(self.build, subject_id, kept.event.shoe_no, kept.event.version) if kept else None
            case Subject("house"):
                return FrameId(self.build, f"statistics/{self._epoch}", *self._house_version())
            case _:
                return FrameId(self.build, f"lobby/{self._epoch}", 0, self.recency.count)

    def _id_of_board(self, table_id: str) -> FrameId | None:
        kept = self.store.boards.get(table_id)
        return FrameId(self.build, table_id, kept.event.shoe_no, kept.event.version) if kept else None

    def _house_version(self) -> tuple[int, int]:
        """Time of the newest statistics and count of changes: a restarted server, which counts anew, is not behind."""
        return max((kept.at_ms for kept in self.store.statistics.values()), default=0), self.house_recency.count

    def feed(self, subject: Subject, view: View) -> Feed:
        """The feed of a subject in a view, shared by all who watch it now."""
        feed = self._feeds.get((subject, view))
        if feed is None:
            feed = self._feeds[subject, view] = self._new_feed(subject, view)
        return feed

    def _new_feed(self, subject: Subject, view: View) -> Feed:
        match subject:
            case Subject("table", table_id):
                newest = functools.partial(self._id_of_board, table_id)
                return NewestFrame("table", newest, functools.partial(self._table_frame, table_id, view))
            case Subject("lobby"):
                render = functools.partial(self._lobby_frame, view)
                return Mosaic(
                    self.build,
                    f"lobby/{self._epoch}",
                    self.recency,
                    newest=self._id_of_board,
                    render=render,
                    roll=self.renderer.lobby_roll,
                )
            case _:
                newest = functools.partial(self.id_of, subject)
                return NewestFrame("statistics", newest, functools.partial(self._statistics_frame, subject, view))

    def _table_frame(self, table_id: str, view: View) -> str:
        return self.renderer.table_frame(self.table(table_id, view), view)

    def _lobby_frame(self, view: View, table_id: str) -> str:
        tile = self.tile(table_id, view) if table_id in self.store.boards else None
        return self.renderer.lobby_frame(table_id, tile, self.lobby_line(view), view)

    def _statistics_frame(self, subject: Subject, view: View) -> str:
        shown = self.statistics(subject.table_id, view) if subject.table_id else self.house(view)
        return self.renderer.statistics_frame(*shown, self.zone(subject.table_id), view.words)
