"""Recorded shoes, line by line: what is said, what is left out and why, in both forms of file."""

import io
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from producer.recorded import BadLine, Happening, RecordedRound, ShoeBegun, ShoeOver
from producer.recordings import LONGEST_LINE, UnknownRecording, read

RECORDED = Path(__file__).parent.parent / "data" / "recorded_shoes.jsonl"
HEADER = "table,shoe,round,player_cards,banker_cards\n"


def entries(text: str | bytes, name: str = "shoes") -> list[Happening | BadLine]:
    raw = text if isinstance(text, bytes) else text.encode()
    return list(read(io.BytesIO(raw), name))


def bad(found: list[Happening | BadLine]) -> list[tuple[int, str]]:
    return [(entry.line, entry.reason) for entry in found if isinstance(entry, BadLine)]


def begun(shoe_no: int, table_id: str = "T01") -> ShoeBegun:
    return ShoeBegun(table_id=table_id, shoe_no=shoe_no)


def over(shoe_no: int, rounds: int, table_id: str = "T01") -> ShoeOver:
    return ShoeOver(table_id=table_id, shoe_no=shoe_no, rounds=rounds)


def cards(shoe_no: int, round_no: int, player: str, banker: str, table_id: str = "T01") -> RecordedRound:
    return RecordedRound(
        table_id=table_id,
        shoe_no=shoe_no,
        round_no=round_no,
        player=tuple(player.split()),
        banker=tuple(banker.split()),
    )


def test_the_recorded_shoes_come_out_as_they_went_in() -> None:
    found = entries(RECORDED.read_bytes())
    shoes = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]
    assert bad(found) == []
    assert [entry for entry in found if isinstance(entry, ShoeBegun)] == [
        begun(shoe["shoe_no"], shoe["table_id"]) for shoe in shoes
    ]
    assert [entry for entry in found if isinstance(entry, ShoeOver)] == [
        over(shoe["shoe_no"], len(shoe["outcomes"]), shoe["table_id"]) for shoe in shoes
    ]
    for shoe in shoes:
        rounds = [e for e in found if isinstance(e, RecordedRound) and e.table_id == shoe["table_id"]]
        assert "".join((entry.outcome or "?")[0].upper() for entry in rounds) == shoe["outcomes"]
        assert [entry.round_no for entry in rounds] == list(range(1, len(shoe["outcomes"]) + 1))
        assert [entry.round_no for entry in rounds if entry.player_pair] == shoe["player_pairs"]
        assert [entry.round_no for entry in rounds if entry.banker_pair] == shoe["banker_pairs"]
        assert {entry.player_pair for entry in rounds} <= {True, False}


def test_pairs_that_were_not_recorded_are_unknown() -> None:
    (_, first, _) = entries('{"table_id":"T01","shoe_no":1,"outcomes":"T","banker_pairs":[]}')
    assert first == RecordedRound(
        table_id="T01", shoe_no=1, round_no=1, outcome="tie", player_pair=None, banker_pair=False
    )


def test_a_shoe_without_rounds_begins_and_ends() -> None:
    assert entries('{"table_id":"T01","shoe_no":1,"outcomes":""}') == [begun(1), over(1, 0)]


def test_a_csv_of_two_tables_that_take_turns() -> None:
    assert entries(
        HEADER
        + "T01,1,1,4H 5S,KD 3C\n"
        + "T02,7,1,7H 9H,8H 4H KC\n"
        + 'T01,1,2,"2D TD","TC 8S"\n'
        + "T01,2,1,A 6,J 5 K\n"
    ) == [
        begun(1),
        cards(1, 1, "4H 5S", "KD 3C"),
        begun(7, "T02"),
        cards(7, 1, "7H 9H", "8H 4H KC", "T02"),
        cards(1, 2, "2D TD", "TC 8S"),
        over(1, 2),
        begun(2),
        cards(2, 1, "A 6", "J 5 K"),
        over(2, 1),
        over(7, 1, "T02"),
    ]


