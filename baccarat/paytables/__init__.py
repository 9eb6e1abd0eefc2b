"""Pay tables: what each bet pays, as data. One TOML file each, named ``id@version.toml``.

A file has ``id``, ``version``, ``rounding``, ``opposite_bets`` and ``[pays]``: for each bet offered a ratio such as
``"19:20"``, or, where the bet has several pay classes, a table with one ratio for each of them.
"""

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

from baccarat.bets import BETS, WON
from baccarat.quoting import quote

Rounding: TypeAlias = Literal["down", "half_even", "half_up"]
OppositeBets: TypeAlias = Literal["refused", "allowed"]

#: No bet on a baccarat table pays more; a ratio above is a slip of the pen.
HIGHEST_PAY: Final = 1000
_ENDING: Final = ".toml"
_KEYS: Final = ("id", "version", "rounding", "opposite_bets", "pays")
_ID: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
_RATIO: Final = re.compile(r"([0-9]{1,6}):([0-9]{1,6})")


class UnknownPaytable(KeyError, ValueError):
    """No pay table has this name. The message quotes it and names those there are.

    A KeyError to who looks one up for a round, a ValueError to who takes the name from a command.
    """

    def __str__(self) -> str:
        return str(self.args[0])


class BadPaytable(ValueError):
    """A file that is no pay table; ``problems`` has everything that is wrong with it, a sentence each."""

    def __init__(self, name: str, problems: list[str]) -> None:
        super().__init__(f"Pay table {name}: {'; '.join(problems)}")
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Paytable:
    """One version of a pay table. Two are the same only if they are the same object.

    ``pays``: for each bet offered, in the order of the file, what each of its pay classes pays to one, exactly.
    ``rounding`` is what happens to a fraction of a minor unit of the winnings.
    """

    id: str
    version: int
    pays: Mapping[str, Mapping[str, Fraction]]
    rounding: Rounding
    opposite_bets: OppositeBets

    @property
    def name(self) -> str:
        """The name on the wire, such as ``classic@1``."""
        return f"{self.id}@{self.version}"


@functools.cache
def available() -> tuple[str, ...]:
    """Return the names of all pay tables that come with the package."""
    files = (entry.name for entry in resources.files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(_ENDING) for name in files if name.endswith(_ENDING)))


@functools.cache
def load(name: str) -> Paytable:
    """Return the pay table of this name, the same object each time.

    Raises `UnknownPaytable` if there is none, and `BadPaytable` with every problem at once if the file is wrong.
    """
    if name not in available():
        raise UnknownPaytable(f"There is no pay table {quote(name)}; there are {', '.join(available())}")
    return parse(name, (resources.files(__name__) / f"{name}{_ENDING}").read_text(encoding="utf-8"))


def parse(name: str, text: str) -> Paytable:
    """Read the text of the file ``name.toml``. Raises `BadPaytable` with every problem at once."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadPaytable(name, [f"is not TOML: {error}"]) from error
    problems = list(_problems(name, data))
    if problems:
        raise BadPaytable(name, problems)
    return Paytable(
        id=data["id"],
        version=data["version"],
        pays=MappingProxyType({bet: _pays(classes) for bet, classes in data["pays"].items()}),
        rounding=data["rounding"],
        opposite_bets=data["opposite_bets"],
    )


def _pays(classes: str | dict[str, str]) -> Mapping[str, Fraction]:
    by_class = {WON: classes} if isinstance(classes, str) else classes
    return MappingProxyType({end: Fraction(ratio.replace(":", "/")) for end, ratio in by_class.items()})


def _problems(name: str, data: dict[str, Any]) -> Iterator[str]:
    yield from (f"{key} is missing" for key in _KEYS if key not in data)
    yield from (f"{key} is no key of a pay table" for key in data if key not in _KEYS)
    yield from _identity_problems(name, data)
    for key, choices in (("rounding", get_args(Rounding)), ("opposite_bets", get_args(OppositeBets))):
        if key in data and data[key] not in choices:
            yield f"{key} is {data[key]!r}, and may be {', '.join(choices)}"
    match data.get("pays"):
        case None:
            return
        case dict() as pays if pays:
            for bet, classes in pays.items():
                yield from _bet_problems(bet, classes)
        case _:
            yield "pays has no bet"


def _identity_problems(name: str, data: dict[str, Any]) -> Iterator[str]:
    match data:
        case {"id": str(id_), "version": int(version)} if _ID.fullmatch(id_) and version > 0 and version is not True:
            if name != f"{id_}@{version}":
                yield f"id and version make {id_}@{version}, not the name of the file"
        case {"id": _, "version": _}:
            yield "id is a word of small letters, digits and dashes, and version an integer from 1"


def _bet_problems(bet: str, classes: object) -> Iterator[str]:
    if bet not in BETS:
        yield f"{bet} is no bet"
        return
    if isinstance(classes, str):
        classes = {WON: classes}
    if not isinstance(classes, dict):
        yield f"{bet} needs a ratio such as '19:20'"
        return
    known = BETS[bet].classes
    yield from (f"{bet} lacks the pay of {end!r}" for end in known if end not in classes)
    yield from (f"{bet} has no pay class {end!r}" for end in classes if end not in known)
    yield from (f"{bet} pays {ratio!r}: {fault}" for ratio in classes.values() if (fault := _ratio_fault(ratio)))


def _ratio_fault(ratio: object) -> str:
    found = _RATIO.fullmatch(ratio) if isinstance(ratio, str) else None
    if found is None:
        return "write a ratio such as '19:20'"
    pay, stake = int(found[1]), int(found[2])
    if not (0 < pay <= HIGHEST_PAY * stake):
        return f"a pay is above 0 and at most {HIGHEST_PAY} to 1"
    return ""
