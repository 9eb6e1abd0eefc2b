"""What a processor says of itself, before it is ready and after."""

import pytest

from contract.dead_letters import CODES
from processors.effects import Effects
from processors.health import METRICS, Health
from processors.marks import Replay
from processors.progress import Progress, Recovered
from processors.runner import Pipeline
from processors.scoreboards import Scoreboards

ONE = ("baccarat.rounds.v1", 4)


@pytest.fixture
def pipeline() -> Pipeline:
    return Pipeline(None, None, Scoreboards(12), partitions=12)


def health(pipeline: Pipeline, left: int = 0) -> Health:
    progress = Progress()
    progress.update({ONE: 90}, {ONE: 100, ("baccarat.rounds.v1", 5): 3}, 1.0)
    return Health(pipeline, progress, lambda: Recovered(left, None))


def test_a_recovery_is_told_with_what_is_left_of_it(pipeline: Pipeline) -> None:
    assert health(pipeline).says() == "recovering: waits for its partitions, or for Kafka"
    state = health(pipeline, 7000).state()
    assert state["says"] == "recovering: 7000 changelog records still to be read"
    assert (state["ready"], state["recovered"], state["recovery_left"]) == (False, False, 7000)
    assert state["last_record_at"] is None


def test_a_worker_that_works_tells_its_lag_the_groups_and_its_last_record(pipeline: Pipeline) -> None:
    pipeline.ready, pipeline.assigned, pipeline.last_taken_ms = True, frozenset({4}), 1_796_061_600_123
    state = health(pipeline, 7000).state()
    assert state["says"] == "working: 10 records wait on its partitions (1)"
    assert (state["lag"], state["own_lag"], state["recovery_left"]) == (13, 10, 0)
    assert state["last_record_at"] == "2026-11-30T18:00:00.123Z"
    assert state["partitions"] == [4]


def test_a_worker_too_many_is_ready_and_says_why_it_does_nothing(pipeline: Pipeline) -> None:
    pipeline.ready = True
    assert health(pipeline).says() == "ready, with nothing to do: the other workers have all partitions"


def test_a_replay_is_told_with_what_is_left_of_it(pipeline: Pipeline) -> None:
    pipeline.ready, pipeline.assigned = True, frozenset({4})
    pipeline.rebuilding.restore({4: Replay(state="running", ends={ONE[0]: 50})}, {ONE: 8}, Effects())
    assert health(pipeline).says().startswith("replaying, 42 records left on partitions 4: boards")
    assert health(pipeline).state()["replay_left"] == 42


def test_every_metric_is_told_and_every_code_of_a_dead_letter(pipeline: Pipeline) -> None:
    pipeline.letters["invalid"] = 3
    said = "".join(health(pipeline).lines())
    assert {line.split()[2] for line in said.splitlines() if line.startswith("# HELP")} == METRICS.keys()
    assert 'beadplate_processor_dead_letters_total{processor="scoreboards",code="invalid"} 3' in said
    assert sum('dead_letters_total{processor="scoreboards",code=' in line for line in said.splitlines()) == len(CODES)
    assert 'beadplate_processor_lag{processor="scoreboards"} 13' in said
