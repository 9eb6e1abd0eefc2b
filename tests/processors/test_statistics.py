"""Statistics: what is expected of stakes, the statistics of a shoe and when they are told, days and pace."""

from typing import Any

import pytest

from baccarat.odds import moments
from baccarat.paytables import load
from contract.days import GamingDays
from processors.statistics import Statistics
from tests.processors.reading import PARTITIONS, Reader, example

STATISTICS, SHOES = "baccarat.statistics.v1", "baccarat.shoe-statistics.v1"


def reading() -> Reader:
    return Reader(Statistics(PARTITIONS))


def dealt(round_no: int, shoe_no: int = 1, at: str = "18:00:00", **more: Any) -> dict[str, Any]:
    return example("round_dealt", shoe_no=shoe_no, round_no=round_no, occurred_at=f"2026-11-30T{at}.000Z", **more)


def settled(round_no: int, batch_id: str, stakes: dict[str, int], shoe_no: int = 1, **more: Any) -> dict[str, Any]:
    said = {"currency": "EUR", "paytable": "classic@1", "revision": 0, **more}
    totals = {bet: {"slips": 1, "stake": stake, "paid": 0} for bet, stake in stakes.items()}
    return example(
        "bets_settled", shoe_no=shoe_no, round_no=round_no, batch_id=batch_id, settlements=[], totals=totals, **said
    )


def money(reader: Reader, bet: str, currency: str = "EUR", scope: str = "shoe") -> dict[str, Any]:
    found: dict[str, Any] = reader.last(STATISTICS)["scopes"][scope][bet]["money"][currency]
    return found


def expected(bet: str, *stakes_of_rounds: int, paytable: str = "classic@1", decks: int = 8) -> tuple[float, float]:
    """Hold and variance that the odds promise for these stakes, one number a round."""
    mean, variance = moments(load(paytable), decks)[bet]
    return (
        float(round(-mean * sum(stakes_of_rounds), 3)),
        float(round(variance * sum(stake**2 for stake in stakes_of_rounds), 3)),
    )


def told(reader: Reader, bet: str, currency: str = "EUR", scope: str = "shoe") -> tuple[float, float]:
    found = money(reader, bet, currency, scope)
    return found["expected_hold"], found["hold_variance"]


def test_all_stakes_of_a_bet_in_a_round_win_or_lose_together() -> None:
    reader = reading()
    reader.take(dealt(1), dealt(2), settled(1, "a", {"tie": 100}), settled(1, "b", {"tie": 50}))
    assert told(reader, "tie") == expected("tie", 150)
    reader.take(settled(2, "c", {"tie": 70}))
    assert told(reader, "tie") == told(reader, "tie", scope="lifetime") == expected("tie", 150, 70)


def test_currencies_and_pay_tables_are_kept_apart() -> None:
    reader = reading()
    reader.take(dealt(1), dealt(2), settled(1, "a", {"tie": 100}), settled(1, "b", {"tie": 9}, currency="USD"))
    reader.take(settled(2, "c", {"tie": 50}, paytable="classic-8@1"))
    one, other = expected("tie", 100), expected("tie", 50, paytable="classic-8@1")
    assert told(reader, "tie") == pytest.approx((one[0] + other[0], one[1] + other[1]), abs=1e-3)
    assert told(reader, "tie", "USD") == expected("tie", 9)


def test_a_later_revision_takes_the_earlier_ones_place_and_a_void_leaves_nothing() -> None:
    reader = reading()
    reader.take(dealt(1), settled(1, "a", {"tie": 100, "player": 10}), settled(1, "b", {"tie": 1}))
    reader.take(settled(1, "a", {"tie": 40}, revision=1))
    assert told(reader, "tie") == expected("tie", 41)
    assert reader.last(STATISTICS)["scopes"]["shoe"]["player"]["money"] == {}
    reader.take(settled(1, "a", {}, revision=2, paytable=None, outcome=None), settled(1, "b", {}, revision=1))
    assert reader.last(STATISTICS)["scopes"]["shoe"]["tie"]["money"] == {}


def test_decks_that_are_told_late_count_for_the_whole_shoe() -> None:
    reader = reading()
    reader.take(dealt(1), settled(1, "a", {"tie": 100}), example("shoe_started", shoe_no=1, decks=6))
    assert told(reader, "tie") == expected("tie", 100, decks=6)


def test_of_a_pay_table_that_is_not_known_nothing_is_expected_and_the_money_counts() -> None:
    reader = reading()
    reader.take(dealt(1), settled(1, "a", {"tie": 100}), settled(1, "b", {"tie": 1}, paytable="house@9"))
    assert money(reader, "tie")["stake"] == 101
    assert "expected_hold" not in money(reader, "tie")


def test_a_life_keeps_what_was_expected_of_shoes_that_are_gone() -> None:
    reader = reading()
    for shoe_no in (1, 2, 3):
        reader.take(dealt(1, shoe_no), settled(1, f"a{shoe_no}", {"tie": 100 * shoe_no}, shoe_no))
    reader.forget(1)
    reader.take(dealt(2, 3))
    assert told(reader, "tie", scope="lifetime") == expected("tie", 100, 200, 300)
    reader.restart()
    reader.take(dealt(3, 3))
    assert told(reader, "tie", scope="lifetime") == expected("tie", 100, 200, 300)
    assert reader.last(STATISTICS)["pace"]["lifetime"] == {"rounds": 5, "shoes": 3, "seconds": 0.0}


