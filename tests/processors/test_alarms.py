"""Notices of order, time and limits: when people get them, when they are cleared, and what they say can be done."""

from collections.abc import Callable
from typing import Any

import pytest

from processors.effects import Fold
from processors.letters import FaultIsOurs
from processors.scoreboards import Scoreboards
from processors.settlements import Settlements
from processors.statistics import Statistics
from tests.processors.reading import APPENDED_MS, PARTITIONS, Reader, example

TWO_MINUTES_MS = 120_000


def boards() -> Reader:
    return Reader(Scoreboards(PARTITIONS))


def cashier() -> Reader:
    return Reader(Settlements(PARTITIONS))


def dealt(shoe_no: int, round_no: int, **more: Any) -> dict[str, Any]:
    return example("round_dealt", shoe_no=shoe_no, round_no=round_no, **more)


def voided(shoe_no: int, round_no: int, revision: int = 1, **more: Any) -> dict[str, Any]:
    return example("round_voided", shoe_no=shoe_no, round_no=round_no, revision=revision, **more)


def started(shoe_no: int, **more: Any) -> dict[str, Any]:
    return example("shoe_started", shoe_no=shoe_no, **more)


def betting(shoe_no: int, round_no: int) -> dict[str, Any]:
    return example("betting_opened", shoe_no=shoe_no, round_no=round_no)


def batch(shoe_no: int, round_no: int, name: str, **more: Any) -> dict[str, Any]:
    return example("bets_placed", shoe_no=shoe_no, round_no=round_no, batch_id=name, **more)


# Gaps


def test_a_gap_is_told_after_five_later_rounds_and_cleared_when_its_round_arrives() -> None:
    reader = boards()
    reader.take(*(dealt(1, number) for number in (1, 3, 4, 5, 6)))
    assert reader.alerts == []
    reader.take(dealt(1, 7), dealt(1, 8))
    assert reader.told("gap") == [("raised", "1/2", 1)]
    assert reader.alerts[0]["message"] == (
        "Round 2 of shoe 1 has not arrived; rounds up to 7 have. "
        "Publish it, or void it with revision 1 if there was none."
    )
    reader.take(dealt(1, 2))
    assert reader.told("gap") == [("raised", "1/2", 1), ("cleared", "1/2", 0)]
    assert reader.alerts[1]["message"] == "Round 2 of shoe 1 is missing no more."


@pytest.mark.parametrize("later", [betting(1, 4), dealt(1, 3), started(2), example("table_opened")])
def test_a_gap_is_told_once_a_later_record_of_the_table_was_appended_two_minutes_after_it_was_seen(later: Any) -> None:
    reader = boards()
    reader.take(dealt(1, 1), dealt(1, 3))
    reader.at_ms += TWO_MINUTES_MS
    reader.take(later)
    assert reader.told("gap") == []
    reader.at_ms += 1
    reader.take(later)
    assert reader.told("gap") == [("raised", "1/2", 1)]


def test_a_void_of_a_number_that_never_came_clears_its_gap() -> None:
    reader = boards()
    reader.take(dealt(1, 1), dealt(1, 3))
    reader.at_ms += TWO_MINUTES_MS + 1
    reader.take(betting(1, 4), voided(1, 2))
    assert reader.told("gap") == [("raised", "1/2", 1), ("cleared", "1/2", 0)]
    assert (reader.board["gaps"], reader.board["counts"]["missing"]) == ([], 0)


def test_a_round_number_far_too_high_raises_its_gaps_and_a_void_of_it_clears_them_all() -> None:
    reader = boards()
    reader.take(dealt(1, 1), dealt(1, 200))
    raised = [subject for state, subject, _ in reader.told("gap") if state == "raised"]
    assert raised == [f"1/{number}" for number in range(2, 196)]
    reader.take(voided(1, 200))
    assert [subject for state, subject, _ in reader.told("gap") if state == "cleared"] == raised
    assert reader.board["gaps"] == []


