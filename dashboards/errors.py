"""Errors as answers: RFC 9457 problem details for programs, a page for people."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from dashboards.options import BadQuery, Options, View, options_asked, words_asked
from dashboards.site import Site

_PROGRAMS: Final = ("/api/", "/stream", "/livez", "/readyz", "/metrics", "/openapi.json")
"""Addresses under which programs ask."""
AGAIN_S: Final = 10
"""Seconds after which a page of an error asks again by itself, where that may help."""
_MAY_PASS: Final = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.SERVICE_UNAVAILABLE})


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """RFC 9457 problem details."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    instance: str


class NotReady(HTTPException):
    """The page has not caught up yet, or Kafka does not answer; ``retry_after_s`` says when to ask again.

    ``detail`` is for programs and may name what is inside; ``told`` is what guests are told instead.
    """

    def __init__(self, detail: str, told: str, retry_after_s: int = 1) -> None:
        super().__init__(HTTPStatus.SERVICE_UNAVAILABLE, detail, {"retry-after": str(retry_after_s)})
        self.told = told


class Misasked(HTTPException):
    """The query asks for what cannot be."""

    def __init__(self, detail: str) -> None:
        super().__init__(HTTPStatus.BAD_REQUEST, detail)


class Unknown(HTTPException):
    """There is no such table, shoe or statistics."""

    def __init__(self, detail: str) -> None:
        super().__init__(HTTPStatus.NOT_FOUND, detail)


def is_of_programs(request: Request) -> bool:
    """Whether a program asks."""
    return request.url.path.startswith(_PROGRAMS)


def answer(site: Site, request: Request, status: int, detail: str, headers: Mapping[str, str] | None) -> Response:
    """The error as whoever asked can read it."""
    title = HTTPStatus(status).phrase
    if is_of_programs(request):
        problem = Problem(title=title, status=status, detail=detail, instance=request.url.path)
        body = msgspec.json.encode(problem)
        return Response(body, status, {**(headers or {})}, media_type="application/problem+json")
    options = _options(request)
    again = AGAIN_S if status in _MAY_PASS else 0
    words = options.view.words
    titles = {
        HTTPStatus.NOT_FOUND: words.not_found,
        HTTPStatus.BAD_REQUEST: words.misasked,
        HTTPStatus.METHOD_NOT_ALLOWED: words.misasked,
        HTTPStatus.SERVICE_UNAVAILABLE: words.source_lost if site.source.caught_up else words.starting,
    }
    table_id = request.path_params.get("table_id", "")
    if detail == title:  # nobody had more to say of it
        detail = words.read_only if status == HTTPStatus.METHOD_NOT_ALLOWED else words.no_such_page
    values = {
        "title": titles.get(HTTPStatus(status), words.trouble),
        "text": detail,
        "again": again,
        "options": options,
        "t": words,
        "here": "",
    }
    shown_id = table_id if table_id in site.store.boards else ""
    page = site.renderer.page("message.html", **values, table_id=shown_id)
    return HTMLResponse(page, status, {**(headers or {}), "cache-control": "no-store"})


def _options(request: Request) -> Options:
    """What the page asks for; where that is not understood, its language alone."""
    query, accepted = request.query_params, request.headers.get("accept-language", "")
    try:
        return options_asked(query, accepted)
    except BadQuery:
        return Options(view=View(lang=words_asked(query, accepted).lang))
