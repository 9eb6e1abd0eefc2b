"""What becomes of outputs while a partition is made anew."""

from contract.topics import ALERTS, SCOREBOARDS, SETTLEMENTS, SHOE_STATISTICS, SHOES
from processors.effects import Drop, Effects, Out, Row
from processors.marks import Replay, began, is_mark, marks_of, partition_of_row, replay
from processors.rebuilding import Rebuilding

ROUNDS, BETS = "baccarat.rounds.v1", "baccarat.bets.v1"
T01, OF_T01 = b"T01", partition_of_row(b"T01", 12)
T02, OF_T02 = b"T02", partition_of_row(b"T02", 12)


def board(text: bytes, table: bytes = T01) -> Out:
    return Out(SCOREBOARDS, table, text)


def shoe(number: int, text: bytes) -> Out:
    return Out(SHOES, b"T01/%d" % number, text)


def begun(*outs: Out, ends: int = 10, begin: int = 0) -> tuple[Rebuilding, Effects]:
    rebuilding = Rebuilding(12)
    running = Replay(state="running", ends={ROUNDS: ends})
    effects = rebuilding.restore(
        {OF_T01: running}, {(ROUNDS, OF_T01): begin, (ROUNDS, OF_T02): 0}, Effects(outs=[*outs])
    )
    return rebuilding, effects


def test_boards_are_held_back_and_the_newest_of_each_key_is_sent_when_it_has_caught_up() -> None:
    rebuilding, _ = begun()
    for offset in range(9):
        effects = rebuilding.take(ROUNDS, OF_T01, offset, Effects([Row(b"T01", b"row")], [board(b"%d" % offset)]))
        assert (effects.rows, effects.outs) == ([Row(b"T01", b"row")], [])
        assert rebuilding.left == {OF_T01: 9 - offset}
    last = rebuilding.take(ROUNDS, OF_T01, 9, Effects(outs=[board(b"9")]))
    assert last.outs == [board(b"9")]
    assert last.rows == [replay(OF_T01, None)]
    assert not rebuilding


def test_what_is_no_board_is_sent_as_it_comes() -> None:
    rebuilding, _ = begun()
    outs = [Out(SETTLEMENTS, T01, b"s"), board(b"b"), Out(ALERTS, T01, b"a")]
    assert rebuilding.take(ROUNDS, OF_T01, 0, Effects(outs=outs)).outs == [outs[0], outs[2]]


def test_other_partitions_are_not_touched() -> None:
    rebuilding, effects = begun(board(b"1"), board(b"2", T02))
    assert effects.outs == [board(b"2", T02)]
    assert rebuilding.take(ROUNDS, OF_T02, 0, Effects(outs=[board(b"3", T02)])).outs == [board(b"3", T02)]


def test_a_record_of_a_shoe_that_is_past_is_let_go_at_once_and_what_comes_until_it_is_forgotten_with_that() -> None:
    rebuilding, _ = begun()
    drop = Drop("T01", 1, OF_T01, ((ROUNDS, 5),))
    assert rebuilding.take(ROUNDS, OF_T01, 4, Effects(outs=[shoe(1, b"old")])).outs == []
    effects = rebuilding.take(ROUNDS, OF_T01, 5, Effects(outs=[shoe(1, b"new"), shoe(2, b"new")], drops=[drop]))
    assert effects.outs == [shoe(1, b"new")]
    assert effects.drops == [drop]
    statistics = Out(SHOE_STATISTICS, b"T01/1", b"of a late settlement")
    rebuilding.take(ROUNDS, OF_T01, 6, Effects(outs=[shoe(1, b"new"), statistics]))
    forgotten = Effects()
    rebuilding.forgotten(drop, forgotten)
    assert sorted(out.topic.name for out in forgotten.outs) == [SHOE_STATISTICS.name, SHOES.name]
    assert rebuilding.take(ROUNDS, OF_T01, 9, Effects()).outs == [shoe(2, b"new")]


def test_each_source_has_to_be_read_to_its_end() -> None:
    rebuilding = Rebuilding(12)
    running = Replay(state="running", ends={ROUNDS: 2, BETS: 3})
    rebuilding.restore({4: running}, {(ROUNDS, 4): 0, (BETS, 4): 3}, Effects())
    assert rebuilding.left == {4: 2}
    rebuilding.take(BETS, 4, 3, Effects())
    rebuilding.take(ROUNDS, 4, 0, Effects())
    assert rebuilding
    assert rebuilding.take(ROUNDS, 4, 1, Effects()).rows == [replay(4, None)]


def test_a_replay_that_was_read_to_its_end_before_the_process_ended_ends_with_the_next_recovery() -> None:
    rebuilding, effects = begun(board(b"1"), shoe(3, b"3"), begin=10)
    assert effects.outs == [board(b"1"), shoe(3, b"3")]
    assert effects.rows == [replay(OF_T01, None)]
    assert not rebuilding


def test_marks_stand_on_the_partition_that_they_name_and_are_read_back() -> None:
    rows = [
        began(4, {ROUNDS: 17}),
        replay(11, Replay(state="running", ends={ROUNDS: 20})),
        replay(3, Replay(state="asked")),
    ]
    assert [partition_of_row(row.key, 12) for row in rows] == [4, 11, 3]
    assert all(is_mark(row.key) for row in rows)
    assert not is_mark(b"T01/3/4")
    marks = marks_of((row.key, row.value) for row in rows if row.value is not None)
    assert marks.began == {4: {ROUNDS: 17}}
    assert marks.replays[11] == Replay(state="running", ends={ROUNDS: 20})
    assert marks.asked == [3]
