"""The catalogue of words covers what can be shown."""

from typing import get_args

from baccarat.roads.good import GoodRoadKind
from contract.scoreboards import Status
from dashboards.options import Options, View, options_asked
from dashboards.words import LANGUAGES


def test_every_status_has_a_word_in_every_language() -> None:
    for words in LANGUAGES.values():
        assert set(words.status) == {*get_args(Status), "nodata"}


def test_every_good_road_has_a_word_in_every_language() -> None:
    sided = {"streak", "chop_after"}
    plain = set(get_args(GoodRoadKind)) - sided
    for words in LANGUAGES.values():
        assert set(words.good) == plain | {f"{kind}_{side}" for kind in sided for side in "BP"}


def test_a_language_is_listed_under_its_own_tag() -> None:
    assert {tag: words.lang for tag, words in LANGUAGES.items()} == {tag: tag for tag in LANGUAGES}


def test_the_address_says_what_a_display_shows() -> None:
    asked = {"lang": "en", "layout": "portrait", "theme": "light", "marks": "distinct", "shift": "1"}
    options = options_asked(asked)
    assert options == Options(View("en", "portrait"), "light", "distinct", shift=True)
    assert options.query == "?layout=portrait&theme=light&marks=distinct&shift=1"


def test_what_is_not_understood_is_ignored() -> None:
    asked = {"lang": "xx", "layout": "round", "theme": "<script>", "marks": "", "shift": "yes", "more": "1"}
    assert options_asked(asked) == Options()
    assert Options().query == ""
