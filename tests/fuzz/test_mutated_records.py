"""Mutated records through the decoder and the folds: nothing is raised, nothing hangs, nothing grows without bound.

The short form runs with every test; the long one (``make soak``) takes five minutes and prints its seed.
"""

import os
import random
import sys
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec
import pytest

from baccarat.paytables import available
from contract.bets import BetsPlaced
from contract.codec import BadRecord, UnknownType, decode, encode
from contract.rounds import BettingClosed, BettingOpened, Played
from contract.topics import BETS, CATALOGUE, DEAD_LETTERS, ROUNDS, SETTLEMENTS
from processors.effects import Fold, Out
from processors.scoreboards import Scoreboards
from processors.settlements import Settlements
from processors.statistics import Statistics
from tests.fuzz.mutants import ODD_BYTES, Spoiled, mutant, spoil, spoiled_logs
from tests.integration.floor import Sent, deal
from tests.processors.replaying import Logs, Loss, Replay, newest

SOAK_S: Final = 300
CALLS_A_RECORD: Final = 60_000
"""Of Python functions; a good record takes some hundreds, a batch of a thousand slips some thousands."""

TOPICS = {topic.name: topic for topic in CATALOGUE}
COMPACTED = ("baccarat.scoreboards.v1", "baccarat.shoes.v1", "baccarat.statistics.v1")


def _decode(topic: str, value: bytes | None) -> str:
    """What the decoder makes of a value; what it takes comes back from its own bytes."""
    try:
        event = decode(TOPICS[topic], value)
    except BadRecord as error:
        return error.code if len(str(error)) < 500 else "told at length"
    except UnknownType:
        return "unknown"
    assert decode(TOPICS[topic], encode(event)) == event
    return "taken"


def _fuzz_decoder(seed: int, mutants: int) -> set[str]:
    chance, floor = random.Random(seed), deal(seed % 7, tables=2, shoes=1, rounds=5, slips=3, corrections=0.5)
    made = (mutant(chance.choice(floor.records), floor.records, chance) for _ in range(mutants))
    return {_decode(topic, value) for topic, _, value in made}


def _inputs(seed: int) -> dict[str, tuple[Callable[[int], Fold], Logs]]:
    """For each processor its fold and what it reads: a floor of four shoes with about as many mutants.

    The statistics read the same rounds, what the settlements made of it all, and what is no settlement: one that
    contradicts another one is no fault of a source, and no processor makes it.
    """
    chance = random.Random(seed)
    floor = deal(seed, tables=3, shoes=4, rounds=6, slips=3, corrections=0.3)
    spoiled = spoil(floor.records, chance, 0.5)
    logs = spoiled_logs(spoiled, chance)
    settled = [out for out in Replay(Settlements, logs, random.Random(0)).run().outs if out.topic is SETTLEMENTS]
    made = [Sent(SETTLEMENTS.name, out.key or b"", out.value or b"") for out in settled]
    sound: list[Spoiled] = list(made)
    rubbish = [record for record in spoil(made, chance, 0.5) if _decode(SETTLEMENTS.name, record[2]) != "taken"]
    places = sorted(chance.randrange(len(sound)) for _ in rubbish)
    for place, record in zip(reversed(places), rubbish, strict=True):
        sound[place:place] = [record]
    rounds = {tp: log for tp, log in logs.items() if tp[0] == ROUNDS.name}
    return {
        "scoreboards": (Scoreboards, rounds),
        "settlements": (Settlements, logs),
        "statistics": (Statistics, rounds | spoiled_logs(sound, chance)),
    }


def _repeats(logs: Logs) -> set[tuple[str, ...]]:
    """Places of records that say what their partition has said before, whenever it happened.

    A betting phase says nothing new once a later one of its shoe has been published.
    """
    places = set[tuple[str, ...]]()
    for (topic, partition), log in logs.items():
        said, phases = set[bytes](), dict[tuple[str, int], tuple[int, bool]]()
        for record in log:
            try:
                event = decode(TOPICS[topic], record.value)
            except (BadRecord, UnknownType):
                continue
            content = msgspec.json.encode(msgspec.structs.replace(event, occurred_at="2026-11-30T18:00:00.000Z"))
            stale = content in said
            said.add(content)
            if isinstance(event, BettingOpened | BettingClosed):
                shoe, phase = (event.table_id, event.shoe_no), (event.round_no, isinstance(event, BettingClosed))
                stale = phase <= phases.get(shoe, (0, False))
                phases[shoe] = max(phase, phases.get(shoe, phase))
            if stale:
                places.add((topic, str(partition), str(record.offset)))
    return places


