"""Records that are large, deep or ambiguous: one verdict each, quickly, and a message that fits in a header."""

import json
import tracemalloc
from typing import Any

import pytest

from contract.codec import BadRecord, Invalid, Undecodable, UnknownType, decode, encode
from contract.dead_letters import DeadLetter
from contract.topics import BETS, ROUNDS, Topic
from tests.processors.reading import example

MIB = 1 << 20
SLIP = example("bets_placed")["slips"][0]
ENDED = json.dumps(example("shoe_ended", rounds=3)).encode()


def with_field(text: bytes, record: bytes = ENDED) -> bytes:
    return record[:-1] + b", " + text + b"}"


def batch(slips: bytes) -> bytes:
    return json.dumps(example("bets_placed", slips=0)).encode().replace(b'"slips": 0', b'"slips": [' + slips + b"]")


LONG: dict[str, tuple[Topic, bytes]] = {
    "an outcome of a megabyte": (ROUNDS, json.dumps(example("round_dealt", outcome="A" * MIB)).encode()),
    "a tail policy of a megabyte": (ROUNDS, json.dumps(example("table_opened", tail="A" * MIB)).encode()),
    "a currency of a megabyte": (BETS, json.dumps(example("bets_placed", currency="A" * MIB)).encode()),
    "a currency whose quotation is longer than itself": (
        BETS, json.dumps(example("bets_placed", currency="\U000e0001" * (MIB // 4)), ensure_ascii=False).encode()
    ),
    "a table name of a megabyte": (ROUNDS, json.dumps(example("shoe_ended", table_id="A" * MIB)).encode()),
    "a time of a megabyte": (ROUNDS, json.dumps(example("shoe_ended", occurred_at="2" * MIB)).encode()),
    "a type of a megabyte that is known to nobody, broken off": (ROUNDS, b'{"type": "' + b"A" * MIB),
    "a number of a million digits": (ROUNDS, ENDED.replace(b'"rounds": 3', b'"rounds": ' + b"9" * MIB)),
}  # fmt: skip


@pytest.mark.parametrize("name", LONG)
def test_the_message_about_a_long_value_is_short_enough_to_go_beside_it_in_a_dead_letter(name: str) -> None:
    topic, value = LONG[name]
    with pytest.raises(BadRecord) as fault:
        decode(topic, value)
    letter = DeadLetter("settlements", topic.name, 11, 2**62, fault.value.code, str(fault.value))
    assert sum(len(name) + len(said) for name, said in letter.headers()) < 8192


def test_a_long_message_keeps_its_beginning_and_the_place_at_its_end() -> None:
    with pytest.raises(Invalid) as fault:
        decode(*LONG["an outcome of a megabyte"])
    assert str(fault.value).startswith("Invalid enum value 'AAA")
    assert str(fault.value).endswith("AAA' - at `$.outcome`")


def test_a_short_message_is_whole() -> None:
    with pytest.raises(Invalid, match=r"^Invalid enum value 'B' - at `\$\.outcome`$"):
        decode(ROUNDS, json.dumps(example("round_dealt", outcome="B")).encode())


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(batch(b",".join([b"{}"] * 100_000)), id="nothing in them"),
        pytest.param(
            batch(b",".join(json.dumps({**SLIP, "slip_id": str(n)}).encode() for n in range(100_000))), id="all good"
        ),
        pytest.param(batch(b",".join([json.dumps(SLIP).encode()] * 100_000)), id="one and the same"),
    ],
)
def test_a_batch_of_a_hundred_thousand_slips_is_invalid_and_takes_no_more_memory_than_its_own_size(
    value: bytes,
) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(Invalid):
            decode(BETS, value)
        assert tracemalloc.get_traced_memory()[1] < 10 * len(value) + MIB
    finally:
        tracemalloc.stop()


def test_the_largest_batch_that_the_topic_takes_is_decoded_whole() -> None:
    longest = "\U0001f3b4" * 128
    slips = [
        {**SLIP, "slip_id": f"{number:03}" + "é" * 125, "bettor": longest, "bet": "t" * 100} for number in range(1000)
    ]
    value = json.dumps(example("bets_placed", slips=slips), ensure_ascii=False).encode()
    assert MIB * 0.9 < len(value) <= MIB
    event = decode(BETS, value)
    assert len(event.slips) == 1000
    assert decode(BETS, encode(event)) == event


@pytest.mark.parametrize(
    ("value", "rounds"),
    [
        pytest.param(with_field(b'"rounds": 5'), 5, id="the last of two numbers"),
        pytest.param(with_field(b'"type": "shoe_ended"'), 3, id="the type twice"),
        pytest.param(with_field(b'"x": 1, "x": "two"'), 3, id="a field that is not ours"),
    ],
)
def test_of_a_name_that_stands_twice_the_last_counts(value: bytes, rounds: int) -> None:
    assert decode(ROUNDS, value).rounds == rounds == json.loads(value)["rounds"]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(with_field(b'"rounds": "5"'), id="the last is wrong"),
        pytest.param(b'{"rounds": "5", ' + ENDED[1:], id="the first is wrong"),
        pytest.param(with_field(b'"type": "shoe_started"'), id="another type of this topic"),
        pytest.param(b'{"type": "shoe_started", ' + ENDED[1:], id="another type of this topic before it"),
        pytest.param(b'{"type": "bets_placed", ' + ENDED[1:], id="a type of another topic before it"),
        pytest.param(b'{"type": "dealer_changed", ' + ENDED[1:], id="a type unknown here before it"),
        pytest.param(with_field(b'"type": null'), id="null for a type after it"),
    ],
)
def test_a_name_that_stands_twice_is_invalid_where_either_does_not_fit(value: bytes) -> None:
    with pytest.raises(Invalid):
        decode(ROUNDS, value)


