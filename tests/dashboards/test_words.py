"""The catalogues of words cover what can be shown, in every language, and nothing else."""

import json
import os
import re
import shutil
import string
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import fields
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, get_args

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

import dashboards
from baccarat.bets import BETS
from baccarat.roads.good import GoodRoadKind
from baccarat.tallies import Counts
from contract.scoreboards import Status
from dashboards.languages import (
    TEMPLATE,
    TRANSLATIONS,
    Incomplete,
    languages,
    messages,
    preferred,
    template,
    translated,
)
from dashboards.options import Beads, Marks, Orientation, Sort, Theme
from dashboards.renderer import _SCRIPT_WORDS
from dashboards.views.boards import counters
from dashboards.views.screens import Screen
from dashboards.views.statistics import _SCOPES, bet_name
from dashboards.words import ENGLISH, Words

ROOM = Path(str(files(dashboards)))
CATALOGUES = sorted(path.name.removesuffix(".po") for path in TRANSLATIONS.iterdir() if path.name.endswith(".po"))
SIDED: Final = {"streak", "chop_after"}
"""Good roads that have a word for each side."""
LOOKED_UP: Final[Mapping[str, set[str]]] = {
    "status": set(get_args(Status)),
    "letter": {"B", "P", "T"},
    "side": {"B", "P"},
    "wins": {"B", "P", "T"},
    "counter": {row.key for row in counters(Counts(**dict.fromkeys(Counts.__dataclass_fields__, 0)), ENGLISH)},
    "good": {
        word
        for kind in get_args(GoodRoadKind)
        for word in ([f"{kind}_{side}" for side in "BP"] if kind in SIDED else [kind])
    },
    "bets": {re.sub(r"^egalite_\d$", "egalite", bet) for bet in BETS},
    "scope": set(_SCOPES),
    "sort_by": set(get_args(Sort)),
    "screen_sizes": set(get_args(Screen)),
    "themes": set(get_args(Theme)),
    "orientations": set(get_args(Orientation)),
    "mark_kinds": set(get_args(Marks)),
    "bead_kinds": {beads or "usual" for beads in get_args(Beads)},
    "keys": {"big-B", "big-P", "tie", "pair", "eye-R", "eye-U"},
}
"""The keys by which the entries of a word are asked for where the key is computed, by the types they are of."""
WORDS: Final = r"(?:\bt|\b_?words|\bwords_of\(request\)|\bENGLISH)"
"""What words are called where they are asked for."""


def catalogue(tag: str) -> Catalog:
    with (TRANSLATIONS / f"{tag}.po").open("rb") as file:
        return read_po(file, locale=tag.replace("-", "_"))


def code(*suffixes: str) -> str:
    """All that asks for words, of these kinds of files."""
    own = {"words.py", "languages.py"}
    paths = [path for path in sorted(ROOM.rglob("*")) if path.suffix in suffixes and path.name not in own]
    return "\n".join(path.read_text() for path in paths)


def test_there_are_three_languages_or_more() -> None:
    assert next(iter(languages())) == "en"
    assert set(languages()) >= {"en", "ru", "zh-Hant"}
    assert {tag: words.lang for tag, words in languages().items()} == {tag: tag for tag in languages()}


@pytest.mark.parametrize("tag", CATALOGUES)
def test_a_catalogue_has_every_message_and_none_that_is_gone(tag: str) -> None:
    held = {(message.context, message.id): message for message in catalogue(tag) if message.id}
    assert set(held) == {(message.context, message.id) for message in messages()}
    assert not catalogue(tag).obsolete
    assert not [message.context for message in held.values() if message.fuzzy or not message.string]


@pytest.mark.parametrize("tag", CATALOGUES)
def test_a_translation_takes_the_values_that_the_english_takes(tag: str) -> None:
    def values(text: str) -> int:
        return sum(name is not None for _, name, _, _ in string.Formatter().parse(text))

    for message in catalogue(tag):
        if message.id:
            english = message.id if isinstance(message.id, str) else message.id[1]
            said = (message.string,) if isinstance(message.string, str) else message.string or ()
            assert [values(each) for each in said] == [values(english)] * len(said), message.context


def test_the_template_for_new_languages_is_of_today() -> None:
    with (TRANSLATIONS / TEMPLATE).open("rb") as file:
        held = read_po(file)
    assert [(each.context, each.id) for each in held if each.id] == [
        (each.context, each.id) for each in template() if each.id
    ]


def test_every_word_is_shown_somewhere_and_every_word_that_is_asked_for_is_there() -> None:
    in_script = set(re.findall(r"\bwords\.([a-z_]+)", code(".js")))
    assert in_script == set(_SCRIPT_WORDS)
    asked = in_script | set(re.findall(rf"{WORDS}\.([a-z_]+)", code(".html", ".py")))
    assert asked == {field.name for field in fields(Words)} | {"locale"}


@pytest.mark.parametrize(
    "name", [field.name for field in fields(Words) if isinstance(getattr(ENGLISH, field.name), dict)]
)
def test_a_word_has_the_entries_that_are_asked_for_and_no_others(name: str) -> None:
    by_name = rf"{WORDS}\.{name}(?:\.(?!(?:items|get|values)\b)|\[\")(\w+)"
    asked = set(re.findall(by_name, code(".html", ".py"))) | LOOKED_UP.get(name, set())
    assert set(getattr(ENGLISH, name)) == asked


