"""Sums of money: per table and currency what was staked and what became of it; per bet what statistics must say."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from contract.bets import BetsPlaced
from contract.scalars import later
from contract.settlements import BetsSettled


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


@dataclass(slots=True)
class BetSums:
    """Per bet and currency: slips, stake and paid; and what the batches add to the version of the statistics."""

    money: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0]))
    weight: int = 0
    occurred_at: str = ""

    def add(self, settlement: BetsSettled) -> None:
        """Add the totals of a batch's last settlement."""
        for bet, total in settlement.totals.items():
            row = self.money[bet, settlement.currency]
            row[0] += total.slips
            row[1] += total.stake
            row[2] += total.paid
        self.weight += settlement.revision + 1
        at = settlement.occurred_at
        self.occurred_at = later(self.occurred_at, at) if self.occurred_at else at


@dataclass(slots=True)
class Ledger:
    """All sums of one partition; ``running`` tells each table's running shoe."""

    running: Callable[[str], int]
    sums: dict[tuple[str, str], Sums] = field(default_factory=lambda: defaultdict(Sums))
    shoe: dict[str, BetSums] = field(default_factory=lambda: defaultdict(BetSums))
    lifetime: dict[str, BetSums] = field(default_factory=lambda: defaultdict(BetSums))
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
        self.lifetime[batch.table_id].add(settlement)
        if batch.shoe_no == self.running(batch.table_id):
            self.shoe[batch.table_id].add(settlement)

    def settle(self, settlement: BetsSettled) -> None:
        """Take in a settlement at the last version of its round as it was found; each batch once."""
        sums = self.sums[settlement.table_id, settlement.currency]
        sums.settled += sum([slip.stake for slip in settlement.settlements])
        sums.paid += sum([slip.payout for slip in settlement.settlements])
        sums.net += sum([slip.net for slip in settlement.settlements])
