"""What a display's address may ask for, and what is said of one that is not understood."""

import pytest

from dashboards.options import (
    DISPLAY,
    PANELS,
    BadQuery,
    Columns,
    Options,
    View,
    options_asked,
    refuse_unknown,
)
from dashboards.words import ENGLISH

FULL = {
    "lang": "ru",
    "theme": "light",
    "marks": "distinct",
    "beads": "numbers",
    "cols": "bead:10,big:30",
    "orientation": "portrait",
    "shift": "1",
    "show": "-recent,-ask",
}


def test_the_address_says_what_a_display_shows() -> None:
    panels = tuple(panel for panel in PANELS if panel not in {"recent", "ask"})
    view = View("ru", "portrait", Columns(bead=10, big=30), points=True, panels=panels)
    options = options_asked(FULL)
    assert options == Options(view, True, "portrait", "light", "distinct", "numbers", True)
    assert set(FULL) == DISPLAY


def test_options_and_their_query_say_the_same() -> None:
    options = options_asked(FULL)
    assert options.query == "?" + "&".join(f"{name}={value}" for name, value in FULL.items())
    assert Options().query == ""
    assert options_asked({"lang": "en"}).query == "?lang=en"


def test_more_parameters_follow_the_display_s() -> None:
    assert Options().with_more(table="a&b", lobby="") == "?table=a%26b"
    assert options_asked({"theme": "light"}).with_more(round="7") == "?theme=light&round=7"
    assert options_asked({"theme": "light"}).with_more() == "?theme=light"


def test_the_browser_s_language_stays_out_of_the_address() -> None:
    options = options_asked({}, "zh-TW")
    assert (options.view.lang, options.query) == ("zh-Hant", "")
    assert options_asked({"lang": "en"}, "zh-TW").view.lang == "en"


@pytest.mark.parametrize(("lang", "beads", "han"), [("zh-Hant", "", 1), ("zh-Hant", "letters", 0), ("en", "han", 1)])
def test_beads_follow_the_language_unless_they_are_asked_for(lang: str, beads: str, han: int) -> None:
    options = options_asked({"lang": lang, "beads": beads} if beads else {"lang": lang})
    assert options.han == bool(han)
    assert options.letters["B"] == "B"
    assert options_asked({"lang": "ru"}).letters["B"] == "Б"


def test_panels_are_named_or_left_out() -> None:
    assert options_asked({"show": "bead,big"}).view.panels == ("bead", "big")
    assert options_asked({"show": "-bead"}).view.panels == tuple(panel for panel in PANELS if panel != "bead")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lang", "xx"),
        ("lang", "../ru"),
        ("theme", "<script>"),
        ("marks", "Plain"),
        ("beads", "emoji"),
        ("orientation", "round"),
        ("shift", "yes"),
        ("cols", "bead"),
        ("cols", "bead:"),
        ("cols", "bead:2"),
        ("cols", "bead:121"),
        ("cols", "bead:١٢"),
        ("cols", "bead:12,bead:13"),
        ("cols", "bead:12,"),
        ("cols", "lobby:12"),
        ("cols", "bead:" + "9" * 5000),
        ("show", "bead,-big"),
        ("show", "everything"),
        ("show", ","),
        ("show", ",".join(f"-{panel}" for panel in PANELS)),
    ],
)
def test_what_is_not_understood_is_refused_with_what_may_be(name: str, value: str) -> None:
    with pytest.raises(BadQuery) as refused:
        options_asked({name: value})
    assert str(refused.value).startswith(f"?{name}={value[:40]}")
    assert "It may be: " in str(refused.value)
    assert len(str(refused.value)) < 250


def test_a_refusal_speaks_the_asker_s_language() -> None:
    with pytest.raises(BadQuery, match="не понято"):
        options_asked({"lang": "ru", "theme": "pink"})


def test_a_parameter_is_known_and_given_once() -> None:
    refuse_unknown(["lang", "theme"], DISPLAY, ENGLISH)
    with pytest.raises(BadQuery, match=r"no parameter \?theem=. Its parameters are beads, cols"):
        refuse_unknown(["theem"], DISPLAY, ENGLISH)
    with pytest.raises(BadQuery, match=r"\?lang= stands twice"):
        refuse_unknown(["lang", "lang"], DISPLAY, ENGLISH)