def test_an_event_whose_last_type_is_unknown_is_skipped_as_one_of_that_type() -> None:
    with pytest.raises(UnknownType, match="dealer_changed"):
        decode(ROUNDS, with_field(b'"type": "dealer_changed"'))


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(b"1e999", id="infinity in disguise"),
        pytest.param(b"1" + b"0" * 400, id="10^400"),
        pytest.param(b"3.0", id="a whole float"),
        pytest.param(b"3e0", id="an exponent"),
        pytest.param(b"-0.0", id="minus zero as a float"),
        pytest.param(b"0." + b"0" * MIB, id="a million zeros after the point"),
        pytest.param(b"18446744073709551619", id="three above 2^64"),
        pytest.param(b"-1", id="below zero"),
    ],
)
def test_a_number_that_is_no_small_whole_one_is_invalid(number: bytes) -> None:
    with pytest.raises(Invalid):
        decode(ROUNDS, ENDED.replace(b'"rounds": 3', b'"rounds": ' + number))


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"+3", b"0x3", b"3.", b".3", b"03", b"--3"])
def test_what_json_does_not_call_a_number_is_undecodable(number: bytes) -> None:
    with pytest.raises(Undecodable):
        decode(ROUNDS, ENDED.replace(b'"rounds": 3', b'"rounds": ' + number))


def test_minus_zero_is_zero() -> None:
    assert decode(ROUNDS, ENDED.replace(b'"rounds": 3', b'"rounds": -0')).rounds == 0


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b'"x": "\x00"', id="a bare zero byte"),
        pytest.param(b'"x": "\xc0\x80"', id="an overlong zero"),
        pytest.param(b'"x": "\xed\xa0\x80"', id="a surrogate as UTF-8"),
        pytest.param(b'"x": "\xf4\x90\x80\x80"', id="a sign above the last one"),
        pytest.param(b'"x": "\\udc00\\ud800"', id="a surrogate pair the wrong way round"),
        pytest.param(b'"x": "\\u12"', id="an escape cut short"),
        pytest.param(b'"x": "\\x41"', id="an escape that JSON does not know"),
    ],
)
def test_what_is_no_text_is_undecodable_even_in_a_field_that_is_not_ours(text: bytes) -> None:
    with pytest.raises(Undecodable):
        decode(ROUNDS, with_field(text))


@pytest.mark.parametrize("bracket", [(b"[", b"]"), (b'{"y":', b"}")], ids=["arrays", "objects"])
@pytest.mark.parametrize("depth", [100, 900, 5_000, 170_000])
def test_nesting_is_decoded_or_undecodable_at_any_depth(depth: int, bracket: tuple[bytes, bytes]) -> None:
    value = with_field(b'"x": ' + bracket[0] * depth + b"1" + bracket[1] * depth)
    assert len(value) < MIB + 1024
    try:
        assert decode(ROUNDS, value).rounds == 3
    except Undecodable:
        assert depth >= 900


def test_a_deep_value_in_the_place_of_a_field_of_ours_is_refused() -> None:
    value: Any = ENDED.replace(b'"rounds": 3', b'"rounds": ' + b"[" * 100_000 + b"]" * 100_000)
    with pytest.raises(BadRecord):
        decode(ROUNDS, value)
