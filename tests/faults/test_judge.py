"""The judge of the tests under faults: content with what the folds make of a hostile floor, and with nothing else.

The folds run without Kafka, through crashes; expectation and judge know nothing of them.
"""

import itertools
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

import pytest

import contract.topics
from contract.partitions import partition_of
from processors.effects import Out, Record
from processors.scoreboards import Scoreboards
from processors.settlements import Settlements
from processors.statistics import Statistics
from tests.faults.expected import Expected
from tests.faults.floor import BETS, ROUNDS, Plan, Sent, deal, slices
from tests.faults.judge import (
    LETTERS,
    SCOREBOARDS,
    SETTLEMENTS,
    SHOES,
    STATISTICS,
    Shelf,
    Stored,
    judge,
    missing,
)
from tests.processors.replaying import PARTITIONS, Logs, Replay

PLAN = Plan(seed=5, tables=4, shoes=4, rounds=30, batches=(1, 3, 8))
FLOOR = [record._replace(partition=record.partition % PARTITIONS) for record in deal(PLAN)]


def logs_of(records: Iterable[Sent]) -> Logs:
    logs: Logs = defaultdict(list)
    for record in records:
        log = logs[record.topic, record.partition]
        log.append(Record(record.topic, record.partition, len(log), 1_764_525_600_000, record.key, record.value))
    return dict(logs)


def outputs(records: Iterable[Sent], *, crashes: float = 0.01) -> list[Out]:
    """What the three processors publish, killed now and then."""
    logs, chance = logs_of(records), random.Random(9)
    rounds = {place: log for place, log in logs.items() if place[0] == ROUNDS}
    boards = Replay(Scoreboards, rounds, chance, crashes).run().outs
    settled = Replay(Settlements, logs, chance, crashes).run().outs
    settlements: Logs = defaultdict(list)
    for out in settled:
        if out.topic.name == SETTLEMENTS:
            assert out.key is not None
            partition = _partition(out.key)
            log = settlements[SETTLEMENTS, partition]
            log.append(Record(SETTLEMENTS, partition, len(log), 1_764_525_600_000, out.key, out.value))
    return [*boards, *settled, *Replay(Statistics, rounds | settlements, chance, crashes).run().outs]


def _partition(key: bytes) -> int:
    return next(record.partition for record in FLOOR if record.key == key and record.code is None)


def shelf_of(records: Iterable[Sent], outs: Iterable[Out]) -> Shelf:
    shelf = Shelf()
    for log in logs_of(records).values():
        for record in log:
            shelf.put(Stored(record.topic, record.partition, record.offset, record.key, record.value, {}))
    for number, out in enumerate(outs):
        if out.topic.name in (SETTLEMENTS, SCOREBOARDS, STATISTICS, SHOES, LETTERS):
            headers = {name: value.decode() for name, value in out.headers or ()}
            partition = partition_of((out.key or b"").partition(b"/")[0], contract.topics.PARTITIONS)
            shelf.put(Stored(out.topic.name, partition, number, out.key, out.value, headers))
    return shelf


def expectation(records: Iterable[Sent]) -> Expected:
    expected = Expected()
    for record in records:
        expected.take(record)
    return expected


OUTS = outputs(FLOOR)


def faults(outs: Iterable[Out]) -> Counter[str]:
    return Counter(finding.fault for finding in judge(expectation(FLOOR), shelf_of(FLOOR, outs)))


def changed(topic: str, **changes: object) -> list[Out]:
    """The outputs, the last of a topic with other content."""
    place = max(number for number, out in enumerate(OUTS) if out.topic.name == topic)
    event = json.loads(OUTS[place].value or b"")
    return [*OUTS[:place], OUTS[place]._replace(value=json.dumps({**event, **changes}).encode()), *OUTS[place + 1 :]]


def test_what_the_folds_publish_through_crashes_is_what_must_come_of_the_floor() -> None:
    assert judge(expectation(FLOOR), shelf_of(FLOOR, OUTS)) == []


@pytest.mark.parametrize("part", range(4))
def test_so_it_is_wherever_the_floor_breaks_off(part: int) -> None:
    records = list(itertools.chain.from_iterable(slices(FLOOR, 5)[: part + 1]))
    outs = outputs(records, crashes=0)
    assert judge(expectation(records), shelf_of(records, outs)) == []