def test_rounds_of_a_csv_may_be_missing_or_out_of_order() -> None:
    found = entries(HEADER + "T01,1,5,4H 5S,KD 3C\nT01,1,2,4H 5S,KD 3C\n")
    assert found == [begun(1), cards(1, 5, "4H 5S", "KD 3C"), cards(1, 2, "4H 5S", "KD 3C"), over(1, 5)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("T01,1,2,4H 5S", "4 fields instead of 5"),
        ("T01,1,2,4H,5S,KD 3C", "6 fields instead of 5"),
        ("T 01,1,2,4H 5S,KD 3C", "'T 01' names no table"),
        (",1,2,4H 5S,KD 3C", "'' names no table"),
        ("T01,0,2,4H 5S,KD 3C", "'0' is no shoe: a number from 1 to 1000000000"),
        ("T01,x,2,4H 5S,KD 3C", "'x' is no shoe"),
        ("T01,1.0,2,4H 5S,KD 3C", "'1.0' is no shoe"),
        ("T01,1000000001,2,4H 5S,KD 3C", "'1000000001' is no shoe"),
        ("T01,1,201,4H 5S,KD 3C", "'201' is no round: a number from 1 to 200"),
        ("T01,1,\N{ARABIC-INDIC DIGIT TWO},4H 5S,KD 3C", "is no round"),
        ("T01,1,2,4H 5X,KD 3C", "'5X'"),
        ("T01,1,2,4H5S,KD 3C", "'4H5S'"),
        ("T01,1,2,4H 10S,KD 3C", "'10S'"),
        ("T01,1,2,4H,KD 3C", "1 cards"),
        ("T01,1,2,,KD 3C", "0 cards"),
        ("T01,1,2,AH 6S,7C KS 2D", "Banker drew on 7: 7C KS 2D"),
        ("T01,1,1,4H 5S,KD 3C", "round 1 of shoe 1 of table T01 stands here again"),
        ('T01,1,2,"4H 5S,KD 3C', "no line of a CSV"),
        ('T01,1,2,"4H" 5S,KD 3C', "no line of a CSV"),
        ("T01,1,2,4H 5\x00S,KD 3C", r"5\x00S"),
    ],
)
def test_a_bad_line_of_a_csv_is_left_out_with_its_number_and_reason(line: str, reason: str) -> None:
    found = entries(HEADER + "T01,1,1,4H 5S,KD 3C\n" + line + "\nT01,1,3,4H 5S,KD 3C\n")
    assert [entry for entry in found if not isinstance(entry, BadLine)] == [
        begun(1),
        cards(1, 1, "4H 5S", "KD 3C"),
        cards(1, 3, "4H 5S", "KD 3C"),
        over(1, 3),
    ]
    ((number, told),) = bad(found)
    assert number == 3
    assert reason in told


def test_a_shoe_that_comes_back_after_a_later_one_is_left_out() -> None:
    found = entries(HEADER + "T01,2,1,4H 5S,KD 3C\nT01,1,1,4H 5S,KD 3C\n")
    assert bad(found) == [(3, "shoe 1 of table T01 stands after its shoe 2")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "truncated"),
        ("[]", "Expected `object`"),
        ('{"shoe_no":1,"outcomes":"B"}', "table_id"),
        ('{"table_id":"T/1","shoe_no":1,"outcomes":"B"}', "table_id"),
        ('{"table_id":"T01","shoe_no":0,"outcomes":"B"}', "shoe_no"),
        ('{"table_id":"T01","shoe_no":1}', "outcomes"),
        ('{"table_id":"T01","shoe_no":1,"outcomes":"BPX"}', "outcomes has 'X' as round 3: write B, P or T"),
        ('{"table_id":"T01","shoe_no":1,"outcomes":"' + "B" * 201 + '"}', "outcomes has 201 rounds"),
        ('{"table_id":"T01","shoe_no":1,"outcomes":"BP","player_pairs":[3]}', "player_pairs names round 3 of 2"),
        ('{"table_id":"T01","shoe_no":1,"outcomes":"BP","banker_pairs":[0]}', "banker_pairs"),
        ('{"table_id":"T01","shoe_no":1,"outcomes":"BP","banker_pairs":[2.5]}', "banker_pairs"),
        ('{"x":' + "[" * 100_000, "recursion"),
        ('{"table_id":"T02","shoe_no":1,"outcomes":"B"}', "shoe 1 of table T02 stands after its shoe 1"),
    ],
)
def test_a_bad_line_of_results_is_left_out_with_its_number_and_reason(line: str, reason: str) -> None:
    before, after = '{"table_id":"T02","shoe_no":1,"outcomes":"B"}', '{"table_id":"T03","shoe_no":1,"outcomes":"T"}'
    found = entries(f"{before}\n\n{line}\n{after}\n")
    ((number, told),) = bad(found)
    assert number == 3
    assert reason in told
    assert [entry for entry in found if isinstance(entry, ShoeOver)] == [over(1, 1, "T02"), over(1, 1, "T03")]


