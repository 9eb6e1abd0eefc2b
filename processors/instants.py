"""Canonical instants as outputs need them: the latest of those that an output is made of."""

import functools
from typing import Final

from contract.scalars import later

EMPTY: Final = ""
"""Stands where there is no instant yet; it is before all."""


def latest(left: str, right: str) -> str:
    """The later instant; the empty text is before all."""
    return later(left, right) if left and right else left or right


def latest_of(instants: list[str]) -> str:
    """The latest of canonical instants, which compare as text where they are of one length."""
    if len(set(map(len, instants))) == 1:
        return max(instants)
    return functools.reduce(latest, instants, EMPTY)
