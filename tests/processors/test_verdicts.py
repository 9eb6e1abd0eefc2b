"""Verdicts on records, and the status and gaps that a board shows."""

import json
from typing import Any

import pytest

from baccarat.paytables import UnknownPaytable, load
from processors.letters import FaultIsOurs
from processors.scoreboards import Scoreboards
from processors.settlements import Settlements
from processors.statistics import Statistics
from tests.processors.reading import EXAMPLES, PARTITIONS, Reader, example


def boards() -> Reader:
    return Reader(Scoreboards(PARTITIONS))


def dealt(shoe_no: int, round_no: int, **more: Any) -> dict[str, Any]:
    return example("round_dealt", shoe_no=shoe_no, round_no=round_no, **more)


def started(shoe_no: int, **more: Any) -> dict[str, Any]:
    return example("shoe_started", shoe_no=shoe_no, **more)


def batch(shoe_no: int, round_no: int, name: str, **more: Any) -> dict[str, Any]:
    return example("bets_placed", shoe_no=shoe_no, round_no=round_no, batch_id=name, **more)


def test_the_status_follows_the_greatest_phase_whatever_comes_late() -> None:
    reader = boards()
    seen = []
    for event in (
        example("table_opened"),
        started(1),
        example("betting_opened", shoe_no=1, round_no=1),
        example("betting_closed", shoe_no=1, round_no=1),
        dealt(1, 1),
        example("betting_opened", shoe_no=1, round_no=1),
        example("betting_opened", shoe_no=1, round_no=2),
        example("shoe_ended", shoe_no=1, rounds=1),
        example("table_closed"),
        dealt(1, 2),
    ):
        reader.take(event)
        seen.append(reader.board["status"])
    assert seen == [
        "unknown", "shuffling", "betting", "dealing", "dealt", "dealt", "betting", "shuffling", "closed", "closed",
    ]  # fmt: skip
    assert [alert["kind"] for alert in reader.alerts if alert["kind"] != "clock"] == ["dealt_while_closed"]


def test_a_finished_shoe_stays_until_the_first_event_of_the_next() -> None:
    reader = boards()
    reader.take(dealt(1, 1), example("shoe_ended", shoe_no=1, rounds=1))
    assert (reader.board["shoe_no"], len(reader.board["rounds"])) == (1, 1)
    reader.take(started(2))
    assert (reader.board["shoe_no"], reader.board["rounds"], reader.board["roads"]["rounds"]) == (2, [], "")


def test_a_round_of_a_new_shoe_opens_it_and_closes_the_record_of_the_one_before() -> None:
    reader = boards()
    reader.take(dealt(1, 1), dealt(2, 1))
    assert (reader.board["shoe_no"], reader.board["status"], reader.board["decks"]) == (2, "dealt", 8)
    assert reader.last("baccarat.shoes.v1")["shoe_no"] == 1


def test_a_gap_is_shown_stops_the_roads_and_is_an_alert_after_five_later_rounds_until_it_is_filled() -> None:
    reader = boards()
    reader.take(dealt(1, 1), *(dealt(1, number) for number in range(3, 7)))
    assert reader.alerts == []
    assert (reader.board["gaps"], reader.board["counts"]["missing"], reader.board["counts"]["rounds"]) == ([2], 1, 5)
    assert reader.board["roads"]["rounds"] == "P?PPPP"
    assert reader.board["roads"]["big_road"] == [[0, 0, "P", 0]]
    assert set(reader.board["roads"]["ask"]["B"].values()) == {None}
    reader.take(dealt(1, 7))
    assert [(alert["kind"], alert["state"], alert["subject"]) for alert in reader.alerts] == [("gap", "raised", "1/2")]
    reader.take(example("round_voided", shoe_no=1, round_no=2))
    assert (reader.alerts[-1]["kind"], reader.alerts[-1]["state"]) == ("gap", "cleared")
    assert (reader.board["gaps"], reader.board["roads"]["rounds"]) == ([], "PPPPPP")