def test_a_line_that_is_no_utf_8_or_too_long_is_left_out_and_the_next_is_read() -> None:
    good = b'{"table_id":"T01","shoe_no":1,"outcomes":"B"}'
    found = entries(b"{\xff}\n" + b"{" + b" " * LONGEST_LINE * 3 + b"}\n" + good)
    assert bad(found) == [(1, "no UTF-8 at byte 2 of the line"), (2, f"longer than {LONGEST_LINE} bytes")]
    assert found[2:][0] == begun(1)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n", "\r\n  \r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_marks_line_ends_and_empty_lines_are_nothing(mark: bytes, end: str) -> None:
    csv = [HEADER.strip(), "T01,1,1,4H 5S,KD 3C", "T01,1,2,4H 5S,KD 3C"]
    shoes = ['{"table_id":"T01","shoe_no":1,"outcomes":"BP"}', '{"table_id":"T01","shoe_no":2,"outcomes":"T"}']
    for lines in (csv, shoes):
        ended = entries(mark + end.join([*lines, ""]).encode())
        assert ended == entries(mark + end.join(lines).encode()) == entries("\n".join(lines))
        assert bad(ended) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "shoes"),
        ("", "shoes.csv"),
        ("T01,1,1,4H 5S,KD 3C\n", "shoes.csv"),
        ("table,shoe,round,player,banker\n", "shoes.csv"),
        ("BPPT\n", "shoes.txt"),
        ("[1]\n", "shoes.json"),
        (b"\x1f\x8b\x08\x00", "shoes.jsonl.gz"),
        (HEADER.encode("utf-16"), "shoes.csv"),
    ],
)
def test_what_is_no_recording_is_said_at_once_and_how_one_looks(text: str | bytes, name: str) -> None:
    with pytest.raises(UnknownRecording, match=f"{name} is no recording.*table,shoe,round,player_cards,banker_cards"):
        entries(text, name)


def test_json_lines_are_known_by_their_name_where_the_first_line_is_bad() -> None:
    found = entries('rubbish\n{"table_id":"T01","shoe_no":1,"outcomes":"B"}\n', "SHOES.JSONL")
    assert [number for number, _ in bad(found)] == [1]
    assert found[1] == begun(1)


def test_an_empty_file_of_json_lines_is_a_recording_of_nothing() -> None:
    assert entries("", "shoes.jsonl") == []


@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_bytes_after_the_header_are_rounds_or_bad_lines(raw: bytes) -> None:
    for entry in entries(HEADER.encode() + raw):
        assert isinstance(entry, ShoeBegun | RecordedRound | ShoeOver | BadLine)


@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_bytes_of_json_lines_are_shoes_or_bad_lines(raw: bytes) -> None:
    for entry in entries(raw, "shoes.jsonl") if not raw.startswith(HEADER.encode()) else []:
        assert isinstance(entry, ShoeBegun | RecordedRound | ShoeOver | BadLine)


def test_memory_does_not_grow_with_the_file() -> None:
    class Endless(io.RawIOBase):
        """Fifty thousand rounds of shoes of eighty, made as they are read."""

        def __init__(self) -> None:
            self._lines = self._make()

        def _make(self) -> Iterator[bytes]:
            yield HEADER.encode()
            for number in range(50_000):
                yield f"T01,{1 + number // 80},{1 + number % 80},4H 5S,KD 3C\n".encode()

        def readline(self, _size: int | None = -1, /) -> bytes:
            return next(self._lines, b"")

    tracemalloc.start()
    try:
        read_rounds = sum(isinstance(entry, RecordedRound) for entry in read(Endless(), "shoes"))  # type: ignore[arg-type]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert read_rounds == 50_000
    assert peak < 500_000
