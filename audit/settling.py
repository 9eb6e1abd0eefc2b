"""What a settlement must say: one batch at one version of its round, by the pure game, in integers of minor units."""

import functools

from audit.versions import Version
from baccarat.paytables import Paytable, UnknownPaytable, load
from baccarat.settlement import Settler
from contract.bets import BetsPlaced
from contract.rounds import Played
from contract.scalars import later
from contract.settlements import BetsSettled, BetTotal, SlipSettlement


@functools.cache
def paytable_of(name: str) -> Paytable | None:
    """The pay table; None where it is not known here."""
    try:
        return load(name)
    except UnknownPaytable:
        return None


def can_settle(version: Version) -> bool:
    """Whether batches can be settled at this version: a void and a free hand always, else if the pay table is known."""
    event = version.event
    return not isinstance(event, Played) or event.free_hand or paytable_of(event.paytable) is not None


def settled(batch: BetsPlaced, version: Version) -> BetsSettled:
    """The whole settlement of the batch at this version, slips in the batch's order."""
    event = version.event
    played = event if isinstance(event, Played) else None
    settler = Settler(
        version.facts,
        paytable_of(played.paytable) if played else None,
        betting_closed_at=played.betting_closed_at if played else None,
        free_hand=played.free_hand if played else False,
    )
    slips = tuple(
        SlipSettlement(
            slip_id=slip.slip_id,
            bet=slip.bet,
            stake=slip.stake,
            result=ruling.result,
            payout=ruling.payout,
            net=ruling.payout - slip.stake,
            reason=ruling.reason,
        )
        for slip, ruling in zip(batch.slips, settler.rule(batch.slips), strict=True)
    )
    return BetsSettled(
        table_id=batch.table_id,
        occurred_at=later(batch.occurred_at, event.occurred_at),
        shoe_no=batch.shoe_no,
        round_no=batch.round_no,
        batch_id=batch.batch_id,
        revision=event.revision,
        outcome=version.facts.outcome if version.facts else None,
        paytable=played.paytable if played else None,
        currency=batch.currency,
        settlements=slips,
        totals=totals(slips),
    )


def totals(slips: tuple[SlipSettlement, ...]) -> dict[str, BetTotal]:
    """Per bet: slips, stake and what is paid back, of those that were neither refused nor voided."""
    counted = [slip for slip in slips if slip.reason is None]
    sums: dict[str, list[int]] = {}
    for slip in counted:
        row = sums.setdefault(slip.bet, [0, 0, 0])
        row[0] += 1
        row[1] += slip.stake
        row[2] += slip.payout
    return {bet: BetTotal(slips=row[0], stake=row[1], paid=row[2]) for bet, row in sums.items()}
