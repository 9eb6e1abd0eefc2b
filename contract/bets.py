"""Source events of ``baccarat.bets.v1``: batches of slips."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from contract.currencies import known_currency
from contract.rounds import Event
from contract.scalars import MAX_SLIPS, Currency, Identifier, Instant, RoundNo, ShoeNo, Stake, canonical_instant


class Slip(Struct, frozen=True, kw_only=True, gc=False):
    """One bet of one bettor; ``stake`` in minor units, ``placed_at`` stamped by the table's system."""

    slip_id: Identifier
    bettor: Identifier
    bet: Identifier
    stake: Stake
    placed_at: Instant


class BetsPlaced(Event, frozen=True, kw_only=True, tag="bets_placed"):
    """A batch: 1 to 1,000 slips of one table's round; all slips of one bettor in the round travel in one batch.

    Raises ValueError (``invalid`` when decoding) for a ``slip_id`` used twice, a ``placed_at`` that is no time, or
    a currency that is none.
    """

    shoe_no: ShoeNo
    round_no: RoundNo
    batch_id: Identifier
    currency: Currency
    slips: Annotated[tuple[Slip, ...], Meta(min_length=1, max_length=MAX_SLIPS)]

    def __post_init__(self) -> None:
        super().__post_init__()
        known_currency(self.currency)
        seen = set()
        for slip in self.slips:
            seen.add(slip.slip_id)
            placed_at = slip.placed_at
            if (plain := canonical_instant(placed_at)) is not placed_at:
                force_setattr(slip, "placed_at", plain)
        if len(seen) != len(self.slips):
            ids = [slip.slip_id for slip in self.slips]
            twice = next(slip_id for slip_id in ids if ids.count(slip_id) > 1)
            raise ValueError(f"slip_id {twice!r} stands twice in the batch")
