"""Stakes against the limits of their table: the betting system has accepted them, so this is for people to know."""

from typing import NamedTuple

from contract.bets import BetsPlaced
from contract.rounds import TableOpened


class Beyond(NamedTuple):
    """Stakes of a batch outside the limits, each one bettor's sum on one bet; minor units.

    ``over`` is what they have above the greatest stakes in all; ``worst`` is the bettor, bet and sum farthest outside.
    """

    stakes: int
    over: int
    worst: tuple[str, str, int]


def beyond(batch: BetsPlaced, table: TableOpened) -> Beyond | None:
    """What of a batch lies outside the table's limits; None for nothing, and where the currencies differ.

    A limit holds for what one bettor has on one bet of the round, and all of that travels in one batch.
    """
    limits = table.limits
    if not limits or batch.currency != table.currency:
        return None
    sums: dict[tuple[str, str], int] = {}
    for slip in batch.slips:
        if slip.bet in limits:
            held = (slip.bettor, slip.bet)
            sums[held] = sums.get(held, 0) + slip.stake
    outside = []
    for (bettor, bet), stake in sums.items():
        limit = limits[bet]
        if not limit.min <= stake <= limit.max:
            outside.append((max(stake - limit.max, limit.min - stake), bettor, bet, stake))
    if not outside:
        return None
    over = sum(max(stake - limits[bet].max, 0) for _, _, bet, stake in outside)
    _, bettor, bet, stake = max(outside)
    return Beyond(len(outside), over, (bettor, bet, stake))
