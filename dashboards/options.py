"""What a display's address may ask for: everything it needs stands in the address, so that it can be opened cold.

What is not understood is refused with a sentence: a mistyped address is noticed when a display is set up, and not by
a guest who looks at the wrong columns.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple, cast, get_args
from urllib.parse import urlencode

from dashboards.languages import languages, preferred
from dashboards.views.plain import one_line
from dashboards.words import ENGLISH, Words

Layout = Literal["landscape", "portrait"]
Orientation = Literal["auto", "landscape", "portrait"]
Theme = Literal["dark", "light", "auto"]
Marks = Literal["plain", "distinct"]
Beads = Literal["", "letters", "han", "numbers"]
Sort = Literal["table", "name", "pit", "good", "round", "quiet"]
Panel = Literal["last", "recent", "bead", "counters", "big", "eye", "small", "roach", "ask"]

PANELS: Final[tuple[Panel, ...]] = get_args(Panel)
"""The panels of a table's board that can be left out."""
LEAST_COLUMNS, MOST_COLUMNS = 3, 120
"""Columns that a road may have on a display."""
DISPLAY: Final = frozenset({"lang", "theme", "marks", "beads", "cols", "orientation", "shift", "show"})
"""The parameters of every page."""
MOST_LETTERS: Final = 500
"""Letters of a text in an address: no name of a place has more."""


class BadQuery(ValueError):
    """A parameter that is not understood; the message says which values are."""


class Columns(NamedTuple):
    """Columns of each road at six rows; 0: as many as the layout has."""

    bead: int = 0
    big: int = 0
    eye: int = 0
    small: int = 0
    roach: int = 0


_DERIVED: Final[frozenset[Panel]] = frozenset({"eye", "small", "roach", "ask"})


class View(NamedTuple):
    """What a frame depends on beside the table's version; all viewers of one view get the same bytes.

    ``points``: the beads of the bead plate show the winner's points. ``sort`` is the order of the lobby.
    """

    lang: str = ENGLISH.lang
    layout: Layout = "landscape"
    cols: Columns = Columns()
    points: bool = False
    panels: tuple[Panel, ...] = PANELS
    sort: Sort = "table"

    @property
    def words(self) -> Words:
        """The words of the view's language."""
        return languages()[self.lang]

    @property
    def has_derived(self) -> bool:
        """Whether any panel of the row of derived roads is shown."""
        return not _DERIVED.isdisjoint(self.panels)


class Options(NamedTuple):
    """A page's parameters.

    ``?lang=ru&theme=light&marks=distinct&beads=han&cols=bead:12,big:30&orientation=portrait&shift=1&show=-recent``

    ``named`` is the language that the address itself names (else it is the browser's). ``marks``: the trade's plain
    shapes, or ones that differ without colour. ``beads``: empty for what is usual in the language. ``orientation``:
    ``auto`` follows the screen. ``shift`` moves the page a few pixels each minute, against burn-in.
    """

    view: View = View()
    named: bool = False
    orientation: Orientation = "auto"
    theme: Theme = "dark"
    marks: Marks = "plain"
    beads: Beads = ""
    shift: bool = False

    @property
    def han(self) -> bool:
        """Whether the beads bear Chinese characters."""
        return self.beads == "han" or (self.beads != "letters" and self.view.lang.startswith("zh"))

    @property
    def letters(self) -> Mapping[str, str]:
        """The letters of the beads: the language's, or Latin ones where it has characters instead."""
        words = self.view.words
        return ENGLISH.letter if words.lang.startswith("zh") else words.letter

    @property
    def query(self) -> str:
        """The options that differ from the usual ones as a query, ``?`` included; empty where none does."""
        cols = {road: count for road, count in self.view.cols._asdict().items() if count}
        hidden = [panel for panel in PANELS if panel not in self.view.panels]
        asked = {
            "lang": self.view.lang if self.named else "",
            "theme": self.theme if self.theme != "dark" else "",
            "marks": self.marks if self.marks != "plain" else "",
            "beads": self.beads,
            "cols": ",".join(f"{road}:{count}" for road, count in cols.items()),
            "orientation": self.orientation if self.orientation != "auto" else "",
            "shift": "1" if self.shift else "",
            "show": ",".join(f"-{panel}" for panel in hidden),
        }
        pairs = {name: value for name, value in asked.items() if value}
        return f"?{urlencode(pairs, safe=':,')}" if pairs else ""

    def with_more(self, **more: str) -> str:
        """The query with further parameters; those that are empty are left out."""
        given = urlencode({name: value for name, value in more.items() if value}, safe=":,")
        return f"{self.query}{'&' if self.query and given else '?' if given else ''}{given}"


class LobbyFilter(NamedTuple):
    """Which tables the lobby shows: ``?open=1&good=1&pit=Main floor``, all of these at once."""

    open: bool = False
    good: bool = False
    pit: str = ""


LOBBY: Final = frozenset({"open", "good", "pit", "sort"})
"""The parameters of the lobby beside the display's."""


def filter_asked(query: Mapping[str, str], words: Words) -> tuple[LobbyFilter, Sort]:
    """The tables that an address asks for, and their order. Raises ``BadQuery``."""
    asked = Asked(query, words)
    are_open, good = (asked.one_of(name, ("0", "1")) == "1" for name in ("open", "good"))
    return LobbyFilter(are_open, good, one_line(asked.text("pit"))), cast("Sort", asked.one_of("sort", get_args(Sort)))


class StreamAsked(NamedTuple):
    """What a stream is of: a table, or without one all of them; and the id of the frame that the viewer holds."""

    table_id: str
    statistics: bool
    sort: Sort
    last: str