def _letters(outs: Iterable[Out]) -> dict[tuple[str, ...], set[tuple[Any, ...]]]:
    """Per place of a record the dead letters that it became: key, value and code."""
    found: dict[tuple[str, ...], set[tuple[Any, ...]]] = defaultdict(set)
    for out in outs:
        if out.topic is DEAD_LETTERS:
            said = {name: value.decode() for name, value in out.headers or ()}
            found[said["topic"], said["partition"], said["offset"]].add((out.key, out.value, said["code"]))
    return dict(found)


def _settlements(outs: Iterable[Out]) -> dict[tuple[bytes | None, str, int], set[bytes]]:
    said: dict[tuple[bytes | None, str, int], set[bytes]] = defaultdict(set)
    for out in outs:
        if out.topic is SETTLEMENTS and out.value is not None:
            event = decode(SETTLEMENTS, out.value)
            said[out.key, event.batch_id, event.revision].add(out.value)
    return dict(said)


def _final_settlements(outs: Iterable[Out], loose: set[str]) -> dict[tuple[bytes | None, str], bytes]:
    """Per batch its settlement at the highest revision, but for the ``loose`` ones.

    Every repeat of an identity is equal to the byte.
    """
    said = {identity: values for identity, values in _settlements(outs).items() if identity[1] not in loose}
    assert [identity for identity, values in said.items() if len(values) > 1] == []
    last: dict[tuple[bytes | None, str], tuple[int, bytes]] = {}
    for (key, batch_id, revision), values in said.items():
        (value,) = values
        last[key, batch_id] = max(last.get((key, batch_id), (-1, b"")), (revision, value))
    return {batch: value for batch, (_, value) in last.items()}


def _loose(logs: Logs) -> tuple[set[str], set[tuple[str, ...]]]:
    """Batches on which two runs may differ, and the places of their records.

    An id that several shoes use is a conflict only while the earlier shoe is held. Where a version of the round names
    an unknown pay table, which earlier version a batch has met is a matter of arrival, and no later one mends it.
    """
    unknown = set[tuple[str, int, int]]()
    uses: dict[str, list[tuple[tuple[str, int, int], tuple[str, ...]]]] = defaultdict(list)
    for (topic, partition), log in logs.items():
        for record in log:
            try:
                event = decode(TOPICS[topic], record.value)
            except (BadRecord, UnknownType):
                continue
            match event:
                case Played() if event.paytable not in available():
                    unknown.add((event.table_id, event.shoe_no, event.round_no))
                case BetsPlaced():
                    place = (topic, str(partition), str(record.offset))
                    uses[event.batch_id].append(((event.table_id, event.shoe_no, event.round_no), place))
                case _:
                    pass
    loose = {
        batch_id
        for batch_id, found in uses.items()
        if len({key[:2] for key, _ in found}) > 1 or any(key in unknown for key, _ in found)
    }
    return loose, {place for batch_id in loose for _, place in uses[batch_id]}


def _fuzz_fold(seed: int, name: str) -> None:
    """A fold that is never interrupted and one that crashes and begins anew from its rows end with the same outputs.

    Of a repeat both may say different things once its shoe is forgotten: it is too old then, and a repeat before.
    """
    make, logs = _inputs(seed)[name]
    straight = Replay(make, logs, random.Random(0)).run()
    chance = random.Random(seed)
    broken = Replay(make, logs, chance, crashes=0.03, workers=chance.randint(1, 2), loss=chance.choice([*Loss])).run()
    assert broken.interruptions
    for topic in COMPACTED:
        assert newest(broken.outs, topic) == newest(straight.outs, topic), topic
    loose, open_places = _loose(logs)
    assert _final_settlements(broken.outs, loose) == _final_settlements(straight.outs, loose)
    letters, again, undecided = _letters(straight.outs), _letters(broken.outs), _repeats(logs) | open_places
    assert {place: found for place, found in again.items() if place not in undecided} == (
        {place: found for place, found in letters.items() if place not in undecided}
    )
    _check_letters(letters, logs)
    _check_letters(again, logs)
    assert straight.most_rows <= 4 * sum(map(len, logs.values())) + 100