def test_the_floor_has_every_kind_of_disorder() -> None:
    kinds = Counter(record.code for record in FLOOR)
    events = [json.loads(record.value or b"") for record in FLOOR if record.code is None]
    rounds = sum(event["type"] == "round_dealt" for event in events)
    assert 0.005 < (kinds.total() - kinds[None]) / kinds.total() < 0.02
    assert 0.01 < sum(event["type"] == "round_corrected" for event in events) / rounds < 0.04
    assert 0.005 < sum(event["type"] == "round_voided" for event in events) / rounds < 0.03
    identities = Counter(json.dumps({**event, "occurred_at": ""}) for event in events)
    assert 0.03 < 1 - len(identities) / len(events) < 0.07
    dealt = [e for e in events if e["type"] == "round_dealt" and e["table_id"] == "C01" and e["shoe_no"] == 1]
    assert [e["round_no"] for e in dealt] != sorted(e["round_no"] for e in dealt)


def test_over_many_seeds_every_code_of_the_sources_is_among_the_rubbish() -> None:
    codes = {
        record.code
        for seed in range(12)
        for record in deal(Plan(seed=seed, tables=3, shoes=4, rounds=20, batches=(1,)))
    }
    assert codes == {
        None, "undecodable", "invalid", "wrong_key", "wrong_partition", "impossible_round", "conflict", "too_old",
        "shoe_jump",
    }  # fmt: skip


def test_a_floor_is_made_by_its_seed_alone() -> None:
    again = [record._replace(partition=record.partition % PARTITIONS) for record in deal(PLAN)]
    assert again == FLOOR


def test_an_output_that_never_came_is_found() -> None:
    batch = json.loads(next(out.value for out in reversed(OUTS) if out.topic.name == SETTLEMENTS and out.value))
    wanting = [
        out for out in OUTS if not (out.topic.name == SETTLEMENTS and batch["batch_id"].encode() in (out.value or b""))
    ]
    assert faults(wanting) == {"unsettled": 1}
    assert faults(out for out in OUTS if out.topic.name != SHOES or b'"shoe_no":2' not in (out.value or b"")) == {
        "lost": PLAN.tables
    }
    assert faults(out for out in OUTS if out.topic.name != STATISTICS)["lost"] == PLAN.tables
    assert faults(out for out in OUTS if out.topic.name != LETTERS)["letters"] == sum(
        record.code is not None for record in FLOOR
    )


def test_an_output_that_says_something_else_is_found() -> None:
    assert faults(changed(SETTLEMENTS, settlements=[]))["wrong"] == 1
    assert faults(changed(SCOREBOARDS, rounds=[]))["wrong"] >= 1
    assert faults(changed(STATISTICS, version=10**9, scopes={"shoe": {}, "lifetime": {}}))["wrong"] >= 1


def test_an_output_that_contradicts_an_earlier_one_is_found() -> None:
    last = changed(SETTLEMENTS, occurred_at="2026-11-30T18:00:00.000Z")
    assert faults([*OUTS, last[max(n for n, out in enumerate(OUTS) if out.topic.name == SETTLEMENTS)]]) == {
        "contradictory": 1
    }


def test_an_output_on_another_tables_partition_is_found() -> None:
    shelf = shelf_of(FLOOR, OUTS)
    board = next(out for out in OUTS if out.topic.name == SCOREBOARDS)
    shelf.put(Stored(SCOREBOARDS, 12, 0, board.key, board.value, {}))
    assert [finding.fault for finding in judge(expectation(FLOOR), shelf)] == ["wrong"]


def test_a_dead_letter_of_a_good_record_is_found() -> None:
    letter = next(out for out in OUTS if out.topic.name == LETTERS)
    moved = [(name, b"0" if name == "offset" else value) for name, value in letter.headers or ()]
    assert faults([*OUTS, letter._replace(headers=moved)])["letters"] == 1


def test_a_record_that_a_topic_has_lost_is_found() -> None:
    assert len(list(missing(FLOOR, shelf_of(FLOOR[1:], ())))) == 1
    assert list(missing(FLOOR, shelf_of(FLOOR, ()))) == []


def test_bets_stand_in_the_floor_before_and_after_their_rounds() -> None:
    first: dict[tuple[Any, ...], int] = {}
    for place, record in enumerate(FLOOR):
        if record.code is None:
            event = json.loads(record.value or b"")
            first.setdefault(
                (record.topic, event["table_id"], event.get("shoe_no"), event.get("round_no"), event["type"]), place
            )
    dealt = {key[1:4]: place for key, place in first.items() if key[4] == "round_dealt"}
    bets = {key[1:4]: place for key, place in first.items() if key[0] == BETS}
    assert {bets[key] < dealt[key] for key in bets.keys() & dealt.keys()} == {True, False}