def test_the_first_version_of_a_revision_stays_and_another_is_a_conflict() -> None:
    reader = boards()
    reader.take(dealt(1, 1), dealt(1, 1, occurred_at="2026-11-30T19:00:00.000Z"))
    assert reader.codes == []
    reader.take(dealt(1, 1, player=["2D", "TD"], banker=["TC", "8S"]))
    assert reader.codes == ["conflict"]
    assert (reader.alerts[-1]["kind"], reader.board["roads"]["rounds"]) == ("conflict", "P")
    reader.take(started(1), started(1, decks=6), example("table_opened"), example("table_opened", currency="USD"))
    assert reader.codes == ["conflict"] * 3
    assert (reader.board["decks"], reader.board["currency"]) == (8, "EUR")


def test_a_lower_revision_that_comes_late_joins_the_versions_and_changes_no_result() -> None:
    reader = boards()
    reader.take(example("round_corrected"))
    assert "versions" not in reader.board["rounds"][0]
    reader.take(example("round_dealt"))
    shown = reader.board["rounds"][0]
    assert (shown["revision"], shown["outcome"]) == (1, "banker")
    assert [version["revision"] for version in shown["versions"]] == [0, 1]


def test_a_record_two_shoes_behind_is_too_old_but_a_repeat_of_what_is_held_is_not() -> None:
    reader = boards()
    reader.take(dealt(1, 1), dealt(2, 1), dealt(1, 2), dealt(3, 1), dealt(1, 2))
    assert reader.codes == []
    reader.take(dealt(1, 3))
    assert (reader.codes, reader.alerts[-1]["kind"]) == (["too_old"], "too_old")


def test_a_verdict_is_the_same_when_the_record_is_delivered_again_and_the_rows_are_ahead() -> None:
    events = [dealt(1, 1), dealt(9, 1), started(2), dealt(2, 1), started(9), dealt(9, 2), dealt(1, 3)]
    first = boards()
    first.take(*events)
    assert first.codes == ["shoe_jump", "too_old"]
    again = Reader(first.fold)
    again.take(*events)
    assert again.codes == first.codes
    assert again.board == first.board


@pytest.mark.parametrize(
    "refused",
    [
        pytest.param([dealt(4, 1)], id="a round"),
        pytest.param([example("betting_opened", shoe_no=4, round_no=1)], id="a phase that a later one overtakes"),
        pytest.param([example("shoe_ended", shoe_no=4, rounds=9)], id="an end"),
    ],
)
def test_a_record_that_was_refused_is_refused_again_when_its_like_is_held_by_now(refused: list[dict[str, Any]]) -> None:
    later = [started(2), started(3), example("betting_closed", shoe_no=4, round_no=1), dealt(4, 1), *refused]
    events = [dealt(1, 1), *refused, example("betting_opened", shoe_no=5, round_no=1), *later, dealt(6, 1)]
    first = boards()
    first.take(*events)
    again = Reader(first.fold)
    again.take(*events)
    assert again.codes == first.codes == ["shoe_jump", "shoe_jump", "shoe_jump"]
    assert again.board == first.board
    assert again.board["shoe_no"] == 4


def test_a_batch_that_was_refused_is_refused_again_when_its_like_is_held_by_now() -> None:
    far = batch(90, 1, "far")
    events = [batch(1, 1, "a"), far, batch(30, 1, "b"), batch(29, 1, "c"), batch(70, 1, "d"), far, batch(89, 1, "e")]
    first = Reader(Settlements(PARTITIONS))
    first.take(*events)
    again = Reader(first.fold)
    again.take(*events)
    assert again.codes == first.codes == ["shoe_jump"]


@pytest.mark.parametrize(
    ("events", "codes"),
    [
        ([dealt(412, 1)], []),
        ([dealt(1, 1), dealt(3, 1)], ["shoe_jump"]),
        ([dealt(1, 1), started(3), dealt(3, 1)], []),
        ([dealt(1, 1), started(51)], []),
        ([dealt(1, 1), started(52)], ["shoe_jump"]),
        ([dealt(1, 1), started(52, force=True), dealt(52, 1)], []),
    ],
)
def test_a_shoe_number_far_above_the_highest_needs_its_start(events: list[dict[str, Any]], codes: list[str]) -> None:
    reader = boards()
    reader.take(*events)
    assert reader.codes == codes