@pytest.mark.parametrize("back", [0, 1, 2])
def test_a_gap_that_was_told_before_a_restart_is_not_told_again_and_is_cleared(back: int) -> None:
    reader = boards()
    later = [betting(1, 4), betting(1, 4)]
    reader.take(dealt(1, 1), dealt(1, 3))
    reader.at_ms += TWO_MINUTES_MS + 1
    reader.take(*later)
    reader.restart(back)
    reader.take(*later[2 - back :], betting(1, 5))
    raised = [notice for notice in reader.told("gap") if notice[0] == "raised"]
    assert raised == [("raised", "1/2", 1)] * (2 if back == 2 else 1)  # again only by the very record that raised it
    reader.take(dealt(1, 2))
    assert reader.told("gap")[-1] == ("cleared", "1/2", 0)


def test_a_notice_that_a_crash_may_have_lost_is_sent_again_although_the_rows_are_ahead() -> None:
    reader = boards()
    events = [dealt(1, 1), *(dealt(1, number) for number in range(3, 8)), dealt(1, 2)]
    reader.take(*events)
    reader.alerts.clear()
    reader.restart(back=2)
    reader.take(*events[-2:])
    assert reader.told("gap")[-1] == ("cleared", "1/2", 0)


def test_a_gap_of_a_shoe_that_is_left_for_good_is_cleared_and_said_to_stay() -> None:
    reader = boards()
    reader.take(dealt(1, 1), *(dealt(1, number) for number in range(3, 8)), started(2), started(3))
    reader.forget(1)
    assert reader.told("gap") == [("raised", "1/2", 1), ("cleared", "1/2", 0)]
    assert reader.alerts[-1]["message"] == (
        "Shoe 1 is left behind for good, with this in its record: a round that never arrived (2)."
    )
    assert not [key for key in reader.rows if key.startswith(b"B07/1/")]


# Impossible counts


def nines(shoe_no: int, rounds: int, **more: Any) -> list[dict[str, Any]]:
    """Rounds of which each shows one 9H: Player has 9 and wins."""
    hands = {"player": ["9H", "TD"], "banker": ["2C", "5S"]}
    return [dealt(shoe_no, number, **{**hands, **more}) for number in range(1, rounds + 1)]


def test_a_card_seen_nine_times_in_eight_packs_is_told_and_the_round_stands() -> None:
    reader = boards()
    reader.take(*nines(1, 8))
    assert reader.alerts == []
    reader.take(nines(1, 9)[-1])
    assert reader.told("impossible_count") == [
        (state, f"1/{card}", 9) for card in ("2C", "5S", "9H", "TD") for state in ("raised",)
    ]
    told = next(alert for alert in reader.alerts if alert["subject"] == "1/9H")
    assert told["message"] == (
        "The card 9H was seen 9 times in shoe 1 of 8 packs, which is more than there are. A hand was read wrongly, or "
        "the packs of the shoe are: correct what is wrong. The rounds stand until then."
    )
    assert (told["shoe_no"], told["round_no"], reader.board["counts"]["rounds"]) == (1, 9, 9)
    assert reader.codes == []


@pytest.mark.parametrize(
    "mend",
    [
        voided(1, 3),
        example("round_corrected", shoe_no=1, round_no=3, player=["9C", "TH"], banker=["2D", "5C"]),
        example("round_corrected", shoe_no=1, round_no=3, player=None, banker=None, outcome="player"),
    ],
)
@pytest.mark.parametrize("restart", [False, True])
def test_an_impossible_count_is_cleared_by_a_correction_or_a_void(mend: dict[str, Any], *, restart: bool) -> None:
    reader = boards()
    reader.take(*nines(1, 9))
    if restart:
        reader.restart()
    reader.take(mend)
    assert reader.told("impossible_count")[4:] == [("cleared", f"1/{card}", 0) for card in ("2C", "5S", "9H", "TD")]


