"""The JSON API: what the topics say, byte for byte where there is an event, and lists of it. It only reads."""

from typing import Any, Final
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from baccarat.roads.good import GoodRoad
from baccarat.tallies import Counts
from contract.periods import lifetime_figures
from contract.scalars import OutcomeName
from contract.scoreboards import Scoreboard, Status
from contract.statistics import Figures
from dashboards.asked import (
    Bodies,
    Period,
    board_asked,
    day_asked,
    figures_asked,
    form_asked,
    knowing,
    period_asked,
    record_asked,
    require_caught_up,
    shoe_asked,
    tagged,
    words_of,
)
from dashboards.errors import Unknown
from dashboards.shoe_csv import shoe_csv
from dashboards.site import Site
from dashboards.store import ShoeHead
from dashboards.views.boards import name
from dashboards.words import ENGLISH

JSON: Final = "application/json"
CSV: Final = "text/csv; charset=utf-8"
NONE: Final[frozenset[str]] = frozenset()
SHOE: Final = frozenset({"format"})
PERIOD: Final = frozenset({"shoe", "day"})
"""The parameters of an operation."""


class TableSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table in the list; ``name`` is the English one, else any, else the id. No ``last_outcome``: no round yet."""

    table_id: str
    name: str
    status: Status
    shoe_no: int
    round_no: int
    version: int
    counts: Counts
    last_outcome: OutcomeName | None = None
    good_roads: tuple[GoodRoad, ...]


class ShoeSummary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A shoe in the list. The running one has no record yet: its ``version`` is its scoreboard's."""

    table_id: str
    shoe_no: int
    version: int
    running: bool
    decks: int
    started_at: str | None = None
    ended_at: str | None = None
    counts: Counts


class Api:
    """The handlers under ``/api/v1``; ``bodies`` fetches what the site keeps only indexes of."""

    def __init__(self, site: Site, bodies: Bodies) -> None:
        self._site, self._bodies = site, bodies

    def routes(self) -> list[Route]:
        """Address and handler of each operation."""
        table = "/api/v1/tables/{table_id}"
        return [
            Route("/api/v1/tables", knowing(NONE, self.tables)),
            Route(table, knowing(NONE, self.table)),
            Route(f"{table}/shoes", knowing(NONE, self.shoes)),
            Route(f"{table}/shoes/{{shoe_no}}", knowing(SHOE, self.shoe)),
            Route(f"{table}/statistics", knowing(PERIOD, self.statistics)),
            Route("/api/v1/statistics", knowing(PERIOD, self.house)),
        ]

    async def tables(self, request: Request) -> Response:
        """A summary of every table, by id."""
        require_caught_up(self._site, request)
        boards = self._site.store.boards
        return _json([table_summary(boards[table_id].event) for table_id in self._site.store.table_ids()])

    async def table(self, request: Request) -> Response:
        """The table's scoreboard event as it is in Kafka."""
        board = board_asked(self._site, request)
        etag = f'"{board.event.shoe_no}.{board.event.version}"'
        return tagged(request, etag, lambda: Response(board.raw, media_type=JSON))

    async def shoes(self, request: Request) -> Response:
        """A summary of each shoe of the table, the running one first, then the newest first."""
        board = board_asked(self._site, request).event
        heads = [shoe.head for shoe in self._site.store.shoes.get(board.table_id, {}).values()]
        return _json(shoe_summaries(board, heads))

    async def shoe(self, request: Request) -> Response:
        """The shoe's record as it is in Kafka, or CSV; the running shoe is made of the scoreboard."""
        form = form_asked(request)
        body, _ = await shoe_asked(self._site, self._bodies.shoe, request)
        if form == "csv":
            record = record_asked(request, body)
            name_of_file = f"{quote(record.table_id, safe='')}-{record.shoe_no}.csv"
            headers = {"cache-control": "no-cache", "content-disposition": f'attachment; filename="{name_of_file}"'}
            return Response(shoe_csv(record), media_type=CSV, headers=headers)
        return Response(body, media_type=JSON, headers={"cache-control": "no-cache"})

    async def statistics(self, request: Request) -> Response:
        """The table's statistics event as it is in Kafka; or the figures of one shoe or gaming day."""
        board_asked(self._site, request)
        if (period := period_asked(request)) is not None:
            return _json(await self._figures(request, period, request.path_params["table_id"]))
        kept = self._site.store.statistics.get(request.path_params["table_id"])
        if kept is None:
            raise Unknown(words_of(request).no_statistics)
        etag = f'"{kept.event.shoe_no}.{kept.event.version}"'
        return tagged(request, etag, lambda: Response(kept.raw, media_type=JSON))

    async def house(self, request: Request) -> Response:
        """The lifetime of every table, by id; or the figures of a gaming day of all tables together."""
        require_caught_up(self._site, request)
        if (period := day_asked(request)) is not None:
            return _json(await self._figures(request, period, None))
        kept = self._site.store.statistics
        return _json([lifetime_figures(kept[table_id].event) for table_id in sorted(kept)])

    async def _figures(self, request: Request, period: Period, table_id: str | None) -> Figures:
        figures = await figures_asked(self._site, self._bodies.statistics, period, table_id, words_of(request))
        if figures is None:
            raise Unknown(words_of(request).no_period)
        return figures


def table_summary(board: Scoreboard) -> TableSummary:
    """A table for the list."""
    last = next((each for each in reversed(board.rounds) if not each.voided), None)
    return TableSummary(
        table_id=board.table_id,
        name=name(board.names, board.table_id, ENGLISH),
        status=board.status,
        shoe_no=board.shoe_no,
        round_no=board.round_no,
        version=board.version,
        counts=board.counts,
        last_outcome=last.outcome if last else None,
        good_roads=board.good_roads,
    )


def shoe_summaries(board: Scoreboard, heads: list[ShoeHead]) -> list[ShoeSummary]:
    """The table's shoes for the list."""
    listed = [
        ShoeSummary(
            table_id=head.table_id,
            shoe_no=head.shoe_no,
            version=head.version,
            running=False,
            decks=head.decks,
            started_at=head.started_at,
            ended_at=head.ended_at,
            counts=head.counts,
        )
        for head in sorted(heads, key=lambda head: -head.shoe_no)
    ]
    if board.shoe_no and all(shoe.shoe_no != board.shoe_no for shoe in listed):
        running = ShoeSummary(
            table_id=board.table_id,
            shoe_no=board.shoe_no,
            version=board.version,
            running=True,
            decks=board.decks,
            counts=board.counts,
        )
        listed.insert(0, running)
    return listed


def _json(content: Any) -> Response:
    return Response(msgspec.json.encode(content), media_type=JSON, headers={"cache-control": "no-cache"})