STREAM: Final = DISPLAY | {"table", "lobby", "statistics", "last", "sort"}
"""The parameters of a stream."""


def stream_asked(query: Mapping[str, str], words: Words) -> StreamAsked:
    """What a stream's address asks for. Raises ``BadQuery``.

    Of ``last`` the length alone is looked at: it may be of another build, and a wall must get over that by itself.
    """
    asked = Asked(query, words)
    asked.refuse_both("lobby", "table")
    table_id, lobby, statistics = query.get("table", ""), asked.one_of("lobby", _ONE), asked.one_of("statistics", _ONE)
    if not (table_id or lobby):
        raise BadQuery(words.no_subject)
    if query.get("sort") and (table_id or statistics):
        refuse_unknown(["sort"], STREAM - {"sort"}, words)
    sort = cast("Sort", asked.one_of("sort", get_args(Sort)))
    return StreamAsked(table_id, statistics == "1", sort, asked.text("last"))


_ONE: Final = ("", "1")


def words_asked(query: Mapping[str, str], accepted: str = "") -> Words:
    """The language that an address names, else the one that the browser likes most (``accepted``), else English."""
    return languages().get(query.get("lang", ""), preferred(accepted))


def options_asked(query: Mapping[str, str], accepted: str = "") -> Options:
    """The options that an address asks for. Raises ``BadQuery``."""
    words = words_asked(query, accepted)
    asked = Asked(query, words)
    asked.one_of("lang", (*languages(), ""))
    orientation = cast("Orientation", asked.one_of("orientation", get_args(Orientation)))
    beads = cast("Beads", asked.one_of("beads", get_args(Beads)))
    return Options(
        view=View(
            lang=words.lang,
            layout="portrait" if orientation == "portrait" else "landscape",
            cols=asked.columns(),
            points=beads == "numbers",
            panels=asked.panels(),
        ),
        named=bool(query.get("lang")),
        orientation=orientation,
        theme=cast("Theme", asked.one_of("theme", get_args(Theme))),
        marks=cast("Marks", asked.one_of("marks", get_args(Marks))),
        beads=beads,
        shift=asked.one_of("shift", ("0", "1")) == "1",
    )


_MAY_REPEAT: Final = frozenset({"panel"})


def refuse_unknown(names: Iterable[str], known: frozenset[str], words: Words) -> None:
    """Raises ``BadQuery`` for a parameter that this address does not have, and for one that is given twice."""
    seen: set[str] = set()
    for name in names:
        if name not in known and not known:
            raise BadQuery(words.no_parameters.format(_short(name)))
        if name not in known:
            raise BadQuery(words.no_such_parameter.format(_short(name), ", ".join(sorted(known))))
        if name in seen - _MAY_REPEAT:
            raise BadQuery(words.parameter_twice.format(name))
        seen.add(name)


class Asked:
    """The parameters of an address, each with its own reading. One that is empty is not asked for.

    Each reading raises ``BadQuery`` for what it does not understand.
    """

    def __init__(self, query: Mapping[str, str], words: Words) -> None:
        self._query, self._words = query, words

    def refused(self, name: str, value: str, may_be: str) -> BadQuery:
        """What is said of a value that is none."""
        return BadQuery(self._words.bad_parameter.format(name, _short(value), may_be))

    def refuse_both(self, one: str, other: str) -> None:
        """Not both of the two: they would contradict each other."""
        if self._query.get(one) and self._query.get(other):
            raise BadQuery(self._words.either.format(one, other))

    def text(self, name: str) -> str:
        """A text of a bounded length."""
        value = self._query.get(name, "")
        if len(value) > MOST_LETTERS:
            raise BadQuery(self._words.too_long.format(name, MOST_LETTERS))
        return value

    def one_of(self, name: str, values: tuple[str, ...]) -> str:
        """One of the values; the first of them where nothing is asked."""
        value = self._query.get(name, "")
        if value in values:
            return value
        if value:
            raise self.refused(name, value, ", ".join(filter(None, values)))
        return values[0]

    def count(self, road: str) -> int:
        """A road's columns; 0 where nothing is asked."""
        value = self._query.get(road, "")
        if value and not _is_count(value):
            raise self.refused(road, value, f"{LEAST_COLUMNS} – {MOST_COLUMNS}")
        return int(value or 0)

    def columns(self) -> Columns:
        """``bead:12,big:40``"""
        value = self._query.get("cols", "")
        asked: dict[str, int] = {}
        for part in value.split(",") if value else ():
            road, _, count = part.partition(":")
            if road not in Columns._fields or road in asked or not _is_count(count):
                like = ",".join(f"{road}:12" for road in Columns._fields)
                raise self.refused("cols", value, f"{like} ({LEAST_COLUMNS} – {MOST_COLUMNS})")
            asked[road] = int(count)
        return Columns(**asked)

    def panels(self) -> tuple[Panel, ...]:
        """``last,bead,big`` for these alone, ``-recent,-ask`` for all but these."""
        value = self._query.get("show", "")
        if not value:
            return PANELS
        parts = value.split(",")
        hide = all(part.startswith("-") for part in parts)
        named = {part.removeprefix("-") if hide else part for part in parts}
        shown = tuple(panel for panel in PANELS if (panel in named) is not hide)
        if not named <= set(PANELS) or len(named) < len(parts) or not shown:
            raise self.refused("show", value, ", ".join(PANELS))
        return shown


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 4 and LEAST_COLUMNS <= int(text) <= MOST_COLUMNS  # noqa: PLR2004


def _short(text: str) -> str:
    """The text as an answer may repeat it."""
    most = 40
    return text if len(text) <= most else f"{text[:most]}…"
