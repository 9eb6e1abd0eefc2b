"""From one batch and one version of its round to the event ``bets_settled``: a pure function of the two."""

from collections.abc import Callable

from baccarat.paytables import Paytable, UnknownPaytable
from baccarat.rounds import Facts
from baccarat.settlement import Settler
from contract.bets import BetsPlaced
from contract.rounds import Played, RoundVersion
from contract.scalars import later
from contract.settlements import BetsSettled, BetTotal, SlipSettlement

Paytables = Callable[[str], Paytable]
"""Finds a pay table by its name; raises ``UnknownPaytable``."""


def settler_of(version: RoundVersion, facts: Facts | None, paytables: Paytables) -> Settler | None:
    """What settles the batches of this version of a round; None where its pay table is not known."""
    if not isinstance(version, Played):
        return Settler(None, None, betting_closed_at=None, free_hand=False)
    if version.free_hand:  # every stake goes back, whatever the pay table says
        return Settler(facts, None, betting_closed_at=None, free_hand=True)
    try:
        paytable = paytables(version.paytable)
    except UnknownPaytable:
        return None
    return Settler(facts, paytable, betting_closed_at=version.betting_closed_at, free_hand=False)


def settle(batch: BetsPlaced, version: RoundVersion, facts: Facts | None, settler: Settler) -> BetsSettled:
    """The whole settlement of the batch, slips in the batch's order."""
    settlements: list[SlipSettlement] = []
    sums: dict[str, list[int]] = {}
    add = settlements.append
    for slip, (result, payout, reason) in zip(batch.slips, settler.rule(batch.slips), strict=True):
        bet, stake = slip.bet, slip.stake
        add(
            SlipSettlement(
                slip_id=slip.slip_id,
                bet=bet,
                stake=stake,
                result=result,
                payout=payout,
                net=payout - stake,
                reason=reason,
            )
        )
        if reason is None:
            total = sums.get(bet)
            if total is None:
                sums[bet] = [1, stake, payout]
            else:
                total[0] += 1
                total[1] += stake
                total[2] += payout
    played = version if isinstance(version, Played) else None
    return BetsSettled(
        table_id=batch.table_id,
        occurred_at=later(batch.occurred_at, version.occurred_at),
        shoe_no=batch.shoe_no,
        round_no=batch.round_no,
        batch_id=batch.batch_id,
        revision=version.revision,
        outcome=facts.outcome if facts else None,
        paytable=played.paytable if played else None,
        currency=batch.currency,
        settlements=tuple(settlements),
        totals={bet: BetTotal(slips=slips, stake=stake, paid=paid) for bet, (slips, stake, paid) in sums.items()},
    )


def late_slips(settled: BetsSettled) -> int:
    """How many slips were refused because they came after betting had closed."""
    if sum(total.slips for total in settled.totals.values()) == len(settled.settlements):
        return 0  # nothing was refused at all: the usual batch is not searched
    return sum(slip.reason == "late" for slip in settled.settlements)
