"""The auditor is content with what the folds make of a hostile floor, and finds whatever is not as it must be."""

import itertools
import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from audit.scope import Scope
from contract.topics import DEAD_LETTERS, SCOREBOARDS, SETTLEMENTS, SHOE_STATISTICS, SHOES, STATISTICS, Topic
from processors.effects import Out
from tests.audit.auditing import Audited, audit, outputs, shelf_of
from tests.faults.expected import Expected
from tests.faults.floor import Plan, deal, sent, slices
from tests.processors.reading import example

PLAN = Plan(seed=5, tables=4, shoes=4, rounds=30, batches=(1, 3, 8))
FLOOR = deal(PLAN)
OUTS = outputs(FLOOR)


def judged(outs: Iterable[Out]) -> Audited:
    return audit(shelf_of(FLOOR, outs))


def last(topic: Topic, fits: Callable[[Any], bool] = lambda _: True) -> int:
    """The place of the last output of a topic that fits."""
    return max(n for n, out in enumerate(OUTS) if out.topic is topic and fits(json.loads(out.value or b"")))


def changed(place: int, change: Callable[[Any], Any]) -> list[Out]:
    """The outputs, one of them with other content."""
    event = json.loads(OUTS[place].value or b"")
    change(event)
    value = json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode()
    return [*OUTS[:place], OUTS[place]._replace(value=value), *OUTS[place + 1 :]]


def without(gone: Callable[[Out], bool]) -> list[Out]:
    return [out for out in OUTS if not gone(out)]


@pytest.mark.parametrize("seed", range(4))
def test_what_the_folds_publish_through_crashes_agrees_with_the_sources(seed: int) -> None:
    floor = deal(Plan(seed=seed, tables=4, shoes=4, rounds=25, batches=(1, 5)))
    said = audit(shelf_of(floor, outputs(floor, seed=seed, crashes=0.02)))
    assert said.found == []
    assert said.notes == []
    assert said.counts["batches"] > 100


def test_what_is_rare_on_a_floor_agrees_too() -> None:
    """A bet that one deck cannot win, a gap that was closed the day after, a free hand under an unknown pay table."""
    events = [
        example("shoe_started", shoe_no=1, decks=1),
        example("round_dealt", shoe_no=1, round_no=2, paytable="full@1"),
        example("round_dealt", shoe_no=1, round_no=3, paytable="house@7", free_hand=True),
        example("bets_placed", shoe_no=1, round_no=3),
        example("round_voided", shoe_no=1, round_no=1, revision=1, occurred_at="2026-12-01T12:00:00.000Z"),
        example("shoe_ended", shoe_no=1, rounds=3),
    ]
    floor = [sent(event) for event in events]
    outs = outputs(floor)
    assert audit(shelf_of(floor, outs)).found == []
    (told,) = [json.loads(out.value or b"") for out in outs[-1:] if out.topic is SHOE_STATISTICS]
    assert told["gaming_day"] == "2026-11-30"
    assert told["bets"]["perfect_pair"]["exact_probability"] == 0
    assert "z" not in told["bets"]["perfect_pair"]


@pytest.mark.parametrize("part", range(4))
def test_so_it_does_wherever_the_floor_breaks_off(part: int) -> None:
    records = list(itertools.chain.from_iterable(slices(FLOOR, 5)[: part + 1]))
    said = audit(shelf_of(records, outputs(records)))
    assert [finding for finding in said.found if finding.kind != "unsettled"] == []


def test_every_bad_record_is_counted_by_its_code() -> None:
    said = judged(OUTS)
    bad = [record.code for record in FLOOR if record.code]
    assert {code: said.counts[f"refused_{code}"] for code in set(bad)} == {code: bad.count(code) for code in set(bad)}


def test_the_sums_are_those_of_the_latest_versions() -> None:
    expected = Expected()
    for record in FLOOR:
        expected.take(record)
    for row in judged(OUTS).sums:
        batches = [raw for raw in map(json.loads, expected.batches.values()) if raw["table_id"] == row.table_id]
        assert (row.batches, row.slips) == (len(batches), sum(len(batch["slips"]) for batch in batches))
        assert row.staked == sum(slip["stake"] for batch in batches for slip in batch["slips"])
        paid = sum(worth.payout for batch in batches for worth in expected.worth(batch["batch_id"]) or ())
        assert (row.paid, row.net, row.kept, row.open) == (paid, paid - row.staked, row.staked - paid, 0)


