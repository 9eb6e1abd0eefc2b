"""When the events of a simulated shoe happen: plans and a beginning in, events with their times out.

All times are planned from the beginning that is passed in; with a pace of 0 a round takes no time at all.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypedDict

from contract.bets import BetsPlaced, Slip
from contract.rounds import (
    BettingClosed,
    BettingOpened,
    Event,
    RoundCorrected,
    RoundDealt,
    RoundVoided,
    ShoeEnded,
    ShoeStarted,
)
from contract.scalars import render_instant
from contract.topics import BETS, ROUNDS, Topic
from producer.bettors import PlannedSlip
from producer.clock import to_millisecond
from producer.floor import Table
from producer.plans import MISREAD_REASON, VOID_REASON, RoundPlan, ShoePlan

CLOSES: Final = 0.55
DEALT: Final = 0.85
MENDED: Final = 0.95
"""Moments of a round, in units of the pace."""
BURNT: Final = 0.1
SHUFFLED: Final = 3.0
"""The pauses before the first round of a shoe and before the next shoe, in units of the pace."""


class Due(NamedTuple):
    """An event and the moment at which it is published."""

    at: datetime
    topic: Topic
    event: Event


def start_shoe(table: Table, plan: ShoePlan, start: datetime) -> ShoeStarted:
    """The event that begins the shoe."""
    return ShoeStarted(
        table_id=table.table_id,
        occurred_at=render_instant(start),
        shoe_no=plan.shoe_no,
        decks=table.decks,
        burn_card=plan.burn_card,
    )


def end_shoe(table: Table, plan: ShoePlan, rounds: int, at: datetime) -> ShoeEnded:
    """The event that ends the shoe."""
    return ShoeEnded(table_id=table.table_id, occurred_at=render_instant(at), shoe_no=plan.shoe_no, rounds=rounds)


def schedule_round(table: Table, shoe_no: int, plan: RoundPlan, start: datetime, pace: float) -> tuple[Due, ...]:
    """The events of one round in the order of their moments; ``pace`` is seconds from one round to the next."""
    return tuple(_Sitting(table, shoe_no, plan, start, pace).events())


@dataclass(frozen=True, slots=True)
class _Sitting:
    """One planned round of one table that begins at ``start``."""

    table: Table
    shoe_no: int
    plan: RoundPlan
    start: datetime
    pace: float

    def events(self) -> Iterator[Due]:
        place = self._place()
        opens, closes, dealt = self._moment(0), self._moment(CLOSES), self._moment(DEALT)
        yield Due(opens, ROUNDS, BettingOpened(occurred_at=render_instant(opens), **place))
        for number, slips in enumerate(self.plan.batches, start=1):
            yield self._batch(number, slips)
        yield Due(closes, ROUNDS, BettingClosed(occurred_at=render_instant(closes), **place))
        yield Due(dealt, ROUNDS, self._dealt(dealt))
        if self.plan.mistake is not None:
            mended = self._moment(MENDED)
            yield Due(mended, ROUNDS, self._mended(mended))

    def _moment(self, part: float) -> datetime:
        """The moment after this part of the pace."""
        return to_millisecond(self.start + timedelta(seconds=part * self.pace))

    def _place(self) -> "_Place":
        return {"table_id": self.table.table_id, "shoe_no": self.shoe_no, "round_no": self.plan.round_no}

    def _batch(self, number: int, slips: tuple[PlannedSlip, ...]) -> Due:
        batch_id = f"{self.table.table_id}-{self.shoe_no}-{self.plan.round_no}-{number}"
        last = self._moment(CLOSES * slips[-1].when)
        placed = tuple(
            Slip(
                slip_id=f"{batch_id}-{index}",
                bettor=slip.bettor,
                bet=slip.bet,
                stake=slip.stake,
                placed_at=render_instant(self._moment(CLOSES * slip.when)),
            )
            for index, slip in enumerate(slips, start=1)
        )
        batch = BetsPlaced(
            occurred_at=render_instant(last),
            batch_id=batch_id,
            currency=self.table.currency,
            slips=placed,
            **self._place(),
        )
        return Due(last, BETS, batch)

    def _dealt(self, at: datetime) -> RoundDealt:
        player, banker = self.plan.read
        return RoundDealt(
            occurred_at=render_instant(at),
            revision=0,
            player=player,
            banker=banker,
            paytable=self.table.paytable,
            betting_closed_at=render_instant(self._moment(CLOSES)),
            **self._place(),
        )

    def _mended(self, at: datetime) -> RoundCorrected | RoundVoided:
        operator = f"pit/{self.table.table_id}"
        if self.plan.mistake == "voided":
            return RoundVoided(
                occurred_at=render_instant(at), revision=1, reason=VOID_REASON, operator=operator, **self._place()
            )
        return RoundCorrected(
            occurred_at=render_instant(at),
            revision=1,
            player=self.plan.player,
            banker=self.plan.banker,
            paytable=self.table.paytable,
            betting_closed_at=render_instant(self._moment(CLOSES)),
            reason=MISREAD_REASON,
            operator=operator,
            **self._place(),
        )


class _Place(TypedDict):
    table_id: str
    shoe_no: int
    round_no: int