def test_bets_have_ages_and_jumps_of_their_own() -> None:
    reader = Reader(Settlements(PARTITIONS))
    reader.take(batch(1, 1, "a"), batch(3, 1, "b"), batch(1, 2, "c"), batch(60, 1, "d"), batch(3, 2, "e"))
    assert reader.codes == ["too_old", "shoe_jump"]
    reader.take(dealt(1, 1))
    assert [event["batch_id"] for _, event in reader.outs] == ["a"]


def test_one_number_for_an_opening_and_a_closing_is_judged_by_who_stood_first_also_when_read_again() -> None:
    opened, higher = example("table_opened", config_no=5), example("table_opened", config_no=6)
    reader = boards()
    reader.take(opened, example("table_closed", config_no=5))
    assert reader.codes == ["conflict"]
    reader.take(higher, opened)
    assert reader.codes == ["conflict"]

    reader = boards()
    reader.take(opened, higher, example("table_closed", config_no=5))
    reader.restart(back=3)
    reader.take(opened, higher, example("table_closed", config_no=5))
    assert reader.codes == []


def test_a_batch_id_used_twice_with_other_content_is_a_conflict_wherever_it_stands() -> None:
    reader = Reader(Settlements(PARTITIONS))
    reader.take(batch(1, 1, "a"), batch(1, 1, "a"), batch(1, 2, "a"), dealt(1, 1), dealt(1, 2))
    assert reader.codes == ["conflict"]
    assert [event["round_no"] for _, event in reader.outs] == [1]


def test_faults_of_rounds_are_reported_by_scoreboards_alone() -> None:
    bad = dealt(1, 1, player=["6H", "KD", "2C"], banker=["5C", "KS"])
    for fold, codes in (
        (Scoreboards(PARTITIONS), ["impossible_round"]),
        (Settlements(PARTITIONS), []),
        (Statistics(PARTITIONS), []),
    ):
        reader = Reader(fold)
        reader.take(bad)
        assert reader.codes == codes


def test_a_bad_envelope_is_refused() -> None:
    reader = boards()
    reader.take(dealt(1, 1), key="B08")
    reader.take(dealt(1, 1), partition=7)
    assert reader.codes == ["wrong_key", "wrong_partition"]
    assert reader.outs == []


def test_an_unknown_type_is_skipped_and_counted() -> None:
    reader = boards()
    assert reader.take({**dealt(1, 1), "type": "dealer_changed"}).outs == []
    assert reader.fold.counters()["skipped"] == 1


def test_a_flood_of_one_table_is_one_alert_and_a_flood_of_all_ends_the_processor() -> None:
    reader = boards()
    for _ in range(150):
        reader.take(b"rubbish", key="B07")
    assert [alert["kind"] for alert in reader.alerts] == ["dead_letter_flood"]
    reader.take(b"rubbish", key="B08")
    with pytest.raises(FaultIsOurs):
        reader.take(b"rubbish", key="B09")


def test_a_good_record_ends_the_row_of_bad_ones() -> None:
    reader = boards()
    for number in range(300):
        reader.take(b"rubbish", key=f"T{number}")
        if number % 90 == 0:
            reader.take(dealt(1, 1))
    assert reader.codes == ["undecodable"] * 300


def test_an_unknown_pay_table_keeps_the_round_on_the_board_and_its_bets_wait_for_the_replay() -> None:
    known = {"classic@1"}

    def paytables(name: str) -> Any:
        if name not in known:
            raise UnknownPaytable(name)
        return load("classic@1")

    odd = example("round_dealt", paytable="house@7")
    board = boards()
    board.take(odd)
    assert (board.codes, board.board["roads"]["rounds"]) == ([], "?P")
    reader = Reader(Settlements(PARTITIONS, paytables))
    reader.take(example("bets_placed"), odd)
    assert (reader.codes, reader.outs) == (["unknown_paytable"], [])
    known.add("house@7")
    reader.take(odd)
    assert reader.last("baccarat.settlements.v1")["settlements"] == example("bets_settled")["settlements"]


