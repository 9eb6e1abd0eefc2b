"""What a replay would do, and what speaks against it, from what was seen."""

import pytest

from broker.groups import Group, Place
from contract.topics import PROCESSORS
from processors.marks import Marks, Replay
from processors.replay import DIFFERS, Plan

ROUNDS, BETS = "baccarat.rounds.v1", "baccarat.bets.v1"


def place(
    topic: str = ROUNDS, partition: int = 0, *, begin: int = 0, end: int = 10, committed: int | None = 10
) -> Place:
    return Place(topic=topic, partition=partition, begin=begin, end=end, committed=committed)


def plan(*places: Place, members: int = 0, rows: int = 3, began: dict[int, dict[str, int]] | None = None) -> Plan:
    group = Group(name="beadplate-settlements", members=members, places=places)
    keys = {b"T01/1/%d" % number: 0 for number in range(rows)}
    return Plan(processor=PROCESSORS["settlements"], group=group, rows=keys, marks=Marks(began or {}))


def test_a_plan_says_what_is_read_deleted_and_sent() -> None:
    said = list(plan(place(), place(partition=1, end=5), place(BETS, end=7), place(BETS, 1, end=0)).sentences())
    assert said == [
        "the state of settlements is made anew from the beginning of its sources",
        "baccarat.rounds.v1: 15 records on 2 partitions are read again, from offset 0 on",
        "baccarat.bets.v1: 7 records on 2 partitions are read again, from offset 0 on",
        "its 3 rows in beadplate-settlements-rows-changelog are deleted",
        "the group beadplate-settlements goes back to the first offset of every partition",
        "baccarat.settlements.v1: sent again as the records come by, equal to what was sent before",
        "baccarat.alerts.v1: notices are sent again as the records come by",
        "baccarat.dead-letters.v1: sent again as the records come by, equal to what was sent before",
    ]


def test_nothing_speaks_against_it_where_no_worker_runs_and_all_inputs_are_there() -> None:
    assert plan(place(), place(BETS)).refusal(accept_partial=False) is None


def test_a_worker_that_runs_speaks_against_it_whatever_is_accepted() -> None:
    refusal = plan(place(), members=2).refusal(accept_partial=True)
    assert refusal is not None
    assert refusal.startswith("workers of settlements that run: 2. Stop all of them first")


def test_inputs_that_are_gone_speak_against_it_unless_that_is_accepted_and_it_is_said_what_differs() -> None:
    short = plan(place(begin=4), place(BETS), place(BETS, 1))
    refusal = short.refusal(accept_partial=False)
    assert refusal is not None
    assert "baccarat.rounds.v1 partition 0 is kept from offset 4 on, and the state began at 0" in refusal
    assert "--accept-partial" in refusal
    assert short.refusal(accept_partial=True) is None
    assert [f"what will differ: {each}" for each in DIFFERS["settlements"]] == list(short.sentences())[-2:]


@pytest.mark.parametrize(
    ("places", "began"),
    [
        ((place(begin=4),), {0: {ROUNDS: 4}}),
        ((place(begin=4), place(BETS, begin=9, end=12)), {0: {ROUNDS: 4, BETS: 9}}),
        ((place(partition=3, begin=4, committed=None),), {}),
    ],
    ids=["the state began there", "both sources", "a partition that never had any state"],
)
def test_inputs_that_were_never_part_of_the_state_are_not_missed(
    places: tuple[Place, ...], began: dict[int, dict[str, int]]
) -> None:
    assert plan(*places, began=began).refusal(accept_partial=False) is None


def test_a_processor_that_has_done_nothing_has_nothing_to_replay() -> None:
    assert plan(place(committed=None), place(BETS, committed=0), rows=0).nothing
    assert not plan(place(committed=1), rows=0).nothing
    broken_off = plan(place(committed=None), rows=0)
    broken_off.marks.replays[0] = Replay(state="asked")
    assert not broken_off.nothing
