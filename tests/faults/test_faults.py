"""The short form: each fault once, over one running house and one hostile floor.

``make soak`` runs the long form (``test_soak.py``).
"""

import os
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

import pytest
import pytest_asyncio

from tests.faults import faults
from tests.faults.floor import Plan, Sent, deal, slices
from tests.faults.house import House, house
from tests.faults.report import Report
from tests.faults.storm import strike

FAULTS = {
    "processors killed": faults.processors_killed,
    "processors stopped": faults.processors_stopped,
    "taken over": faults.taken_over,
    "broker away": faults.broker_away(8),
    "broker killed": faults.broker_killed,
    "disk full": faults.disk_full,
    "network frozen": faults.network_frozen(6),
    "network reset": faults.network_reset,
    "network slow": faults.network_slow,
    "processor paused": faults.processor_paused,
    "sends failing": faults.sends_failing(6),
    "producer killed": faults.producer_killed,
    "page killed": faults.page_killed,
}
SEED = int(os.environ.get("BEADPLATE_FAULTS_SEED", "1"))
PLAN = Plan(seed=SEED, tables=12, shoes=4, rounds=40, batches=(1, 5, 10, 30))
PACE = 150.0


@dataclass
class Storm:
    """The house of this module, what is left of its floor, and what happened so far."""

    house: House
    parts: Iterator[Sequence[Sent]]
    report: Report


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def storm(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Storm]:
    report = Report()
    async with house(tmp_path_factory.mktemp("faults"), pace=PACE) as built:
        yield Storm(built, iter(slices(deal(PLAN), len(FAULTS))), report)
    print(f"\nseed {SEED}\n{report.text()}")  # noqa: T201 - shown by `pytest -s`


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.kafka
@pytest.mark.timeout(300)
@pytest.mark.parametrize("fault", list(FAULTS))
async def test_nothing_is_lost_and_nothing_paid_twice(storm: Storm, fault: str) -> None:
    seconds = await strike(storm.house, FAULTS[fault], next(storm.parts), random.Random(f"{SEED}/{fault}"))
    findings = await storm.house.judged(anew=True)
    storm.report.ran(fault, seconds)
    storm.report.judged(fault, findings)
    assert findings == [], storm.house.said()
    await storm.house.verified()
