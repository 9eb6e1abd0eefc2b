"""That each benchmark runs, in a tiny form, and prints its ratios. No figure passes or fails anything."""

import os
import re
import time

import pytest

from benchmarks import report
from benchmarks.__main__ import main
from benchmarks.demo import ROLES, demo
from benchmarks.load import Load
from benchmarks.processes import cpu
from benchmarks.scoreboards import MEASURED, SPANS, rounds
from benchmarks.settlement import TARGETS, cost, speed
from contract.bets import BetsPlaced
from contract.codec import decode
from contract.topics import topic_named

TINY = Load(tables=3, per_round=4, slips=20, batches=120)
RATIO = re.compile(r"\b\d+\.\d\d\b")


def test_a_load_has_as_many_slips_as_it_says_all_of_which_the_contract_takes() -> None:
    events = [decode(topic_named(record.topic), record.value) for record in TINY.records()]
    batches = [event for event in events if isinstance(event, BetsPlaced)]
    assert len(batches) == TINY.total_batches == 120
    assert sum(len(batch.slips) for batch in batches) == TINY.total_slips == 2400
    assert len({batch.batch_id for batch in batches}) == 120


def test_a_shoe_is_measured_at_its_beginning_its_middle_and_its_end() -> None:
    assert [round_no for span in SPANS for round_no in range(span.first, span.last + 1)] == list(range(1, 81))
    assert [span.first for span in MEASURED] == [1, 39, 77]


def test_a_process_is_charged_what_its_own_clock_says() -> None:
    """In a tiny form a process may take less than a tick of the system, and a ratio to nothing is none."""
    before = time.process_time()
    charged = cpu(os.getpid())
    assert 0 < before <= charged <= time.process_time()


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_settlement_is_measured_beside_a_bare_loop_with_equal_outputs() -> None:
    text = report.speeds([await speed(TINY)])
    line = next(line for line in text.splitlines() if line.strip().startswith("20 "))
    ratio, target = RATIO.findall(line)
    assert float(ratio) > 0
    assert float(target) == TARGETS[20]


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_the_cost_of_a_slip_is_told_as_a_ratio_with_the_bytes_of_its_rows() -> None:
    measured = await cost(TINY)
    assert "1.00" in RATIO.findall(report.costs([measured]))
    slip = '{"slip_id":"T001-1-1-0-0","bettor":"seat-1","bet":"tie","stake":100,"placed_at":"2026-11-30T18:00:50.000Z"}'
    assert len(slip) < measured.row_bytes < 3 * len(slip)  # a slip is kept once, not twice


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_the_cost_of_a_round_is_told_along_the_shoe() -> None:
    text = report.shoe(await rounds(2, shoes=1))
    assert [line.split()[0] for line in text.splitlines()[2:]] == ["1–4", "39–42", "77–80"]
    assert len(RATIO.findall(text)) == 3


@pytest.mark.kafka
@pytest.mark.asyncio
async def test_the_demo_is_timed_probed_and_weighed() -> None:
    figures = await demo(rounds=5, every_s=0.05, minute_s=0)
    assert len(figures.latencies) == len(figures.corrections) == 5
    assert set(figures.memory) == set(ROLES.values())
    assert "p99 of 5 rounds" in (said := report.demo(figures))
    assert "p99 of 5 corrections" in said


def test_an_unknown_benchmark_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["settlment"])
    assert ended.value.code == 2
    assert "there is no settlment" in capsys.readouterr().err
