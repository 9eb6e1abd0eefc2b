"""The OpenAPI 3.1 document: schemas derived from the structs of the contract, the operations written down here.

Every route of the application stands here, pages and streams too; a test compares them.
"""

import functools
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, get_args

import msgspec

from baccarat.bets import BETS
from contract.scoreboards import Scoreboard, ShoeRecord
from contract.statistics import Figures, TableStatistics
from dashboards.api import ShoeSummary, TableSummary
from dashboards.errors import Problem
from dashboards.languages import languages
from dashboards.options import LEAST_COLUMNS, MOST_COLUMNS, MOST_LETTERS, PANELS, Sort

VERSION: Final = "1"
"""Of the API, as in its addresses."""
_JSON: Final = "application/json"
_HTML: Final = "text/html"
_REFERENCE: Final = "#/components/schemas/"

_TABLE: Final = {
    "name": "table_id",
    "in": "path",
    "required": True,
    "description": "The table's id, such as `T01`",
    "schema": {"type": "string"},
}
_SHOE: Final = {
    "name": "shoe_no",
    "in": "path",
    "required": True,
    "description": "Number of the shoe, from 1",
    "schema": {"type": "integer", "minimum": 1},
}
_DAY: Final = {
    "name": "day",
    "in": "query",
    "description": "A gaming day, YYYY-MM-DD",
    "schema": {"type": "string", "format": "date"},
}
_PERIOD: Final = [
    {
        "name": "shoe",
        "in": "query",
        "description": "A shoe of the table",
        "schema": {"type": "integer", "minimum": 1},
    },
    _DAY,
]
_VIEW: Final = [
    {
        "name": "lang",
        "in": "query",
        "description": "Language of the page; without it the browser's, else English",
        "schema": {"enum": list(languages())},
    },
    {
        "name": "orientation",
        "in": "query",
        "description": "Columns of the roads for a wide or a tall screen; auto follows the screen",
        "schema": {"enum": ["auto", "landscape", "portrait"], "default": "auto"},
    },
    {
        "name": "cols",
        "in": "query",
        "description": f"Columns of each road, {LEAST_COLUMNS} to {MOST_COLUMNS}: `bead:12,big:40,eye:22`",
        "schema": {"type": "string"},
    },
    {
        "name": "beads",
        "in": "query",
        "description": "What the beads bear; without it letters or characters as the language has them",
        "schema": {"enum": ["letters", "han", "numbers"]},
    },
    {
        "name": "show",
        "in": "query",
        "description": f"Panels that are shown, or with `-` left out: `-recent,-ask`. Panels: {', '.join(PANELS)}",
        "schema": {"type": "string"},
    },
]
_OPTIONS: Final = [
    *_VIEW,
    {
        "name": "theme",
        "in": "query",
        "description": "Colours; auto follows the system",
        "schema": {"enum": ["dark", "light", "auto"], "default": "dark"},
    },
    {
        "name": "marks",
        "in": "query",
        "description": "The trade's plain shapes, or ones that differ without colour",
        "schema": {"enum": ["plain", "distinct"], "default": "plain"},
    },
    {
        "name": "shift",
        "in": "query",
        "description": "1: the page moves a few pixels each minute, against burn-in",
        "schema": {"enum": ["0", "1"], "default": "0"},
    },
]
_SORT: Final = {
    "name": "sort",
    "in": "query",
    "description": "Order of the lobby's tables",
    "schema": {"enum": list(get_args(Sort)), "default": "table"},
}
_LOBBY: Final = [
    {
        "name": "open",
        "in": "query",
        "description": "1: open tables alone",
        "schema": {"enum": ["0", "1"], "default": "0"},
    },
    {
        "name": "good",
        "in": "query",
        "description": "1: tables with a good road alone",
        "schema": {"enum": ["0", "1"], "default": "0"},
    },
    {
        "name": "pit",
        "in": "query",
        "description": "Tables of this place alone",
        "schema": {"type": "string", "maxLength": MOST_LETTERS},
    },
    _SORT,
]
_BEFORE: Final = {
    "name": "before",
    "in": "query",
    "description": "Shoes before this one; without it the newest",
    "schema": {"type": "integer", "minimum": 1},
}
_BET: Final = {
    "name": "bet",
    "in": "query",
    "description": "The bet whose hold is drawn",
    "schema": {"enum": list(BETS), "default": "banker"},
}
_CHOSEN: Final = {
    "name": "table",
    "in": "query",
    "description": "A table's statistics in place of all tables'",
    "schema": {"type": "string"},
}
_ROUND: Final = {
    "name": "round",
    "in": "query",
    "description": "The roads as they stood after this round",
    "schema": {"type": "integer", "minimum": 0},
}
_FORMAT: Final = {
    "name": "format",
    "in": "query",
    "description": "The record as JSON, or as CSV with a row for every version of every round",
    "schema": {"enum": ["json", "csv"], "default": "json"},
}
_STREAM: Final = [
    {
        "name": "table",
        "in": "query",
        "description": "The table whose frames are sent; it or `lobby` must be given",
        "schema": {"type": "string"},
    },
    {
        "name": "lobby",
        "in": "query",
        "description": "1: a frame for each table that changes",
        "schema": {"enum": ["1"]},
    },
    {
        "name": "statistics",
        "in": "query",
        "description": "1: the statistics of the table, or of all tables, in place of the board",
        "schema": {"enum": ["1"]},
    },
    {
        "name": "last",
        "in": "query",
        "description": "Id of the frame that is shown already; the header Last-Event-ID goes before it",
        "schema": {"type": "string", "maxLength": MOST_LETTERS},
    },
    _SORT,
    *_OPTIONS,
]


