"""The long form: every fault many times over one running house. Only ``make soak`` runs it, about 40 minutes.

At least 200 shoes and 500,000 slips are published under it. The seed is printed; ``BEADPLATE_SOAK_SEED`` repeats a run.
"""

import os
import random
import sys
import time
from pathlib import Path

import pytest

from tests.faults import faults
from tests.faults.floor import Plan, deal, slices
from tests.faults.house import House, house
from tests.faults.report import Report
from tests.faults.storm import strike

SEED = int(os.environ.get("BEADPLATE_SOAK_SEED") or random.SystemRandom().randrange(10**6))
PLAN = Plan(seed=SEED, tables=20, shoes=10, rounds=70, batches=(1, 2, 5, 10, 20, 40, 60, 200))
PACE = 200.0
STORM = {
    "processors killed": (20, faults.processors_killed),
    "processors stopped": (20, faults.processors_stopped),
    "taken over": (10, faults.taken_over),
    "broker away": (5, faults.broker_away(15)),
    "broker killed": (5, faults.broker_killed),
    "disk full": (2, faults.disk_full),
    "network frozen": (5, faults.network_frozen(20)),
    "network reset": (5, faults.network_reset),
    "network slow": (5, faults.network_slow),
    "processor paused": (5, faults.processor_paused),
    "sends failing": (5, faults.sends_failing(15)),
    "producer killed": (5, faults.producer_killed),
    "page killed": (3, faults.page_killed),
}


@pytest.mark.asyncio
@pytest.mark.soak
@pytest.mark.timeout(2 * 60 * 60)
async def test_nothing_is_lost_and_nothing_paid_twice_in_a_long_storm(tmp_path: Path) -> None:
    chance, report = random.Random(SEED), Report()
    records = deal(PLAN)
    say(f"seed {SEED}: {len(records):,} records")
    parts = iter(slices(records, sum(runs for runs, _ in STORM.values())))
    async with house(tmp_path, pace=PACE) as built:
        for name, (runs, fault) in chance.sample(sorted(STORM.items()), len(STORM)):
            for run in range(runs):
                seconds = await strike(built, fault, next(parts), chance)
                report.ran(name, seconds)
                say(f"{name} {run + 1} of {runs}: all settled {seconds:.1f} s later")
            findings = await built.judged()
            report.judged(name, findings)
            assert findings == [], f"seed {SEED}, after {name}: {findings[:20]}\n{report.text()}\n{built.said()}"
            await built.verified()
        assert await built.judged(anew=True) == []
        say(f"{report.text()}\n{len(built.restarts)} restarts by themselves; {told(built)}")
        assert sum(map(len, built.expected.shoes.values())) >= 200
        assert slips(built) >= 500_000


def told(built: House) -> str:
    """How much was published, and how much of it was rubbish."""
    shoes = sum(map(len, built.expected.shoes.values()))
    rubbish = sum(code is not None for *_, code in built.published)
    return f"{len(built.published):,} records, {shoes} shoes, {slips(built):,} slips, {rubbish} rubbish records"


def slips(built: House) -> int:
    return sum(value.count(b'"slip_id"') for value in built.expected.batches.values())


def say(line: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {line}\n")
    sys.stderr.flush()
