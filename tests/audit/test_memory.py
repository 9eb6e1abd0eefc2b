"""What the auditor remembers of a batch does not grow with its slips, and of the rounds of old shoes it is little."""

import gc
import json
import tracemalloc
from collections import Counter

import pytest

from audit.findings import Findings
from audit.partition import Partition
from audit.records import Stored
from contract.topics import BETS, ROUNDS
from tests.audit.auditing import APPENDED_MS, EVERYTHING

TABLE, BATCHES, LIMIT = "T01", 20_000, 300
DEALT = {
    "type": "round_dealt", "table_id": TABLE, "occurred_at": "2026-11-30T18:01:10.000Z", "shoe_no": 1, "round_no": 1,
    "revision": 0, "player": ["7H", "9H"], "banker": ["8H", "4H", "KC"], "paytable": "classic@1",
}  # fmt: skip


def batch(number: int, slips: int) -> bytes:
    placed = "2026-11-30T18:00:30.000Z"
    return json.dumps(
        {
            "type": "bets_placed", "table_id": TABLE, "occurred_at": placed, "shoe_no": 1, "round_no": 1,
            "batch_id": f"2026-11-30/floor-3/{TABLE}/1/1/{number}", "currency": "EUR",
            "slips": [{"slip_id": f"{number}-{n}", "bettor": f"b{n}", "bet": "player", "stake": 100,
                       "placed_at": placed} for n in range(slips)],
        }
    ).encode()  # fmt: skip


@pytest.mark.parametrize(("slips", "versions"), [(1, 1), (20, 1), (1, 3)])
def test_a_batch_takes_less_than_300_bytes_whatever_its_slips(slips: int, versions: int) -> None:
    ends = {ROUNDS.name: versions, BETS.name: BATCHES}
    partition = Partition(
        0, 1, begins={}, snapshot=ends, scope=EVERYTHING, findings=Findings(), counts=Counter()
    )  # fmt: skip
    key = TABLE.encode()
    for revision in range(versions):
        kind = {"type": "round_corrected", "reason": "misread", "operator": "amy"} if revision else {}
        value = json.dumps(DEALT | kind | {"revision": revision}).encode()
        partition.take(ROUNDS, Stored(ROUNDS.name, 0, revision, APPENDED_MS, key, value))
    for number in range(100):  # what is there once, whatever comes
        partition.take(BETS, Stored(BETS.name, 0, number, APPENDED_MS, key, batch(number, slips)))
    gc.collect()
    tracemalloc.start()
    for number in range(100, BATCHES):
        partition.take(BETS, Stored(BETS.name, 0, number, APPENDED_MS, key, batch(number, slips)))
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(partition._batches) == BATCHES
    assert held / (BATCHES - 100) < LIMIT


def test_the_rounds_of_shoes_that_were_left_take_little_room() -> None:
    shoes, rounds = 100, 60
    partition = Partition(
        0, 1, begins={}, snapshot={ROUNDS.name: shoes * rounds}, scope=EVERYTHING, findings=Findings(), counts=Counter()
    )  # fmt: skip
    gc.collect()
    tracemalloc.start()
    for number in range(shoes * rounds):
        place = {"shoe_no": number // rounds + 1, "round_no": number % rounds + 1}
        value = json.dumps(DEALT | place).encode()
        partition.take(ROUNDS, Stored(ROUNDS.name, 0, number, APPENDED_MS, TABLE.encode(), value))
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(len(shoe.rounds) for shoe in partition.rounds.tables[TABLE].shoes.values()) == shoes * rounds
    assert held / (shoes * rounds) < 100  # about 1,200 as they are read
