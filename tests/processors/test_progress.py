"""Progress and its two watches, told by a clock of the test's."""

import pytest

from processors.progress import Progress, Recovered, RecoveryDeadline, Watch
from processors.runner import Pipeline
from processors.scoreboards import Scoreboards

ONE, OTHER = ("baccarat.rounds.v1", 4), ("baccarat.rounds.v1", 5)


def progress(*answers: tuple[float, int, int]) -> Progress:
    """After answers at a time: the offsets committed of partitions 4 and 5, which end at 100."""
    one = Progress()
    for now, four, five in answers:
        one.update({ONE: four, OTHER: five}, {ONE: 100, OTHER: 100}, now)
    return one


def test_lag_is_what_is_not_committed_and_never_less_than_nothing() -> None:
    one = Progress()
    one.update({ONE: 30, OTHER: 120}, {ONE: 100, OTHER: 100, ("baccarat.rounds.v1", 6): 5}, 1.0)
    assert one.lag == 75
    assert one.lag_of([4]) == 70
    assert one.lag_of([5, 6]) == 5


def test_records_that_wait_for_a_minute_without_a_commit_are_a_stall_that_says_where_and_what_to_do() -> None:
    one = progress((10, 30, 100), (70, 30, 100))
    assert one.stalled([4, 5], 70) is None
    said = one.stalled([4, 5], 71)
    assert said is not None
    assert said.startswith(
        "70 records wait, and nothing of baccarat.rounds.v1 partition 4 was committed for 61 s (offset 30 of 100): end"
    )


def test_a_commit_and_an_empty_partition_are_movement() -> None:
    assert progress((10, 30, 100), (60, 31, 100)).stalled([4, 5], 100) is None
    one = progress((10, 100, 100))
    one.update({ONE: 100, OTHER: 100}, {ONE: 101, OTHER: 100}, 500)
    assert one.stalled([4, 5], 501) is not None
    one = progress((10, 100, 100), (499, 100, 100))
    one.update({ONE: 100, OTHER: 100}, {ONE: 101, OTHER: 100}, 500)
    assert one.stalled([4, 5], 501) is None


def test_what_stands_still_on_another_workers_partitions_is_not_ours() -> None:
    one = progress((10, 30, 100))
    assert one.stalled([5], 1000) is None
    assert one.stalled([4], 1000) is not None


def test_under_a_backlog_a_partition_may_wait_five_minutes_for_its_turn() -> None:
    one = progress((10, 30, 40), (300, 30, 90))
    assert one.stalled([4, 5], 310) is None
    one.update({ONE: 30, OTHER: 95}, {ONE: 100, OTHER: 100}, 311)
    said = one.stalled([4, 5], 311)
    assert said is not None
    assert "partition 4 was committed for 301 s" in said


def test_an_outage_is_no_stall() -> None:
    one = progress((10, 30, 100))
    one.excuse(200)
    assert one.stalled([4, 5], 259) is None


def test_a_recovery_that_does_not_move_is_late_and_one_that_is_slow_is_not() -> None:
    deadline = RecoveryDeadline(120)
    assert [deadline.late(offset, 100.0 * offset) for offset in range(50)] == [None] * 50
    assert deadline.late(49, 4900 + 120.0) is None
    assert deadline.late(49, 4900 + 121.0) == 121
    deadline.excuse()
    assert deadline.late(49, 9000) is None


@pytest.fixture
def looking() -> Watch:
    pipeline = Pipeline(None, None, Scoreboards(12), partitions=12)
    return Watch(pipeline, progress((10, 30, 100)), RecoveryDeadline(120), lambda: Recovered(7000, "nothing moves"))


def test_a_recovery_past_its_deadline_says_what_is_left_and_what_to_do(looking: Watch) -> None:
    assert looking.judge(0) is None
    assert looking.judge(120) is None
    said = looking.judge(125)
    assert said is not None
    assert said.startswith("the recovery has made no progress for 125 s, with 7000 changelog records still to be read")
    assert "beadplate doctor" in said


def test_while_the_broker_is_away_no_time_runs(looking: Watch) -> None:
    looking.judge(0)
    looking.excuse(1000)
    assert looking.judge(1001) is None


def test_the_minute_of_a_lag_begins_when_the_worker_is_ready(looking: Watch) -> None:
    looking.judge(100)
    looking.pipeline.ready, looking.pipeline.assigned = True, frozenset({4})
    assert looking.judge(160) is None
    said = looking.judge(161)
    assert said is not None
    assert "records wait" in said
