"""Pay tables: what each bet pays, as data. One TOML file each, named ``id@version.toml``.

A file has ``id``, ``version``, ``rounding``, ``opposite_bets``, perhaps ``side_bets``, and ``[pays]``: for each bet
offered a ratio such as ``"19:20"``, which all its pay classes then have, or a table with one ratio, or ``"push"``, for
each class. Every key is told in ``docs/paytables.md``.
"""

import functools
import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

from baccarat.bets import BETS, MAINS
from baccarat.quoting import quote

Rounding: TypeAlias = Literal["down", "half_even", "half_up"]
OppositeBets: TypeAlias = Literal["refused", "allowed"]
SideBets: TypeAlias = Literal["alone", "with_main"]

#: The pay of a class that gives the stake back and nothing more.
PUSH: Final = Fraction(0)

#: No bet on a baccarat table pays more; a ratio above is a slip of the pen.
HIGHEST_PAY: Final = 1000
_ENDING: Final = ".toml"
_KEYS: Final = ("id", "version", "rounding", "opposite_bets", "pays")
_MORE_KEYS: Final = ("side_bets",)
_PUSH: Final = "push"
_HIGHEST_VERSION: Final = 999_999_999
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


@dataclass(frozen=True, kw_only=True, eq=False)
class Paytable:
    """One version of a pay table. Two are the same only if they are the same object.

    ``pays``: for each bet offered, in the order of the file, what each of its pay classes pays to one, exactly.
    `PUSH` where the stake comes back. ``rounding`` is what happens to a fraction of a minor unit of the winnings,
    ``opposite_bets`` whether one bettor may hold Player and Banker in one round, ``side_bets`` whether a side bet
    stands alone or only beside an accepted main bet of its bettor in the batch.
    """

    id: str
    version: int
    pays: Mapping[str, Mapping[str, Fraction]]
    rounding: Rounding
    opposite_bets: OppositeBets
    side_bets: SideBets = "alone"

    @property
    def name(self) -> str:
        """The name on the wire, such as ``classic@1``."""
        return f"{self.id}@{self.version}"

    @functools.cached_property
    def digest(self) -> str:
        """16 hexadecimal digits of what the pay table says: two that settle alike in every case have the same."""
        pays = sorted((bet, end, str(pay)) for bet, by_end in self.pays.items() for end, pay in by_end.items())
        said = repr((self.name, self.rounding, self.opposite_bets, self.side_bets, pays))
        return hashlib.sha256(said.encode()).hexdigest()[:16]


@functools.cache
def published() -> tuple[str, ...]:
    """Return the names of the pay tables that come with the package."""
    files = (entry.name for entry in resources.files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(_ENDING) for name in files if name.endswith(_ENDING)))


def available() -> tuple[str, ...]:
    """Return the names of all pay tables there are: those of the package and those that were added."""
    return tuple(sorted({*published(), *_added}))


_added: Final[dict[str, Paytable]] = {}


def add(paytable: Paytable) -> None:
    """Let `load` find a pay table of the casino's own, in this process; done once, at its start.

    Raises `BadPaytable` where the name has other content already: what a version says never changes.
    """
    if paytable.name in available() and load(paytable.name).digest != paytable.digest:
        raise BadPaytable(paytable.name, ["there is one of this name that says something else; make it a new version"])
    if paytable.name not in published():
        _added.setdefault(paytable.name, paytable)


def load(name: str) -> Paytable:
    """Return the pay table of this name, the same object each time.

    Raises `UnknownPaytable` if there is none, and `BadPaytable` with every problem at once if the file is wrong.
    """
    if name in _added:
        return _added[name]
    if name not in published():
        raise UnknownPaytable(f"There is no pay table {quote(name)}; there are {', '.join(available())}")
    return _read(name)


@functools.cache
def _read(name: str) -> Paytable:
    return parse(name, (resources.files(__name__) / f"{name}{_ENDING}").read_text(encoding="utf-8"))