class Operation(NamedTuple):
    """One GET operation: its path, what it answers, and as what; ``schema`` None for a text, several in a tuple.

    ``errors`` beside 400: every address refuses what it does not understand.
    """

    path: str
    name: str
    summary: str
    media: str = _HTML
    schema: Any = None
    parameters: tuple[dict[str, Any], ...] = ()
    errors: tuple[int, ...] = ()
    description: str = ""


_API: Final = "/api/v1/tables"
_ERRORS: Final = {
    400: "The address asks for what cannot be shown",
    404: "There is no such table, shoe or statistics",
    503: "Not caught up with Kafka yet, Kafka away, or no place for one more viewer; see Retry-After",
}
OPERATIONS: Final = (
    Operation(_API, "list_tables", "All tables in short, by id", _JSON, list[TableSummary], (), (503,)),
    Operation(
        f"{_API}/{{table_id}}",
        "get_table",
        "The table's scoreboard, byte for byte the event in Kafka",
        _JSON,
        Scoreboard,
        (_TABLE,),
        (404, 503),
    ),
    Operation(
        f"{_API}/{{table_id}}/shoes",
        "list_shoes",
        "The table's shoes in short, the running one first, then the newest first",
        _JSON,
        list[ShoeSummary],
        (_TABLE,),
        (404, 503),
    ),
    Operation(
        f"{_API}/{{table_id}}/shoes/{{shoe_no}}",
        "get_shoe",
        "The shoe's record, byte for byte the event in Kafka; the running shoe is told by the scoreboard",
        _JSON,
        ShoeRecord,
        (_TABLE, _SHOE, _FORMAT),
        (404, 503),
    ),
    Operation(
        f"{_API}/{{table_id}}/statistics",
        "get_statistics",
        "The table's statistics, byte for byte the event in Kafka; with `shoe` or `day` the figures of that period",
        _JSON,
        (TableStatistics, Figures),
        (_TABLE, *_PERIOD),
        (404, 503),
    ),
    Operation(
        "/api/v1/statistics",
        "list_statistics",
        "The lifetime of every table, by id; with `day` the figures of that gaming day, all tables together",
        _JSON,
        (list[Figures], Figures),
        (_DAY,),
        (404, 503),
    ),
    Operation(
        "/stream",
        "stream",
        "Server-sent events: `table`, `lobby` or `statistics` frames, `beat`, `gone` and `bye`",
        "text/event-stream",
        None,
        tuple(_STREAM),
        (404, 503),
        "A frame is whole, rendered HTML, its id is build/table/shoe/version. The newest wins: a slow reader gets "
        "fewer frames, never late ones. A `beat` carries JSON: now, build, lost, contact, and beat, the seconds to the "
        "next. `gone`: there is no such table any more.",
    ),
    Operation("/", "lobby_page", "The lobby: tables, live", parameters=(*_LOBBY, *_OPTIONS), errors=(503,)),
    Operation("/tables/{table_id}", "table_page", "One table, live", parameters=(_TABLE, *_OPTIONS), errors=(404, 503)),
    Operation(
        "/screens",
        "screens_page",
        "A form that puts a display's address together, and what the display shows",
        parameters=tuple(_OPTIONS),
        errors=(404, 503),
    ),
    Operation(
        "/screens/tables/{table_id}",
        "screen_page",
        "A table's page that may stand in the form's frame",
        parameters=(_TABLE, *_OPTIONS),
        errors=(404, 503),
    ),
    Operation(
        "/tables/{table_id}/shoes",
        "shoes_page",
        "The table's shoes, 200 on a page",
        parameters=(_TABLE, _BEFORE, *_OPTIONS),
        errors=(404, 503),
    ),
    Operation(
        "/tables/{table_id}/shoes/{shoe_no}",
        "shoe_page",
        "One shoe: all rounds with their versions",
        parameters=(_TABLE, _SHOE, _ROUND, *_OPTIONS),
        errors=(404, 503),
    ),
    Operation(
        "/tables/{table_id}/statistics",
        "statistics_page",
        "The table's bets: running shoe and all shoes, live; with `shoe` or `day` those of that period",
        parameters=(_TABLE, *_PERIOD, _BET, *_OPTIONS),
        errors=(404, 503),
    ),
    Operation(
        "/statistics",
        "house_page",
        "The bets of all tables together, live; with `day` those of that gaming day",
        parameters=(_CHOSEN, *_PERIOD, _BET, *_OPTIONS),
        errors=(404, 503),
    ),
    Operation("/docs", "docs_page", "This document for people", parameters=tuple(_OPTIONS)),
    Operation("/openapi.json", "openapi", "This document", _JSON, dict[str, Any]),
    Operation("/livez", "livez", "200 while the process is well, also while Kafka is away", "text/plain"),
    Operation("/readyz", "readyz", "200 while the page shows the newest", "text/plain", errors=(503,)),
    Operation("/metrics", "metrics", "Gauges and counters in the Prometheus text format", "text/plain"),
)


