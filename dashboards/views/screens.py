"""The form in which a display's address is put together."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, cast, get_args

from dashboards.languages import languages
from dashboards.options import PANELS, Asked, Columns, Options
from dashboards.views.grids import TABLE
from dashboards.words import Words

Screen = Literal["landscape", "portrait"]
FORM: Final = frozenset({"table", "screen", "panel", *Columns._fields})
"""The form's fields beside the display's own parameters."""


class Column(NamedTuple):
    """A road's columns in the form: 0 where the layout's are taken."""

    road: str
    word: str
    asked: int
    usual: int


class Form(NamedTuple):
    """What the form says: the display's parameters, the screen, and whether all panels were unticked."""

    query: dict[str, str]
    screen: Screen
    no_panel: bool


def form_asked(fields: Sequence[tuple[str, str]], words: Words) -> Form:
    """What the form's fields stand for. A browser sends no box that is not ticked, but always the screen.

    Raises ``BadQuery``; what the display's own parameters say is not looked at.
    """
    given = {name: value for name, value in fields if value}
    asked = Asked(given, words)
    query = {name: value for name, value in given.items() if name not in FORM}
    if query.get("beads") == "usual":
        del query["beads"]
    asked.refuse_both("panel", "show")
    shown = [value for name, value in fields if name == "panel" and value]
    for panel in shown:
        if panel not in PANELS or shown.count(panel) > 1:
            raise asked.refused("panel", "&panel=".join([panel] * shown.count(panel)), ", ".join(PANELS))
    if shown and (hidden := [f"-{panel}" for panel in PANELS if panel not in shown]):
        query["show"] = ",".join(hidden)
    for road in Columns._fields:
        asked.refuse_both(road, "cols")
    if columns := [f"{road}:{count}" for road in Columns._fields if (count := asked.count(road))]:
        query["cols"] = ",".join(columns)
    screen = cast("Screen", asked.one_of("screen", get_args(Screen)))
    return Form(query, screen, "screen" in given and not shown and "show" not in given)


def panel_words(words: Words) -> list[tuple[str, str]]:
    """Each panel and what it is called."""
    named: Mapping[str, str] = {
        "last": words.last_round,
        "recent": words.recent(20),
        "bead": words.bead,
        "counters": words.this_shoe,
        "big": words.big,
        "eye": words.eye,
        "small": words.small,
        "roach": words.roach,
        "ask": words.ask,
    }
    return [(panel, named[panel]) for panel in PANELS]


def columns(options: Options, screen: Screen) -> list[Column]:
    """What the form says of each road's columns."""
    words = options.view.words
    usual = TABLE["portrait" if screen == "portrait" or options.view.layout == "portrait" else "landscape"]
    named = (words.bead, words.big, words.eye, words.small, words.roach)
    return [Column(*each) for each in zip(Columns._fields, named, options.view.cols, usual, strict=True)]


def language_names() -> list[tuple[str, str]]:
    """Each language and its own name for itself."""
    return [(tag, words.language) for tag, words in languages().items()]
