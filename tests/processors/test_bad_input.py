"""Bad records through all three folds: each is one dead letter of one processor, untouched, and stops nothing."""

import json
from collections.abc import Callable
from typing import NamedTuple

import pytest

from contract.partitions import partition_of
from contract.topics import DEAD_LETTERS, Topic
from contract.topics import ROUNDS as ROUNDS_TOPIC
from processors.effects import Fold, Out, Record
from processors.scoreboards import Scoreboards
from processors.settlements import Settlements
from processors.statistics import Statistics
from tests.processors.reading import APPENDED_MS, PARTITIONS, Reader, example

ROUNDS, BETS, SETTLED = "baccarat.rounds.v1", "baccarat.bets.v1", "baccarat.settlements.v1"
MIB = 1 << 20
FOLDS: tuple[Callable[[int], Fold], ...] = (Scoreboards, Settlements, Statistics)


class Bad(NamedTuple):
    """A record, and the code of its dead letter."""

    topic: str
    key: bytes | None
    value: bytes | None
    code: str


def _event(name: str, **changes: object) -> bytes:
    return json.dumps(example(name, **changes), ensure_ascii=False).encode()


DEALT, PLACED = _event("round_dealt"), _event("bets_placed")
KEY = json.loads(DEALT)["table_id"].encode()
SLIP = example("bets_placed")["slips"][0]

