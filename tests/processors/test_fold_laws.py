"""Laws of the folds: whatever the order, the repeats and the crashes, the same final outputs, nothing missing."""

import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from contract.alerts import KINDS
from contract.partitions import partition_of
from contract.topics import SETTLEMENTS
from processors.effects import Fold, Out
from processors.scoreboards import Scoreboards
from processors.settlements import Settlements
from processors.statistics import Statistics
from tests.integration.floor import BETS, ROUNDS, Floor, Sent, deal
from tests.processors.replaying import PARTITIONS, TP, Logs, Loss, Replay, held_back, logs_of, newest

SEEDS = st.integers(min_value=0, max_value=2**32)
MANY = settings(max_examples=20, deadline=None)
COMPACTED = {
    "scoreboards": ("baccarat.scoreboards.v1", "baccarat.shoes.v1"),
    "statistics": ("baccarat.statistics.v1", "baccarat.shoe-statistics.v1"),
}


def final(outs: Iterable[Out], name: str) -> dict[str, dict[bytes, bytes]]:
    return {topic: newest(outs, topic) for topic in COMPACTED[name]}


def settlements(outs: Iterable[Out]) -> dict[str, tuple[int, bytes]]:
    """Per batch its last revision and that settlement; every repeat must be equal to the byte."""
    versions: dict[tuple[str, int], set[bytes]] = defaultdict(set)
    for out in outs:
        if out.topic is SETTLEMENTS and out.value is not None:
            event = json.loads(out.value)
            versions[event["batch_id"], event["revision"]].add(out.value)
    assert [identity for identity, values in versions.items() if len(values) > 1] == []
    last: dict[str, tuple[int, bytes]] = {}
    for (batch_id, revision), values in versions.items():
        last[batch_id] = max(last.get(batch_id, (revision, b"")), (revision, values.pop()))
    return last


def as_records(outs: Iterable[Out]) -> list[Sent]:
    return [Sent(out.topic.name, out.key or b"", out.value or b"") for out in outs if out.topic is SETTLEMENTS]


def rounds_of(floor: Floor) -> list[Sent]:
    return [record for record in floor.records if record.topic != BETS]


def statistics_input(floor: Floor) -> list[Sent]:
    settled = Replay(Settlements, logs_of(floor.records), random.Random(0)).run().outs
    return [*rounds_of(floor), *as_records(settled)]


INPUTS: dict[str, tuple[Callable[[int], Fold], Callable[[Floor], list[Sent]]]] = {
    "scoreboards": (Scoreboards, rounds_of),
    "statistics": (Statistics, statistics_input),
}


@pytest.mark.parametrize("name", ["scoreboards", "statistics"])
@MANY
@given(seed=SEEDS)
def test_compacted_outputs_are_the_same_after_any_crashes(name: str, seed: int) -> None:
    make, take = INPUTS[name]
    records = take(deal(seed % 5, tables=3, shoes=5, rounds=5, slips=3, corrections=0.4))
    straight = Replay(make, logs_of(records), random.Random(0)).run().outs
    crashed = Replay(make, logs_of(records), random.Random(seed), crashes=0.08).run().outs
    assert final(crashed, name) == final(straight, name)
    assert not [out for out in crashed if out.topic.name == "baccarat.dead-letters.v1"]


@MANY
@given(seed=SEEDS)
def test_every_slip_is_settled_at_the_last_version_of_its_round_after_any_crashes(seed: int) -> None:
    floor = deal(seed % 5, tables=3, shoes=5, rounds=5, slips=3, corrections=0.4)
    outs = Replay(Settlements, logs_of(floor.records), random.Random(seed), crashes=0.08).run().outs
    last = settlements(outs)
    assert last.keys() == floor.batches.keys()
    for batch_id, (revision, value) in last.items():
        event, batch = json.loads(value), floor.batches[batch_id]
        assert revision == floor.rounds[batch["table_id"], batch["shoe_no"], batch["round_no"]]["revision"]
        assert {slip["slip_id"]: slip["payout"] for slip in event["settlements"]} == floor.worth(batch_id)


