"""What an address asks for: which table, which shoe, which period, and whether the asker holds the newest already."""

import functools
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import structlog
from starlette.requests import Request
from starlette.responses import Response

from baccarat.bets import BETS
from broker.connection import BrokerAway
from contract.codec import BadRecord, UnknownType, decode, encode
from contract.periods import Part, day_figures, is_day, running_part, shoe_figures
from contract.scalars import MAX_SHOE
from contract.scoreboards import Scoreboard, ShoeRecord
from contract.statistics import Figures
from contract.topics import SHOES
from dashboards.archive import Gone
from dashboards.days import Found
from dashboards.errors import Misasked, NotReady, Unknown
from dashboards.options import (
    Asked,
    BadQuery,
    LobbyFilter,
    Options,
    Sort,
    filter_asked,
    options_asked,
    refuse_unknown,
    words_asked,
)
from dashboards.site import Site
from dashboards.store import Kept
from dashboards.views.history import running_record
from dashboards.words import Words

ShoeBody = Callable[[str, int], Awaitable[bytes]]
"""Fetches a shoe record's own bytes; raises ``Gone`` or ``BrokerAway``."""
StatisticsParts = Callable[[Iterable[Found]], Awaitable[tuple[Part, ...]]]
"""Reads the statistics of shoes at their places; raises ``BrokerAway``."""


class Bodies(NamedTuple):
    """How what lies in Kafka is fetched when it is asked for."""

    shoe: ShoeBody
    statistics: StatisticsParts


_log = structlog.get_logger("page")
_DIGITS: Final = len(str(MAX_SHOE))
_MOST_SHOWN: Final = 128
"""Letters of an id; what is longer is none."""


class Period(NamedTuple):
    """A shoe, or a gaming day."""

    shoe_no: int = 0
    day: str = ""


Handler = Callable[[Request], Awaitable[Any]]


def words_of(request: Request) -> Words:
    """The asker's language."""
    return words_asked(request.query_params, request.headers.get("accept-language", ""))


@contextmanager
def understood() -> Iterator[None]:
    """What is not understood in the block is answered as misasked: ``BadQuery`` becomes ``Misasked``."""
    try:
        yield
    except BadQuery as bad:
        raise Misasked(str(bad)) from bad


def options_of(request: Request, query: Mapping[str, str] | None = None) -> Options:
    """The options that the address, or the query that stands for it, asks for. Raises ``Misasked``."""
    with understood():
        return options_asked(
            request.query_params if query is None else query, request.headers.get("accept-language", "")
        )


def filter_of(request: Request) -> tuple[LobbyFilter, Sort]:
    """Which tables the lobby shows, and in which order. Raises ``Misasked``."""
    with understood():
        return filter_asked(request.query_params, words_of(request))


def knowing(parameters: frozenset[str], handler: Handler) -> Handler:
    """The handler of an address that has these parameters and no others; it raises ``Misasked`` for another one."""

    @functools.wraps(handler)
    async def handle(request: Request) -> Any:
        with understood():
            refuse_unknown([name for name, _ in request.query_params.multi_items()], parameters, words_of(request))
        return await handler(request)

    return handle


def require_caught_up(site: Site, request: Request) -> None:
    """Raises ``NotReady`` until everything that was in Kafka at the start has been read."""
    if not site.source.caught_up:
        words, trouble = words_of(request), site.source.trouble
        raise NotReady(trouble or words.starting_why, words.away_why if trouble else words.starting_why)


def board_asked(site: Site, request: Request) -> Kept[Scoreboard]:
    """The board of the table in the address. Raises ``NotReady`` or ``Unknown``."""
    require_caught_up(site, request)
    table_id: str = request.path_params["table_id"]
    if board := site.store.boards.get(table_id):
        return board
    raise no_such_table(words_of(request), table_id)


def no_such_table(words: Words, table_id: str) -> Unknown:
    """What is said of a table that is not there; of an id that is none, its beginning."""
    return Unknown(words.no_such_table.format(table_id[:_MOST_SHOWN]))


async def shoe_asked(site: Site, fetch: ShoeBody, request: Request) -> tuple[bytes, bool]:
    """The record of the shoe in the address as bytes, and whether it is the running one, told by the scoreboard.

    Raises ``NotReady`` or ``Unknown``.
    """
    board = board_asked(site, request).event
    text: str = request.path_params["shoe_no"]
    unknown = Unknown(words_of(request).no_such_shoe.format(text[:_DIGITS], board.table_id))
    if not _is_number(text):
        raise unknown
    shoe_no = int(text)
    if shoe_no in site.store.shoes.get(board.table_id, {}):
        try:
            return await fetch(board.table_id, shoe_no), False
        except Gone:
            site.store.forget_shoe(board.table_id, shoe_no)
        except BrokerAway as away:
            raise NotReady(str(away), words_of(request).away_why) from away
    if shoe_no == board.shoe_no:
        return encode(running_record(board)), True
    raise unknown


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _DIGITS and text[0] != "0"


def tagged(request: Request, etag: str, make: Callable[[], Response]) -> Response:
    """The answer under its ETag, or 304 where the asker holds it. What may not stand in a tag is quoted there."""
    weak, _, opaque = etag.partition('"')
    etag = f'{weak}"{quote(opaque.removesuffix(chr(34)), safe=_IN_TAG)}"'
    headers = {"etag": etag, "cache-control": "no-cache", "vary": "accept-language"}
    if _holds(request.headers.getlist("if-none-match"), etag):
        return Response(status_code=304, headers=headers)
    response = make()
    response.headers.update(headers)
    return response


