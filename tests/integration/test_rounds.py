"""Rounds through the whole house on a real Kafka: recorded shoes, corrections, voids and rubbish."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aiokafka import AIOKafkaProducer

from broker.closing import opened
from contract.partitions import partition_of
from tests.integration.floor import BETS, ROUNDS, Sent
from tests.integration.house import House, house, newest

DATA = Path(__file__).parents[1] / "data"
NUMBERS = {"table_id": "B07", "shoe_no": 412}


def sent(topic: str, event: dict[str, Any]) -> Sent:
    return Sent(topic, event["table_id"].encode(), json.dumps(event).encode())


def example(name: str, **changes: Any) -> dict[str, Any]:
    return {**json.loads((DATA / "examples" / f"{name}.json").read_text()), **changes}


@pytest.mark.asyncio
@pytest.mark.kafka
@pytest.mark.timeout(180)
async def test_the_recorded_shoes_draw_the_recorded_roads(fresh_kafka: Callable[..., str], tmp_path: Path) -> None:
    shoes = [json.loads(line) for line in (DATA / "recorded_shoes.jsonl").read_text().splitlines()]
    vectors = {vector["rounds"]: vector for vector in json.loads((DATA / "roads.json").read_text())["vectors"]}
    outcomes = {"B": "banker", "P": "player", "T": "tie"}
    records = [
        sent(
            ROUNDS,
            {"type": "round_dealt", "table_id": shoe["table_id"], "shoe_no": shoe["shoe_no"], "round_no": number,
             "occurred_at": "2026-11-30T18:00:00.000Z", "revision": 0, "outcome": outcomes[mark],
             "player_pair": number in shoe["player_pairs"], "banker_pair": number in shoe["banker_pairs"],
             "paytable": "classic@1"},
        )
        for shoe in shoes
        for number, mark in enumerate(shoe["outcomes"], 1)
    ]  # fmt: skip
    async with house(fresh_kafka(), tmp_path) as built:
        built.start("scoreboards")
        await built.publish(records)
        await built.settled("scoreboards")
        boards = newest(await built.read("baccarat.scoreboards.v1"))
    assert len(boards) == len(shoes) > 0
    for shoe in shoes:
        board, vector = boards[shoe["table_id"].encode()], vectors[shoe["outcomes"]]
        for road, expected in vector["expected"].items():
            assert _comparable(road, board["roads"][road]) == _comparable(road, expected), (shoe["table_id"], road)
        assert board["counts"]["player_pair"] == len(shoe["player_pairs"])
        assert board["counts"]["banker_pair"] == len(shoe["banker_pairs"])


def _comparable(road: str, drawn: Any) -> Any:
    """A recorded road is sorted by column, then row, and only its cells are recorded."""
    cells = drawn["cells"] if isinstance(drawn, dict) else drawn
    return sorted((cell[1], cell[0], *cell[2:]) for cell in cells) if road != "leading_ties" else drawn


def _round(number: int, player: list[str], banker: list[str], **more: Any) -> dict[str, Any]:
    return example("round_dealt", round_no=number, player=player, banker=banker, **more)


@pytest.mark.asyncio
@pytest.mark.kafka
@pytest.mark.timeout(180)
async def test_a_corrected_and_a_voided_round_leave_everything_as_if_it_had_been_right_at_first(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    right, wrong = (["4H", "KS", "6D"], ["6C", "9D", "2S"]), (["7H", "9H"], ["8H", "4H", "KC"])
    bets = [sent(BETS, example("bets_placed", round_no=n, batch_id=f"batch-{n}")) for n in (1, 2, 3)]
    first = [sent(ROUNDS, example("shoe_started")), sent(ROUNDS, _round(1, ["2D", "TD"], ["TC", "8S"])), *bets]
    amended = [
        *first,
        sent(ROUNDS, _round(2, *wrong)),
        sent(ROUNDS, _round(3, ["6D", "AD"], ["KH", "KD", "2D"])),
        sent(ROUNDS, example("round_corrected", round_no=2, player=right[0], banker=right[1])),
        sent(ROUNDS, example("round_voided", round_no=3)),
    ]
    straight = [*first, sent(ROUNDS, _round(2, *right)), sent(ROUNDS, example("round_voided", round_no=3))]
    as_other_table = [
        Sent(r.topic, b"B08", r.value.replace(b'"B07"', b'"B08"').replace(b"batch-", b"other-")) for r in straight
    ]
    async with house(fresh_kafka(), tmp_path) as built:
        for name in ("scoreboards", "settlements", "statistics"):
            built.start(name)
        await built.publish([*amended, *as_other_table])
        await built.settled("scoreboards", "settlements", "statistics")
        await built.settled("statistics")  # its source, the settlements, may have grown since
        boards = newest(await built.read("baccarat.scoreboards.v1"))
        figures = newest(await built.read("baccarat.statistics.v1"))
        settled = [json.loads(record.value) for record in await built.read("baccarat.settlements.v1")]
    for field in ("roads", "counts", "gaps", "last_round", "status", "round_no", "good_roads"):
        assert boards[b"B07"][field] == boards[b"B08"][field], field
    assert boards[b"B07"]["counts"]["rounds"] == 2
    assert figures[b"B07"]["scopes"] == figures[b"B08"]["scopes"]
    assert figures[b"B07"]["scopes"]["shoe"]["banker"]["hits"] == 2
    final = {event["batch_id"]: event for event in sorted(settled, key=lambda event: event["revision"])}
    for number in (1, 2, 3):
        mine, other = final[f"batch-{number}"], final[f"other-{number}"]
        assert mine["settlements"] == other["settlements"]
        assert mine["totals"] == other["totals"]
    assert final["batch-2"]["settlements"] == example("bets_settled_corrected")["settlements"]
    assert final["batch-3"]["settlements"] == example("bets_settled_voided")["settlements"]
    assert {event["revision"] for event in settled if event["batch_id"] == "batch-2"} == {0, 1}


@pytest.mark.asyncio
@pytest.mark.kafka
@pytest.mark.timeout(180)
async def test_rubbish_becomes_dead_letters_with_its_bytes_and_the_stream_goes_on(
    fresh_kafka: Callable[..., str], tmp_path: Path
) -> None:
    good = example("round_dealt")
    rubbish = {
        b"\xff\xfe": "undecodable",
        b"": "undecodable",
        b'{"type":"round_dealt","table_id":"B07"}': "invalid",
        json.dumps({**good, "round_no": 0}).encode(): "invalid",
        json.dumps({**good, "player": ["6H", "KD", "2C"], "banker": ["5C", "KS"]}).encode(): "impossible_round",
        json.dumps({**good, "table_id": "B08"}).encode(): "wrong_key",
    }
    unknown = json.dumps({**good, "type": "dealer_changed"}).encode()
    async with house(fresh_kafka(), tmp_path) as built:
        for name in ("scoreboards", "settlements", "statistics"):
            built.start(name)
        await built.publish([Sent(ROUNDS, b"B07", value) for value in (*rubbish, unknown)])
        await built.publish([sent(ROUNDS, good), Sent(BETS, b"B07", b"[1]"), sent(BETS, example("bets_placed"))])
        await _publish_to_the_wrong_partition(built, good)
        await built.settled("scoreboards", "settlements", "statistics")
        letters = await built.read("baccarat.dead-letters.v1")
        boards = newest(await built.read("baccarat.scoreboards.v1"))
        settled = await built.read("baccarat.settlements.v1")
    found = {(letter.value, letter.headers["code"], letter.headers["processor"]) for letter in letters}
    assert found == {
        *((value, code, "scoreboards") for value, code in rubbish.items()),
        (b"[1]", "undecodable", "settlements"),
        (json.dumps(good).encode(), "wrong_partition", "scoreboards"),
    }
    assert all(letter.headers["topic"] in (ROUNDS, BETS) and letter.headers["message"] for letter in letters)
    assert boards[b"B07"]["roads"]["rounds"] == "?P"
    assert len(settled) == 1


async def _publish_to_the_wrong_partition(built: House, event: dict[str, Any]) -> None:
    wrong = (partition_of(b"B07", 12) + 1) % 12
    async with opened(AIOKafkaProducer(bootstrap_servers=built.bootstrap)) as producer:
        await producer.send_and_wait(ROUNDS, json.dumps(event).encode(), b"B07", partition=wrong)
