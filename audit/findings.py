"""What the auditor found amiss, one line each, and how much of it."""

from collections import Counter
from typing import Final, Literal

import msgspec

Kind = Literal["missing", "extra", "wrong", "contradictory", "unsettled", "law"]
"""``missing``: must be there and is not. ``extra``: nothing in the sources makes it. ``wrong``: another content follows
from the sources. ``contradictory``: one identity with two contents. ``unsettled``: a batch that nobody can settle.
``law``: an output that disagrees with itself, or sums that do not add up."""

What = Literal[
    "settlement", "scoreboard", "shoe_record", "statistics", "shoe_statistics", "dead_letter", "sums", "topic"
]

SHOWN: Final = 100
"""So many findings of one kind are told one by one, of the rest only how many."""
_SHORT: Final = 160
_LAST_PLACE: Final = 1.000001e-6


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that is not as it must be: which output of what identity, where it stands, expected and found."""

    kind: Kind
    what: What
    identity: str
    place: str = ""
    expected: str = ""
    found: str = ""

    def __str__(self) -> str:
        line = f"{self.kind} {self.what} {self.identity}"
        line += f" at {self.place}" if self.place else ""
        line += f": expected {self.expected}" if self.expected else ""
        return line + (f"{',' if self.expected else ':'} found {self.found}" if self.found else "")


class Findings:
    """Collects findings, the first of each kind whole and all of them counted, so that a flood takes no memory."""

    def __init__(self) -> None:
        self.shown: list[Finding] = []
        self.counts: Counter[tuple[Kind, What]] = Counter()
        self._kinds: Counter[Kind] = Counter()

    def add(self, kind: Kind, what: What, identity: str, place: str = "", expected: str = "", found: str = "") -> None:  # noqa: PLR0917 - as a line is read
        """Note a finding; long texts are cut."""
        self.counts[kind, what] += 1
        self._kinds[kind] += 1
        if self._kinds[kind] <= SHOWN:
            self.shown.append(
                Finding(
                    kind=kind,
                    what=what,
                    identity=short(identity),
                    place=place,
                    expected=short(expected),
                    found=short(found),
                )
            )

    def has_room(self, kind: Kind) -> bool:
        """Whether the next finding of this kind would be told whole."""
        return self._kinds[kind] < SHOWN


def short(text: str) -> str:
    """The text, cut where it is too long for a line."""
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"


def differences(expected: object, found: object, path: str = "") -> list[tuple[str, str, str]]:
    """Where two JSON values differ: path, expected, found; a list of other length is told by its length."""
    match expected, found:
        case dict(), dict():
            keys = [*expected, *(key for key in found if key not in expected)]
            parts = [(f"{path}.{key}" if path else str(key), expected.get(key), found.get(key)) for key in keys]
        case ((list() | tuple()), (list() | tuple())) if len(expected) == len(found):
            parts = [(f"{path}[{at}]", mine, theirs) for at, (mine, theirs) in enumerate(zip(expected, found))]  # noqa: B905
        case ((list() | tuple()), (list() | tuple())):
            return [(path, f"{len(expected)} entries", f"{len(found)} entries")]
        case _:
            same = _same(expected, found)
            return [] if same else [(path, repr(expected), repr(found))]
    return [each for where, mine, theirs in parts for each in differences(mine, theirs, where)]


def _same(expected: object, found: object) -> bool:
    """Whether two values are one; numbers that are no integers were rounded to six decimals at most."""
    if isinstance(expected, float) and isinstance(found, float):
        return abs(expected - found) <= _LAST_PLACE
    return expected == found and isinstance(expected, bool) == isinstance(found, bool)


def told(parts: list[tuple[str, str, str]]) -> tuple[str, str]:
    """The first differences as two texts: what was expected and what was found."""
    first = parts[:3]
    more = f" and {len(parts) - len(first)} more" if len(parts) > len(first) else ""
    expected = ", ".join(f"{path} {mine}" for path, mine, _ in first)
    return expected + more, ", ".join(f"{path} {theirs}" for path, _, theirs in first)