def _check_letters(letters: dict[tuple[str, ...], set[tuple[Any, ...]]], logs: Logs) -> None:
    """Each is the one letter of the record that it names, untouched."""
    for (topic, partition, offset), found in letters.items():
        ((key, value, _),) = found
        record = logs[topic, int(partition)][int(offset)]
        assert (key, value) == (record.key, record.value)


@pytest.mark.parametrize("seed", range(4))
def test_the_decoder_takes_or_refuses_every_mutant_and_raises_nothing_else(seed: int) -> None:
    assert _fuzz_decoder(seed, 2000) == {"taken", "unknown", "undecodable", "invalid"}


@pytest.mark.parametrize("name", ["scoreboards", "settlements", "statistics"])
@pytest.mark.parametrize("seed", range(6))
def test_a_fold_takes_mutants_and_ends_the_same_however_often_it_begins_anew(seed: int, name: str) -> None:
    _fuzz_fold(seed, name)


@pytest.mark.parametrize("make", [Scoreboards, Settlements, Statistics])
def test_no_mutant_takes_a_fold_long(make: Callable[[int], Fold]) -> None:
    """Counted in calls of Python functions, not by a clock: the machine may be busy."""
    fold, calls = make(3), 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event == "call"

    (logs,) = [logs for of, logs in _inputs(11).values() if of is make]
    most = 0
    for log in logs.values():
        for record in log:
            calls = 0
            sys.setprofile(count)
            try:
                fold.step(record)
            finally:
                sys.setprofile(None)
            most = max(most, calls)
    assert most < CALLS_A_RECORD


@pytest.mark.parametrize("topic", [ROUNDS, BETS, SETTLEMENTS], ids=lambda topic: topic.name)
@pytest.mark.parametrize("make", [Scoreboards, Settlements, Statistics])
def test_rubbish_leaves_nothing_in_memory(make: Callable[[int], Fold], topic: Any) -> None:
    fold, chance = make(3), random.Random(5)
    if topic.name not in {source.name for source in fold.processor.sources}:
        return
    good = deal(5, tables=1, shoes=1, rounds=3, slips=1)
    calm = spoiled_logs([(r.topic, r.key, r.value) for r in good.records if r.topic == ROUNDS.name], random.Random(0))
    (log,) = (log for log in calm.values() if log[0].key == b"T01")

    def rubbish(times: int) -> None:
        for number in range(times):
            key = b"stranger-%d" % chance.randrange(10**9)
            fold.step(log[0]._replace(topic=topic.name, key=key, value=chance.choice(ODD_BYTES), offset=10 + number))
            if number % 50 == 0:  # or the fault would be ours
                fold.step(log[0])

    tracemalloc.start()
    try:
        rubbish(3000)
        before = tracemalloc.get_traced_memory()[0]
        rubbish(6000)
        assert tracemalloc.get_traced_memory()[0] - before < 60_000, "ten bytes a record are too many already"
    finally:
        tracemalloc.stop()


@pytest.mark.soak
@pytest.mark.timeout(SOAK_S + 300)
def test_five_minutes_of_mutants() -> None:
    first = int(os.environ.get("BEADPLATE_SOAK_SEED") or random.SystemRandom().randrange(2**32))
    print(f"\nfuzz: seed {first}")  # noqa: T201 - who repeats a failure needs it
    ends, seed = time.monotonic() + SOAK_S, first
    while time.monotonic() < ends:
        try:
            _fuzz_decoder(seed, 1000)
            for name in ("scoreboards", "settlements", "statistics"):
                _fuzz_fold(seed, name)
        except BaseException:
            print(f"fuzz: failed at seed {seed}")  # noqa: T201 - see above
            raise
        seed += 1
    print(f"fuzz: {seed - first} floors, {1000 * (seed - first)} mutants for the decoder alone")  # noqa: T201
