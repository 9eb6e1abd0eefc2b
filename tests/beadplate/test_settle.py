"""``beadplate settle``: exactly the format of the contract, and an error in the place of every line that is none."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beadplate.offline import settle

DATA = Path(__file__).parents[1] / "data"
SETTLEMENTS = json.loads((DATA / "settlements.json").read_text())
ROUND = {"player": ["4H", "5S"], "banker": ["KD", "3C"]}
SLIP = {"slip_id": "a", "bettor": "1", "bet": "player", "stake": 10000}


def settled(*lines: object, paytable: str = "classic@1") -> tuple[int, list[Any]]:
    encoded = (line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    return run(b"".join(line + b"\n" for line in encoded), paytable)


def run(data: bytes, paytable: str = "classic@1") -> tuple[int, list[Any]]:
    out = io.StringIO()
    status = settle.run(paytable=paytable, stdin=io.BytesIO(data), stdout=out)
    return status, [json.loads(line) for line in out.getvalue().splitlines()]


def error_code(line: object) -> str:
    status, (answer,) = settled(line)
    assert status == 1
    assert list(answer) == ["error"]
    assert answer["error"]["message"]
    code = answer["error"]["code"]
    assert isinstance(code, str)
    return code


def test_the_line_of_the_contract_is_answered_as_there() -> None:
    line = (
        b'{"player":["4H","5S"],"banker":["KD","3C"],'
        b'"slips":[{"slip_id":"a","bettor":"1","bet":"player","stake":10000}]}\n'
    )
    out = io.StringIO()
    assert settle.run(stdin=io.BytesIO(line), stdout=out) == 0
    assert out.getvalue() == (
        '{"outcome":"player","player_total":9,"banker_total":3,"player_natural":true,"banker_natural":false,'
        '"player_pair":false,"banker_pair":false,"settlements":[{"slip_id":"a","bet":"player","stake":10000,'
        '"result":"won","payout":20000,"net":10000}]}\n'
    )


@pytest.mark.parametrize("case", SETTLEMENTS["rounds"], ids=lambda case: case["id"])
def test_recorded_rounds_are_settled_as_recorded(case: dict[str, Any]) -> None:
    nets = case["expected"]["net_per_100"]
    expected = {"player": nets["player"], "banker": nets["banker_5pct"], "tie": nets["tie_9"],
                "player_pair": nets["player_pair_11"], "banker_pair": nets["banker_pair_11"]}  # fmt: skip
    slips = [{"slip_id": bet, "bettor": bet, "bet": bet, "stake": 100} for bet in expected]
    status, (answer,) = settled({"player": case["player"], "banker": case["banker"], "slips": slips})
    assert status == 0
    assert {slip["slip_id"]: slip["net"] for slip in answer["settlements"]} == expected
    assert {slip["slip_id"]: slip["payout"] - slip["stake"] for slip in answer["settlements"]} == expected


@pytest.mark.parametrize(
    "case", [case for case in SETTLEMENTS["rejections"] if "player" in case], ids=lambda case: case["id"]
)
def test_recorded_impossible_rounds_are_refused(case: dict[str, Any]) -> None:
    assert error_code({"player": case["player"], "banker": case["banker"], "slips": [SLIP]}) == "impossible_round"


def test_a_keypad_round_leaves_out_what_nobody_knows() -> None:
    slips = [SLIP, {**SLIP, "slip_id": "b", "bet": "player_pair"}]
    status, (answer,) = settled({"outcome": "tie", "player_total": 7, "banker_total": None, "slips": slips})
    assert status == 0
    assert answer == {
        "outcome": "tie",
        "player_total": 7,
        "settlements": [
            {"slip_id": "a", "bet": "player", "stake": 10000, "result": "pushed", "payout": 10000, "net": 0},
            {"slip_id": "b", "bet": "player_pair", "stake": 10000, "result": "voided", "payout": 10000, "net": 0,
             "reason": "unknown_fact"},
        ],
    }  # fmt: skip


def test_a_round_without_slips_has_its_facts_alone() -> None:
    status, (answer,) = settled(ROUND)
    assert (status, answer["settlements"]) == (0, [])


def test_opposite_slips_and_unknown_bets_are_refused_with_the_reason() -> None:
    slips = [
        SLIP,
        {**SLIP, "slip_id": "b", "bet": "banker"},
        {**SLIP, "slip_id": "c", "bet": "dragon_7"},
        {**SLIP, "slip_id": "d", "bet": "banker", "bettor": "2"},
    ]
    _, (answer,) = settled({**ROUND, "slips": slips})
    assert [(slip["result"], slip.get("reason")) for slip in answer["settlements"]] == [
        ("won", None),
        ("refused", "opposite_bet"),
        ("refused", "unknown_bet"),
        ("lost", None),
    ]


def test_a_slip_without_a_time_is_never_late_and_one_with_a_time_may_be() -> None:
    closed = "2026-11-30T18:00:58Z"
    slips = [
        SLIP,
        {**SLIP, "slip_id": "b", "placed_at": "2026-11-30T19:00:58+01:00"},
        {**SLIP, "slip_id": "c", "placed_at": "2026-11-30T18:00:58.001Z"},
    ]
    _, (answer,) = settled({**ROUND, "betting_closed_at": closed, "slips": slips})
    assert [slip.get("reason") for slip in answer["settlements"]] == [None, None, "late"]
    _, (answer,) = settled({**ROUND, "slips": slips})
    assert [slip.get("reason") for slip in answer["settlements"]] == [None, None, None]


def test_a_free_hand_gives_every_stake_back() -> None:
    _, (answer,) = settled({**ROUND, "free_hand": True, "slips": [SLIP]})
    assert [slip["reason"] for slip in answer["settlements"]] == ["free_hand"]


def test_the_pay_table_is_an_option() -> None:
    tie = {"outcome": "tie", "slips": [{**SLIP, "bet": "tie", "stake": 100}]}
    assert settled(tie)[1][0]["settlements"][0]["payout"] == 1000
    assert settled(tie, paytable="classic-8@1")[1][0]["settlements"][0]["payout"] == 900


def test_an_unknown_pay_table_is_wrong_use() -> None:
    with pytest.raises(ValueError, match="no pay table 'classic@9'; there are classic-8@1, classic@1"):
        settled(ROUND, paytable="classic@9")


def test_a_bad_line_does_not_stop_the_others() -> None:
    status, answers = settled({"outcome": "tie"}, b"rubbish", {"outcome": "banker"})
    assert status == 1
    assert [answer.get("outcome") for answer in answers] == ["tie", None, "banker"]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b"rubbish",
        b"[]",
        b'"tie"',
        b"null",
        b'{"outcome":"tie"',
        b'{"outcome":"tie"} {"outcome":"tie"}',
        b'{"outcome":"tie"}]',
        b'{"outcome":"tie","x":NaN}',
        b'{"outcome":"tie","slips":[{"slip_id":"a","bettor":"1","bet":"tie","stake":NaN}]}',
        b'{"outcome":"tie","slips":5,rubbish',
        b'{"outcome":"tie","x":"\xff"}',
        b'{"outcome":"tie","\xff":1}',
        b'\xef\xbb\xbf{"outcome":"tie"}',
        b'{"outcome":"tie","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b"[" * 500_000,
        b'{"outcome":"tie","x":"' + b"x" * 2_000_000 + b'"}',
        b"{'outcome':'tie'}",
    ],
    ids=lambda line: repr(line[:40]),
)
def test_what_is_no_json_object_is_undecodable(line: bytes) -> None:
    assert error_code(line) == "undecodable"


@pytest.mark.parametrize(
    "change",
    [
        {"stake": 0},
        {"stake": -1},
        {"stake": 1.5},
        {"stake": 100.0},
        {"stake": True},
        {"stake": "100"},
        {"stake": None},
        {"stake": 2**53},
        {"stake": 10**4000},
        {"slip_id": ""},
        {"slip_id": 7},
        {"slip_id": "x" * 129},
        {"bettor": ""},
        {"bettor": None},
        {"bet": 1},
        {"placed_at": "yesterday"},
        {"placed_at": "2026-11-30T18:00:50"},
        {"placed_at": 1_764_525_600},
    ],
    ids=str,
)
def test_a_slip_that_breaks_the_schema_is_invalid(change: dict[str, Any]) -> None:
    assert error_code({**ROUND, "slips": [{**SLIP, **change}]}) == "invalid"


def test_a_number_that_no_program_reads_is_invalid() -> None:
    line = b'{"outcome":"tie","slips":[{"slip_id":"a","bettor":"1","bet":"tie","stake":' + b"9" * 100_000 + b"}]}"
    assert error_code(line) == "invalid"


@pytest.mark.parametrize("missing", ["slip_id", "bettor", "bet", "stake"])
def test_a_slip_that_lacks_a_field_is_invalid(missing: str) -> None:
    assert error_code({**ROUND, "slips": [{key: SLIP[key] for key in SLIP if key != missing}]}) == "invalid"


@pytest.mark.parametrize(
    "change",
    [
        {"player": "4H5S"},
        {"player": [4, 5]},
        {"player": {"first": "4H"}},
        {"outcome": "dealer"},
        {"outcome": "P"},
        {"player_total": 9.0},
        {"player_total": True},
        {"player_pair": 0},
        {"player_natural": "true"},
        {"slips": {}},
        {"slips": [None]},
        {"slips": None},
        {"free_hand": 1},
        {"betting_closed_at": "soon"},
    ],
    ids=str,
)
def test_a_round_that_breaks_the_schema_is_invalid(change: dict[str, Any]) -> None:
    assert error_code({**ROUND, **change}) == "invalid"


def test_a_slip_id_that_stands_twice_is_invalid_and_quoted() -> None:
    status, (answer,) = settled({**ROUND, "slips": [SLIP, {**SLIP, "bet": "tie"}]})
    assert status == 1
    assert answer["error"]["code"] == "invalid"
    assert "'a' stands twice" in answer["error"]["message"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"player": ["6H", "KD"], "banker": ["7C", "KS", "2D"]}, "Banker drew on 7: 7C KS 2D"),
        ({"player": ["4H", "5S"]}, "send both hands or neither"),
        ({**ROUND, "outcome": "tie"}, "outcome tie was keyed, but the cards give outcome player"),
        ({**ROUND, "player": ["4H"]}, "a hand has two or three"),
        ({**ROUND, "player": ["4H", "5S", "AC", "AD"]}, "a hand has two or three"),
        ({**ROUND, "player": ["4H", "11S"]}, "'11S', which is no card"),
        ({"outcome": "tie", "player_total": 7, "banker_total": 6}, "No round can have outcome tie"),
        ({"outcome": "tie", "player_total": 17}, "out of range"),
        ({"outcome": "tie", "player_total": 10**4000}, "out of range"),
        ({}, "needs its outcome"),
    ],
)
def test_an_impossible_round_is_named_by_its_fault(line: dict[str, Any], message: str) -> None:
    status, (answer,) = settled(line)
    assert status == 1
    assert answer["error"]["code"] == "impossible_round"
    assert message in answer["error"]["message"]


def test_other_fields_are_ignored() -> None:
    status, (answer,) = settled({**ROUND, "table_id": "B07", "slips": [{**SLIP, "seat": 3}]})
    assert (status, answer["settlements"][0]["result"]) == (0, "won")


@given(st.binary(max_size=200))
def test_any_bytes_are_answered_line_by_line(data: bytes) -> None:
    _, answers = run(data)
    assert len(answers) == data.count(b"\n") + (not data.endswith(b"\n") and data != b"")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ["player", "banker", "outcome", "player_total", "banker_pair", "slips", "free_hand"]


@given(st.dictionaries(st.sampled_from(FIELDS), JSON | st.sampled_from(["tie", 3, [SLIP]])))
def test_any_object_is_settled_or_refused_with_a_code(line: dict[str, Any]) -> None:
    status, (answer,) = settled(line)
    if status == 0:
        assert answer["outcome"] in ("player", "banker", "tie")
    else:
        assert answer["error"]["code"] in ("invalid", "impossible_round")
