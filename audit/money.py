"""Sums of money: per table and currency what was staked and what became of it; per bet what statistics must say."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

import msgspec

from contract.bets import BetsPlaced
from contract.scalars import later
from contract.settlements import BetsSettled

_LEFT: Final = 2
"""A batch of a shoe that ``bets`` has left so far behind is too old."""


class Sums(msgspec.Struct, kw_only=True):
    """Of one table in one currency, minor units, over the settlement of each batch at its round's last version.

    ``staked`` is what the bets say, ``open`` the part of it that no settlement can be there for yet. ``settled``,
    ``paid`` and ``net`` are what the settlements say. The law: staked = paid − net + open.
    """

    batches: int = 0
    slips: int = 0
    staked: int = 0
    open: int = 0
    settled: int = 0
    paid: int = 0
    net: int = 0

    @property
    def kept(self) -> int:
        """What the house keeps."""
        return -self.net

    @property
    def balanced(self) -> bool:
        """Whether the law holds."""
        return self.staked == self.paid + self.kept + self.open == self.settled + self.open


Stake = tuple[str, str, str]
"""What a stake lies on: bet, currency and pay table."""


@dataclass(slots=True)
class BetSums:
    """Of one shoe, per bet and currency: slips, stake and paid; and what its batches add to versions.

    What a stake may cost is told by its sum and by the sum of its squares, round by round, since all slips of a bet in
    one round win together. While batches may come, the stakes of each round are remembered; then the squares alone.
    """

    money: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0]))
    weight: int = 0
    occurred_at: str = ""
    _open: dict[int, dict[Stake, int]] = field(default_factory=dict)
    _closed: dict[Stake, list[int]] = field(default_factory=dict)

    def add(self, settlement: BetsSettled) -> None:
        """Add the totals of a batch's last settlement."""
        for bet, total in settlement.totals.items():
            row = self.money[bet, settlement.currency]
            row[0] += total.slips
            row[1] += total.stake
            row[2] += total.paid
            stakes = self._open.setdefault(settlement.round_no, {})
            place = (bet, settlement.currency, settlement.paytable or "")
            stakes[place] = stakes.get(place, 0) + total.stake
        self.weight += settlement.revision + 1
        at = settlement.occurred_at
        self.occurred_at = later(self.occurred_at, at) if self.occurred_at else at

    def close(self) -> None:
        """Take less room: no batch of the shoe will be taken any more."""
        self._closed, self._open = self.risks(), {}

    def risks(self) -> dict[Stake, list[int]]:
        """Per bet, currency and pay table: the stake, and the squares of its stake in each round, summed."""
        found = {place: [*row] for place, row in self._closed.items()}
        for stakes in self._open.values():
            for place, stake in stakes.items():
                row = found.setdefault(place, [0, 0])
                row[0] += stake
                row[1] += stake * stake
        return found


@dataclass(slots=True)
class Ledger:
    """All sums of one partition."""

    sums: dict[tuple[str, str], Sums] = field(default_factory=lambda: defaultdict(Sums))
    shoes: dict[str, dict[int, BetSums]] = field(default_factory=lambda: defaultdict(dict))
    """By table, and by the number of the shoe."""
    doubtful: set[str] = field(default_factory=set)
    """Tables with batches that cannot be settled now, and may have been settled before."""
    waiting: int = 0

    def place(self, batch: BetsPlaced, settlement: BetsSettled | None) -> None:
        """Take in a batch, with its settlement at the last version of its round if there is one."""
        sums = self.sums[batch.table_id, batch.currency]
        stake = sum([slip.stake for slip in batch.slips])
        sums.batches += 1
        sums.slips += len(batch.slips)
        sums.staked += stake
        if settlement is None:
            sums.open += stake
            return
        shoes = self.shoes[batch.table_id]
        if batch.shoe_no not in shoes:
            shoes[batch.shoe_no] = BetSums()
            for number, left in shoes.items():
                if number <= batch.shoe_no - _LEFT:
                    left.close()
        shoes[batch.shoe_no].add(settlement)

    def of_shoe(self, table_id: str, shoe_no: int) -> BetSums:
        """The sums of a shoe; empty where nothing was bet in it."""
        return self.shoes.get(table_id, {}).get(shoe_no) or BetSums()

    def settle(self, settlement: BetsSettled) -> None:
        """Take in a settlement at the last version of its round as it was found; each batch once."""
        sums = self.sums[settlement.table_id, settlement.currency]
        sums.settled += sum([slip.stake for slip in settlement.settlements])
        sums.paid += sum([slip.payout for slip in settlement.settlements])
        sums.net += sum([slip.net for slip in settlement.settlements])