def test_late_slips_are_refused_and_told() -> None:
    reader = Reader(Settlements(PARTITIONS))
    late = example("bets_placed")
    late["slips"][2]["placed_at"] = "2026-11-30T19:00:58.001+01:00"
    late["slips"][4]["placed_at"] = "2026-11-30T19:00:58+01:00"
    reader.take(late, example("round_dealt"))
    results = {slip["slip_id"][-1]: slip.get("reason") for slip in reader.outs[-1][1]["settlements"]}
    assert results == {"a": None, "b": None, "c": "late", "d": None, "e": None, "f": None}
    assert (reader.alerts[-1]["kind"], reader.alerts[-1]["value"]) == ("late_slips", 1)


def test_batches_without_their_round_are_told_once_the_table_is_at_the_next_shoe() -> None:
    reader = Reader(Settlements(PARTITIONS))
    reader.take(batch(1, 1, "a"), dealt(1, 2))
    assert [alert for alert in reader.alerts if alert["kind"] == "unsettled"] == []
    reader.take(started(2))
    told = [alert for alert in reader.alerts if alert["kind"] == "unsettled"]
    assert [(alert["subject"], alert["value"]) for alert in told] == [("1/1", 1)]
    reader.take(example("round_voided", shoe_no=1, round_no=1))
    assert reader.outs[-1][1]["settlements"][0]["reason"] == "round_voided"
    assert reader.alerts[-1]["state"] == "cleared"


def test_a_free_hand_takes_no_bets_whatever_pay_table_it_names() -> None:
    reader = Reader(Settlements(PARTITIONS))
    reader.take(example("bets_placed"), example("round_dealt", free_hand=True, paytable="house@7"))
    assert {slip["reason"] for slip in reader.outs[-1][1]["settlements"]} == {"free_hand"}
    assert reader.codes == ["unknown_paytable"]
    assert reader.alerts == []


def test_free_hands_count_and_take_no_bets() -> None:
    board, settled, told = boards(), Reader(Settlements(PARTITIONS)), Reader(Statistics(PARTITIONS))
    free = example("round_dealt", free_hand=True)
    for reader in (board, settled, told):
        reader.take(free)
    settled.take(example("bets_placed"))
    assert board.board["roads"]["rounds"] == "?P"
    assert {slip["reason"] for slip in settled.outs[-1][1]["settlements"]} == {"free_hand"}
    assert told.last("baccarat.statistics.v1")["scopes"]["shoe"]["player"]["hits"] == 1


def test_the_clock_of_a_source_is_told_once_and_never_orders() -> None:
    reader = boards()
    reader.take(
        dealt(1, 2, occurred_at="2026-11-30T17:00:00.000Z"), dealt(1, 1, occurred_at="2026-11-30T17:01:00.000Z")
    )
    assert [alert["kind"] for alert in reader.alerts] == ["clock"]
    assert [shown["round_no"] for shown in reader.board["rounds"]] == [1, 2]


def test_a_keypad_round_keeps_unknown_facts_unknown() -> None:
    board, told = boards(), Reader(Statistics(PARTITIONS))
    keyed = example("round_dealt_keypad", player_pair=None)
    board.take(keyed)
    told.take(keyed)
    shown = board.board["rounds"][0]
    assert "player_pair" not in shown
    assert shown["banker_pair"] is True
    bets = told.last("baccarat.statistics.v1")["scopes"]["shoe"]
    assert (bets["player_pair"]["rounds"], bets["banker_pair"]["rounds"]) == (0, 1)


def test_the_exact_probability_is_the_mean_over_rounds_by_the_decks_of_their_shoes() -> None:
    reader = Reader(Statistics(PARTITIONS))
    reader.take(started(1), dealt(1, 1), dealt(1, 2), started(2, decks=6), dealt(2, 1))
    told = reader.last("baccarat.statistics.v1")["scopes"]
    odds = json.loads((EXAMPLES.parent / "odds_exact.json").read_text())["8"]
    eight, six = odds["P"], told["shoe"]["player"]["exact_probability"]
    assert six != eight
    assert told["lifetime"]["player"]["exact_probability"] == pytest.approx((2 * eight + six) / 3, abs=1e-15)
