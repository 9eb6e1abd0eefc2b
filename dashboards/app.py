"""The application: every route, and the answers to what goes wrong."""

import random
from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from dashboards.api import NONE, Api
from dashboards.asked import Bodies, knowing, no_such_table, options_of, require_caught_up, understood, words_of
from dashboards.assets import STATIC, Assets
from dashboards.documents import Documents
from dashboards.errors import NotReady, answer, is_of_programs
from dashboards.frames import parse_frame_id
from dashboards.health import Health
from dashboards.hub import Closed, Full, Subject
from dashboards.openapi import document
from dashboards.options import MOST_LETTERS, STREAM, StreamAsked, stream_asked
from dashboards.pages import Pages
from dashboards.security import SecurityHeaders
from dashboards.site import HOUSE, LOBBY, Site
from dashboards.streams import EventStream

FILE: Final = frozenset({"v"})
"""The parameters of a static file: which build's it is."""
_BUSY_S: Final = (5, 30)
"""Between these a viewer who found no place asks again, so that not all ask at once."""


def build(site: Site, bodies: Bodies) -> Any:
    """The ASGI application that shows the site; ``bodies`` fetches what it keeps only indexes of."""

    async def stream(request: Request) -> Any:
        require_caught_up(site, request)
        with understood():
            asked = stream_asked(request.query_params, words_of(request))
        subject = _subject(site, request, asked)
        view = options_of(request).view._replace(sort=asked.sort)
        last = parse_frame_id(request.headers.get("last-event-id", "")[:MOST_LETTERS] or asked.last)
        return EventStream(site.hub, subject, site.feed(subject, view), last, site.settings.send_timeout)

    files = Assets(directory=STATIC)

    async def file(_: Request) -> Any:
        return files

    async def openapi(_: Request) -> Response:
        return Response(msgspec.json.encode(document()), media_type="application/json")

    async def failed(request: Request, error: Exception) -> Response:
        if isinstance(error, NotReady):
            detail = error.detail if is_of_programs(request) else error.told
            return answer(site, request, error.status_code, detail, error.headers)
        if isinstance(error, HTTPException):
            return answer(site, request, error.status_code, error.detail, error.headers)
        if isinstance(error, Full):
            wait = random.randint(*_BUSY_S)  # noqa: S311 - spreads the return, guards nothing
            busy = words_of(request).full.format(site.hub.max_viewers)
            return answer(site, request, HTTPStatus.SERVICE_UNAVAILABLE, busy, {"retry-after": str(wait)})
        if isinstance(error, Closed):
            wait_a_second = {"retry-after": "1"}
            return answer(site, request, HTTPStatus.SERVICE_UNAVAILABLE, words_of(request).ending, wait_a_second)
        # the server logs it
        return answer(site, request, HTTPStatus.INTERNAL_SERVER_ERROR, words_of(request).mistake, None)

    application = Starlette(
        routes=[
            *Pages(site, bodies).routes(),
            *Documents(site, bodies).routes(),
            *Api(site, bodies).routes(),
            *Health(site).routes(),
            Route("/stream", knowing(STREAM, stream)),
            Route("/openapi.json", knowing(NONE, openapi)),
            Mount("/static", routes=[Route("/{path:path}", knowing(FILE, file))]),
        ],
        exception_handlers={HTTPException: failed, Full: failed, Closed: failed, Exception: failed},
    )
    application.router.redirect_slashes = False  # a page has one address; and a redirect would name the asker's Host
    return SecurityHeaders(application)


def _subject(site: Site, request: Request, asked: StreamAsked) -> Subject:
    """What a stream is of. Raises ``Unknown``."""
    if not asked.table_id:
        return HOUSE if asked.statistics else LOBBY
    if asked.table_id not in site.store.boards:
        raise no_such_table(words_of(request), asked.table_id)
    return Subject("statistics" if asked.statistics else "table", asked.table_id)


__all__ = ["NotReady", "build"]
