"""The bettors of a simulated table: who bets on what, how much and when, decided by the random that is passed in."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from baccarat.rounds import Outcome

SEATS_OF_A_BATCH: Final = 100
"""A batch holds at most 1,000 slips and a bettor places ten at most."""
_BATCHES_OF_A_TABLE: Final = 2
_CHIPS: Final = (1, 1, 1, 1, 2, 2, 3, 4, 5, 5, 10, 20)
"""Stakes as multiples of the least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """What a kind of bettor does in a round, as probabilities.

    ``banker``: that the main bet is Banker; None follows the last winner, and ``against`` bets on the other side.
    ``side``: that a tie, a pair or another side bet is bet on as well, each by itself.
    """

    plays: float
    banker: float | None
    side: float
    against: bool = False


_HABITS: Final = (
    Habit(plays=0.9, banker=0.75, side=0.05),
    Habit(plays=0.8, banker=0.5, side=0.1),
    Habit(plays=0.85, banker=None, side=0.05),
    Habit(plays=0.7, banker=0.3, side=0.15),
    Habit(plays=0.6, banker=None, side=0.1, against=True),
    Habit(plays=0.5, banker=0.5, side=0.4),
)
"""The seats of a table take turns at these."""
_OPPOSITE: Final = 0.004
"""That a bettor tries both sides at once; the later slip is refused."""
_ALONE: Final = 0.02
"""Where the table has more than the five usual bets: that a bettor places side bets alone, as some houses refuse."""
_MOST_SIDE_BETS: Final = 8
_USUAL: Final = 3
"""A tie and the two pairs: tables that have no more are bet on as they always were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSlip:
    """One slip; ``stake`` in minor units, ``when`` as part of the time in which bets may be placed, 0 to 1."""

    bettor: str
    bet: str
    stake: int
    when: float


def place(
    random: Random, bettors: int, limits: Mapping[str, tuple[int, int]], last: Outcome | None
) -> tuple[tuple[PlannedSlip, ...], ...]:
    """The batches of one round, each ready at its last slip; all slips of one bettor are in one of them."""
    batches = max(min(_BATCHES_OF_A_TABLE, bettors), -(-bettors // SEATS_OF_A_BATCH))
    placed = []
    for number in range(batches):
        seats = range(1 + number * bettors // batches, 1 + (number + 1) * bettors // batches)
        window = (number / batches, (number + 1) / batches)
        slips = [slip for seat in seats for slip in _slips(random, seat, limits, last, window)]
        if slips:
            placed.append(tuple(sorted(slips, key=lambda slip: slip.when)))
    return tuple(placed)


def _slips(
    random: Random,
    seat: int,
    limits: Mapping[str, tuple[int, int]],
    last: Outcome | None,
    window: tuple[float, float],
) -> list[PlannedSlip]:
    habit = _HABITS[(seat - 1) % len(_HABITS)]
    if random.random() >= habit.plays:
        return []
    main = _main_bet(random, habit, last)
    bets = [main, *(bet for bet in _considered(random, limits) if random.random() < habit.side)]
    if random.random() < _OPPOSITE:
        bets.append(_other(main))
    if len(limits) > _USUAL + 2 and len(bets) > 1 and random.random() < _ALONE:
        bets.remove(main)
    bets = [bet for bet in bets if bet in limits]
    bettor, when = f"seat-{seat}", random.uniform(*window)
    return [PlannedSlip(bettor=bettor, bet=bet, stake=_stake(random, *limits[bet]), when=when) for bet in bets]


def _considered(random: Random, limits: Mapping[str, tuple[int, int]]) -> list[str]:
    """The side bets of the table, or some of them where it has very many."""
    sides = [bet for bet in limits if bet not in ("player", "banker")]
    return sides if len(sides) <= _MOST_SIDE_BETS else random.sample(sides, _MOST_SIDE_BETS)


def _main_bet(random: Random, habit: Habit, last: Outcome | None) -> str:
    chance = random.random()
    if habit.banker is not None:
        return "banker" if chance < habit.banker else "player"
    if last not in ("banker", "player"):
        return "banker" if chance < 0.5 else "player"  # noqa: PLR2004 - nothing to follow: either
    return _other(last) if habit.against else last


def _other(side: str) -> str:
    return "player" if side == "banker" else "banker"


def _stake(random: Random, least: int, most: int) -> int:
    return min(most, least * random.choice(_CHIPS))
