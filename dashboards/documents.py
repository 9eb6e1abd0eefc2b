"""The pages that stay as they are: a table's shoes, one shoe, the form for screens, the API's documentation."""

from typing import Any
from urllib.parse import parse_qsl, quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from dashboards.asked import (
    Bodies,
    before_asked,
    board_asked,
    knowing,
    no_such_table,
    options_of,
    record_asked,
    require_caught_up,
    round_asked,
    shoe_asked,
    understood,
    words_of,
)
from dashboards.openapi import document, schemas_named
from dashboards.options import DISPLAY, LEAST_COLUMNS, MOST_COLUMNS
from dashboards.site import Site
from dashboards.views.boards import name
from dashboards.views.history import last_number, listing, shoe_rows, shoe_view
from dashboards.views.screens import FORM, columns, form_asked, language_names, panel_words


class Documents:
    """The handlers; ``bodies`` fetches what the site keeps only indexes of."""

    def __init__(self, site: Site, bodies: Bodies) -> None:
        self._site, self._bodies = site, bodies

    def routes(self) -> list[Route]:
        """Address and handler of each page."""
        pages = [
            ("/docs", self.docs, frozenset[str]()),
            ("/screens", self.screens, FORM),
            ("/tables/{table_id}/shoes", self.shoes, frozenset({"before"})),
            ("/tables/{table_id}/shoes/{shoe_no}", self.shoe, frozenset({"round"})),
        ]
        return [Route(path, knowing(DISPLAY | more, page)) for path, page, more in pages]

    async def shoes(self, request: Request) -> Response:
        """A page of the list of a table's shoes."""
        board, options = board_asked(self._site, request).event, options_of(request)
        heads = [shoe.head for shoe in self._site.store.shoes.get(board.table_id, {}).values()]
        listed = listing(heads, before_asked(request))
        running = board if listed.newer is None else None
        rows = shoe_rows(running, listed.heads, self._site.zone(board.table_id), options.view.words)

        def link(before: str | None) -> str:
            return "" if before is None else f"{request.url.path}{options.with_more(before=before)}"

        shown = {"rows": rows, "place": board.place, "newer": link(listed.newer), "older": link(listed.older)}
        return printed(self._site, request, "shoes.html", "history", board.table_id, **shown)

    async def shoe(self, request: Request) -> Response:
        """One shoe with all its rounds."""
        body, running = await shoe_asked(self._site, self._bodies.shoe, request)
        table_id: str = request.path_params["table_id"]
        words = options_of(request).view.words
        record = record_asked(request, body)
        after = round_asked(request, last_number(record))
        zone_name = self._site.zone(table_id)
        view = shoe_view(record, running=running, zone_name=zone_name, words=words, after=after)
        return printed(self._site, request, "shoe.html", "history", table_id, v=view)

    async def screens(self, request: Request) -> Response:
        """The form in which a display's address is put together, and what the display shows."""
        require_caught_up(self._site, request)
        with understood():
            form = form_asked(request.query_params.multi_items(), words_of(request))
        options = options_of(request, form.query)
        words, boards = options.view.words, self._site.store.boards
        tables = [(each, name(boards[each].event.names, each, words)) for each in self._site.store.table_ids()]
        table_id = request.query_params.get("table") or (tables[0][0] if tables else "")
        if table_id and table_id not in boards:
            raise no_such_table(words, table_id)
        path = f"/tables/{quote(table_id, safe='')}"
        return printed(
            self._site,
            request,
            "screens.html",
            "screens",
            "",
            options=options,
            tables=tables,
            chosen=table_id,
            screen=form.screen,
            languages=language_names(),
            panels=panel_words(words),
            ticked=() if form.no_panel else options.view.panels,
            columns=columns(options, form.screen),
            least=LEAST_COLUMNS,
            most=MOST_COLUMNS,
            address=f"{path}{options._replace(named=True).query}" if table_id else "",
            origin=f"{request.url.scheme}://{request.url.netloc}",
        )

    async def docs(self, request: Request) -> Response:
        """The API's documentation."""
        return printed(self._site, request, "docs.html", "docs", "", api=document(), refs=schemas_named)


def printed(site: Site, request: Request, template: str, here: str, table_id: str, **values: Any) -> Response:
    """A page that stays as it is."""
    options = values.pop("options", None) or options_of(request)
    board = site.store.boards.get(table_id)
    shown_name = name(board.event.names, table_id, options.view.words) if board else ""
    kept = parse_qsl(options.query.removeprefix("?"))
    common = {
        "options": options,
        "kept": kept,
        "t": options.view.words,
        "here": here,
        "table_id": table_id,
        "name": shown_name,
    }
    page = site.renderer.page(template, **common, **values)
    return HTMLResponse(page, headers={"cache-control": "no-cache", "vary": "accept-language"})