def parse(name: str, text: str) -> Paytable:
    """Read the text of the file ``name.toml``. Raises `BadPaytable` with every problem at once."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also numbers and nests beyond what Python reads
        raise BadPaytable(name, [f"is not TOML: {error}"]) from error
    problems = list(_problems(name, data))
    if problems:
        raise BadPaytable(name, problems)
    return Paytable(
        id=data["id"],
        version=data["version"],
        pays=MappingProxyType({bet: _pays(bet, classes) for bet, classes in data["pays"].items()}),
        rounding=data["rounding"],
        opposite_bets=data["opposite_bets"],
        side_bets=data.get("side_bets", "alone"),
    )


def _pays(bet: str, said: str | dict[str, str]) -> Mapping[str, Fraction]:
    ratios = said if isinstance(said, dict) else dict.fromkeys(BETS[bet].classes, said)
    return MappingProxyType({end: _pay(ratios[end]) for end in BETS[bet].classes})


def _pay(ratio: str) -> Fraction:
    return PUSH if ratio == _PUSH else Fraction(ratio.replace(":", "/"))


def _problems(name: str, data: dict[str, Any]) -> Iterator[str]:
    yield from (f"{key} is missing" for key in _KEYS if key not in data)
    yield from (f"{key} is no key of a pay table" for key in data if key not in (*_KEYS, *_MORE_KEYS))
    yield from _identity_problems(name, data)
    choices_of = {"rounding": Rounding, "opposite_bets": OppositeBets, "side_bets": SideBets}
    for key, choices in ((key, get_args(choice)) for key, choice in choices_of.items()):
        if key in data and data[key] not in choices:
            yield f"{key} is {data[key]!r}, and may be {', '.join(choices)}"
    match data.get("pays"):
        case None:
            return
        case dict() as pays if pays:
            for bet, classes in pays.items():
                yield from _bet_problems(bet, classes)
            if data.get("side_bets") == "with_main" and MAINS.isdisjoint(pays):
                yield "side_bets is 'with_main', and there is no main bet to be beside: offer player, banker or tie"
        case _:
            yield "pays has no bet"


def _identity_problems(name: str, data: dict[str, Any]) -> Iterator[str]:
    match data:
        case {"id": str(id_), "version": int(version)} if _ID.fullmatch(id_) and version > 0 and version is not True:
            if version > _HIGHEST_VERSION:
                yield f"version is at most {_HIGHEST_VERSION}"
            elif name != f"{id_}@{version}":
                yield f"id and version make {id_}@{version}, not the name of the file"
        case {"id": _, "version": _}:
            yield "id is a word of small letters, digits and dashes, and version an integer from 1"


def _bet_problems(bet: str, classes: object) -> Iterator[str]:
    if bet not in BETS:
        yield f"{bet} is no bet"
        return
    known = BETS[bet].classes
    if isinstance(classes, str):
        classes = dict.fromkeys(known, classes) if classes != _PUSH else {}
    if not isinstance(classes, dict) or not classes:
        yield f"{bet} needs a ratio such as '19:20'"
        return
    if all(ratio == _PUSH for ratio in classes.values()):
        yield f"{bet} never wins more than its stake: give at least one class a ratio"
    yield from (f"{bet} lacks the pay of {end!r}" for end in known if end not in classes)
    yield from (f"{bet} has no pay class {end!r}" for end in classes if end not in known)
    yield from (f"{bet} pays {ratio!r}: {fault}" for ratio in _each_once(classes) if (fault := _ratio_fault(ratio)))


def _each_once(classes: dict[str, object]) -> list[object]:
    ratios = [*classes.values()]  # of whatever a file may hold, lists too: no set
    return [ratio for place, ratio in enumerate(ratios) if ratio not in ratios[:place]]


def _ratio_fault(ratio: object) -> str:
    if ratio == _PUSH:
        return ""
    found = _RATIO.fullmatch(ratio) if isinstance(ratio, str) else None
    if found is None:
        return "write a ratio such as '19:20', or 'push'"
    pay, stake = int(found[1]), int(found[2])
    if not (0 < pay <= HIGHEST_PAY * stake):
        return f"a pay is above 0 and at most {HIGHEST_PAY} to 1"
    return ""