def test_a_settlement_that_never_came_is_missing() -> None:
    batch = json.loads(OUTS[last(SETTLEMENTS)].value or b"")["batch_id"].encode()
    said = judged(without(lambda out: out.topic is SETTLEMENTS and batch in (out.value or b"")))
    assert said.kinds["missing settlement"] == 1
    assert batch.decode() in str(next(found for found in said.found if found.kind == "missing"))
    assert said.kinds["law sums"] == 1


def test_a_chip_too_many_is_wrong_and_told_with_what_is_right() -> None:
    def pay(event: Any) -> None:
        event["settlements"][0]["payout"] += 1
        event["settlements"][0]["net"] += 1

    place = last(SETTLEMENTS)
    said = judged(changed(place, pay))
    assert said.kinds["wrong settlement"] == 1
    finding = next(found for found in said.found if found.kind == "wrong")
    payout = json.loads(OUTS[place].value or b"")["settlements"][0]["payout"]
    assert f"settlements[0].payout {payout}" in finding.expected
    assert f"settlements[0].payout {payout + 1}" in finding.found


def test_a_repeat_that_differs_is_contradictory() -> None:
    place = last(SETTLEMENTS)
    other = changed(place, lambda event: event.update(currency="USD"))[place]
    said = judged([*OUTS, other])
    assert said.kinds["contradictory settlement"] == 1


def test_settlements_of_unknown_batches_and_versions_are_extra() -> None:
    place = last(SETTLEMENTS)
    unknown = changed(place, lambda event: event.update(batch_id="nobody's"))[place]
    later = changed(place, lambda event: event.update(revision=98))[place]
    assert judged([*OUTS, unknown, later]).kinds == {"extra settlement": 2}


@pytest.mark.parametrize("topic", [SCOREBOARDS, SHOES, STATISTICS, SHOE_STATISTICS], ids=lambda topic: topic.name)
def test_a_compacted_output_that_never_came_is_missing(topic: Topic) -> None:
    said = judged(without(lambda out: out.topic is topic))
    assert {found.kind for found in said.found} == {"missing"}
    assert len(said.found) == len({out.key for out in OUTS if out.topic is topic}) >= PLAN.tables


def test_an_old_board_that_comes_late_wrongs_nobody_but_compaction_is_warned_of() -> None:
    first = next(out for out in OUTS if out.topic is SCOREBOARDS)
    said = judged([*OUTS, first])
    assert said.found == []
    table_id = json.loads(first.value or b"")["table_id"]
    assert said.notes == [("an older scoreboard stands last, and compaction will keep it alone", table_id)]


def test_two_boards_of_one_version_are_contradictory() -> None:
    other = changed(last(SCOREBOARDS), lambda event: event.update(place="elsewhere"))[last(SCOREBOARDS)]
    said = judged([*OUTS, other])
    assert said.kinds == {"wrong scoreboard": 1, "contradictory scoreboard": 1}


def recoloured(event: Any) -> None:
    cells = event["roads"]["big_road"]
    cells[-1][2] = "P" if cells[-1][2] == "B" else "B"


def miscounted(event: Any) -> None:
    event["counts"]["natural"] += 1


def another_result(event: Any) -> None:
    rounds = [each for each in event["rounds"] if not each["voided"]]
    rounds[0]["player_pair"] = not rounds[0]["player_pair"]


@pytest.mark.parametrize("topic", [SCOREBOARDS, SHOES], ids=lambda topic: topic.name)
@pytest.mark.parametrize("change", [recoloured, miscounted, another_result])
def test_a_wrong_mark_is_found(topic: Topic, change: Callable[[Any], None]) -> None:
    said = judged(changed(last(topic), change))
    assert {"wrong"} <= {found.kind for found in said.found} <= {"wrong", "law", "contradictory"}
    assert {found.what for found in said.found} <= {"scoreboard", "shoe_record"}


def test_a_wrong_statistic_is_found() -> None:
    def more_hits(event: Any) -> None:
        event["scopes"]["lifetime"]["banker"]["hits"] += 1

    said = judged(changed(last(STATISTICS), more_hits))
    assert [(found.kind, found.what) for found in said.found] == [("wrong", "statistics")]
    assert "scopes.lifetime.banker.hits" in said.found[0].expected


def _bet(event: Any) -> Any:
    """A bet of the event with money on it."""
    bets = event["bets"] if "bets" in event else event["scopes"]["lifetime"]
    return next(said for said in bets.values() if said["money"])


def _money(event: Any) -> Any:
    return next(iter(_bet(event)["money"].values()))


