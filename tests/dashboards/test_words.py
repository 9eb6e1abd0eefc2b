"""The catalogues of words cover what can be shown, in every language, and nothing else."""

import re
import string
from importlib.resources import files
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

import dashboards
from baccarat.bets import BETS
from baccarat.roads.good import GoodRoadKind
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
from dashboards.views.statistics import bet_name
from dashboards.words import ENGLISH, Words

ROOM = Path(str(files(dashboards)))
CATALOGUES = sorted(path.name.removesuffix(".po") for path in TRANSLATIONS.iterdir() if path.name.endswith(".po"))
BY_KEY = {"bead", "big", "eye", "small", "roach", "language", "bets", "lang", "locale"}
"""Words that are asked for by a key that is computed, or by another name."""


def catalogue(tag: str) -> Catalog:
    with (TRANSLATIONS / f"{tag}.po").open("rb") as file:
        return read_po(file, locale=tag.replace("-", "_"))


def test_there_are_three_languages() -> None:
    assert list(languages()) == ["en", "ru", "zh-Hant"]
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


def test_every_word_is_shown_somewhere() -> None:
    sources = [
        path.read_text()
        for path in ROOM.rglob("*")
        if path.suffix in {".html", ".py", ".js"} and path.name not in {"words.py", "languages.py"}
    ]
    used = set(re.findall(r"(?:\bt|words|words_of\(request\)|ENGLISH)\.([a-z_]+)", "\n".join(sources)))
    quoted = set(re.findall(r'"([a-z_]+)"', (ROOM / "renderer.py").read_text()))
    assert set(Words.__dataclass_fields__) - used - quoted - BY_KEY == set()


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
def test_every_status_good_road_and_bet_has_a_word(tag: str) -> None:
    words = languages()[tag]
    assert set(words.status) == {*get_args(Status), "nodata"}
    sided = {"streak", "chop_after"}
    plain = set(get_args(GoodRoadKind)) - sided
    assert set(words.good) == plain | {f"{kind}_{side}" for kind in sided for side in "BP"}
    names = [bet_name(bet, words) for bet in BETS]
    assert len(set(names)) >= len(BETS) - 2  # in Chinese the natural and the pair of a side are one word each
    assert all(name and "_" not in name for name in names)
