"""The pages that go on by a stream, each complete on first paint, without script."""

from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from baccarat.bets import BETS
from contract.scoreboards import Scoreboard
from dashboards.asked import (
    Bodies,
    Period,
    bet_asked,
    board_asked,
    charted,
    day_asked,
    figures_asked,
    filter_of,
    knowing,
    no_such_table,
    options_of,
    period_asked,
    require_caught_up,
    tagged,
    words_of,
)
from dashboards.documents import printed
from dashboards.hub import Subject
from dashboards.options import DISPLAY, Beads, Options
from dashboards.options import LOBBY as LOBBY_PARAMETERS
from dashboards.renderer import script_words
from dashboards.site import HOUSE, LOBBY, Site
from dashboards.views.boards import name
from dashboards.views.hold_chart import hold_charts
from dashboards.views.lobby import filter_words
from dashboards.views.state import Subject as Fresh
from dashboards.views.state import silent, state
from dashboards.views.statistics import bet_name, period_scope
from dashboards.views.times import clock, said_until

ETAG_SLOT_MS: Final = 5000
"""A page shows the time and an age, so an unchanged one is the same only for this long."""
Page = Callable[[Request], Awaitable[Response]]


class Pages:
    """The handlers of all pages; ``bodies`` fetches what the site keeps only indexes of."""

    def __init__(self, site: Site, bodies: Bodies) -> None:
        self._site, self._bodies = site, bodies

    def routes(self) -> list[Route]:
        """Address and handler of each page."""
        pages: list[tuple[str, Page, frozenset[str]]] = [
            ("/", self.lobby, LOBBY_PARAMETERS),
            ("/statistics", self.house, frozenset({"table", "shoe", "day", "bet"})),
            ("/screens/tables/{table_id}", self.table, frozenset()),
            ("/tables/{table_id}", self.table, frozenset()),
            ("/tables/{table_id}/statistics", self.statistics, frozenset({"shoe", "day", "bet"})),
        ]
        return [Route(path, knowing(DISPLAY | more, page)) for path, page, more in pages]

    async def lobby(self, request: Request) -> Response:
        """All tables, or those that are asked for."""
        require_caught_up(self._site, request)
        site, options, now = self._site, options_of(request), self._site.clock()
        which, sort = filter_of(request)
        options = options._replace(view=options.view._replace(sort=sort))

        def values() -> dict[str, Any]:
            every = [site.tile(table_id, options.view) for table_id in site.store.table_ids()]
            tiles = sorted((each for each in every if which.pit in {"", each.pit}), key=lambda each: each.order)
            zone, newest = site.zone(), max((tile.at_ms for tile in tiles), default=0)
            return {
                "tiles": [
                    (tile, silent(tile.at_ms, tile.silent_after_s, now), clock(tile.at_ms, tile.zone)) for tile in tiles
                ],
                "head_line": site.lobby_line(options.view),
                "zone": zone,
                "state": state(Fresh(newest, zone), now, site.source_state(now), options.view.words),
                "which": which,
                "filtered": filter_words(which, sort, options.view.words),
                "sort": sort,
                "pits": sorted(({each.pit for each in every} | {which.pit}) - {""}),
            }

        return self._live(request, "lobby.html", LOBBY, now, values, options=options)

    async def table(self, request: Request) -> Response:
        """One table, live."""
        table_id = board_asked(self._site, request).event.table_id
        site, options, now = self._site, options_of(request), self._site.clock()

        def values() -> dict[str, Any]:
            view = site.table(table_id, options.view)
            fresh = Fresh(view.at_ms, view.zone, view.silent_after_s, view.last.round_no if view.last else 0)
            shown = state(fresh, now, site.source_state(now), options.view.words)
            return {"v": view, "view": options.view, "query": options.query, "settled": True, "state": shown}

        return self._live(request, "table.html", Subject("table", table_id), now, values)

    async def statistics(self, request: Request) -> Response:
        """One table's bets."""
        return await self._statistics(request, board_asked(self._site, request).event)

    async def house(self, request: Request) -> Response:
        """All tables' bets, or those of the table that is chosen."""
        require_caught_up(self._site, request)
        table_id = request.query_params.get("table", "")
        if not table_id:
            return await self._statistics(request, None)
        if table_id not in self._site.store.boards:
            raise no_such_table(words_of(request), table_id)
        return await self._statistics(request, self._site.store.boards[table_id].event)

    async def _statistics(self, request: Request, board: Scoreboard | None) -> Response:
        """The bets of a table or of all, of the period that is asked for or live, and how the hold of one grew."""
        options, table_id = options_of(request), board.table_id if board else None
        words, boards = options.view.words, self._site.store.boards
        period = period_asked(request) if board else day_asked(request)
        bet = bet_asked(request)
        shown = name(board.names, board.table_id, words) if board else ""
        common = {
            "title": f"{shown} · {words.statistics}" if shown else words.statistics,
            "shown": shown,
            "period": period or Period(),
            "tables": [(each, name(boards[each].event.names, each, words)) for each in self._site.store.table_ids()],
            "bets": [(each, bet_name(each, words)) for each in BETS],
            "bet": bet,
            "bet_word": bet_name(bet, words),
            "charts": hold_charts(await charted(self._site, self._bodies.statistics, period, table_id), bet, words),
        }
        if period is None:
            return self._live_statistics(request, board, common)
        figures = await figures_asked(self._site, self._bodies.statistics, period, table_id, words_of(request))
        scopes = [] if figures is None else [period_scope(figures, words)]
        here = "statistics" if board else "house"
        return printed(self._site, request, "statistics_period.html", here, table_id or "", scopes=scopes, **common)

    def _live_statistics(self, request: Request, board: Scoreboard | None, common: dict[str, Any]) -> Response:
        site, options, now = self._site, options_of(request), self._site.clock()
        words, table_id = options.view.words, board.table_id if board else ""

        def values() -> dict[str, Any]:
            shown, at_ms = site.statistics(table_id, options.view) if table_id else site.house(options.view)
            zone = site.zone(table_id)
            return common | {
                "v": shown,
                "at_ms": at_ms,
                "until": said_until(at_ms, zone, words),
                "zone": zone,
                "place": board.place if board else "",
                "table_id": table_id,
                "here": "statistics" if table_id else "house",
                "state": state(Fresh(at_ms, zone), now, site.source_state(now), words),
            }

        subject = Subject("statistics", table_id) if table_id else HOUSE
        return self._live(request, "statistics.html", subject, now, values)

    def _live(
        self,
        request: Request,
        template: str,
        subject: Subject,
        now: int,
        values: Callable[[], dict[str, Any]],
        *,
        options: Options | None = None,
    ) -> Response:
        """A page that goes on by a stream from the version that it shows."""
        site, options = self._site, options or options_of(request)
        last_id = site.id_of(subject) or ""
        frame_values = {
            "options": options,
            "t": options.view.words,
            "stream": stream_address(subject, options),
            "last_id": str(last_id),
            "build": site.build,
            "beat": site.settings.beat,
            "now_ms": now,
            "source": site.source_state(now),
            "script_words": script_words(options.view.words),
            "kept": parse_qsl(options.query.removeprefix("?")),
        }

        def make() -> Response:
            return HTMLResponse(site.renderer.page(template, **frame_values, **values()))

        of_shoes = site.store.days.changes if subject.kind in {"statistics", "house"} else 0
        etag = f'W/"{last_id}/{of_shoes}?{request.url.query}/{options.view.lang}/{now // ETAG_SLOT_MS}"'
        return tagged(request, etag, make)


def stream_address(subject: Subject, options: Options) -> str:
    """Where the page's stream is: of the page's own language, columns and panels."""
    beads: Beads = "numbers" if options.view.points else ""
    asked = options._replace(named=True, theme="dark", marks="plain", beads=beads, shift=False)
    statistics = "1" if subject.kind in {"statistics", "house"} else ""
    lobby = "" if subject.table_id else "1"
    sort = options.view.sort if options.view.sort != "table" else ""
    return f"/stream{asked.with_more(table=subject.table_id, lobby=lobby, statistics=statistics, sort=sort)}"
