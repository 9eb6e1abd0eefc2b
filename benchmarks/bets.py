"""All bets beside five: what a slip costs the settlements fold when the table offers every bet there is."""

import functools
import gc
import time
from dataclasses import dataclass
from typing import Final

from baccarat import paytables
from baccarat.bets import BETS
from benchmarks.load import Load, Log
from contract.topics import PARTITIONS
from processors.settlements import Settlements

TARGET: Final = 0.8
"""The least part of the five bets' speed that is wanted of all bets."""
TURNS: Final = 3


@dataclass(frozen=True, kw_only=True)
class Bets:
    """Slips per CPU-second of the fold at one size of records, decoding and encoding included."""

    slips_a_record: int
    five: float
    every: float

    @property
    def ratio(self) -> float:
        """All bets as a part of five."""
        return self.every / self.five


def bets(slips: int, batches: int) -> Bets:
    """Both loads in turns, the best of each: what the machine does besides only slows."""
    turns = [(_speed(slips, batches, "classic@1"), _speed(slips, batches, _every_bet())) for _ in range(TURNS)]
    five, every = map(max, zip(*turns, strict=True))
    return Bets(slips_a_record=slips, five=five, every=every)


@functools.cache
def _every_bet() -> str:
    """A pay table of every bet; what it pays costs nothing."""
    head = 'id = "every"\nversion = 1\nrounding = "down"\nopposite_bets = "allowed"\n[pays]\n'
    paytables.add(paytables.parse("every@1", head + "".join(f'{bet} = "19:20"\n' for bet in BETS)))
    return "every@1"


def _speed(slips: int, batches: int, paytable: str) -> float:
    work = Load(tables=10, per_round=2, slips=slips, batches=batches, paytable=paytable)
    records, fold = list(Log().read(work.records())), Settlements(PARTITIONS)
    gc.collect()
    begun = time.process_time()
    for record in records:
        fold.step(record)
    return work.total_slips / (time.process_time() - begun)