# The statistics of a shoe.


def shoes(reader: Reader) -> list[int]:
    return [event["shoe_no"] for topic, event in reader.outs if topic == SHOES]


def test_a_shoe_is_told_once_it_has_ended_and_again_after_every_change() -> None:
    reader = reading()
    reader.take(dealt(1), settled(1, "a", {"tie": 100}))
    assert shoes(reader) == []
    reader.take(example("shoe_ended", shoe_no=1, rounds=1))
    assert shoes(reader) == [1]
    reader.take(settled(1, "b", {"tie": 5}), dealt(2))
    assert shoes(reader) == [1, 1, 1]
    assert reader.last(SHOES)["bets"]["tie"]["rounds"] == 2
    assert reader.last(SHOES)["bets"]["tie"]["money"]["EUR"]["stake"] == 105


def test_a_later_shoe_tells_the_one_before_and_a_restart_tells_both_again_but_not_what_is_folded_in() -> None:
    reader = reading()
    reader.take(dealt(1), dealt(1, 2))
    assert shoes(reader) == [1]
    reader.take(settled(1, "a", {"tie": 100}))
    assert shoes(reader) == [1, 1]
    reader.take(dealt(1, 3))
    assert shoes(reader) == [1, 1, 1, 2]
    reader.forget(1)
    effects = reader.fold.restore(list(reader.rows.items()))
    keys = [out.key for out in effects.outs if out.topic.name == SHOES]
    assert keys == [b"B07/2"]


def test_what_a_round_is_worth_grows_with_every_version_that_is_held() -> None:
    reader = reading()
    reader.take(dealt(1, at="18:30:00", revision=0), example("shoe_ended", shoe_no=1))
    first = reader.last(SHOES)["version"]
    reader.take(example("round_corrected", shoe_no=1, round_no=1, revision=2))
    second = reader.last(SHOES)["version"]
    reader.take(example("round_corrected", shoe_no=1, round_no=1, revision=1, occurred_at="2026-11-30T23:00:00.000Z"))
    assert first < second < reader.last(SHOES)["version"]


# Days and pace.


def day(reader: Reader) -> Any:
    return reader.last(STATISTICS).get("gaming_day")


def test_the_day_is_that_of_the_lowest_round_by_the_casinos_clock() -> None:
    reader = Reader(Statistics(PARTITIONS, days=GamingDays(casino_time_zone="Asia/Macau")))
    reader.take(example("shoe_started", shoe_no=1))
    assert day(reader) is None
    reader.take(dealt(2, at="22:00:00"))
    assert day(reader) == "2026-12-01"
    reader.take(dealt(1, at="21:59:00"))
    assert day(reader) == "2026-11-30"


def test_a_correction_or_a_void_made_the_day_after_does_not_move_the_shoe() -> None:
    reader = reading()
    reader.take(dealt(1))
    late = {"shoe_no": 1, "round_no": 1, "occurred_at": "2026-12-01T09:00:00.000Z"}
    reader.take(example("round_corrected", revision=1, **late))
    assert (day(reader), reader.last(STATISTICS)["pace"]["shoe"]["seconds"]) == ("2026-11-30", 0.0)
    reader.take(example("round_voided", revision=2, **late))
    assert (day(reader), reader.last(STATISTICS)["pace"]["shoe"]["rounds"]) == ("2026-11-30", 0)


def test_a_void_that_closes_a_gap_the_day_after_does_not_move_the_shoe() -> None:
    reader = reading()
    void = example("round_voided", shoe_no=1, round_no=1, revision=1, occurred_at="2026-12-01T12:00:00.000Z")
    reader.take(void)
    assert day(reader) == "2026-12-01"
    reader.take(dealt(3), dealt(2))
    assert day(reader) == "2026-11-30"


def test_a_tables_settings_say_nothing_of_its_statistics() -> None:
    reader = reading()
    reader.take(dealt(1), example("shoe_ended", shoe_no=1))
    outs = len(reader.outs)
    reader.take(example("table_opened", time_zone="Asia/Macau"), example("table_closed"))
    assert len(reader.outs) == outs


def test_pace_counts_rounds_that_stand_by_the_times_of_the_sources() -> None:
    reader = reading()
    reader.take(dealt(1, at="18:00:00"), dealt(3, at="18:02:00"), dealt(2, at="18:01:00"), dealt(4, at="19:00:00"))
    reader.take(example("round_voided", shoe_no=1, round_no=4, revision=1))
    pace = {"rounds": 3, "shoes": 1, "seconds": 120.0, "rounds_per_hour": 60.0}
    assert reader.last(STATISTICS)["pace"] == {"shoe": pace, "lifetime": pace}


def test_side_bets_are_counted_with_their_exact_odds() -> None:
    reader = reading()
    reader.take(dealt(1, paytable="full@1"), dealt(2, paytable="full@1", player=["KH", "9S"], banker=["KD", "8D"]))
    said = reader.last(STATISTICS)["scopes"]["shoe"]
    assert set(said) == set(load("full@1").pays)
    assert [said[bet]["rounds"] for bet in ("small", "dragon_bonus_player", "perfect_pair")] == [2, 2, 2]
    assert said["dragon_7"]["exact_probability"] == 0.022533820860379795
