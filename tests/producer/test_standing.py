"""How a table stands, as processors will have it: the verdicts of both, record by record."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from contract.rounds import (
    BettingClosed,
    BettingOpened,
    RoundCorrected,
    RoundDealt,
    RoundsEvent,
    RoundVoided,
    ShoeEnded,
    ShoeStarted,
    TableClosed,
    TableOpened,
)
from contract.topics import ROUNDS
from processors.ledger import Ledger
from processors.verdicts import Refusal
from producer.standing import Standing, Verdict

AT = "2026-11-30T18:00:00.000Z"
shoes = st.sampled_from((1, 2, 3, 4, 5, 53, 54, 55, 120))
small = st.integers(1, 3)
flags = st.booleans()


def event(kind: type[Any], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(kind, table_id=st.just("B07"), occurred_at=st.just(AT), **fields)


outcomes = st.sampled_from(("player", "banker"))
totals = st.sampled_from((None, 9, 0))
"""A Player or Banker that wins with a total of 0 is impossible."""
played = {
    "shoe_no": shoes,
    "round_no": small,
    "outcome": outcomes,
    "player_total": totals,
    "paytable": st.just("classic@1"),
}
mended = {"revision": small, "reason": st.just("misread"), "operator": st.just("amy")}
events: st.SearchStrategy[RoundsEvent] = st.one_of(
    event(TableOpened, config_no=small, names=st.just({}), currency=st.sampled_from(("EUR", "HKD"))),
    event(TableClosed, config_no=small),
    event(ShoeStarted, shoe_no=shoes, decks=st.sampled_from((6, 8)), force=flags),
    event(ShoeEnded, shoe_no=shoes, rounds=small),
    event(BettingOpened, shoe_no=shoes, round_no=small),
    event(BettingClosed, shoe_no=shoes, round_no=small),
    event(RoundDealt, revision=st.just(0), **played),
    event(RoundCorrected, **played, **mended),
    event(RoundVoided, shoe_no=shoes, round_no=small, **mended),
)


@given(st.lists(events, min_size=1, max_size=30))
@settings(deadline=None, max_examples=400)
def test_the_verdicts_are_those_of_the_processors(happened: list[RoundsEvent]) -> None:
    standing, ledger = Standing("B07"), Ledger((ROUNDS,))
    for offset, each in enumerate(happened):
        verdict, taken = standing.take(each), ledger.take(each, offset)
        table = ledger.table("B07")
        if isinstance(taken, Refusal):
            assert verdict.judgement == taken.code
        elif taken.new:
            assert verdict == Verdict("new")
        else:
            # of shoes that it has not dropped yet a processor still knows duplicates, and they change nothing
            assert verdict.judgement == "held" or (verdict.judgement == "too_old" and not taken.new)
        assert standing.is_closed == table.closed
        assert standing.highest == table.highest(ROUNDS.name)
        for number, shoe in standing.shoes.items():
            held = table.shoes[number]
            assert {n: each.versions for n, each in held.rounds.items()} == shoe.rounds
            assert (held.row.started, held.row.ended) == (shoe.started, shoe.ended)


def test_only_the_highest_shoe_and_the_one_before_stay() -> None:
    standing = Standing("B07")
    for shoe_no in (7, 8, 9, 20):
        standing.take(ShoeStarted(table_id="B07", occurred_at=AT, shoe_no=shoe_no, decks=8))
        assert all(number + 2 > shoe_no for number in standing.shoes)
    assert list(standing.shoes) == [20]


def test_what_was_announced_counts_as_a_number_that_may_be_missing() -> None:
    standing = Standing("B07")
    numbers: dict[str, Any] = {"table_id": "B07", "occurred_at": AT, "shoe_no": 1}
    standing.take(BettingOpened(**numbers, round_no=3))
    assert (standing.shoes[1].highest_round, standing.shoes[1].announced_rounds) == (0, 3)
    standing.take(ShoeEnded(**numbers, rounds=5))
    assert standing.shoes[1].announced_rounds == 5
