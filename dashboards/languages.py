"""The languages of the pages: English, and one gettext catalogue (``translations/*.po``) for each other one.

A language is added by adding its file; ``python -m dashboards.languages`` writes the template (``beadplate.pot``) and
brings every catalogue up to the words of today. A message's context is the name of its word: ``status.betting``.
"""

import functools
import gettext
from collections.abc import Callable, Iterator
from dataclasses import fields
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from dashboards.words import ENGLISH, Plural, Words

TRANSLATIONS: Final = files("dashboards") / "translations"
TEMPLATE: Final = "beadplate.pot"
_HINTS: Final = {
    "language": "The language's own name for itself.",
    "letter": "One letter, on the beads: Banker, Player, Tie.",
    "duration": "Short: seconds; minutes and seconds; hours and minutes.",
    "good": "A pattern of the big road and its length.",
    "waiting": "Stands in the empty part of the big road.",
    "spoken": "Round, who wins, the Player's and the Banker's points: read out by screen readers.",
}
"""What a translator is told of a word, by its name."""


class Incomplete(ValueError):
    """A catalogue lacks a message; the text names it and the file."""


class Message(NamedTuple):
    """A word by its name, and its English forms: one, or two where it is about a number."""

    context: str
    english: tuple[str, ...]

    @property
    def id(self) -> str | tuple[str, ...]:
        """As gettext names it."""
        return self.english if len(self.english) > 1 else self.english[0]


def messages() -> Iterator[Message]:
    """Every message that there is to translate."""
    found: list[Message] = []

    def note(context: str, text: str | Plural) -> str | Plural:
        found.append(Message(context, text.forms if isinstance(text, Plural) else (text,)))
        return text

    _each_word(note)
    yield from found


def _each_word(change: Callable[[str, str | Plural], str | Plural]) -> dict[str, Any]:
    """The fields of ``Words``, each text put through ``change`` under its name."""
    changed: dict[str, Any] = {}
    for field in fields(Words):
        if field.name == "lang":
            continue
        match value := getattr(ENGLISH, field.name):
            case dict():
                changed[field.name] = {key: change(f"{field.name}.{key}", text) for key, text in value.items()}
            case tuple() if not isinstance(value, Plural):
                changed[field.name] = tuple(change(f"{field.name}.{at}", text) for at, text in enumerate(value))
            case _:
                changed[field.name] = change(field.name, value)
    return changed


def translated(catalog: Catalog, lang: str) -> Words:
    """The words of a catalogue. Raises ``Incomplete`` where one is missing: no page mixes languages."""
    rule = gettext.c2py(catalog.plural_expr)

    def translate(context: str, text: str | Plural) -> str | Plural:
        forms = text.forms if isinstance(text, Plural) else (text,)
        message = catalog.get(Message(context, forms).id, context)
        said = (message.string,) if message and isinstance(message.string, str) else message.string if message else ()
        if not said or not all(said):
            raise Incomplete(f'{lang}.po has no translation of "{forms[0]}" (msgctxt "{context}"): add it there.')
        return Plural(tuple(said), rule) if isinstance(text, Plural) else said[0]

    return Words(lang=lang, **_each_word(translate))


def _catalogues() -> Iterator[tuple[str, Catalog]]:
    """Tag and catalogue of each translation, by tag."""
    for path in sorted(TRANSLATIONS.iterdir(), key=lambda path: path.name):
        if path.name.endswith(".po"):
            tag = path.name.removesuffix(".po")
            with path.open("rb") as file:
                yield tag, read_po(file, locale=tag.replace("-", "_"))


@functools.cache
def languages() -> dict[str, Words]:
    """Every language that the pages speak, by its tag. Raises ``Incomplete``."""
    return {ENGLISH.lang: ENGLISH, **{tag: translated(each, tag) for tag, each in _catalogues()}}


def preferred(accepted: str) -> Words:
    """The language that a browser likes most (``Accept-Language``) among ours; English where it likes none."""
    liked: list[tuple[float, str]] = []
    for part in accepted.split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            liked.append((-float(weight or 1), tag.partition("-")[0].lower()))
        except ValueError:
            continue
    primary = {tag.partition("-")[0]: words for tag, words in reversed(languages().items())}
    return next((primary[tag] for _, tag in sorted(liked, key=lambda pair: pair[0]) if tag in primary), ENGLISH)


def template() -> Catalog:
    """All messages, not translated."""
    catalog = Catalog(project="Beadplate", version="", copyright_holder="Beadplate", charset="utf-8")
    for message in messages():
        hint = _HINTS.get(message.context.partition(".")[0])
        catalog.add(message.id, context=message.context, auto_comments=[hint] if hint else [])
    return catalog


def main() -> None:
    """Write the template, and bring each catalogue up to it: new messages are empty, those that are gone leave."""
    folder, newest = Path(str(TRANSLATIONS)), template()
    with (folder / TEMPLATE).open("wb") as file:
        write_po(file, newest, omit_header=True, width=120)
    for tag, catalog in _catalogues():
        catalog.update(newest, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        with (folder / f"{tag}.po").open("wb") as file:
            write_po(file, catalog, omit_header=False, width=120)


if __name__ == "__main__":
    main()
