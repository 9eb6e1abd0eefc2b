"""The simple values of the contract with their bounds; what lies outside is ``invalid``.

Money is integers of minor units of the currency (cents), times are RFC 3339 text in UTC with milliseconds.
"""

import re
from datetime import UTC, datetime
from typing import Annotated, Final, Literal

from msgspec import Meta

from contract.currencies import CURRENCIES

MAX_MONEY: Final = 2**53 - 1
"""Greatest amount in minor units: the greatest integer that every JSON reader keeps exactly."""
MAX_SHOE: Final = 10**9
MAX_ROUND: Final = 200
MAX_REVISION: Final = 99
MAX_SLIPS: Final = 1000

TABLE_ID: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z"
TableId = Annotated[str, Meta(pattern=TABLE_ID, description="Table, unique on the floor")]
ShoeNo = Annotated[int, Meta(ge=1, le=MAX_SHOE, description="Shoe of the table, rising")]
RoundNo = Annotated[int, Meta(ge=1, le=MAX_ROUND, description="Round of the shoe, from 1")]
Revision = Annotated[int, Meta(ge=0, le=MAX_REVISION, description="Version of the round; 0 as first dealt")]
LaterRevision = Annotated[int, Meta(ge=1, le=MAX_REVISION, description="Version after a correction or void")]
FirstRevision = Annotated[int, Meta(ge=0, le=0, description="A round as first dealt has revision 0")]
Instant = Annotated[
    str,
    Meta(max_length=64, description="RFC 3339, UTC, milliseconds", extra_json_schema={"format": "date-time"}),
]
Identifier = Annotated[str, Meta(min_length=1, max_length=128)]
Text = Annotated[str, Meta(max_length=500)]
Currency = Annotated[str, Meta(description="ISO 4217 code", extra_json_schema={"enum": sorted(CURRENCIES)})]
PaytableName = Annotated[str, Meta(min_length=1, max_length=128, description="Pay table and version: classic@1")]
Stake = Annotated[int, Meta(ge=1, le=MAX_MONEY, description="Minor units")]
Money = Annotated[int, Meta(ge=0, le=MAX_MONEY, description="Minor units")]
Decks = Annotated[int, Meta(ge=1, le=8, description="Packs of 52 cards in the shoe")]
CardText = Annotated[
    str,
    Meta(pattern=r"^[A2-9TJQK][CDHS]?\Z", description="Rank (ten is T) and, where known, suit: 4H, TS, K"),
]
Hand = Annotated[tuple[CardText, ...], Meta(min_length=2, max_length=3, description="Cards in the order dealt")]
Total = Annotated[int, Meta(ge=0, le=9, description="Points of a hand, modulo 10")]
OutcomeName = Literal["player", "banker", "tie"]
Tail = Literal["stay", "drop"]

_CANONICAL_LENGTH: Final = len("2026-11-30T18:00:00.000Z")
_MARKS: Final = "--T::."
"""What stands at every third character of a canonical instant, from the fifth on."""
_RFC_3339: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ]"
    r"(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?"
    r"(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)
"""``date-time`` of RFC 3339, section 5.6. Python reads much more (week dates, ``18Z``, 24:00 in some versions)."""


def canonical_instant(text: str) -> str:
    """``text`` as UTC with three fractional digits, or six where it is finer than a millisecond (the rest is cut off).

    Two canonical instants of one length compare as text as they compare in time.
    Raises ValueError, quoting the text, where it is no RFC 3339 time with a zone. A leap second is refused: no
    calendar here can name it.
    """
    try:
        if len(text) == _CANONICAL_LENGTH and text[4:20:3] == _MARKS and text[23] == "Z" and text[11:13] != "24":
            datetime.fromisoformat(text)
            return text
        moment = datetime.fromisoformat(text.upper()) if _RFC_3339.fullmatch(text) else None
    except ValueError:
        moment = None
    if moment is None:
        raise ValueError(f"{text!r} is no RFC 3339 time with a zone such as 2026-11-30T18:00:00.000Z")
    return render_instant(moment)


def render_instant(moment: datetime) -> str:
    """An aware datetime as a canonical instant; ValueError where UTC cannot name it."""
    try:
        moment = moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"{moment.isoformat()} lies outside the calendar in UTC") from error
    precision = "microseconds" if moment.microsecond % 1000 else "milliseconds"
    return moment.isoformat(timespec=precision).replace("+00:00", "Z")


def parse_instant(text: str) -> datetime:
    """The aware datetime that a canonical instant names."""
    return datetime.fromisoformat(text)


def later(left: str, right: str) -> str:
    """The later of two canonical instants (the first where they are equal)."""
    if len(left) == len(right):
        return max(left, right)
    return right if parse_instant(right) > parse_instant(left) else left
