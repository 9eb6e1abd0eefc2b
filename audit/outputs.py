"""Compares the compacted outputs (boards, shoe records, statistics) with what follows from the sources.

What counts is what a consumer keeps: of each key the highest (``shoe_no``, ``version``), of equals the last. Lower ones
that compaction has not removed yet are no fault.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from audit import abridged, laws
from audit.findings import Findings, What, differences, told
from audit.records import Stored, digest
from contract.codec import encode
from contract.scoreboards import Scoreboard, ShoeRecord
from contract.statistics import ShoeStatistics, TableStatistics

Shown = Scoreboard | ShoeRecord | TableStatistics | ShoeStatistics
Place = tuple[int, int]
"""``shoe_no`` and ``version``."""


class Expected(NamedTuple):
    """What must be shown under one key; fields named in ``but`` (dotted for one below) cannot be judged."""

    event: Shown
    but: frozenset[str] = frozenset()

    @property
    def place(self) -> Place:
        """The version that a consumer keeps."""
        return self.event.shoe_no, self.event.version


class _Kept(NamedTuple):
    """The newest output of one key: its version, where it stands, and in what it differs from what is expected."""

    place: Place
    where: str
    differs: tuple[tuple[str, str, str], ...]


class Newest:
    """What a consumer keeps of one compacted topic, each output compared as it is read, so that none need be kept.

    ``expect`` makes what must be shown under the key of an output, None where that is not judged. ``repeats_equal``:
    equal versions are equal bytes, as of outputs that follow from one log alone.
    """

    def __init__(
        self, what: What, findings: Findings, expect: Callable[[Any], Expected | None], *, repeats_equal: bool
    ) -> None:
        self.what, self._findings, self._expect, self._repeats_equal = what, findings, expect, repeats_equal
        self._kept: dict[str, _Kept] = {}
        self._last: dict[str, Place] = {}
        self._contents: dict[tuple[str, Place], int] = {}
        self._pairs: dict[str, list[tuple[Place, str]]] = {}

    @property
    def keys(self) -> set[str]:
        """The keys that have an output."""
        return set(self._kept)

    def take(self, record: Stored, key: str, event: Shown) -> None:
        """Take in one output."""
        place, value = (event.shoe_no, event.version), record.value or b""
        if isinstance(event, Scoreboard | ShoeRecord):
            for path, wanted, said in laws.broken(event):
                self._findings.add("law", self.what, _named(key, place), record.place, f"{path} {wanted}", said)
        if self._repeats_equal:
            content = digest(value)
            if self._contents.setdefault((key, place), content) != content:
                self._pairs.setdefault(key, []).append((place, record.place))
        self._last[key] = place
        held = self._kept.get(key)
        if held is None or place >= held.place:
            self._kept[key] = _Kept(place, record.place, self._differs(value, event, place))

    def _differs(self, value: bytes, event: Shown, place: Place) -> tuple[tuple[str, str, str], ...]:
        expected = self._expect(event)
        if expected is None or (not expected.but and (place != expected.place or value == encode(expected.event))):
            return ()
        return tuple(_differences(expected, event))

    def is_hidden(self, key: str) -> bool:
        """Whether an older output stands behind the newest one: compaction will keep the older, and it alone."""
        kept = self._kept.get(key)
        return kept is not None and self._last[key] < kept.place

    def judge(self, key: str, expected: Expected | Place) -> None:
        """Tell what is amiss with the newest output of a key, which must be there."""
        kept = self._kept.get(key)
        place = expected.place if isinstance(expected, Expected) else expected
        whole = not isinstance(expected, Expected) or not expected.but
        if kept is None:
            self._findings.add("missing", self.what, _named(key, place), "", "", "none")
        elif whole and kept.place < place:
            last = f"the last one is {_named(key, kept.place)}"
            self._findings.add("missing", self.what, _named(key, place), kept.where, "", last)
        elif whole and kept.place > place:
            newer = f"a newer one, {_named(key, kept.place)}"
            self._findings.add("wrong", self.what, key, kept.where, _named(key, place), newer)
        elif kept.differs:
            self._findings.add("wrong", self.what, _named(key, kept.place), kept.where, *told(list(kept.differs)))

    def superfluous(self, key: str, why: str) -> None:
        """Tell that a key should have no output."""
        kept = self._kept[key]
        self._findings.add("extra", self.what, _named(key, kept.place), kept.where, why)

    def contradictions(self, key: str) -> None:
        """Tell the versions of this key that have two contents."""
        for place, where in self._pairs.get(key, ()):
            self._findings.add("contradictory", self.what, _named(key, place), where, "one content", "another")


def _named(key: str, place: Place) -> str:
    return f"{key.partition('/')[0]} shoe {place[0]} version {place[1]}"


def _differences(expected: Expected, found: Shown) -> list[tuple[str, str, str]]:
    event, displays = expected.event, Scoreboard | ShoeRecord
    if isinstance(event, displays) and isinstance(found, displays) and abridged.agrees(event.rounds, found.rounds):
        found = replace(found, rounds=event.rounds)
    mine, theirs = map(msgspec.to_builtins, (event, found))
    return [part for part in differences(mine, theirs) if not _is_in(part[0], expected.but)]


def _is_in(path: str, but: frozenset[str]) -> bool:
    return any(path == name or path.startswith((f"{name}.", f"{name}[")) for name in but)
