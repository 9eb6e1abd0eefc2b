"""``python -m benchmarks``: run the benchmarks, or those that are named, and print their tables.

Each starts what it needs and leaves nothing behind. All of them take about eight minutes; ``--quick`` is a look at
whether everything runs, with figures that are not worth quoting.
"""

import argparse
import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from benchmarks import report
from benchmarks.bets import bets
from benchmarks.demo import demo
from benchmarks.fanout import fanout, renders
from benchmarks.floor import floor
from benchmarks.load import Load
from benchmarks.odds import odds
from benchmarks.scoreboards import rounds
from benchmarks.settlement import cost, speed

QUICK: Final = 0.1


async def settlement(scale: float) -> str:
    """Three sizes of records, about as many slips each."""
    sizes = {20: 30_000, 200: 6_000, 1000: 1_800}
    loads = [Load(tables=24, per_round=10, slips=slips, batches=_part(n, scale)) for slips, n in sizes.items()]
    return report.speeds([await speed(load) for load in loads])


async def every_bet(scale: float) -> str:
    """Two sizes of records."""
    return report.bets([bets(slips, _part(batches, scale)) for slips, batches in ((20, 4_000), (200, 1_000))])


async def exact_odds(_: float) -> str:
    """Eight decks."""
    return report.odds(odds())


async def growth(scale: float) -> str:
    """One and a hundred batches a round, one and a hundred tables."""
    shapes = ((10, 24), (1, 24), (100, 24), (10, 1), (10, 100))  # the first is what the others are compared with
    loads = [
        Load(tables=tables, per_round=per_round, slips=200, batches=max(_part(3_000, scale), tables * per_round))
        for per_round, tables in shapes
    ]
    return report.costs([await cost(load) for load in loads])


async def scoreboards(scale: float) -> str:
    """Some shoes at many tables."""
    return report.shoe(await rounds(_part(150, scale)))


async def whole(scale: float) -> str:
    """The demo for a minute, with a probe."""
    return report.demo(await demo(rounds=_part(120, scale), every_s=0.25, minute_s=60 if scale == 1 else 0))


async def displays(scale: float) -> str:
    """Thousands of displays at one page server."""
    return report.fanout(await fanout(scale), list(renders(_part(400, scale))))


async def thousand_tables(scale: float) -> str:
    """A large floor through the whole house."""
    return report.floor(await floor(scale))


BENCHMARKS: Final[dict[str, Callable[[float], Coroutine[Any, Any, str]]]] = {
    "settlement": settlement,
    "bets": every_bet,
    "odds": exact_odds,
    "growth": growth,
    "scoreboards": scoreboards,
    "demo": whole,
    "fanout": displays,
    "floor": thousand_tables,
}


def _part(of: int, scale: float) -> int:
    return max(1, round(of * scale))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run them one after the other; the tables go to standard output."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--quick", action="store_true", help="a tenth of the work")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.names if name not in BENCHMARKS]:
        parser.error(f"there is no {unknown[0]}: name some of {', '.join(BENCHMARKS)}")
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)  # a new Kafka elects its leaders while we publish
    begun = time.monotonic()
    for name in options.names or BENCHMARKS:
        print(asyncio.run(BENCHMARKS[name](QUICK if options.quick else 1.0)), flush=True)
    print(f"{time.monotonic() - begun:.0f} s in all")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
