"""Periods: each shoe once, running shoes among them, days by what the shoes say."""

import json
from pathlib import Path

from contract.codec import decode
from contract.periods import day_figures, each_once, lifetime_figures, part_of, running_part, shoe_figures
from contract.statistics import ShoeStatistics, TableStatistics
from contract.topics import SHOE_STATISTICS, STATISTICS

EXAMPLES = Path(__file__).parents[1] / "data" / "examples"


def over(**changes: object) -> ShoeStatistics:
    said = json.loads((EXAMPLES / "shoe_statistics.json").read_text()) | changes
    event = decode(SHOE_STATISTICS, json.dumps(said).encode())
    assert isinstance(event, ShoeStatistics)
    return event


def table(**changes: object) -> TableStatistics:
    shoe = over()
    said = json.loads((EXAMPLES / "bet_statistics.json").read_text())
    said |= {"gaming_day": "2026-11-30", "pace": {"shoe": {"rounds": 7, "shoes": 1, "seconds": 700.0}}} | changes
    said["scopes"]["shoe"] = json.loads((EXAMPLES / "shoe_statistics.json").read_text())["bets"]
    event = decode(STATISTICS, json.dumps(said).encode())
    assert isinstance(event, TableStatistics)
    assert event.shoe_no == shoe.shoe_no or "shoe_no" in changes
    return event


def test_a_shoe_that_is_over_and_still_shown_is_counted_once() -> None:
    parts = [running_part(table()), part_of(over()), running_part(table())]
    assert [(part.shoe_no, part.running) for part in each_once(parts)] == [(412, False)]
    assert day_figures("2026-11-30", parts).bets["tie"].rounds == 7


def test_a_day_has_all_its_shoes_and_the_running_one() -> None:
    parts = [part_of(over()), part_of(over(shoe_no=411, gaming_day="2026-11-29")), running_part(table(shoe_no=413))]
    day = day_figures("2026-11-30", [*parts, part_of(over(table_id="C01"))])
    assert (day.scope, day.table_id, day.tables, day.shoes) == ("day", None, 2, 3)
    assert day.bets["banker"].rounds == 21
    assert day.bets["player"].money["EUR"].stake == 3 * 27500
    assert day_figures("2026-11-30", parts, "B07").shoes == 2
    assert day_figures("2026-11-28", parts).shoes == 0


def test_one_shoe_and_one_life_are_what_was_published() -> None:
    shoe = shoe_figures(part_of(over()))
    assert (shoe.scope, shoe.shoe_no, shoe.gaming_day, shoe.bets) == ("shoe", 412, "2026-11-30", over().bets)
    assert lifetime_figures(table()).bets == table().scopes["lifetime"]


def test_a_day_of_one_shoe_has_that_shoes_figures() -> None:
    assert day_figures("2026-11-30", [part_of(over())]).bets == {
        bet: over().bets[bet] for bet in ("player", "banker", "tie", "player_pair", "banker_pair")
    }
