"""Times and identities of the events of a simulated shoe."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.bets import BetsPlaced
from contract.codec import decode, encode
from contract.rounds import (
    BettingClosed,
    BettingOpened,
    RoundCorrected,
    RoundDealt,
    RoundVoided,
)
from contract.scalars import parse_instant, render_instant
from contract.topics import BETS, ROUNDS
from producer.floor import Table, opened, tables
from producer.plans import plan_shoe
from producer.schedule import Due, end_shoe, schedule_round, start_shoe

START = datetime(2026, 11, 30, 18, 0, 0, 123_000, tzinfo=UTC)
(TABLE,) = tables(prefix="T", count=1, bettors=20, decks=8, paytable="classic@1", currency="EUR")
PACES = st.sampled_from([0.0, 0.01, 1.0, 5.0, 37.3])


def shoe_of(
    table: Table = TABLE, shoe_no: int = 412, *, seed: int = 1, pace: float = 5.0, corrections: float = 0.0
) -> list[tuple[Due, ...]]:
    start, turns = START, []
    for plan in plan_shoe(table, shoe_no, seed=seed, corrections=corrections).rounds:
        turns.append(schedule_round(table, shoe_no, plan, start, pace))
        start += timedelta(seconds=plan.lasts * pace)
    return turns


@given(st.integers(0, 2**53), PACES, st.sampled_from([0.0, 0.5]))
@settings(max_examples=25, deadline=None)
def test_bets_are_placed_between_opening_and_closing(seed: int, pace: float, corrections: float) -> None:
    for turn in shoe_of(seed=seed, pace=pace, corrections=corrections):
        events = [due.event for due in turn]
        (opening,) = (event for event in events if isinstance(event, BettingOpened))
        (closing,) = (event for event in events if isinstance(event, BettingClosed))
        (dealt,) = (event for event in events if isinstance(event, RoundDealt))
        batches = [event for event in events if isinstance(event, BetsPlaced)]
        assert batches
        for batch in batches:
            assert all(
                opening.occurred_at <= slip.placed_at <= batch.occurred_at <= closing.occurred_at
                for slip in batch.slips
            )
        assert dealt.betting_closed_at == closing.occurred_at <= dealt.occurred_at


@given(st.integers(0, 2**53), PACES)
@settings(max_examples=25, deadline=None)
def test_events_come_in_the_order_of_their_moments_to_the_millisecond(seed: int, pace: float) -> None:
    for turn in shoe_of(seed=seed, pace=pace, corrections=0.5):
        assert all(before.at <= after.at for before, after in pairwise(turn))
        assert all(render_instant(due.at) == due.event.occurred_at and len(due.event.occurred_at) == 24 for due in turn)
        assert all(parse_instant(due.event.occurred_at) >= START for due in turn)


@given(st.integers(0, 2**53))
@settings(max_examples=25, deadline=None)
def test_ids_are_unique_and_name_table_shoe_and_round(seed: int) -> None:
    events = [
        due.event
        for shoe_no in (412, 413)
        for turn in shoe_of(shoe_no=shoe_no, seed=seed)
        for due in turn
        if isinstance(due.event, BetsPlaced)
    ]
    batch_ids = [event.batch_id for event in events]
    slip_ids = [slip.slip_id for event in events for slip in event.slips]
    assert len(set(batch_ids)) == len(batch_ids)
    assert len(set(slip_ids)) == len(slip_ids)
    assert all(event.batch_id.startswith(f"T01-{event.shoe_no}-{event.round_no}-") for event in events)


def test_every_event_is_taken_by_the_contract_as_it_is() -> None:
    plan = plan_shoe(TABLE, 412, seed=1, corrections=0)
    source = [
        Due(START, ROUNDS, opened(TABLE, config_no=7, time_zone="Asia/Macau", at=START)),
        Due(START, ROUNDS, start_shoe(TABLE, plan, START)),
        *(due for turn in shoe_of(corrections=0.5) for due in turn),
        Due(START, ROUNDS, end_shoe(TABLE, plan, 80, START)),
    ]
    for due in source:
        assert decode(due.topic, encode(due.event)) == due.event
        assert due.topic is (BETS if isinstance(due.event, BetsPlaced) else ROUNDS)


def test_a_corrected_round_says_all_of_itself_again_and_a_voided_one_why() -> None:
    for turn in shoe_of(corrections=1):
        dealt, mended = turn[-2].event, turn[-1].event
        assert isinstance(dealt, RoundDealt)
        assert (mended.revision, mended.round_no) == (1, dealt.round_no)  # type: ignore[attr-defined]
        match mended:
            case RoundCorrected():
                assert (mended.player, mended.banker) != (dealt.player, dealt.banker)
                assert (mended.paytable, mended.betting_closed_at) == (dealt.paytable, dealt.betting_closed_at)
                assert mended.reason == "a card was misread"
            case RoundVoided():
                assert mended.reason == "exposed card"
            case _:
                pytest.fail(f"{mended} mends nothing")


def test_the_pace_changes_times_and_nothing_else() -> None:
    def without_times(turns: list[tuple[Due, ...]]) -> list[object]:
        return [
            (event.batch_id, [(slip.slip_id, slip.bettor, slip.bet, slip.stake) for slip in event.slips])
            if isinstance(event := due.event, BetsPlaced)
            else (type(event), getattr(event, "player", None), getattr(event, "banker", None))
            for turn in turns
            for due in turn
        ]

    assert without_times(shoe_of(pace=0)) == without_times(shoe_of(pace=5))


def test_at_a_pace_of_nothing_a_round_takes_no_time() -> None:
    assert {due.at for turn in shoe_of(pace=0) for due in turn} == {START}


def test_tables_are_named_placed_and_limited() -> None:
    floor = tables(prefix="VIP-", count=6, bettors=0, decks=6, paytable="classic-8@1", currency="USD")
    assert [table.table_id for table in floor] == ["VIP-01", "VIP-02", "VIP-03", "VIP-04", "VIP-05", "VIP-06"]
    announced = opened(floor[5], config_no=3, time_zone="Asia/Macau", at=START)
    assert announced.names == {"en": "Baccarat 06", "ru": "Баккара 06", "zh-Hant": "百家樂 06"}
    assert (announced.place, announced.currency, announced.bets) == ("Main floor · Pit 2", "USD", False)
    assert all(0 < limit.min < limit.max for limit in announced.limits.values())
    assert set(announced.limits) == {"player", "banker", "tie", "player_pair", "banker_pair"}
