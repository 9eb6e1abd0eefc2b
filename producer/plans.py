"""What happens in one simulated shoe, round by round, without any time of day.

A plan depends on the seed, the table and the number of the shoe alone, so that a shoe can be had again; cards, bets,
mistakes and rhythm each have a random of their own, so that none disturbs another.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from baccarat.cards import RANKS
from baccarat.rounds import ImpossibleRound, Outcome, judge
from baccarat.shoe import Hand, Shoe
from producer.bettors import PlannedSlip, place
from producer.floor import Table

MISREAD_REASON: Final = "a card was misread"
VOID_REASON: Final = "exposed card"
_VOIDED_OF_MISTAKES: Final = 0.3
_JITTER: Final = 0.1
"""How far a round may be shorter or longer than the pace, as part of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPlan:
    """One round: ``player`` and ``banker`` as dealt, ``read`` the two hands as they are first published.

    ``mistake``: what is published afterwards, a correction to the hands as dealt or a void. ``lasts`` is the time to
    the next round in units of the pace.
    """

    round_no: int
    batches: tuple[tuple[PlannedSlip, ...], ...]
    player: Hand
    banker: Hand
    read: tuple[Hand, Hand]
    mistake: Literal["corrected", "voided"] | None
    lasts: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoePlan:
    """One shoe; ``rounds`` are made one after the other as they are asked for, and once only."""

    shoe_no: int
    burn_card: str
    rounds: Iterator[RoundPlan]


def plan_shoe(table: Table, shoe_no: int, *, seed: int, corrections: float) -> ShoePlan:
    """The plan of a table's shoe. ``corrections`` is the part of the rounds with a mistake, 0 to 1."""

    def random(of: str) -> Random:
        return Random(f"{seed}/{table.table_id}/{shoe_no}/{of}")  # noqa: S311 - to be repeated, not to be secret

    shoe = Shoe(table.decks, random("cards"))
    rounds = _rounds(table, shoe, random, corrections)
    return ShoePlan(shoe_no=shoe_no, burn_card=shoe.burn_card, rounds=rounds)


def _rounds(table: Table, shoe: Shoe, random: Callable[[str], Random], corrections: float) -> Iterator[RoundPlan]:
    bets, mistakes, rhythm = random("bets"), random("mistakes"), random("rhythm")
    last: Outcome | None = None
    round_no = 0
    while not shoe.finished:
        round_no += 1
        player, banker = shoe.deal_round()
        read, mistake = _read(mistakes, player, banker, corrections)
        yield RoundPlan(
            round_no=round_no,
            batches=place(bets, table.bettors, table.limits, last),
            player=player,
            banker=banker,
            read=read,
            mistake=mistake,
            lasts=1 + rhythm.uniform(-_JITTER, _JITTER),
        )
        last = judge(player=player, banker=banker).outcome


def _read(
    random: Random, player: Hand, banker: Hand, corrections: float
) -> tuple[tuple[Hand, Hand], Literal["corrected", "voided"] | None]:
    """The hands as the table reads them, and what has to be done about it afterwards."""
    chance, kind = random.random(), random.random()
    if chance >= corrections:
        return (player, banker), None
    if kind >= _VOIDED_OF_MISTAKES and (misread := _misread(random, player, banker)) is not None:
        return misread, "corrected"
    return (player, banker), "voided"


def _misread(random: Random, player: Hand, banker: Hand) -> tuple[Hand, Hand] | None:
    """The hands with one card taken for another of its suit, so that the round could have happened; None: no such."""
    cards = [*player, *banker]
    places = [(index, rank) for index in range(len(cards)) for rank in RANKS if rank != cards[index][0]]
    random.shuffle(places)
    for index, rank in places:
        read = [*cards[:index], rank + cards[index][1:], *cards[index + 1 :]]
        hands = tuple(read[: len(player)]), tuple(read[len(player) :])
        try:
            judge(player=hands[0], banker=hands[1])
        except ImpossibleRound:
            continue
        return hands
    return None