BAD = {
    "a tombstone": Bad(ROUNDS, KEY, None, "undecodable"),
    "nothing": Bad(BETS, KEY, b"", "undecodable"),
    "nothing at all": Bad(BETS, None, None, "undecodable"),
    "a byte order mark": Bad(ROUNDS, KEY, b"\xef\xbb\xbf" + DEALT, "undecodable"),
    "no UTF-8": Bad(BETS, KEY, PLACED[:-1] + b', "x": "\xff"}', "undecodable"),
    "half a surrogate pair": Bad(ROUNDS, KEY, DEALT[:-1] + b', "x": "\\ud800"}', "undecodable"),
    "a zero byte after it": Bad(ROUNDS, KEY, DEALT + b"\x00", "undecodable"),
    "NaN": Bad(BETS, KEY, PLACED[:-1] + b', "x": NaN}', "undecodable"),
    "brackets up to the limit": Bad(ROUNDS, KEY, b"[" * MIB, "undecodable"),
    "braces up to the limit": Bad(BETS, KEY, b'{"a":' * (MIB // 5), "undecodable"),
    "rubbish up to the limit": Bad(BETS, KEY, bytes(range(256)) * (MIB // 256), "undecodable"),
    "no key": Bad(ROUNDS, None, DEALT, "wrong_key"),
    "an empty key": Bad(BETS, b"", PLACED, "wrong_key"),
    "a key that is no UTF-8": Bad(ROUNDS, b"\xff\x00", DEALT, "wrong_key"),
    "a key of a megabyte": Bad(BETS, b"B" * MIB, PLACED, "wrong_key"),
    "another table's key": Bad(ROUNDS, KEY + b"0", DEALT, "wrong_key"),
    "a stake of 10^400": Bad(
        BETS, KEY, _event("bets_placed", slips=[{**SLIP, "stake": 10**400}]), "invalid"
    ),
    "a stake with a fraction": Bad(BETS, KEY, _event("bets_placed", slips=[{**SLIP, "stake": 10.5}]), "invalid"),
    "a hundred thousand slips": Bad(BETS, KEY, _event("bets_placed", slips=[{}] * 100_000), "invalid"),
    "a currency of a megabyte": Bad(BETS, KEY, _event("bets_placed", currency="\x80" * (MIB // 2)), "invalid"),
    "an outcome of a megabyte": Bad(ROUNDS, KEY, _event("round_dealt", outcome="A" * MIB), "invalid"),
    "a round twice in one record, one of them impossible": Bad(
        ROUNDS, KEY, DEALT[:-1] + b', "player": ["AS"]}', "invalid"
    ),
    "an event of the other topic": Bad(ROUNDS, KEY, PLACED, "invalid"),
    "a natural that drew": Bad(
        ROUNDS, KEY, _event("round_dealt", player=["9H", "TD", "2C"], banker=["2H", "3D"]), "impossible_round"
    ),
}  # fmt: skip


def _records(bad: Bad, offset: int) -> Record:
    partition = partition_of(bad.key, PARTITIONS) if bad.key else 0
    return Record(bad.topic, partition, offset, APPENDED_MS, bad.key, bad.value)


def _letters(fold: Fold, record: Record) -> list[Out]:
    if record.topic not in {topic.name for topic in fold.processor.sources}:
        return []
    return [out for out in fold.step(record).outs if out.topic is DEAD_LETTERS]


@pytest.mark.parametrize("name", BAD)
def test_a_bad_record_is_one_dead_letter_untouched_and_says_where_it_stood(name: str) -> None:
    bad = BAD[name]
    record = _records(bad, 41)
    (letter,) = [letter for make in FOLDS for letter in _letters(make(PARTITIONS), record)]
    assert (letter.key, letter.value) == (bad.key, bad.value)
    headers = {name: value.decode() for name, value in letter.headers or ()}
    assert headers.pop("message")
    assert headers == {
        "processor": "scoreboards" if bad.topic == ROUNDS else "settlements",
        "topic": bad.topic,
        "partition": str(record.partition),
        "offset": "41",
        "code": bad.code,
    }


@pytest.mark.parametrize("name", BAD)
def test_the_dead_letter_of_a_record_that_a_topic_takes_fits_the_topic_of_dead_letters(name: str) -> None:
    bad = BAD[name]
    if len(bad.key or b"") + len(bad.value or b"") > _limit(ROUNDS_TOPIC):
        bad = bad._replace(key=(bad.key or b"")[: MIB // 2], value=(bad.value or b"")[: MIB // 2])
    for make in FOLDS:
        for letter in _letters(make(PARTITIONS), _records(bad, 0)):
            headers = sum(len(name) + len(value) for name, value in letter.headers or ())
            size = len(letter.key or b"") + len(letter.value or b"") + headers
            assert size < _limit(DEAD_LETTERS) - 1024


def _limit(topic: Topic) -> int:
    return topic.max_message_bytes


@pytest.mark.parametrize("make", FOLDS)
def test_after_every_bad_record_a_fold_does_with_good_ones_as_if_there_had_been_none(
    make: Callable[[int], Fold],
) -> None:
    good = [
        Record(topic, partition_of(KEY, PARTITIONS), offset, APPENDED_MS, KEY, value)
        for offset, (topic, value) in enumerate(
            [(ROUNDS, DEALT), (BETS, PLACED), (SETTLED, _event("bets_settled")), (ROUNDS, _event("round_corrected"))]
        )
    ]
    clean, troubled = make(PARTITIONS), make(PARTITIONS)
    sources = {topic.name for topic in clean.processor.sources}
    for record in [record for record in good if record.topic in sources]:
        for offset, bad in enumerate(BAD.values()):
            if bad.topic in sources:
                troubled.step(_records(bad, 1000 + offset))
        expected, found = clean.step(record), troubled.step(record)
        assert found.rows == expected.rows
        assert found.outs == expected.outs


def _paytable_letters(*names: str) -> list[str]:
    """Codes of the letters about a round's versions, revision by revision, given from the last to the first."""
    reader = Reader(Settlements(PARTITIONS))
    for revision, name in reversed([*enumerate(names)]):
        kind = "round_corrected" if revision else "round_dealt"
        reader.take(example(kind, revision=revision, paytable=name, shoe_no=1, round_no=1))
    return [f"{letter['offset']} {letter['code']}" for letter in reader.letters]


def test_an_unknown_pay_table_is_reported_of_the_version_that_names_it_whatever_else_is_held() -> None:
    assert _paytable_letters("elassic@1", "classic@1", "classic@1") == ["2 unknown_paytable"]
    assert _paytable_letters("classic@1", "classic@1", "elassic@1") == ["0 unknown_paytable"]
    assert _paytable_letters("classic@1", "elassic@1", "classic@1") == ["1 unknown_paytable"]