def test_without_suits_a_rank_is_told_above_four_times_the_packs() -> None:
    reader = boards()
    reader.take(started(1, decks=1), *nines(1, 4, player=["9", "T"], banker=["2", "5"]))
    assert reader.alerts == []
    reader.take(dealt(1, 5, player=["9", "J"], banker=["3", "4"]))
    assert reader.told("impossible_count") == [("raised", "1/9", 5)]
    assert "The rank 9 was seen 5 times in shoe 1 of 1 packs" in reader.alerts[-1]["message"]


def test_suits_and_bare_ranks_count_together_and_the_burnt_card_with_them() -> None:
    reader = boards()
    reader.take(started(1, decks=1, burn_card="9H"), *nines(1, 3, player=["9", "T"], banker=["2", "5"]))
    assert reader.alerts == []
    reader.take(dealt(1, 4, player=["9S", "J"], banker=["3", "4"]))
    assert reader.told("impossible_count") == [("raised", "1/9", 5)]


def test_a_count_that_goes_on_growing_is_told_as_changed() -> None:
    reader = boards()
    reader.take(*nines(1, 10))
    notices = [notice for notice in reader.told("impossible_count") if notice[1] == "1/9H"]
    assert notices == [("raised", "1/9H", 9), ("changed", "1/9H", 10)]


def test_packs_that_are_told_late_are_counted_with() -> None:
    reader = boards()
    reader.take(*nines(1, 7), started(1, decks=6))
    assert ("raised", "1/9H", 7) in reader.told("impossible_count")


# Closed tables


def test_rounds_of_a_closed_table_are_told_until_it_is_opened() -> None:
    reader = boards()
    reader.take(example("table_opened", config_no=1), dealt(1, 1), example("table_closed", config_no=2), dealt(1, 2))
    assert reader.told("dealt_while_closed") == [("raised", "B07", None)]
    assert reader.alerts[-1]["message"] == (
        "Round 2 of shoe 1 was dealt while the table is closed. It stands and is settled: open the table (table_opened "
        "with a higher config_no), or void the round."
    )
    reader.take(dealt(1, 3), dealt(1, 3))
    assert reader.told("dealt_while_closed")[1:] == [("changed", "B07", None)]
    reader.restart()
    reader.take(example("table_opened", config_no=3))
    assert reader.told("dealt_while_closed")[2:] == [("cleared", "B07", None)]


def test_a_correction_after_closing_time_is_no_round_dealt_on_a_closed_table() -> None:
    reader = boards()
    reader.take(dealt(1, 1), example("table_closed"))
    reader.take(example("round_corrected", shoe_no=1, round_no=1), voided(1, 1, 2), dealt(1, 1))
    assert reader.told("dealt_while_closed") == []


# Clocks

HOUR = {"fast": "2026-11-30T19:00:00.000Z", "slow": "2026-11-30T17:00:00.000Z"}


@pytest.mark.parametrize(("way", "seconds"), [("fast", 3600), ("slow", -3600)])
def test_a_clock_an_hour_wrong_is_told_and_cleared_and_orders_nothing(way: str, seconds: int) -> None:
    reader, right = boards(), "2026-11-30T18:05:00.000Z"
    reader.take(dealt(1, 2, occurred_at=HOUR[way]), dealt(1, 1, occurred_at=HOUR[way]))
    assert reader.told("clock") == [("raised", "rounds", seconds)]
    assert reader.alerts[0]["message"] == (
        f"The clock of what publishes rounds of B07 is 3600 s {way} (it says {HOUR[way]}). Set it: nothing is ordered "
        "by it, but slips are judged late by the times that the table's system stamps."
    )
    assert [shown["round_no"] for shown in reader.board["rounds"]] == [1, 2]
    reader.restart()
    reader.take(dealt(1, 3, occurred_at=right), dealt(1, 4, occurred_at=right))
    assert reader.told("clock")[1:] == [("cleared", "rounds", 300)]
    assert reader.alerts[-1]["message"] == "The clock of what publishes rounds of B07 agrees with Kafka again."


