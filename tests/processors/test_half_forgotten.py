"""A crash while a shoe is being forgotten leaves a part of its rows; what was said of the shoe stays the last word."""

import json
from collections.abc import Callable

import pytest

from processors.effects import Effects, Fold, Record, Row
from processors.scoreboards import Scoreboards
from processors.settlements import Settlements
from processors.statistics import Statistics
from tests.integration.floor import deal
from tests.processors.replaying import PARTITIONS, Logs, logs_of

TABLE, LEFT = "T01", 1
FLOOR = deal(11, tables=1, shoes=3, rounds=6, slips=3, corrections=0.3)
LOGS = logs_of(FLOOR.records)
Rows = dict[bytes, bytes]
FOLDS: list[Callable[[int], Fold]] = [Scoreboards, Settlements, Statistics]


def write(rows: Rows, changes: list[Row]) -> None:
    for key, value in changes:
        if value is None:
            rows.pop(key, None)
        else:
            rows[key] = value


def read(make: Callable[[int], Fold], logs: Logs) -> tuple[Fold, Rows, list[Effects]]:
    """A fold that has read everything and forgotten nothing, its rows, and what it said."""
    fold, rows, said = make(PARTITIONS), Rows(), []
    settled: list[Record] = []
    if make is Statistics:
        outs = [out for effects in read(Settlements, logs)[2] for out in effects.outs]
        values = [out for out in outs if out.topic.name == "baccarat.settlements.v1"]
        place = next(partition for _, partition in logs)
        settled = [Record(out.topic.name, place, at, 0, out.key, out.value) for at, out in enumerate(values)]
    sources = {topic.name for topic in fold.processor.sources}
    for record in [*(record for log in logs.values() for record in log if record.topic in sources), *settled]:
        said.append(fold.step(record))
        write(rows, said[-1].rows)
    return fold, rows, said


def records_of(effects: list[Effects]) -> list[bytes | None]:
    """The records of the shoe that is forgotten."""
    key = f"{TABLE}/{LEFT}".encode()
    return [
        out.value for each in effects for out in each.outs if out.topic.name.endswith("shoes.v1") and out.key == key
    ]


def halves(make: Callable[[int], Fold]) -> list[tuple[Rows, list[Effects]]]:
    """The rows as they are when each part of the deletes was written, and what had been said."""
    fold, rows, said = read(make, LOGS)
    drop = next(drop for effects in said for drop in effects.drops if drop.shoe_no == LEFT)
    deletes, states = fold.forget(drop).rows, list[Rows]()
    for written in range(len(deletes) + 1):
        state = dict(rows)
        write(state, deletes[:written])
        states.append(state)
    return [(state, said) for state in states]


def test_no_record_of_a_half_forgotten_shoe_takes_the_place_of_the_whole_one() -> None:
    repeats = [record for log in LOGS.values() for record in log if json.loads(record.value or b"").get("shoe_no") == 1]
    for state, said in halves(Scoreboards):
        whole = records_of(said)[-1]
        fold = Scoreboards(PARTITIONS)
        after = [fold.restore(list(state.items()))]
        after += [fold.step(record._replace(offset=10_000)) for record in repeats if record.topic.endswith("rounds.v1")]
        assert set(records_of(after)) <= {whole}


@pytest.mark.parametrize("make", FOLDS)
def test_what_is_left_of_it_is_forgotten_afterwards(make: Callable[[int], Fold]) -> None:
    prefix = f"{TABLE}/{LEFT}".encode()
    for state, _ in halves(make):
        fold, rows = make(PARTITIONS), dict(state)
        restored = fold.restore(list(state.items()))
        write(rows, restored.rows)
        for drop in restored.drops:
            write(rows, fold.forget(drop).rows)
        assert [key for key in rows if key == prefix or key.startswith(prefix + b"/")] == []
