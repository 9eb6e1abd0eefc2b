"""Outputs of the scoreboards processor: the table's display and the record of each shoe."""

from typing import Literal

from msgspec import Struct

from baccarat.roads import Roads
from baccarat.roads.good import GoodRoad
from baccarat.tallies import Counts
from contract.rounds import Event, Limit
from contract.scalars import OutcomeName

Status = Literal["unknown", "closed", "betting", "dealing", "dealt", "shuffling"]


class Version(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One version of a round as it was published, with the facts that follow from it; a void has none."""

    occurred_at: str
    revision: int
    voided: bool = False
    outcome: OutcomeName | None = None
    player: tuple[str, ...] | None = None
    banker: tuple[str, ...] | None = None
    player_total: int | None = None
    banker_total: int | None = None
    player_natural: bool | None = None
    banker_natural: bool | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None
    paytable: str | None = None
    betting_closed_at: str | None = None
    free_hand: bool = False
    reason: str | None = None
    operator: str | None = None


class Round(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A round as it stands: its latest version, and all of them (by revision) where there is more than one.

    An absent fact is unknown (a keypad round) or has no meaning (a voided round). Where the history of the shoe would
    be larger than a record may be, versions in the middle are left out (``versions_left_out``), then long texts are
    cut; ``baccarat.rounds.v1`` has them all.
    """

    round_no: int
    revision: int
    voided: bool
    outcome: OutcomeName | None = None
    player: tuple[str, ...] | None = None
    banker: tuple[str, ...] | None = None
    player_total: int | None = None
    banker_total: int | None = None
    player_natural: bool | None = None
    banker_natural: bool | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None
    paytable: str | None = None
    free_hand: bool = False
    versions: tuple[Version, ...] = ()
    versions_left_out: int = 0


class Scoreboard(Event, frozen=True, kw_only=True, tag="scoreboard"):
    """The whole current state of a table's display; the newest is the one with the highest (``shoe_no``, ``version``).

    ``shoe_no`` is 0 and ``rounds`` empty before any shoe. ``gaps`` are the missing round numbers; ``round_no`` is the
    greatest number seen in the shoe, ``last_round`` that of the last round that is not voided (0: none yet).
    """

    shoe_no: int
    version: int
    names: dict[str, str]
    place: str
    currency: str | None = None
    limits: dict[str, Limit]
    time_zone: str
    decks: int
    status: Status
    round_no: int
    rounds: tuple[Round, ...]
    roads: Roads
    gaps: tuple[int, ...]
    counts: Counts
    last_round: int
    good_roads: tuple[GoodRoad, ...]


class ShoeRecord(Event, frozen=True, kw_only=True, tag="shoe_record"):
    """A finished (or left) shoe: all its rounds with their versions; roads always of 6 rows with tail ``stay``."""

    shoe_no: int
    version: int
    decks: int
    started_at: str | None = None
    ended_at: str | None = None
    rounds: tuple[Round, ...]
    counts: Counts
    gaps: tuple[int, ...]
    roads: Roads