def test_wrong_clocks_change_no_result_and_no_money() -> None:
    for make, events in (
        (Scoreboards, [dealt(1, 1), dealt(1, 2), voided(1, 2)]),
        (Settlements, [dealt(1, 1), batch(1, 1, "a")]),
    ):
        straight, odd = Reader(make(PARTITIONS)), Reader(make(PARTITIONS))
        straight.take(*events)
        odd.take(*({**event, "occurred_at": at} for event, at in zip(events, [*HOUR.values()] * 2, strict=False)))
        assert _timeless(odd.outs[-1][1]) == _timeless(straight.outs[-1][1])


def _timeless(told: Any) -> Any:
    if isinstance(told, dict):
        return {name: _timeless(value) for name, value in told.items() if name != "occurred_at"}
    return [_timeless(each) for each in told] if isinstance(told, list) else told


def test_the_clock_of_the_bets_is_told_by_itself() -> None:
    reader = cashier()
    reader.take(batch(1, 1, "a", occurred_at=HOUR["fast"]), dealt(1, 1, occurred_at=HOUR["slow"]))
    assert reader.told("clock") == [("raised", "bets", 3600)]


# Verdicts


def test_two_producers_of_one_table_are_told_for_every_conflict() -> None:
    reader = boards()
    mine = [dealt(1, number) for number in (1, 2, 3)]
    other = [dealt(1, number, player=["2D", "TD"], banker=["TC", "8S"]) for number in (1, 2, 3)]
    for pair in zip(mine, other, strict=True):
        reader.take(*pair)
    assert reader.codes == ["conflict"] * 3
    assert reader.told("conflict") == [("raised", f"1/{number}", None) for number in (1, 2, 3)]
    assert reader.alerts[0]["message"] == (
        "A record was refused: shoe_no 1, round_no 1, revision 0 of B07 is held with other content; the first stays. "
        "Two producers may speak for one table, or a number was used twice: publish what is right under the next "
        "revision, or under a new batch_id."
    )
    assert reader.board["roads"]["rounds"] == "PPP"


@pytest.mark.parametrize("make", [Scoreboards, Settlements])
def test_what_comes_too_late_is_told(make: Callable[[int], Fold]) -> None:
    reader = Reader(make(PARTITIONS))
    if make is Scoreboards:
        reader.take(dealt(1, 1), dealt(2, 1), dealt(3, 1), example("round_corrected", shoe_no=1, round_no=1))
    else:
        reader.take(batch(1, 1, "a"), batch(2, 1, "b"), batch(3, 1, "c"), batch(1, 1, "d"))
    assert reader.codes == ["too_old"]
    assert [alert["subject"] for alert in reader.alerts] == ["1/1"]
    assert reader.alerts[0]["message"] == (
        "A record was refused: shoe 1 of B07: the table has been shown at shoe 3. "
        "It can change nothing any more: settle by hand what it was meant to change."
    )


@pytest.mark.parametrize("make", [Scoreboards, Settlements])
def test_a_mistyped_shoe_number_is_told(make: Callable[[int], Fold]) -> None:
    reader = Reader(make(PARTITIONS))
    if make is Scoreboards:
        reader.take(dealt(12, 1), dealt(21, 2))
    else:
        reader.take(batch(12, 1, "a"), batch(121, 1, "b"))
    assert reader.codes == ["shoe_jump"]
    assert reader.alerts[0]["kind"] == "shoe_jump"
    assert reader.alerts[0]["message"].endswith(
        "Was the number mistyped, publish the record under the right one; is it right, publish the shoe_started, then "
        "replay the dead letter."
    )


# Money


