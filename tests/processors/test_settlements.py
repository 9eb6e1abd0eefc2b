"""What the settlements fold keeps in rows and in memory."""

import json

from contract.codec import encode
from contract.partitions import partition_of
from contract.rounds import BettingClosed, BettingOpened, Event, RoundDealt
from contract.topics import BETS, CHANGELOGS, DEAD_LETTERS, ROUNDS, SETTLEMENTS
from processors.effects import Drop, Effects, Record
from processors.settlements import Settlements

TABLE = "T01"
AT = "2026-11-30T18:00:00.000Z"
PARTITIONS = 3


def step(fold: Settlements, event: Event, offset: int) -> Effects:
    key = TABLE.encode()
    at = 1_796_061_600_000
    return fold.step(Record(ROUNDS.name, partition_of(key, PARTITIONS), offset, at, key, encode(event)))


def opened(round_no: int, shoe_no: int = 1) -> BettingOpened:
    return BettingOpened(table_id=TABLE, occurred_at=AT, shoe_no=shoe_no, round_no=round_no)


def dealt(round_no: int, shoe_no: int = 1) -> RoundDealt:
    return RoundDealt(
        table_id=TABLE,
        occurred_at=AT,
        shoe_no=shoe_no,
        round_no=round_no,
        revision=0,
        player=("4H", "5S"),
        banker=("KD", "3C"),
        paytable="classic@1",
    )


def test_a_betting_phase_is_a_row_only_where_it_is_the_first_to_show_its_shoe() -> None:
    fold = Settlements(PARTITIONS)
    assert [row.key for row in step(fold, opened(1), 0).rows] == [b"T01/1"]
    closed = BettingClosed(table_id=TABLE, occurred_at=AT, shoe_no=1, round_no=1)
    assert step(fold, closed, 1).rows == []
    assert [row.key for row in step(fold, dealt(1), 2).rows] == [b"T01/1/1", b"T01/paytables"]
    assert step(fold, opened(2), 3).rows == []


def test_the_phase_that_showed_the_shoe_writes_its_row_again_when_it_is_repeated() -> None:
    fold = Settlements(PARTITIONS)
    first = step(fold, opened(1), 0).rows
    assert step(fold, opened(1), 0).rows == first != []


def test_nothing_of_a_forgotten_shoe_stays_in_memory_and_each_of_its_rows_is_deleted() -> None:
    fold = Settlements(PARTITIONS)
    step(fold, dealt(1), 0)
    step(fold, dealt(2), 1)
    rows = fold.forget(Drop(TABLE, 1, 0, ())).rows
    assert {row.key for row in rows} == {b"T01/1", b"T01/1/1", b"T01/1/2"}
    assert {row.value for row in rows} == {None}
    book = fold._books[TABLE]
    assert (book.places, book.rounds, book.settlers) == ({}, {}, {})


def test_the_settlement_of_the_largest_batch_fits_its_topic_and_so_does_a_dead_letter_of_it() -> None:
    slips = [
        {"slip_id": f"{number:03}" + "s" * 125, "bettor": "b", "bet": "\x01" * 128, "stake": 2**53 - 1,
         "placed_at": AT}
        for number in range(1000)
    ]  # fmt: skip
    batch = {
        "type": "bets_placed", "table_id": TABLE, "occurred_at": AT, "shoe_no": 1, "round_no": 1, "batch_id": "b" * 128,
        "currency": "EUR", "slips": slips,
    }  # fmt: skip
    value = json.dumps(batch, separators=(",", ":")).encode()
    assert 0.9 * BETS.max_message_bytes < len(value) <= BETS.max_message_bytes
    fold = Settlements(PARTITIONS)
    step(fold, dealt(1), 0)
    key = TABLE.encode()
    effects = fold.step(Record(BETS.name, partition_of(key, PARTITIONS), 0, 1_796_061_600_000, key, value))
    settled = [out for out in effects.outs if out.topic is SETTLEMENTS]
    assert [len(out.value or b"") < SETTLEMENTS.max_message_bytes - 4096 for out in settled] == [True]
    assert SETTLEMENTS.max_message_bytes + 4096 < DEAD_LETTERS.max_message_bytes
    assert max(len(row.value or b"") for row in effects.rows) + 4096 < min(t.max_message_bytes for t in CHANGELOGS)