_IN_TAG: Final = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) != '"')
_TAG: Final = re.compile(r'(?:W/)?"([\x21\x23-\x7e\x80-\xff]*)"')
"""An entity tag; what stands between the quotes may have commas (RFC 9110 § 8.8.3)."""


def _holds(held: Iterable[str], etag: str) -> bool:
    """Whether the lines of ``If-None-Match`` name the tag, by the weak comparison, or any (``*``)."""
    lines = ", ".join(held)
    return lines.strip() == "*" or _TAG.findall(etag)[0] in _TAG.findall(lines)


def form_asked(request: Request) -> str:
    """``json`` or ``csv``. Raises ``Misasked``."""
    with understood():
        return _asked(request).one_of("format", ("json", "csv"))


def _asked(request: Request) -> Asked:
    return Asked(request.query_params, words_of(request))


def round_asked(request: Request, last: int) -> int | None:
    """The round after which the roads are asked for, 0 to the shoe's ``last``; None for all. Raises ``Misasked``."""
    text = request.query_params.get("round", "")
    if not text:
        return None
    if (text != "0" and not _is_number(text)) or int(text) > last:
        with understood():
            raise _asked(request).refused("round", text, f"0 – {last}")
    return int(text)


def before_asked(request: Request) -> int | None:
    """The shoe before which a list goes on; None for its beginning. Raises ``Misasked``."""
    text = request.query_params.get("before", "")
    if text and not _is_number(text):
        with understood():
            raise _asked(request).refused("before", text, "1, 2, 3 …")
    return int(text) if text else None


def period_asked(request: Request) -> Period | None:
    """The shoe or gaming day that the query asks for, None for neither. Raises ``Misasked``."""
    asked, shoe, day = _asked(request), request.query_params.get("shoe", ""), request.query_params.get("day", "")
    with understood():
        asked.refuse_both("shoe", "day")
        if shoe and not _is_number(shoe):
            raise asked.refused("shoe", shoe, "1, 2, 3 …")
        if day and not is_day(day):
            raise asked.refused("day", day, "2026-11-30")
    return Period(int(shoe or 0), day) if shoe or day else None


def day_asked(request: Request) -> Period | None:
    """The gaming day of all tables that the query asks for, if it does. Raises ``Misasked``."""
    period = period_asked(request)
    if period is not None and period.shoe_no:
        raise Misasked(words_of(request).shoe_of_table)
    return period


CHARTED: Final = 100
"""The shoes of a table whose hold is drawn."""
HOUSE_CHARTED: Final = 1000
"""At most so many shoes of all tables are drawn: the last gaming days that have fewer."""


async def charted(site: Site, parts: StatisticsParts, period: Period | None, table_id: str | None) -> list[Part]:
    """The shoes whose hold is drawn, in the order in which they were dealt; none while Kafka does not answer.

    Those of the gaming day that is asked for, else a table's last ones, or those of all tables' last days.
    """
    days = site.store.days
    if period is not None and period.shoe_no:
        return []
    if period is not None and period.day:
        places = days.of_day(period.day, table_id)
    else:
        places = days.newest(table_id, CHARTED) if table_id is not None else days.newest_days(HOUSE_CHARTED)
    try:
        found = await parts(places)
    except BrokerAway:
        return []
    return sorted(found, key=lambda part: (part.gaming_day or "", part.table_id, part.shoe_no))


def bet_asked(request: Request) -> str:
    """The bet whose hold is drawn. Raises ``Misasked``."""
    with understood():
        return _asked(request).one_of("bet", ("", *BETS)) or "banker"


def record_asked(request: Request, body: bytes) -> ShoeRecord:
    """The record in these bytes. Raises ``Unknown`` where they are none; the log says why."""
    try:
        record: ShoeRecord = decode(SHOES, body)
    except (BadRecord, UnknownType) as fault:
        _log.error("a shoe's record cannot be read", path=request.url.path, reason=str(fault))
        asked = request.path_params
        raise Unknown(words_of(request).no_such_shoe.format(asked["shoe_no"], asked["table_id"])) from fault
    return record


async def figures_asked(
    site: Site, parts: StatisticsParts, period: Period, table_id: str | None, words: Words
) -> Figures | None:
    """The figures of the period, of a table or of all; None where there are none. Raises ``NotReady``."""
    store = site.store
    kept = [store.statistics[table_id]] if table_id in store.statistics else []
    running = [running_part(each.event) for each in (store.statistics.values() if table_id is None else kept)]
    places = store.days.of_day(period.day, table_id) if period.day else []
    if period.shoe_no and table_id is not None:
        places = store.days.shoe(table_id, period.shoe_no)
    try:
        found = [*running, *await parts(places)]
    except BrokerAway as away:
        raise NotReady(str(away), words.away_why) from away
    if period.day:
        figures = day_figures(period.day, found, table_id)
        return figures if figures.shoes else None
    of_shoe = [part for part in found if part.shoe_no == period.shoe_no]
    return shoe_figures(min(of_shoe, key=lambda part: part.running)) if of_shoe else None