def test_batches_that_wait_are_told_once_the_table_is_at_the_next_shoe_and_cleared() -> None:
    reader = cashier()
    reader.take(batch(1, 1, "a"), dealt(1, 2), started(2), started(2))
    assert reader.told("unsettled") == [("raised", "1/1", 1)]
    assert reader.alerts[0]["message"] == (
        "1 batches wait for round 1 of shoe 1, and the table is at a later shoe: publish the round, or void it with "
        "revision 1, before the table is two shoes on."
    )
    reader.take(batch(1, 1, "b"))
    reader.restart()
    reader.take(dealt(2, 1), voided(1, 1))
    assert reader.told("unsettled")[1:] == [("changed", "1/1", 2), ("cleared", "1/1", 0)]
    assert [out["settlements"][0]["reason"] for _, out in reader.outs] == ["round_voided"] * 2


def test_an_unknown_pay_table_is_told_no_longer_when_its_shoe_is_left_behind() -> None:
    reader = cashier()
    reader.take(dealt(1, 1, paytable="house@7"), batch(1, 12, "a"), dealt(1, 12, paytable="house@7"))
    reader.take(dealt(2, 1), started(3), batch(3, 1, "c"), dealt(3, 1))
    reader.forget(1)
    assert reader.told("unknown_paytable") == [
        ("raised", "1/1", 1),
        ("raised", "1/12", 1),
        ("cleared", "1/1", 0),
        ("cleared", "1/12", 0),
    ]
    assert reader.alerts[-1]["message"] == "Shoe 1 is left behind for good; the pay table of round 12 never was known."
    assert reader.told("unsettled") == [("raised", "1/12", 1)]


def test_batches_whose_round_never_came_are_given_up_in_words() -> None:
    reader = cashier()
    reader.take(batch(1, 1, "a"), batch(1, 2, "b"), dealt(1, 1), dealt(2, 1), batch(3, 1, "c"), dealt(3, 1))
    reader.forget(1)
    assert reader.told("unsettled") == [("raised", "1/2", 1), ("changed", "1/2", 1)]
    assert reader.alerts[-1]["message"] == (
        "1 batches of round 2 of shoe 1 were never settled, and the shoe is left behind for good: "
        "give their stakes back by hand."
    )


def test_late_slips_are_told_with_their_number() -> None:
    reader = cashier()
    late = batch(1, 1, "a")
    late["slips"][2]["placed_at"] = "2026-11-30T18:00:58.001Z"
    reader.take(late, dealt(1, 1))
    assert reader.told("late_slips") == [("raised", "a", 1)]
    assert reader.alerts[0]["message"] == (
        "1 slips of batch a came after betting had closed on round 1 of shoe 1; they are refused and their stakes go "
        "back. If betting was open still, correct the round's betting_closed_at."
    )


def slip(bettor: str, bet: str, stake: int) -> dict[str, Any]:
    return {"bettor": bettor, "bet": bet, "stake": stake, "placed_at": "2026-11-30T18:00:10.000Z"}


def placed(*slips: dict[str, Any], **more: Any) -> dict[str, Any]:
    numbered = [{"slip_id": str(number), **each} for number, each in enumerate(slips)]
    return batch(1, 1, "a", slips=numbered, **more)


LIMITS = example("table_opened", limits={"player": {"min": 1000, "max": 50_000}, "tie": {"min": 500, "max": 2000}})