@functools.cache
def document() -> dict[str, Any]:
    """The whole document."""
    wanted = [*(each for operation in OPERATIONS for each in _alternatives(operation)), Problem]
    found, components = msgspec.json.schema_components(wanted, ref_template=_REFERENCE + "{name}")
    *schemas, problem = found
    answers = iter(schemas)
    paths = {
        operation.path: {"get": _operation(operation, [next(answers) for _ in _alternatives(operation)], problem)}
        for operation in OPERATIONS
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Beadplate",
            "version": VERSION,
            "description": "Live baccarat tables: scoreboards with their roads, shoes, statistics. It only reads.",
        },
        "paths": paths,
        "components": {"schemas": components},
    }


def _alternatives(operation: Operation) -> tuple[Any, ...]:
    """The types that an operation may answer with; none for a text."""
    if operation.schema is None:
        return ()
    return operation.schema if isinstance(operation.schema, tuple) else (operation.schema,)


def _operation(operation: Operation, schemas: list[dict[str, Any]], problem: dict[str, Any]) -> dict[str, Any]:
    schema = {"anyOf": schemas} if len(schemas) > 1 else schemas[0] if schemas else {"type": "string"}
    error_media = _HTML if operation.media == _HTML else "application/problem+json"
    error_schema = {"type": "string"} if operation.media == _HTML else problem
    errors = {
        str(status): {"description": _ERRORS[status], "content": {error_media: {"schema": error_schema}}}
        for status in sorted({400, *operation.errors})
    }
    answer = {"description": operation.summary, "content": {operation.media: {"schema": schema}}}
    return {
        "summary": operation.summary,
        "description": operation.description,
        "operationId": operation.name,
        "parameters": list(operation.parameters),
        "responses": {"200": answer, **errors},
    }


def schemas_named(body: Any) -> list[str]:
    """The names of the schemas that an answer refers to, for the page's links."""
    return list(dict.fromkeys(_references(body)))


def _references(body: Any) -> Iterator[str]:
    match body:
        case {"$ref": str(reference)}:
            yield reference.removeprefix(_REFERENCE)
        case dict():
            for value in body.values():
                yield from _references(value)
        case list():
            for value in body:
                yield from _references(value)
        case _:
            return
