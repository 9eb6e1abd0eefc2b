"""``beadplate roads``: exactly the format that display boards and analysts read."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from beadplate.offline import roads

DATA = Path(__file__).parents[1] / "data"
VECTORS = json.loads((DATA / "roads.json").read_text())["vectors"]
PUBLISHED = json.loads((DATA / "examples" / "scoreboard.json").read_text())["roads"]
KEYS = [
    "rounds", "rows", "tail", "leading_ties", "bead_plate", "big_road", "big_eye_boy", "small_road", "cockroach_road",
    "ask",
]  # fmt: skip


def drawn(rounds: str | None = None, data: bytes = b"", **options: Any) -> tuple[int, str]:
    out = io.StringIO()
    return roads.run(rounds, stdin=io.BytesIO(data), stdout=out, **options), out.getvalue()


def test_lines_are_answered_with_the_roads_object_of_a_scoreboard() -> None:
    status, out = drawn(data=PUBLISHED["rounds"].encode() + b"\n")
    assert status == 0
    assert json.loads(out) == PUBLISHED
    assert list(json.loads(out)) == KEYS


def test_a_shoe_as_argument_gives_the_same_json() -> None:
    assert drawn("BBBTPBP", format="json") == drawn(data=b"BBBTPBP\n")


def test_every_vector_has_its_line() -> None:
    usual = [vector for vector in VECTORS if (vector["rows"], vector["tail"]) == (6, "stay")]
    status, out = drawn(data="".join(f"{vector['rounds']}\n" for vector in usual).encode())
    assert status == 0
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["rounds"] for line in lines] == [vector["rounds"] for vector in usual]
    for line, vector in zip(lines, usual, strict=True):
        for part in ("leading_ties", "ask"):
            assert line[part] == vector["expected"].get(part, line[part])


def test_an_empty_line_is_an_empty_shoe() -> None:
    status, out = drawn(data=b"\nB\n")
    assert status == 0
    assert [json.loads(line)["rounds"] for line in out.splitlines()] == ["", "B"]


def test_options_reach_the_roads() -> None:
    _, out = drawn("BBBBB", rows=3, tail="drop", format="json")
    shoe = json.loads(out)
    assert (shoe["rows"], shoe["tail"]) == (3, "drop")
    assert shoe["big_road"][-1][:2] == [2, 2]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"BPX", "invalid"),
        (b"bpt", "invalid"),
        (b"B P", "invalid"),
        (b'{"rounds":"B"}', "invalid"),
        (b"B\xff", "undecodable"),
    ],
)
def test_a_bad_line_gives_an_error_in_its_place_and_status_1(line: bytes, code: str) -> None:
    status, out = drawn(data=b"B\n" + line + b"\nP\n")
    assert status == 1
    first, second, third = map(json.loads, out.splitlines())
    assert (first["rounds"], third["rounds"]) == ("B", "P")
    assert list(second) == ["error"]
    assert second["error"]["code"] == code
    assert second["error"]["message"]


def test_text_draws_every_road() -> None:
    assert drawn("TBBTPPPB?P") == (
        0,
        """\
9 rounds, 1 leading ties

Bead plate
  T P
  B B
  B ?
  T P
  P .
  P .

Big road
  B  P  B
  B1 P  .
  .  P  .

Big eye boy
  R B
  . B

Small road
  (nothing yet)

Cockroach road
  (nothing yet)

A next Banker marks big eye boy -, small road -, cockroach -
A next Player marks big eye boy -, small road -, cockroach -
""",
    )


def test_text_says_what_a_next_result_would_mark() -> None:
    _, out = drawn("BP")
    assert "A next Banker marks big eye boy R, small road -, cockroach -" in out
    assert "A next Player marks big eye boy B, small road -, cockroach -" in out


def test_lines_may_be_drawn_as_text_too() -> None:
    status, out = drawn(data=b"B\nX\n", format="text")
    assert status == 1
    assert out.startswith("1 rounds\n")
    assert json.loads(out.splitlines()[-1])["error"]["code"] == "invalid"


@pytest.mark.parametrize(
    ("rounds", "options", "sentence"),
    [
        ("BXP", {}, "'X', letter 2, is no result"),
        ("B", {"rows": 0}, "at least one row"),
        (None, {"rows": 0}, "at least one row"),
        ("B", {"tail": "up"}, "no tail"),
    ],
)
def test_wrong_use_is_one_sentence(rounds: str | None, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence) as misuse:
        drawn(rounds, **options)
    assert "\n" not in str(misuse.value)