@pytest.mark.parametrize(
    ("slips", "value", "stakes", "worst"),
    [
        ([slip("s1", "player", 50_000), slip("s2", "player", 50_000), slip("s1", "tie", 500)], None, 0, ""),
        ([slip("s1", "player", 50_001)], 1, 1, "s1 with 50001 on player, limits 1000 to 50000"),
        ([slip("s1", "player", 30_000), slip("s1", "player", 30_000)], 10_000, 1, "s1 with 60000 on player"),
        (
            [slip("s1", "player", 51_000), slip("s2", "tie", 4500), slip("s3", "tie", 2000)],
            3500,
            2,
            "s2 with 4500 on tie, limits 500 to 2000",
        ),
        ([slip("s1", "player", 999)], 0, 1, "s1 with 999 on player"),
        ([slip("s1", "player", 600), slip("s1", "player", 600)], None, 0, ""),
        ([slip("s1", "banker", 10**9)], None, 0, ""),
    ],
)
def test_stakes_outside_the_limits_are_told_once_a_batch_and_settled_all_the_same(
    slips: list[dict[str, Any]], value: int | None, stakes: int, worst: str
) -> None:
    reader = cashier()
    reader.take(LIMITS, placed(*slips), dealt(1, 1))
    assert reader.told("limit") == ([("raised", "a", value)] if value is not None else [])
    if value is not None:
        told = reader.alerts[0]
        assert f"{stakes} stakes of batch a on round 1 of shoe 1 are outside the table's limits" in told["message"]
        assert f"(worst: {worst}" in told["message"]
        assert ("none above them" in told["message"]) is (value == 0)
        assert "settled" not in told["message"]
        assert (told["table_id"], told["shoe_no"], told["round_no"]) == ("B07", 1, 1)
    settled = reader.last("baccarat.settlements.v1")["settlements"]
    assert [each["stake"] for each in settled] == [each["stake"] for each in slips]
    assert {each["result"] for each in settled} <= {"won", "lost", "pushed"}


def test_limits_in_another_currency_say_nothing() -> None:
    reader = cashier()
    reader.take(LIMITS, placed(slip("s1", "player", 10**9), currency="JPY"))
    assert reader.told("limit") == []


# Floods


@pytest.mark.parametrize("make", [Scoreboards, Settlements])
def test_a_table_that_floods_is_told_while_others_go_on_and_cleared_when_it_makes_sense_again(
    make: Callable[[int], Fold],
) -> None:
    reader, topic = Reader(make(PARTITIONS)), "baccarat.rounds.v1" if make is Scoreboards else "baccarat.bets.v1"
    sense = dealt(1, 1) if make is Scoreboards else batch(1, 1, "a")
    other = {**sense, "table_id": "B08", "batch_id": "b"}
    reader.take(sense, other)
    for _ in range(1001):
        reader.take(b"rubbish", key="B07", topic=topic)
        reader.take(other)
    name = topic.split(".")[1]
    assert reader.told("dead_letter_flood") == [("raised", name, 101), ("changed", name, 1000)]
    assert {alert["table_id"] for alert in reader.alerts} == {"B07"}
    assert reader.alerts[0]["message"].startswith("101 records in a row of table B07 were refused (the last: ")
    assert len(reader.codes) == 1001
    reader.restart()
    reader.take(sense)
    assert reader.told("dead_letter_flood")[2:] == [("cleared", name, 0)]


def test_records_that_are_understood_and_refused_are_a_flood_too() -> None:
    reader = boards()
    reader.take(dealt(1, 1), dealt(2, 1), dealt(3, 1))
    reader.take(*(dealt(1, number) for number in range(2, 103)))
    assert reader.codes == ["too_old"] * 101
    assert reader.told("dead_letter_flood") == [("raised", "rounds", 101)]


def test_a_flood_whose_notice_a_crash_may_have_lost_is_told_once_more() -> None:
    reader = boards()
    reader.take(dealt(1, 1))
    for number in range(301):
        if number == 150:
            reader.restart()
        reader.take(b"rubbish", key="B07")
    assert reader.told("dead_letter_flood") == [("raised", "rounds", 101)] * 2


def test_waiting_batches_whose_notice_a_crash_may_have_lost_are_told_once_more_whatever_is_read_first() -> None:
    reader = cashier()
    reader.take(batch(1, 1, "a"), started(2))
    reader.restart()
    reader.take(*[batch(1, 1, "a")] * 3)
    assert reader.told("unsettled") == [("raised", "1/1", 1)] * 2