def test_an_entry_is_looked_up_only_where_its_key_is_computed() -> None:
    computed = rf"{WORDS}\.(\w+)(?:\.(?:items|get|values)\(|\[[^\"])"
    found = set(re.findall(computed, code(".html", ".py"))) | {"letter"}  # handed on whole, as Options.letters
    assert {name for name in found if isinstance(getattr(ENGLISH, name), dict)} == set(LOOKED_UP)


def test_a_catalogue_that_lacks_a_message_is_refused_by_its_name() -> None:
    lacking = catalogue("ru")
    lacking.delete("Shuffling", "status.shuffling")
    with pytest.raises(Incomplete, match=r'ru\.po has no translation of "Shuffling" \(msgctxt "status\.shuffling"\)'):
        translated(lacking, "ru")


def test_a_language_that_is_one_file_is_a_language() -> None:
    catalog = Catalog(locale="pl")
    for message in messages():
        forms = len(message.english)
        catalog.add(message.id, "x" if forms == 1 else ("a {}", "b {}", "c {}"), context=message.context)
    polish = translated(catalog, "pl")
    assert [polish.counted(number) for number in (1, 3, 5, 22)] == ["a 1", "b 3", "c 5", "b 22"]
    assert polish.locale.language == "pl"


ASK: Final = """
import asyncio, json, sys
from tests.dashboards.tables import example, site
from tests.dashboards.web import asking

async def ask():
    async with asking(site([example(each) for each in ("scoreboard", "bet_statistics", "shoe_record")])) as client:
        answers = [await client.get(path, headers={"accept-language": "ar-EG"}) for path in sys.argv[1:]]
    print(json.dumps([[answer.status_code, answer.text] for answer in answers]))

asyncio.run(ask())
"""
"""Asks the pages of whatever ``dashboards`` is found first, as a browser that likes Arabic most."""


def arabic() -> Catalog:
    """A complete catalogue of a language that is written from the right."""
    catalog = Catalog(locale="ar", charset="utf-8")
    for message in messages():
        forms = [f"ع {text}" for text in (message.english * 6)[: catalog.num_plurals]]
        text = "العربية" if message.context == "language" else forms[0]
        catalog.add(message.id, text if len(message.english) == 1 else tuple(forms), context=message.context)
    return catalog


def asked_with(catalog: Catalog, folder: Path, *paths: str) -> list[Any]:
    """Status and text of each address, of pages beside whose catalogues this one was put."""
    shutil.copytree(ROOM, folder / "dashboards", ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "dashboards" / "translations" / f"{catalog.locale}.po").open("wb") as file:
        write_po(file, catalog)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOM.parent)])}
    ran = subprocess.run(
        [sys.executable, "-c", ASK, *paths], cwd=folder, env=env, capture_output=True, check=True, timeout=50
    )
    answers: list[Any] = json.loads(ran.stdout)
    return answers


def test_a_fourth_language_is_added_by_adding_its_file(tmp_path: Path) -> None:
    paths = ["/", "/tables/B07", "/tables/B07/shoes/412", "/statistics", "/screens", "/docs", "/tables/B07?lang=ar"]
    *pages, refused, russian, api = asked_with(arabic(), tmp_path, *paths, "/?theme=pink", "/?lang=ru", "/openapi.json")
    for path, (status, text) in zip(paths, pages, strict=True):
        assert status == 200, path
        assert '<html lang="ar" dir="rtl"' in text, path
        assert "ع " in text, path
    screens = pages[paths.index("/screens")][1]
    assert '<option value="ar" selected>العربية</option>' in screens
    assert "/tables/B07?lang=ar" in screens
    assert (refused[0], "ع ?theme=pink" in refused[1]) == (400, True)
    assert '<html lang="ru" dir="ltr"' in russian[1]
    named = [
        each["schema"]["enum"]
        for each in json.loads(api[1])["paths"]["/"]["get"]["parameters"]
        if each["name"] == "lang"
    ]
    assert set(*named) == {*languages(), "ar"}


def test_numbers_take_the_forms_of_their_language() -> None:
    assert [languages()["ru"].counted(number) for number in (1, 2, 5, 11, 21)] == [
        "1 раздача",
        "2 раздачи",
        "5 раздач",
        "11 раздач",
        "21 раздача",
    ]
    assert [ENGLISH.counted(number) for number in (0, 1, 2)] == ["0 rounds", "1 round", "2 rounds"]


@pytest.mark.parametrize(
    ("accepted", "lang"),
    [
        ("", "en"),
        ("ru", "ru"),
        ("zh-TW,zh;q=0.9,en;q=0.8", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("de-DE,de;q=0.9,ru;q=0.5,en;q=0.4", "ru"),
        ("de", "en"),
        ("en-US,en;q=0.9,ru;q=0.8", "en"),
        ("ru;q=x, en", "en"),
        (";;,,q=1", "en"),
    ],
)
def test_the_browser_says_which_language_it_likes(accepted: str, lang: str) -> None:
    assert preferred(accepted).lang == lang


@pytest.mark.parametrize("tag", ["en", *CATALOGUES])
def test_every_entry_that_is_looked_up_and_every_bet_has_a_word(tag: str) -> None:
    words = languages()[tag]
    for name, keys in LOOKED_UP.items():
        assert set(getattr(words, name)) >= keys, name
    names = [bet_name(bet, words) for bet in BETS]
    assert len(set(names)) >= len(BETS) - 2  # in Chinese the natural and the pair of a side are one word each
    assert all(name and "_" not in name for name in names)
