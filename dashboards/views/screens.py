"""The form in which a display's address is put together."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from dashboards.languages import languages
from dashboards.options import PANELS, Columns, Options
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


def asked_of_form(fields: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The display's parameters that the form's fields stand for."""
    query = {name: value for name, value in fields if name not in FORM}
    if query.get("beads") == "usual":
        del query["beads"]
    shown = [value for name, value in fields if name == "panel"]
    if shown:
        hidden = [panel for panel in PANELS if panel not in shown]
        unknown = [panel for panel in shown if panel not in PANELS]
        query["show"] = ",".join(unknown or [f"-{panel}" for panel in hidden])
    columns = [f"{name}:{value}" for name, value in fields if name in Columns._fields and value]
    if columns:
        query["cols"] = ",".join(columns)
    return {name: value for name, value in query.items() if value}


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
