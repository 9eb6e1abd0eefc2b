"""What a record may be: every kind of fault gets its verdict, and nothing else is ever raised."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.bets import BetsPlaced, Slip
from contract.codec import Invalid, Undecodable, UnknownType, decode, encode
from contract.rounds import RoundDealt, ShoeEnded, TableOpened
from contract.topics import ALERTS, BETS, CATALOGUE, DEAD_LETTERS, ROUNDS, SCOREBOARDS, SETTLEMENTS

ENDED = {
    "type": "shoe_ended",
    "table_id": "T01",
    "occurred_at": "2026-11-30T18:00:00.000Z",
    "shoe_no": 1,
    "rounds": 3,
}
DEALT = {
    "type": "round_dealt",
    "table_id": "T01",
    "occurred_at": "2026-11-30T18:00:00.000Z",
    "shoe_no": 1,
    "round_no": 1,
    "revision": 0,
    "player": ["7H", "9H"],
    "banker": ["8H", "4H", "KC"],
    "paytable": "classic@1",
}
SLIP = {
    "slip_id": "a",
    "bettor": "seat-1",
    "bet": "player",
    "stake": 100,
    "placed_at": "2026-11-30T18:00:00.000Z",
}
BATCH = {
    "type": "bets_placed",
    "table_id": "T01",
    "occurred_at": "2026-11-30T18:00:00.000Z",
    "shoe_no": 1,
    "round_no": 1,
    "batch_id": "T01-1-1-1",
    "currency": "EUR",
    "slips": [SLIP],
}
OPENED = {
    "type": "table_opened",
    "table_id": "T01",
    "occurred_at": "2026-11-30T18:00:00.000Z",
    "config_no": 1,
    "names": {"en": "Baccarat 01"},
    "currency": "EUR",
}


def raw(value: dict[str, Any], **changes: Any) -> bytes:
    return json.dumps({**value, **changes}).encode()


def without(value: dict[str, Any], field: str) -> dict[str, Any]:
    return {name: content for name, content in value.items() if name != field}


GOOD = raw(ENDED)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(None, id="a tombstone"),
        pytest.param(b"", id="nothing"),
        pytest.param(b" ", id="white space"),
        pytest.param(b"\x00", id="a zero byte"),
        pytest.param(b"rubbish", id="text"),
        pytest.param(b"{}}", id="a bracket too many"),
        pytest.param(b'{"type": 5}}', id="a bracket too many after a wrong type"),
        pytest.param(GOOD + b"x", id="something after it"),
        pytest.param(GOOD + GOOD, id="two objects"),
        pytest.param(b"\xef\xbb\xbf" + GOOD, id="a byte order mark"),
        pytest.param(GOOD.decode().encode("utf-16"), id="UTF-16"),
        pytest.param(GOOD.replace(b"T01", b"\xff01"), id="no UTF-8 in a field"),
        pytest.param(GOOD[:-1] + b', "x": "\xff"}', id="no UTF-8 in a field that is not ours"),
        pytest.param(GOOD[:-1] + b', "\xc3": 1}', id="no UTF-8 in a name that is not ours"),
        pytest.param(GOOD.replace(b"T01", b"\\ud800"), id="half a surrogate pair"),
        pytest.param(GOOD[:-1] + b', "x": "\\ud800"}', id="half a surrogate pair in a field that is not ours"),
        pytest.param(GOOD[:-1] + b', "x": NaN}', id="NaN"),
        pytest.param(GOOD[:-1] + b', "x": Infinity}', id="Infinity"),
        pytest.param(GOOD[:-1] + b', "x": 01}', id="a leading zero"),
        pytest.param(GOOD[:-1] + b', "x": "a\nb"}', id="a bare line end in a text"),
        pytest.param(GOOD[:-1] + b', "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", id="a hundred thousand brackets"),
        pytest.param(GOOD[:-1] + b', "x": ' + b'{"y":' * 100_000 + b"1" + b"}" * 100_000 + b"}", id="as many braces"),
        pytest.param(b'{"type": "no_such_event", ', id="an unknown event that breaks off"),
        pytest.param(b'{"type": "shoe_ended", "table_id": 5, ', id="a wrong field, then it breaks off"),
        pytest.param(b"[1]", id="an array"),
        pytest.param(b' \r\n\t["type"]', id="an array after white space"),
        pytest.param(b'"shoe_ended"', id="a text"),
        pytest.param(b"7", id="a number"),
        pytest.param(b"null", id="null"),
    ],
)
def test_what_is_no_json_object_is_undecodable(value: bytes | None) -> None:
    with pytest.raises(Undecodable) as fault:
        decode(ROUNDS, value)
    assert fault.value.code == "undecodable"


@pytest.mark.parametrize("length", range(len(GOOD)))
def test_a_record_cut_short_anywhere_is_undecodable(length: int) -> None:
    with pytest.raises(Undecodable):
        decode(ROUNDS, GOOD[:length])


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(b"{}", id="no type"),
        pytest.param(raw(ENDED, type=5), id="a type that is no text"),
        pytest.param(raw(ENDED, type=None), id="a type of null"),
        *(pytest.param(raw(without(ENDED, field)), id=f"no {field}") for field in ENDED),
        *(pytest.param(raw(without(DEALT, field)), id=f"a round without {field}") for field in DEALT),
        pytest.param(raw(ENDED, shoe_no=0), id="shoe 0"),
        pytest.param(raw(ENDED, shoe_no=-1), id="shoe -1"),
        pytest.param(raw(ENDED, shoe_no=10**9 + 1), id="a shoe above 10^9"),
        pytest.param(raw(ENDED, shoe_no=10**40), id="a shoe of forty digits"),
        pytest.param(GOOD.replace(b'"shoe_no": 1', b'"shoe_no": ' + b"1" * 5000), id="a shoe of 5,000 digits"),
        pytest.param(GOOD.replace(b'"shoe_no": 1', b'"shoe_no": 1.0'), id="a float, even a whole one"),
        pytest.param(GOOD.replace(b'"shoe_no": 1', b'"shoe_no": 1e0'), id="an exponent"),
        pytest.param(raw(ENDED, shoe_no="1"), id="a number as text"),
        pytest.param(raw(ENDED, shoe_no=True), id="true for a number"),
        pytest.param(raw(ENDED, shoe_no=None), id="null for a number"),
        pytest.param(raw(ENDED, rounds=201), id="201 rounds"),
        pytest.param(raw(ENDED, rounds=-1), id="-1 rounds"),
        pytest.param(raw(ENDED, table_id=""), id="a table without a name"),
        pytest.param(raw(ENDED, table_id="T" * 65), id="a table name of 65 letters"),
        pytest.param(raw(ENDED, table_id="-T01"), id="a table name that begins with a dash"),
        pytest.param(raw(ENDED, table_id="T/1"), id="a slash in a table name"),
        pytest.param(raw(ENDED, table_id="T01\n"), id="a line end in a table name"),
        pytest.param(raw(ENDED, table_id="Т01"), id="a Cyrillic T in a table name"),  # noqa: RUF001
        pytest.param(raw(ENDED, occurred_at="2026-11-30T18:00:00"), id="a time without zone"),
        pytest.param(raw(ENDED, occurred_at="2026-11-30T23:59:60Z"), id="a leap second"),
        pytest.param(raw(ENDED, occurred_at="0001-01-01T00:00:00+01:00"), id="a time before the year 1"),
        pytest.param(raw(ENDED, occurred_at="9999-12-31T23:59:59-01:00"), id="a time after the year 9999"),
        pytest.param(raw(ENDED, occurred_at=1764525600), id="a time as number"),
        pytest.param(raw(ENDED, occurred_at="2" * 65), id="a time of 65 letters"),
        pytest.param(raw(DEALT, round_no=0), id="round 0"),
        pytest.param(raw(DEALT, round_no=201), id="round 201"),
        pytest.param(raw(DEALT, revision=1), id="a dealt round with a revision"),
        pytest.param(raw(DEALT, player=["7H"]), id="a hand of one card"),
        pytest.param(raw(DEALT, player=["7H"] * 4), id="a hand of four cards"),
        pytest.param(raw(DEALT, player=["10H", "9H"]), id="10 for T"),
        pytest.param(raw(DEALT, player=["7h", "9H"]), id="a small letter"),
        pytest.param(raw(DEALT, player=["7H\n", "9H"]), id="a line end after a card"),
        pytest.param(raw(without(DEALT, "player")), id="Banker's cards alone"),
        pytest.param(raw(without(DEALT, "banker")), id="Player's cards alone"),
        pytest.param(raw(without(DEALT, "banker"), outcome="player"), id="one hand with an outcome"),
        pytest.param(raw(without(without(DEALT, "player"), "banker"), player_total=5), id="a keypad without outcome"),
        pytest.param(raw(DEALT, outcome="B"), id="a letter for an outcome"),
        pytest.param(raw(DEALT, player_total=10), id="a total of 10"),
        pytest.param(raw(DEALT, player_pair=1), id="1 for true"),
        pytest.param(raw(DEALT, paytable=""), id="a pay table without name"),
        pytest.param(raw(DEALT, paytable="p" * 129), id="a pay table name of 129 letters"),
        pytest.param(raw(DEALT, betting_closed_at="18:00"), id="a closing time that is none"),
        pytest.param(raw(OPENED, currency="eur"), id="a currency in small letters"),
        pytest.param(raw(OPENED, currency="EURO"), id="a currency of four letters"),
        pytest.param(raw(OPENED, currency="QQQ"), id="a currency that is none"),
        pytest.param(raw(OPENED, config_no=-1), id="config -1"),
        pytest.param(raw(OPENED, config_no=2**53), id="a config number that JavaScript would round"),
        pytest.param(raw(OPENED, place="x" * 501), id="a place of 501 letters"),
        pytest.param(raw(OPENED, names={"en": "x" * 501}), id="a name of 501 letters"),
        pytest.param(raw(OPENED, names={str(n): "x" for n in range(21)}), id="21 names"),
        pytest.param(raw(OPENED, limits={str(n): {"min": 0, "max": 1} for n in range(101)}), id="101 limits"),
        pytest.param(raw(OPENED, limits={"tie": {"min": 0, "max": 2**53}}), id="a limit above 2^53-1"),
        pytest.param(raw(OPENED, tail="turn"), id="an unknown tail policy"),
        pytest.param(raw(OPENED, road_rows=0), id="roads without rows"),
        pytest.param(raw({**ENDED, "type": "shoe_started"}, decks=0), id="a shoe of no decks"),
        pytest.param(raw({**ENDED, "type": "shoe_started"}, decks=9), id="a shoe of nine decks"),
        pytest.param(raw({**ENDED, "type": "shoe_started"}, decks=8, burn_card="1C"), id="a burn card that is none"),
    ],
)
def test_what_breaks_the_schema_of_its_event_is_invalid(value: bytes) -> None:
    with pytest.raises(Invalid) as fault:
        decode(ROUNDS, value)
    assert fault.value.code == "invalid"


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(raw(BATCH, slips=[]), id="no slips"),
        pytest.param(raw(BATCH, slips=[{**SLIP, "slip_id": str(n)} for n in range(1001)]), id="1,001 slips"),
        pytest.param(raw(BATCH, slips=[{**SLIP, "stake": 0}]), id="a stake of nothing"),
        pytest.param(raw(BATCH, slips=[{**SLIP, "stake": -1}]), id="a stake below nothing"),
        pytest.param(raw(BATCH, slips=[{**SLIP, "stake": 2**53}]), id="a stake above 2^53-1"),
        pytest.param(raw(BATCH, slips=[{**SLIP, "stake": 10.5}]), id="a stake with a fraction"),
        pytest.param(raw(BATCH, slips=[{**SLIP, "slip_id": ""}]), id="a slip without id"),
        pytest.param(raw(BATCH, slips=[{**SLIP, "bettor": "b" * 129}]), id="a bettor of 129 letters"),
        pytest.param(raw(BATCH, slips=[{**SLIP, "placed_at": "2026-11-30T18:00:00"}]), id="placed at no zone"),
        pytest.param(raw(BATCH, batch_id="b" * 129), id="a batch id of 129 letters"),
    ],
)
def test_a_batch_that_breaks_the_schema_is_invalid(value: bytes) -> None:
    with pytest.raises(Invalid):
        decode(BETS, value)


def test_a_slip_id_used_twice_makes_the_batch_invalid_and_is_named() -> None:
    slips = [{**SLIP, "slip_id": slip_id} for slip_id in ("a", "b", "twice", "c", "twice")]
    with pytest.raises(Invalid, match="'twice'"):
        decode(BETS, raw(BATCH, slips=slips))


def test_a_batch_may_have_a_thousand_slips_and_the_greatest_stake() -> None:
    slips = [{**SLIP, "slip_id": str(n), "stake": 2**53 - 1} for n in range(1000)]
    assert sum(slip.stake for slip in decode(BETS, raw(BATCH, slips=slips)).slips) == 1000 * (2**53 - 1)


def test_the_fault_names_the_place_in_the_value() -> None:
    with pytest.raises(Invalid, match=r"\$\.slips\[1\]\.stake"):
        decode(BETS, raw(BATCH, slips=[SLIP, {**SLIP, "slip_id": "b", "stake": 0}]))


@pytest.mark.parametrize(
    ("topic", "value", "said"),
    [(BETS, ENDED, "shoe_ended"), (ROUNDS, BATCH, "bets_placed"), (SETTLEMENTS, DEALT, "round_dealt")],
)
def test_an_event_on_the_wrong_topic_is_invalid(topic: Any, value: dict[str, Any], said: str) -> None:
    with pytest.raises(Invalid, match=f"{said} does not belong in {topic.name}"):
        decode(topic, raw(value))


@pytest.mark.parametrize("topic", [ROUNDS, BETS, SCOREBOARDS, ALERTS], ids=lambda topic: topic.name)
def test_an_event_of_a_type_yet_to_come_is_skipped(topic: Any) -> None:
    with pytest.raises(UnknownType, match="dealer_changed"):
        decode(topic, b'{"type": "dealer_changed", "table_id": 7}')


def test_unknown_fields_are_ignored() -> None:
    assert decode(ROUNDS, raw(ENDED, dealer="amy", nested={"a": [1, None, {"b": 10**400}]})) == decode(ROUNDS, GOOD)


def test_an_explicit_null_is_an_absent_field() -> None:
    assert decode(ROUNDS, raw(DEALT, outcome=None, player_total=None)) == decode(ROUNDS, raw(DEALT))


def test_equal_instants_are_equal_events_and_equal_bytes() -> None:
    zoned = decode(ROUNDS, raw(ENDED, occurred_at="2026-12-01T02:00:00+08:00"))
    assert zoned == decode(ROUNDS, GOOD)
    assert encode(zoned) == encode(decode(ROUNDS, GOOD))


def test_the_times_of_slips_and_of_the_closing_are_canonical_too() -> None:
    batch = decode(BETS, raw(BATCH, slips=[{**SLIP, "placed_at": "2026-11-30T19:00:00+01:00"}]))
    dealt = decode(ROUNDS, raw(DEALT, betting_closed_at="2026-11-30T17:59:59.9000Z"))
    assert batch.slips[0].placed_at == "2026-11-30T18:00:00.000Z"
    assert dealt.betting_closed_at == "2026-11-30T17:59:59.900Z"


def test_an_event_made_here_has_canonical_times_as_one_decoded() -> None:
    made = ShoeEnded(table_id="T01", occurred_at="2026-11-30T18:00:00Z", shoe_no=1, rounds=3)
    slip = Slip(slip_id="a", bettor="seat-1", bet="player", stake=100, placed_at="2026-11-30T18:00:00Z")
    batch = BetsPlaced(
        table_id="T01",
        occurred_at="2026-11-30T18:00:00Z",
        shoe_no=1,
        round_no=1,
        batch_id="T01-1-1-1",
        currency="EUR",
        slips=(slip,),
    )
    assert made == decode(ROUNDS, GOOD)
    assert batch == decode(BETS, raw(BATCH))


def test_a_table_says_all_its_settings_and_a_round_only_what_is_known() -> None:
    opened, dealt = decode(ROUNDS, raw(OPENED)), decode(ROUNDS, raw(DEALT))
    assert isinstance(opened, TableOpened)
    assert isinstance(dealt, RoundDealt)
    assert json.loads(encode(opened)) == {
        **OPENED,
        "place": "",
        "limits": {},
        "bets": True,
        "road_rows": 6,
        "tail": "stay",
        "time_zone": "UTC",
    }
    assert json.loads(encode(dealt)) == DEALT


def test_dead_letters_hold_no_events() -> None:
    assert DEAD_LETTERS.events == ()
    assert [topic for topic in CATALOGUE if not topic.events] == [DEAD_LETTERS]


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(st.sampled_from([ENDED, DEALT, OPENED]), st.data())
@settings(deadline=None)
def test_a_value_in_the_wrong_place_is_taken_invalid_or_unknown_and_nothing_else(
    value: dict[str, Any], data: st.DataObject
) -> None:
    changes = data.draw(st.dictionaries(st.sampled_from(sorted(value)), JSON_VALUES, max_size=3))
    try:
        event = decode(ROUNDS, msgspec.json.encode({**value, **changes}))
    except (Invalid, UnknownType):
        return
    assert decode(ROUNDS, encode(event)) == event


@given(st.binary(max_size=80))
@settings(deadline=None)
def test_bytes_are_taken_or_refused_and_nothing_else(value: bytes) -> None:
    with pytest.raises((Undecodable, Invalid, UnknownType)):
        decode(ROUNDS, value)
