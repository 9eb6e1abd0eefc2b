"""Source events of ``baccarat.rounds.v1``: tables, shoes, betting phases and rounds.

Unknown fields are ignored and new fields only come with defaults, so that old and new programs understand each other.
"""

from typing import Annotated, ClassVar

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from contract.currencies import known_currency
from contract.scalars import (
    Currency,
    Decks,
    FirstRevision,
    Hand,
    Instant,
    LaterRevision,
    Money,
    OutcomeName,
    PaytableName,
    RoundNo,
    ShoeNo,
    TableId,
    Tail,
    Text,
    Total,
    canonical_instant,
)


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Base of every event: which table it speaks of, and the source's own time (data, never order).

    The fields named in ``instants`` are brought to the canonical form when an event is made or decoded, so that equal
    instants are equal text. Raises ValueError (``invalid`` when decoding) for a text that is no RFC 3339 time.
    """

    instants: ClassVar[tuple[str, ...]] = ("occurred_at",)

    table_id: TableId
    occurred_at: Instant

    def __post_init__(self) -> None:
        for name in self.instants:
            text = getattr(self, name)
            if text is not None and (plain := canonical_instant(text)) is not text:
                force_setattr(self, name, plain)


class Limit(Struct, frozen=True, kw_only=True):
    """Least and greatest stake of one bet, in minor units."""

    min: Money
    max: Money


class TableOpened(Event, frozen=True, kw_only=True, omit_defaults=False, tag="table_opened"):
    """A table's settings; what holds is the one with the highest ``config_no``."""

    config_no: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    names: Annotated[dict[Annotated[str, Meta(max_length=64)], Text], Meta(max_length=20)]
    place: Text = ""
    currency: Currency
    limits: Annotated[dict[Annotated[str, Meta(max_length=128)], Limit], Meta(max_length=100)] = {}
    bets: bool = True
    road_rows: Annotated[int, Meta(ge=1, le=20)] = 6
    tail: Tail = "stay"
    time_zone: Annotated[str, Meta(min_length=1, max_length=128)] = "UTC"

    def __post_init__(self) -> None:
        super().__post_init__()
        known_currency(self.currency)


class TableClosed(Event, frozen=True, kw_only=True, tag="table_closed"):
    """The table is closed while this is the highest ``config_no``."""

    config_no: Annotated[int, Meta(ge=0, le=2**53 - 1)]


class ShoeStarted(Event, frozen=True, kw_only=True, tag="shoe_started"):
    """A shuffled shoe is on the table; ``force`` allows a number more than 50 above the highest."""

    shoe_no: ShoeNo
    decks: Decks
    burn_card: Annotated[str, Meta(pattern=r"^[A2-9TJQK][CDHS]?\Z")] | None = None
    force: bool = False


class ShoeEnded(Event, frozen=True, kw_only=True, tag="shoe_ended"):
    """The shoe is finished after ``rounds`` rounds."""

    shoe_no: ShoeNo
    rounds: Annotated[int, Meta(ge=0, le=200)]


class BettingOpened(Event, frozen=True, kw_only=True, tag="betting_opened"):
    """Bets on the round may be placed."""

    shoe_no: ShoeNo
    round_no: RoundNo


class BettingClosed(Event, frozen=True, kw_only=True, tag="betting_closed"):
    """No more bets; the round is being dealt."""

    shoe_no: ShoeNo
    round_no: RoundNo


class Played(Event, frozen=True, kw_only=True):
    """A round's result: both hands, or a keyed outcome with whatever else was keyed (absent = unknown).

    ``paytable`` and ``betting_closed_at`` travel with the round, so that a settlement needs nothing but the round and
    the batch. ``free_hand``: dealt without bets.
    """

    instants: ClassVar[tuple[str, ...]] = ("occurred_at", "betting_closed_at")

    shoe_no: ShoeNo
    round_no: RoundNo
    player: Hand | None = None
    banker: Hand | None = None
    outcome: OutcomeName | None = None
    player_total: Total | None = None
    banker_total: Total | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None
    player_natural: bool | None = None
    banker_natural: bool | None = None
    paytable: PaytableName
    betting_closed_at: Instant | None = None
    free_hand: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.player is None) != (self.banker is None):
            raise ValueError("a round has the cards of both hands or of none")
        if self.player is None and self.outcome is None:
            raise ValueError("a round has the cards of both hands or a keyed `outcome`")


class RoundDealt(Played, frozen=True, kw_only=True, tag="round_dealt"):
    """A round as first dealt."""

    revision: FirstRevision


class RoundCorrected(Played, frozen=True, kw_only=True, tag="round_corrected"):
    """The whole round again, nothing inherited from the version before."""

    revision: LaterRevision
    reason: Text
    operator: Text


class RoundVoided(Event, frozen=True, kw_only=True, tag="round_voided"):
    """The round leaves roads and counters, stays in the history, and its stakes go back."""

    shoe_no: ShoeNo
    round_no: RoundNo
    revision: LaterRevision
    reason: Text
    operator: Text


RoundVersion = RoundDealt | RoundCorrected | RoundVoided
"""One version of one round."""
RoundsEvent = (
    TableOpened
    | TableClosed
    | ShoeStarted
    | ShoeEnded
    | BettingOpened
    | BettingClosed
    | RoundDealt
    | RoundCorrected
    | RoundVoided
)
"""What stands in ``baccarat.rounds.v1``."""
