"""Views into HTML. Jinja with autoescape on and undefined names refused; templates only loop over views."""

import functools
import re
from collections.abc import Callable, Hashable, Iterable, MutableMapping, Sequence
from types import CodeType
from typing import Any, Final

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from jinja2.runtime import Macro
from markupsafe import Markup, escape

from dashboards.assets import address
from dashboards.options import View
from dashboards.views.lobby import Tile
from dashboards.views.plain import plain
from dashboards.views.state import State
from dashboards.views.statistics import StatisticsView
from dashboards.views.table import TableView
from dashboards.views.times import clock, said_until
from dashboards.words import Words

MOST_KEPT: Final = 50_000
"""Pieces that are kept: some MiB."""
MOST_ESCAPED: Final = 5_000
CALM: Final = State("", "", "", "", "")
"""A frame's freshness is told by the script, not by the frame."""
_SCRIPT_WORDS: Final = (
    "age",
    "age_long",
    "age_none",
    "duration",
    "stale",
    "stale_why",
    "stale_short",
    "source_why",
    "source_short",
    "silent",
    "silent_why",
)


class Each:
    """Calls a macro for each of many values, but once for those that are the same: it keeps what the macro said.

    A macro is known by its name. Everything is forgotten when a lot is kept.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._kept: dict[tuple[Any, ...], dict[Any, str]] = {}
        self.drawn = 0

    def __call__(self, values: Sequence[Hashable], macro: Macro, *more: Hashable) -> Markup:
        """All that the macro says of these values, each with the others that are given, in their order."""
        kept = self._kept.setdefault((macro.name, *more), {})
        said = [kept.get(value) or self._piece(kept, macro, value, more) for value in values]
        return Markup("".join(said))  # noqa: S704 - escaped by the macro

    def once(self, value: Hashable, macro: Macro, *more: Hashable) -> Markup:
        """What the macro says of this value, with the others that are given."""
        return self((value,), macro, *more)

    def _piece(self, kept: dict[Any, str], macro: Macro, value: Hashable, more: tuple[Hashable, ...]) -> str:
        piece = kept.get(value)
        if piece is None:
            if len(kept) >= self._most:
                kept.clear()
            piece = kept[value] = str(macro(value, *more))
            self.drawn += 1
        return piece


class Unindented(PackageLoader):
    """Loads templates with every line at the margin: the indentation helps who reads them, and no browser."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool] | None]:
        """The template, its path, and whether it is still what the file says."""
        source, path, is_fresh = super().get_source(environment, template)
        return re.sub(r"^\s+", "", source, flags=re.MULTILINE), path, is_fresh


@functools.lru_cache(maxsize=MOST_ESCAPED, typed=True)
def _escaped(value: Hashable) -> Markup:
    return escape(plain(value) if type(value) is str else value)


def remembering(value: Any) -> Markup:
    """The value escaped, as Jinja does it, and ``plain``. What a frame says was nearly all said before, and escaping is
    not free.
    """
    return value if type(value) is Markup else _escaped(value)


class Escaping(Template):
    """A template that escapes by ``remembering``."""

    @classmethod
    def from_code(
        cls,
        environment: Environment,
        code: CodeType,
        globals: MutableMapping[str, Any],  # noqa: A002 - Jinja's own name
        uptodate: Callable[[], bool] | None = None,
    ) -> Template:
        """The template; its code calls ``escape``, a name of its module, for all that it puts out."""
        template = super().from_code(environment, code, globals, uptodate)
        template.root_render_func.__globals__["escape"] = remembering
        return template


class Renderer:
    """All templates, compiled once."""

    def __init__(self) -> None:
        self._env = Environment(
            loader=Unindented("dashboards"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._env.template_class = Escaping
        self._env.globals["asset"] = address
        self._env.filters["each"] = self.each = Each()
        self._env.filters["once"] = self.each.once
        self._env.globals["r"] = self._env.get_template("roads.html").module  # an import would cost each frame anew

    def page(self, template: str, **values: Any) -> str:
        """A whole page."""
        return self._env.get_template(template).render(**values)

    def table_frame(self, table: TableView, view: View) -> str:
        """A table's part of the page, as a stream carries it."""
        values = {"v": table, "t": view.words, "view": view, "query": "", "state": CALM, "settled": False}
        return self.page("table_frame.html", **values)

    def lobby_frame(self, table_id: str, tile: Tile | None, head_line: str, view: View) -> str:
        """A table's tile, or that it is gone, and the line of the lobby's head, as a stream carries them."""
        values = {"table_id": table_id, "tile": tile, "head_line": head_line, "t": view.words}
        since = clock(tile.at_ms, tile.zone) if tile else ""
        return self.page("lobby_frame.html", **values, since=since)

    def lobby_roll(self, table_ids: Iterable[str]) -> str:
        """The names of all tables' parts: a lobby that comes from another process drops the others."""
        parts = "".join(f"tile-{table_id} " for table_id in table_ids)
        return str(Markup('<i data-roll=" {}"></i>').format(parts))

    def statistics_frame(self, statistics: StatisticsView, at_ms: int, zone: str, words: Words) -> str:
        """A statistics page's part that changes, as a stream carries it."""
        until = said_until(at_ms, zone, words)
        return self.page("statistics_frame.html", v=statistics, at_ms=at_ms, zone=zone, t=words, until=until)


def script_words(words: Words) -> Markup:
    """The words that the page's script needs, as JSON for an attribute."""
    chosen = {name: getattr(words, name) for name in _SCRIPT_WORDS}
    return Markup.escape(msgspec.json.encode(chosen).decode())
