"""Wishes to forget a shoe, and what must be committed before each is granted."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from processors.effects import Drop
from processors.guard import TP, GapGuard

Offsets = Mapping[TP, int]
"""Per topic and partition the offset that is read next."""


class _Wish(NamedTuple):
    drop: Drop
    needs: dict[TP, int]


class Wishes:
    """The wishes of one worker; a recovery makes them anew from the rows."""

    def __init__(self) -> None:
        self._wishes: list[_Wish] = []

    def clear(self) -> None:
        """Forget them all."""
        self._wishes.clear()

    def add(self, drops: Iterable[Drop], guard: GapGuard) -> None:
        """Note drops: granted once all is committed that shows them due, and all that was read until now."""
        for drop in drops:
            needs = {(topic, drop.partition): offset + 1 for topic, offset in drop.after}
            for tp, at in guard.read(drop.partition):
                needs[tp] = max(at, needs.get(tp, 0))
            self._wishes.append(_Wish(drop, needs))

    def granted(self, committed: Offsets) -> list[Drop]:
        """Those that these offsets grant; they are no wishes any more."""
        granted = [wish for wish in self._wishes if all(committed.get(tp, 0) >= at for tp, at in wish.needs.items())]
        if granted:
            self._wishes = [wish for wish in self._wishes if wish not in granted]
        return [wish.drop for wish in granted]