@pytest.mark.parametrize("name", ["scoreboards", "statistics"])
@MANY
@given(seed=SEEDS)
def test_compacted_outputs_do_not_depend_on_order_or_repeats_within_two_shoes(name: str, seed: int) -> None:
    make, take = INPUTS[name]
    records, chance = take(deal(seed % 5, tables=2, shoes=2, rounds=6, slips=2, corrections=0.4)), random.Random(seed)
    shuffled = [*records, *chance.sample(records, len(records) // 4)]
    chance.shuffle(shuffled)
    straight = Replay(make, logs_of(records), random.Random(0)).run().outs
    other = Replay(make, logs_of(shuffled), chance, crashes=0.05).run().outs
    assert final(other, name) == final(straight, name)


@MANY
@given(seed=SEEDS)
def test_settlements_do_not_depend_on_order_or_repeats_within_two_shoes(seed: int) -> None:
    floor, chance = deal(seed % 5, tables=2, shoes=2, rounds=6, slips=2, corrections=0.4), random.Random(seed)
    shuffled = [*floor.records, *chance.sample(floor.records, len(floor.records) // 4)]
    chance.shuffle(shuffled)
    straight = settlements(Replay(Settlements, logs_of(floor.records), random.Random(0)).run().outs)
    assert settlements(Replay(Settlements, logs_of(shuffled), chance, crashes=0.05).run().outs) == straight


@st.composite
def lives(draw: st.DrawFn) -> dict[str, Any]:
    """How a processor lives: alone or shared, with crashes and rebalances, commits often or after a whole window."""
    commits, crashes = draw(st.sampled_from([(0.02, 0.01), (0.1, 0.05), (0.5, 0.2)]))
    workers, loss = draw(st.integers(min_value=1, max_value=3)), draw(st.sampled_from(Loss))
    return {"crashes": crashes, "commits": commits, "workers": workers, "loss": loss}


def disturbed(records: list[Sent], chance: random.Random) -> list[Sent]:
    """Any permutation of the records, some of them several times."""
    other = [*records, *chance.sample(records, len(records) // 4)]
    chance.shuffle(other)
    return other


def any_order(logs: Logs, chance: random.Random) -> list[TP] | None:
    """Which partition is read when: by chance, or one topic held back by any amount."""
    topic = chance.choice([None, *sorted({topic for topic, _ in logs})])
    return None if topic is None else held_back(logs, topic, chance.randint(1, max(map(len, logs.values()))))


@pytest.mark.parametrize("name", ["scoreboards", "statistics"])
@MANY
@given(seed=SEEDS, life=lives())
def test_any_order_repeats_delay_sharing_and_crashes_end_in_the_compacted_outputs_of_the_clean_run(
    name: str, seed: int, life: dict[str, Any]
) -> None:
    make, take = INPUTS[name]
    records, chance = take(deal(seed % 5, tables=3, shoes=2, rounds=4, slips=2, corrections=0.4)), random.Random(seed)
    straight = Replay(make, logs_of(records), random.Random(0)).run().outs
    logs = logs_of(disturbed(records, chance))
    other = Replay(make, logs, chance, **life).run(any_order(logs, chance)).outs
    assert final(other, name) == final(straight, name)


@MANY
@given(seed=SEEDS, life=lives())
def test_any_order_repeats_delay_sharing_and_crashes_end_in_the_settlements_of_the_clean_run(
    seed: int, life: dict[str, Any]
) -> None:
    floor, chance = deal(seed % 5, tables=3, shoes=2, rounds=4, slips=2, corrections=0.4), random.Random(seed)
    straight = settlements(Replay(Settlements, logs_of(floor.records), random.Random(0)).run().outs)
    logs = logs_of(disturbed(floor.records, chance))
    other = Replay(Settlements, logs, chance, **life).run(any_order(logs, chance))
    assert settlements(other.outs) == straight


@pytest.mark.parametrize("name", ["scoreboards", "statistics"])
@MANY
@given(seed=SEEDS, life=lives())
def test_many_shoes_shared_by_workers_that_come_and_go_end_in_the_compacted_outputs_of_the_clean_run(
    name: str, seed: int, life: dict[str, Any]
) -> None:
    make, take = INPUTS[name]
    records = take(deal(seed % 5, tables=3, shoes=5, rounds=2, slips=2, corrections=0.4))
    straight = Replay(make, logs_of(records), random.Random(0)).run().outs
    other = Replay(make, logs_of(records), random.Random(seed), **life).run().outs
    assert final(other, name) == final(straight, name)
    assert not [out for out in other if out.topic.name == "baccarat.dead-letters.v1"]


@MANY
@given(seed=SEEDS, life=lives())
def test_many_shoes_shared_by_workers_that_come_and_go_leave_no_slip_unsettled(seed: int, life: dict[str, Any]) -> None:
    floor = deal(seed % 5, tables=3, shoes=5, rounds=2, slips=2, corrections=0.4)
    straight = settlements(Replay(Settlements, logs_of(floor.records), random.Random(0)).run().outs)
    assert settlements(Replay(Settlements, logs_of(floor.records), random.Random(seed), **life).run().outs) == straight
    assert straight.keys() == floor.batches.keys()


@pytest.mark.parametrize("make", [Scoreboards, Settlements])
@MANY
@given(seed=SEEDS, life=lives())
def test_alarms_end_as_in_the_clean_run_whatever_was_lost(
    make: Callable[[int], Fold], seed: int, life: dict[str, Any]
) -> None:
    records, chance = (
        deal(seed % 5, tables=2, shoes=2, rounds=9, slips=2, corrections=0.4).records,
        random.Random(seed),
    )
    # Of two topics another order may be read after a crash, and no producer sends outputs before their rows.
    assume(make is Scoreboards or life["loss"] is not Loss.ROWS)
    missing = [record for record in records if json.loads(record.value)["type"] == "round_dealt"]
    lost = chance.sample(missing, len(missing) // 4)
    late = chance.sample(lost, len(lost) // 2)  # the others never come
    read = [*(record for record in records if record not in lost), *late]
    straight = Replay(make, logs_of(read), random.Random(0)).run(in_order(logs_of(read)))
    other = Replay(make, logs_of(read), chance, **life).run(in_order(logs_of(read)))
    assert alarms(other.outs) == alarms(straight.outs)
    assert alarms(straight.outs)


def in_order(logs: Logs) -> list[TP]:
    """Bets first: then each alarm follows from the order of one topic."""
    return [tp for topic in (BETS, ROUNDS) for tp, log in logs.items() if tp[0] == topic for _ in log]


def alarms(outs: Iterable[Out]) -> set[tuple[str, str, str]]:
    """The alarms that stand raised in the end, by the last notice of each."""
    last = {}
    for out in outs:
        if out.topic.name == "baccarat.alerts.v1":
            notice = json.loads(out.value or b"")
            if KINDS[notice["kind"]].cleared:
                last[notice["table_id"], notice["kind"], notice["subject"]] = notice["state"]
    return {place for place, state in last.items() if state != "cleared"}


@pytest.mark.parametrize("first", ["baccarat.bets.v1", "baccarat.rounds.v1"])
def test_settlements_are_the_same_whichever_topic_is_read_first(first: str) -> None:
    floor = deal(3, tables=3, shoes=3, rounds=5, slips=3, corrections=0.4)
    logs = logs_of(floor.records)
    order = [tp for tp, log in logs.items() for _ in log if tp[0] == first]
    read = settlements(Replay(Settlements, logs, random.Random(1)).run(order).outs)
    assert read == settlements(Replay(Settlements, logs, random.Random(0)).run().outs)
    assert read.keys() == floor.batches.keys()


@pytest.mark.parametrize("make", [Scoreboards, Settlements, Statistics])
def test_rows_do_not_pile_up_with_the_shoes(make: Callable[[int], Fold]) -> None:
    shoes, rounds = 20, 10
    floor = deal(2, tables=1, shoes=shoes, rounds=rounds, slips=2)
    records = statistics_input(floor) if make is Statistics else floor.records
    records.sort(key=lambda record: json.loads(record.value).get("shoe_no", 0))
    order = [(record.topic, partition_of(record.key, PARTITIONS)) for record in records]
    rows_of_a_shoe = 2 * rounds + 1
    assert Replay(make, logs_of(records), random.Random(4)).run(order).most_rows < 6 * rows_of_a_shoe < shoes * rounds


@pytest.mark.parametrize("make", [Scoreboards, Settlements, Statistics])
def test_a_version_never_falls(make: Callable[[int], Fold]) -> None:
    floor, chance = deal(5, tables=2, shoes=2, rounds=8, slips=2, corrections=0.5), random.Random(5)
    records = statistics_input(floor) if make is Statistics else list(floor.records)
    chance.shuffle(records)
    seen: dict[tuple[str, bytes], tuple[int, int]] = {}
    for out in Replay(make, logs_of(records), chance).run().outs:
        if out.topic.name in chain(*COMPACTED.values()):
            event, place = json.loads(out.value or b""), (out.topic.name, out.key or b"")
            assert (event["shoe_no"], event["version"]) >= seen.get(place, (0, 0))
            seen[place] = (event["shoe_no"], event["version"])
    assert bool(seen) == (make is not Settlements)