DAMAGES: dict[str, Callable[[Any], None]] = {
    "expected_hold": lambda event: _money(event).update(expected_hold=_money(event)["expected_hold"] + 0.001),
    "hold_variance": lambda event: _money(event).update(hold_variance=_money(event)["hold_variance"] + 0.001),
    "average_bet": lambda event: _money(event).pop("average_bet"),
    "stake": lambda event: _money(event).update(stake=_money(event)["stake"] + 1),
    "z": lambda event: _bet(event).update(z=_bet(event)["z"] + 0.00001),
    "interval": lambda event: _bet(event)["interval"].__setitem__(1, 1.0),
    "observed_rate": lambda event: _bet(event).update(observed_rate=0.123456),
    "gaming_day": lambda event: event.update(gaming_day="2026-01-01"),
    "pace": lambda event: (event["pace"].get("lifetime") or event["pace"]).update(seconds=1.5),
    "version": lambda event: event.update(version=event["version"] + 1),
}


@pytest.mark.parametrize("topic", [STATISTICS, SHOE_STATISTICS], ids=lambda topic: topic.name)
@pytest.mark.parametrize("figure", DAMAGES)
def test_damage_to_any_figure_is_found(topic: Topic, figure: str) -> None:
    said = judged(changed(last(topic), DAMAGES[figure]))
    (found,) = said.found
    assert (found.kind, found.what) == ("wrong", "statistics" if topic is STATISTICS else "shoe_statistics")
    assert figure in found.expected or figure == "version"


def test_statistics_of_a_shoe_that_there_is_not_are_extra() -> None:
    place = last(SHOE_STATISTICS)
    other = changed(place, lambda event: event.update(shoe_no=99))[place]
    said = judged([*OUTS, other._replace(key=(other.key or b"").partition(b"/")[0] + b"/99")])
    assert said.kinds == {"extra shoe_statistics": 1}


def test_dead_letters_are_held_against_the_records_they_speak_of() -> None:
    letters = [n for n, out in enumerate(OUTS) if out.topic is DEAD_LETTERS]
    place, headers = letters[-1], dict(OUTS[letters[-1]].headers or ())
    same = [n for n in letters if dict(OUTS[n].headers or ()) == headers]
    gone = judged([out for n, out in enumerate(OUTS) if n not in same])
    assert gone.kinds == {"missing dead_letter": 1}
    moved = OUTS[place]._replace(headers=[*{**headers, "offset": b"0"}.items()])
    assert judged([*OUTS, moved]).kinds == {"extra dead_letter": 1}
    touched = OUTS[place]._replace(value=(OUTS[place].value or b"") + b" ")
    assert judged([*OUTS, touched]).kinds == {"wrong dead_letter": 1}


def test_one_table_and_one_shoe_can_be_judged_alone() -> None:
    wrong = changed(last(SETTLEMENTS, lambda event: event["table_id"] == "C01"), lambda event: event.update(totals={}))
    shelf = shelf_of(FLOOR, wrong)
    assert audit(shelf, scope=Scope(table_id="C02")).found == []
    assert audit(shelf, scope=Scope(table_id="C01", shoe_no=1)).found == []
    kinds = audit(shelf, scope=Scope(table_id="C01", shoe_no=PLAN.shoes)).kinds
    assert kinds["wrong settlement"] == 1
    assert set(kinds) <= {"wrong settlement", "contradictory settlement"}  # it had been sent before, by chance


def test_what_came_behind_the_snapshot_is_demanded_of_nobody() -> None:
    before = list(itertools.chain.from_iterable(slices(FLOOR, 5)[:3]))
    ends: dict[tuple[str, int], int] = {}
    for place, log in shelf_of(before, ()).items():
        ends[place] = len(log)
    for made in (outputs(before), OUTS):  # processors that know nothing of the rest yet, and such that know it all
        said = audit(shelf_of(FLOOR, made), snapshot=ends)
        assert [found for found in said.found if found.kind != "unsettled"] == []


def test_a_history_whose_beginning_is_deleted_is_judged_from_the_first_whole_shoe() -> None:
    shelf = shelf_of(FLOOR, OUTS)
    for (topic, number), log in list(shelf.items()):
        if topic in ("baccarat.rounds.v1", "baccarat.bets.v1"):
            shelf[topic, number] = log[len(log) // 3 :]
    said = audit(shelf)
    assert said.found == []
    assert any("not judged" in why for why, _ in said.notes)
    wrong = changed(last(SETTLEMENTS), lambda event: event.update(totals={}))
    place = next(n for n, out in enumerate(wrong) if out != OUTS[n])
    for key, log in shelf.items():
        shelf[key] = [r._replace(value=wrong[place].value) if r.value == OUTS[place].value else r for r in log]
    assert "wrong settlement" in audit(shelf).kinds
