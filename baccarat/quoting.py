"""How messages quote what somebody sent: short, printable, and plainly not our own words."""

from typing import Final

_LONGEST: Final = 20


def quote(text: str) -> str:
    """Return the text, or its beginning if it is long, in quotation marks and with everything unprintable escaped."""
    return repr(text) if len(text) <= _LONGEST else f"{text[:_LONGEST]!r}..."
