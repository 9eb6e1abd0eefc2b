"""What an address asks for: which table, which shoe, and whether the asker holds the newest already."""

from collections.abc import Awaitable, Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from broker.connection import BrokerAway
from contract.codec import encode
from contract.scalars import MAX_SHOE
from contract.scoreboards import Scoreboard
from dashboards.archive import Gone
from dashboards.errors import NotReady, Unknown
from dashboards.options import view_asked
from dashboards.site import Site
from dashboards.store import Kept
from dashboards.views.history import running_record

ShoeBody = Callable[[str, int], Awaitable[bytes]]
"""Fetches a shoe record's own bytes; raises ``Gone`` or ``BrokerAway``."""
_DIGITS: Final = len(str(MAX_SHOE))


def require_caught_up(site: Site, request: Request) -> None:
    """Raises ``NotReady`` until everything that was in Kafka at the start has been read."""
    if not site.source.caught_up:
        words = view_asked(request.query_params).words
        raise NotReady(site.source.trouble or words.starting_why)


def board_asked(site: Site, request: Request) -> Kept[Scoreboard]:
    """The board of the table in the address. Raises ``NotReady`` or ``Unknown``."""
    require_caught_up(site, request)
    table_id: str = request.path_params["table_id"]
    if board := site.store.boards.get(table_id):
        return board
    raise Unknown(view_asked(request.query_params).words.no_such_table.format(table_id))


async def shoe_asked(site: Site, fetch: ShoeBody, request: Request) -> tuple[bytes, bool]:
    """The record of the shoe in the address as bytes, and whether it is the running one, told by the scoreboard.

    Raises ``NotReady`` or ``Unknown``.
    """
    board = board_asked(site, request).event
    text: str = request.path_params["shoe_no"]
    unknown = Unknown(view_asked(request.query_params).words.no_such_shoe.format(text, board.table_id))
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS and text[0] != "0"):
        raise unknown
    shoe_no = int(text)
    if shoe_no in site.store.shoes.get(board.table_id, {}):
        try:
            return await fetch(board.table_id, shoe_no), False
        except Gone:
            site.store.forget_shoe(board.table_id, shoe_no)
        except BrokerAway as away:
            raise NotReady(str(away)) from away
    if shoe_no == board.shoe_no:
        return encode(running_record(board)), True
    raise unknown


def tagged(request: Request, etag: str, make: Callable[[], Response]) -> Response:
    """The answer under its ETag, or 304 where the asker holds it."""
    headers = {"etag": etag, "cache-control": "no-cache"}
    held = request.headers.get("if-none-match", "")
    if etag in (tag.strip() for tag in held.split(",")):
        return Response(status_code=304, headers=headers)
    response = make()
    response.headers.update(headers)
    return response