def test_a_source_that_writes_a_new_key_each_time_neither_ends_the_processor_nor_goes_untold() -> None:
    reader = boards()
    reader.take(*(dealt(1, 1, table_id=f"B0{number}") for number in range(1, 4)))
    for number in range(150):
        reader.take(b"rubbish", key=f"x{number}")
    assert [(alert["table_id"], alert["kind"]) for alert in reader.alerts] == [("unknown", "dead_letter_flood")]
    reader.take(dealt(1, 2, table_id="B01"))
    reader.at_ms = APPENDED_MS + 10 * 60 * 1000 + 1
    reader.take(dealt(1, 2, table_id="B02", occurred_at="2026-11-30T18:10:00.000Z"))
    assert reader.told("dead_letter_flood") == [("raised", "rounds", 101), ("cleared", "rounds", 0)]


@pytest.mark.parametrize("make", [Scoreboards, Settlements, Statistics])
def test_rubbish_of_three_tables_that_were_understood_before_ends_the_processor(make: Callable[[int], Fold]) -> None:
    reader = Reader(make(PARTITIONS))
    reader.take(*(dealt(1, 1, table_id=f"B0{number}") for number in range(1, 5)))
    reader.restart()
    for number in range(100):
        reader.take(b"rubbish", key=f"B0{number % 3 + 1}")
    with pytest.raises(FaultIsOurs, match="101 records in a row from at least 3 tables"):
        reader.take(b"rubbish", key="B01")


@pytest.mark.parametrize("key", ["", "no table", "x" * 65, "/", "B07/1"])
def test_keys_that_can_be_no_table_do_not_end_a_processor(key: str) -> None:
    reader = boards()
    for number in range(300):
        reader.take(b"rubbish", key=f"{key or '-'}{number}" if len(key) < 65 else key)
    assert len(reader.codes) == 300


def test_keys_on_a_partition_that_is_not_theirs_do_not_end_a_processor() -> None:
    reader = boards()
    for number in range(300):
        reader.take(b"rubbish", key=f"B{number % 3}", partition=11 if number % 3 else 10)
    assert len(reader.codes) == 300


# Pay tables


def test_an_unknown_pay_table_is_told_until_its_rounds_are_settled() -> None:
    reader = cashier()
    reader.take(batch(1, 1, "a"), dealt(1, 1, paytable="house@7"), dealt(1, 1, paytable="house@7"))
    assert reader.told("unknown_paytable") == [("raised", "1/1", 1)]
    assert reader.alerts[0]["message"] == (
        "Round 1 of shoe 1 names the pay table 'house@7', which is not known here; its batches wait. "
        "Deploy the pay table, then replay the dead letter; or correct the round."
    )
    reader.take(example("round_corrected", shoe_no=1, round_no=1))
    assert reader.told("unknown_paytable")[1:] == [("cleared", "1/1", 0)]


# Rows


@pytest.mark.parametrize("name", ["alarms", "lifetime", "x.alarms"])
@pytest.mark.parametrize("make", [Scoreboards, Settlements, Statistics])
def test_names_that_rows_use_themselves_are_names_like_others(make: Callable[[int], Fold], name: str) -> None:
    odd = {"table_id": name, "occurred_at": HOUR["slow"]}
    events = [
        example("table_opened", **odd),
        dealt(1, 1, **odd),
        batch(1, 1, name, **odd),
        batch(1, 2, "/alarms", **odd),
    ]
    settled = example("bets_settled", shoe_no=1, batch_id=f"{name}/alarms", **odd)
    reader = Reader(make(PARTITIONS))
    reader.take(*(events if make is Settlements else [*events[:2], *([settled] if make is Statistics else [])]))
    before = reader.outs[-1:]
    reader.restart()
    reader.outs.clear()
    reader.take(settled if make is Statistics else events[2] if make is Settlements else events[1])
    assert [_timeless(out) for out in reader.outs[-1:]] == [_timeless(out) for out in before] != []
    assert reader.codes == []
