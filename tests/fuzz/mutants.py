"""Good records made bad by chance: bits flipped, ends cut off, records spliced, JSON fields swapped, numbers moved.

Every mutant is made by a seeded ``random.Random`` alone, so that a failure comes again with its seed.
"""

import copy
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from contract.partitions import partition_of
from processors.effects import Record
from tests.integration.floor import Sent
from tests.processors.replaying import PARTITIONS, Logs

APPENDED_MS: Final = 1_764_525_600_000

Spoiled = tuple[str, bytes | None, bytes | None]
"""Topic, key and value of a record that may be anything."""

ODD_NUMBERS: Final = (
    -1, 0, 1, 2, 9, 10, 99, 100, 200, 201, 2**31, 2**53 - 1, 2**53, 2**63, 2**64, 10**9, 10**9 + 1, 10**40, 10**400,
    0.0, 1.0, -0.0, 0.1, 1e308, True, False,
)  # fmt: skip
ODD_TEXTS: Final = (
    "", " ", "\x00", "\n", "T01", "T01\n", "т01", "A" * 129, "é" * 128, "\U0001f0a1" * 500, "null", "1", "player",
    "tie", "EUR", "XXX", "classic@1", "classic@2", "4H", "TS", "1C", "2026-11-30T18:00:00.000Z", "2026-11-30",
    "9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00Z", "2026-11-30T18:00:00+14:00", "round_voided", "no_such_type",
)  # fmt: skip
ODD_BYTES: Final = (
    b"", b"{}", b"[]", b"null", b"\x00", b"\xff", b"\xef\xbb\xbf", b"{", b'{"type":', b"[" * 5000, b'{"a":' * 5000,
    b'"\\ud800"', b"NaN", b"-Infinity", b"1e999", b'{"type":"no_such_type"}', b'{"type":"round_dealt"}',
)  # fmt: skip


def spoil(records: Sequence[Sent], chance: random.Random, share: float) -> list[Spoiled]:
    """The records in their order, and behind about ``share`` of them one or two mutants."""
    spoiled: list[Spoiled] = []
    for record in records:
        spoiled.append((record.topic, record.key, record.value))
        while chance.random() < share:
            spoiled.append(mutant(chance.choice(records), records, chance))
            share /= 1.0001  # ends for certain, whatever the share
    return spoiled


def mutant(record: Sent, others: Sequence[Sent], chance: random.Random) -> Spoiled:
    """One mutant of a record; some are still good."""
    match chance.randrange(10):
        case 0:
            return (
                record.topic,
                chance.choice([None, b"", b"\xff", b"T01", record.key + b"0", b"k" * 5000]),
                record.value,
            )
        case 1:
            return record.topic, record.key, chance.choice([None, *ODD_BYTES])
        case 2:
            return chance.choice(others).topic, record.key, record.value
        case 3 | 4 | 5:
            return record.topic, record.key, _bytes(record.value, chance.choice(others).value, chance)
        case _:
            return record.topic, record.key, _fields(json.loads(record.value), chance)


def _bytes(value: bytes, other: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice([1, 1, 1, 2, 8])):
        place, spoiled = chance.randrange(len(value) + 1), bytearray(value)
        match chance.randrange(6):
            case 0 if spoiled:
                spoiled[place - 1] ^= 1 << chance.randrange(8)
            case 1:
                del spoiled[place:]
            case 2:
                del spoiled[place : place + chance.randrange(1, 20)]
            case 3:
                spoiled[place:place] = spoiled[chance.randrange(len(spoiled) + 1) :][:40]
            case 4:
                spoiled[place:] = other[chance.randrange(len(other)) :]
            case _:
                spoiled[place:place] = chance.choice(ODD_BYTES)
        value = bytes(spoiled)
    return value


def _fields(event: Any, chance: random.Random) -> bytes:
    for _ in range(chance.choice([1, 1, 1, 2, 5])):
        places = list(_places(event))
        if not places:
            break
        holder, name = chance.choice(places)
        chance.choice(_CHANGES)(holder, name, chance)
    try:
        return json.dumps(event, ensure_ascii=chance.random() < 0.5).encode()
    except (UnicodeEncodeError, ValueError):
        return b"{}"


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every container in the value with every key or index of it."""
    named = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for name, child in named:
        yield node, name
        yield from _places(child)


def _odd(holder: Any, name: Any, chance: random.Random) -> None:
    holder[name] = copy.deepcopy(
        chance.choice([None, [], {}, [[]], {"a": {}}, chance.choice(ODD_NUMBERS), chance.choice(ODD_TEXTS)])
    )


def _near(holder: Any, name: Any, chance: random.Random) -> None:
    """A number or a text moves a little; so do mutants come about that are good and mean something else."""
    match holder[name]:
        case bool(old):
            holder[name] = not old
        case int(old):
            holder[name] = old + chance.choice([-2, -1, 1, 2, 3])
        case str(old) if old:
            place = chance.randrange(len(old))
            holder[name] = old[:place] + chance.choice("0123456789ABCHSTKplayer-:.Z@/é") + old[place + 1 :]
        case _:
            _odd(holder, name, chance)


def _lose(holder: Any, name: Any, _: random.Random) -> None:
    del holder[name]


def _swap(holder: Any, name: Any, chance: random.Random) -> None:
    """Two fields of one object, or places of one list, change their values."""
    other = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    holder[name], holder[other] = holder[other], holder[name]


def _multiply(holder: Any, name: Any, chance: random.Random) -> None:
    if isinstance(holder[name], list):
        holder[name] = holder[name] * chance.choice([2, 3, 400])
    else:
        _odd(holder, name, chance)


_CHANGES: Final[tuple[Callable[[Any, Any, random.Random], None], ...]] = (
    _odd, _odd, _near, _near, _near, _near, _lose, _swap, _multiply,
)  # fmt: skip


def spoiled_logs(records: Iterable[Spoiled], chance: random.Random) -> Logs:
    """The records as they stand on their partitions; a few on a partition that their key does not name."""
    logs: Logs = defaultdict(list)
    for topic, key, value in records:
        astray = key is None or chance.random() < 0.01
        partition = chance.randrange(PARTITIONS) if astray or key is None else partition_of(key, PARTITIONS)
        log = logs[topic, partition]
        log.append(Record(topic, partition, len(log), APPENDED_MS + 1000 * len(log), key, value))
    return dict(logs)
