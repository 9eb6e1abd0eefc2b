"""What a display's address may ask for: everything it needs stands in the address, so that it can be opened cold.

What is not understood is ignored: a display on a wall must never fail for a mistyped parameter.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple
from urllib.parse import urlencode

from dashboards.words import ENGLISH, LANGUAGES, Words

Layout = Literal["landscape", "portrait"]
Theme = Literal["dark", "light", "auto"]
Marks = Literal["plain", "distinct"]


class View(NamedTuple):
    """What a frame depends on beside the table's version; all viewers of one view get the same bytes."""

    lang: str = ENGLISH.lang
    layout: Layout = "landscape"

    @property
    def words(self) -> Words:
        """The words of the view's language."""
        return LANGUAGES[self.lang]


class Options(NamedTuple):
    """A page's parameters: ``?lang=en&layout=portrait&theme=light&marks=distinct&shift=1``.

    ``marks``: the trade's plain shapes, or ones that differ without colour. ``shift`` moves the page a few pixels each
    minute, against burn-in.
    """

    view: View = View()
    theme: Theme = "dark"
    marks: Marks = "plain"
    shift: bool = False

    @property
    def query(self) -> str:
        """The options that differ from the usual ones as a query, ``?`` included; empty where none does."""
        usual = Options()
        asked = {
            "lang": (self.view.lang, usual.view.lang),
            "layout": (self.view.layout, usual.view.layout),
            "theme": (self.theme, usual.theme),
            "marks": (self.marks, usual.marks),
            "shift": ("1" if self.shift else "0", "0"),
        }
        pairs = {name: value for name, (value, default) in asked.items() if value != default}
        return f"?{urlencode(pairs)}" if pairs else ""


def view_asked(query: Mapping[str, str]) -> View:
    """The view that an address asks for."""
    lang = query.get("lang", "")
    return View(
        lang=lang if lang in LANGUAGES else ENGLISH.lang,
        layout="portrait" if query.get("layout") == "portrait" else "landscape",
    )


def options_asked(query: Mapping[str, str]) -> Options:
    """The options that an address asks for."""
    theme: Theme
    match query.get("theme"):
        case "light" | "auto" as asked:
            theme = asked
        case _:
            theme = "dark"
    return Options(
        view=view_asked(query),
        theme=theme,
        marks="distinct" if query.get("marks") == "distinct" else "plain",
        shift=query.get("shift") == "1",
    )
