"""Output of the settlements processor: ``baccarat.settlements.v1``."""

from typing import Literal

from msgspec import Struct

from contract.rounds import Event

SlipResult = Literal["won", "lost", "pushed", "refused", "voided"]


class SlipSettlement(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What one slip is worth: ``payout`` is what is handed back with the stake in it, ``net`` is payout − stake.

    ``reason`` (an open set) stands where the slip was refused or voided. Minor units.
    """

    slip_id: str
    bet: str
    stake: int
    result: SlipResult
    payout: int
    net: int
    reason: str | None = None


class BetTotal(Struct, frozen=True, kw_only=True):
    """Sums over the slips of one bet, refused and voided ones left out; minor units."""

    slips: int
    stake: int
    paid: int


class BetsSettled(Event, frozen=True, kw_only=True, tag="bets_settled"):
    """The whole settlement of one batch at one revision of its round; identity (``batch_id``, ``revision``).

    A wallet sets what (``batch_id``, ``slip_id``) is worth to the highest revision that it has seen. For a voided
    round ``outcome`` and ``paytable`` are absent and ``totals`` is empty.
    """

    shoe_no: int
    round_no: int
    batch_id: str
    revision: int
    outcome: Literal["player", "banker", "tie"] | None = None
    paytable: str | None = None
    currency: str
    settlements: tuple[SlipSettlement, ...]
    totals: dict[str, BetTotal]
