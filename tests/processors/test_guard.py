"""The gap guard over offsets as they come."""

from typing import NamedTuple

import pytest

from processors.guard import GapGuard, OffsetGap

TP = ("baccarat.rounds.v1", 4)


class Message(NamedTuple):
    """What the guard reads of a message."""

    offset: int
    generation_id: int = 1
    tp: tuple[str, int] = TP


def guard(begin: int, *read: Message) -> GapGuard:
    one = GapGuard()
    one.restore({TP: begin})
    for message in read:
        one.check(message)
    return one


def test_offsets_one_after_the_other_pass_and_so_does_what_is_delivered_again() -> None:
    one = guard(7, Message(7), Message(8), Message(7), Message(8), Message(9))
    assert dict(one.read(4)) == {TP: 10}
    assert dict(one.read(5)) == {}


@pytest.mark.parametrize(
    ("read", "said"),
    [
        ([Message(9)], "has to be read from offset 7 and was read from 9"),
        ([Message(7), Message(9)], "was read up to offset 7 and then from 9"),
        ([Message(7), Message(9, generation_id=2)], "has to be read from offset 7 and was read from 9"),
    ],
)
def test_a_record_that_was_passed_over_is_a_gap_and_a_restart_cures_it(read: list[Message], said: str) -> None:
    with pytest.raises(OffsetGap) as caught:
        guard(7, *read)
    assert str(caught.value) == (
        f"baccarat.rounds.v1 partition 4 {said}; nothing past it is committed, and a restart reads from there again"
    )


def test_a_log_that_begins_again_before_what_was_committed_is_another_log() -> None:
    with pytest.raises(
        OffsetGap, match="has to be read from offset 7 and was read from 0: the end of its log was lost"
    ):
        guard(7, Message(7), Message(0))
