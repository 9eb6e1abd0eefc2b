"""A process that stood still, told by a clock of the test's."""

from processors.standstill import Standstill


class Time:
    """A clock that is set by hand, and the sentences that a process would have ended with."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.said: list[str] = []
        self.standstill = Standstill(10.0, self.said.append, clock=lambda: self.now, hung_s=60.0)


def test_a_loop_that_turns_and_a_thread_that_looks_say_nothing() -> None:
    time = Time()
    for _ in range(300):
        time.now += 0.5
        time.standstill.turn()
        time.standstill.look()
    assert time.said == []


def test_a_process_that_slept_for_most_of_its_session_ends_by_whichever_looks_first() -> None:
    for wake in (Standstill.turn, Standstill.look):
        time = Time()
        time.now += 7.9
        wake(time.standstill)
        assert time.said == []
        time.now += 8.1
        wake(time.standstill)
        (sentence,) = time.said
        assert sentence.startswith("the process stood still for 8.1 s, longer than its session with the group allows")


def test_a_loop_that_hangs_is_found_by_the_thread_after_a_minute() -> None:
    time = Time()
    for _ in range(120):
        time.now += 0.5
        time.standstill.look()
    assert time.said == []
    time.now += 0.5
    time.standstill.look()
    (sentence,) = time.said
    assert sentence.startswith("the loop has hung for 60 s in one step")


def test_the_rows_of_a_large_recovery_are_no_standstill() -> None:
    time = Time()
    time.standstill.busy(busy=True)
    for _ in range(400):
        time.now += 0.5
        time.standstill.look()
    time.standstill.busy(busy=False)
    time.standstill.turn()
    assert time.said == []
