"""Settlement: what every slip of a batch is worth once the round is known. Integers of minor units throughout.

The verdicts in their order: a voided round voids every slip; refused are slips of a round dealt without bets, on a
bet that the pay table does not offer, placed too late, opposite to a slip of the same bettor accepted earlier in the
batch, or, where the house asks for it, on a side bet of a bettor who has no accepted main bet anywhere in the batch;
voided is what rests on a fact that nobody knows. Then the bet has won, lost or been pushed.
"""

import functools
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from baccarat.bets import BETS, LOST, MAINS, OPPOSITES, PUSHED
from baccarat.paytables import PUSH, Paytable, Rounding
from baccarat.rounds import Facts

_NOTHING_BACK: Final = Fraction(-1)

Result: TypeAlias = Literal["won", "lost", "pushed", "refused", "voided"]


class SlipLike(Protocol):
    """What settlement reads of a slip.

    ``stake`` is above 0, in minor units. ``placed_at`` is an instant in the canonical form of the contract (UTC,
    ``2026-11-30T18:00:50.000Z``, six digits of the second only where it is finer than a millisecond); None, as in
    offline use, is never late.
    """

    @property
    def bettor(self) -> str: ...  # noqa: D102
    @property
    def bet(self) -> str: ...  # noqa: D102
    @property
    def stake(self) -> int: ...  # noqa: D102
    @property
    def placed_at(self) -> str | None: ...  # noqa: D102


class Ruling(NamedTuple):
    """What one slip is worth: ``payout`` is all that is handed back, ``reason`` why it was refused or voided."""

    result: Result
    payout: int
    reason: str | None


class Settler:
    """Rules the slips of one round, batch by batch. No batch changes another."""

    __slots__ = ("_closed", "_refuses_opposites", "_side_bets_need_a_main", "_stakes_back", "_terms")

    def __init__(
        self, facts: Facts | None, paytable: Paytable | None, *, betting_closed_at: str | None, free_hand: bool
    ) -> None:
        """``facts`` None is a voided round, which needs no pay table either. Raises ValueError when one is missing."""
        self._stakes_back: tuple[Result, str] | None = None
        self._terms = _NO_TERMS
        self._refuses_opposites = self._side_bets_need_a_main = False
        self._closed = betting_closed_at
        if facts is None:
            self._stakes_back = ("voided", "round_voided")
        elif free_hand:
            self._stakes_back = ("refused", "free_hand")
        elif paytable is None:
            raise ValueError("A round that is not voided is settled by a pay table, and none was given")
        else:
            self._terms = _terms_in(facts, paytable)
            self._refuses_opposites = paytable.opposite_bets == "refused"
            self._side_bets_need_a_main = paytable.side_bets == "with_main"

    def rule(self, slips: Sequence[SlipLike]) -> list[Ruling]:
        """Return one ruling a slip, in order. This is the hot path of the whole house: hence its plain loop."""
        if self._stakes_back is not None:
            verdict, why = self._stakes_back
            return [Ruling(verdict, slip.stake, why) for slip in slips]
        held, closed, refuses_opposites = self._terms.held.get, self._closed, self._refuses_opposites
        closed_length = len(closed) if closed is not None else 0
        sides: dict[str, str] = {}
        rulings: list[Ruling] = []
        add = rulings.append
        for slip in slips:
            bet = slip.bet
            terms = held(bet) or self._terms.of(bet)
            if terms is None:
                add(_new(Ruling, ("refused", slip.stake, "unknown_bet")))
                continue
            fixed, result, reason, factor, plus, divisor, exact = terms
            if closed is not None:
                placed = slip.placed_at
                # Canonical instants of one length compare as their texts do.
                if placed is not None and (
                    placed > closed if len(placed) == closed_length else _is_after(placed, closed)
                ):
                    add(_new(Ruling, ("refused", slip.stake, "late")))
                    continue
            if refuses_opposites and bet in OPPOSITES and sides.setdefault(slip.bettor, bet) != bet:
                add(_new(Ruling, ("refused", slip.stake, "opposite_bet")))
            elif fixed is not None:
                add(fixed)
            elif exact is not None:
                stake = slip.stake
                add(_new(Ruling, (result, stake + winnings(stake, exact, "half_even"), reason)))
            else:
                add(_new(Ruling, (result, (slip.stake * factor + plus) // divisor, reason)))
        if self._side_bets_need_a_main:
            _refuse_lonely_side_bets(slips, rulings)
        return rulings


def _refuse_lonely_side_bets(slips: Sequence[SlipLike], rulings: list[Ruling]) -> None:
    """Refuse, in ``rulings``, the side bets of every bettor who has no accepted main bet in the batch."""
    ruled = list(zip(slips, rulings, strict=True))
    with_main = {slip.bettor for slip, ruling in ruled if slip.bet in MAINS and ruling.result != "refused"}
    for place, (slip, ruling) in enumerate(ruled):
        if slip.bet not in MAINS and ruling.result != "refused" and slip.bettor not in with_main:
            rulings[place] = Ruling("refused", slip.stake, "side_bet_alone")


def winnings(stake: int, pay: Fraction, rounding: Rounding) -> int:
    """Return what a stake wins at ``pay`` to one, in whole minor units, rounded by the pay table's rule."""
    whole, part = divmod(stake * pay.numerator, pay.denominator)
    match rounding:
        case "down":
            return whole
        case "half_up":
            return whole + (2 * part >= pay.denominator)
        case "half_even":
            return whole + (2 * part + whole % 2 > pay.denominator)


# tuple.__new__ makes a Ruling in half the time of calling the class, and the hot path makes one a slip.
_new: Final = tuple.__new__


class _BetTerms(NamedTuple):
    """How one bet is settled in one round.

    Either ``fixed`` is the ruling of every slip, or the payout is (stake * factor + plus) // divisor: the stake with
    its rounded winnings in one division. Only ``half_even`` cannot be written so; it has ``exact``, the pay to one.
    """

    fixed: Ruling | None
    result: Result
    reason: str | None
    factor: int
    plus: int
    divisor: int
    exact: Fraction | None


class _Terms:
    """The terms of one round: ``held`` are those of the bets that were placed so far."""

    __slots__ = ("_facts", "_paytable", "held")

    def __init__(self, facts: Facts | None, paytable: Paytable | None) -> None:
        self._facts, self._paytable = facts, paytable
        self.held: dict[str, _BetTerms] = {}

    def of(self, bet: str) -> _BetTerms | None:
        """Return the terms of a bet; None where the pay table does not offer it."""
        facts, paytable = self._facts, self._paytable
        if facts is None or paytable is None or bet not in paytable.pays:
            return None
        terms = self.held[bet] = _terms_of(bet, facts, paytable)
        return terms


_NO_TERMS: Final = _Terms(None, None)


@functools.lru_cache(maxsize=1024)  # a round is settled batch by batch: the terms are made for the first one only
def _terms_in(facts: Facts, paytable: Paytable) -> _Terms:
    return _Terms(facts, paytable)


def _terms_of(bet: str, facts: Facts, paytable: Paytable) -> _BetTerms:
    nets = {**paytable.pays[bet], LOST: _NOTHING_BACK, PUSHED: PUSH}
    match [*{nets[end] for end in BETS[bet].ends(facts)}]:
        case [pay] if pay == _NOTHING_BACK:
            return _BetTerms(Ruling("lost", 0, None), "lost", None, 0, 0, 1, None)
        case [pay] if pay == PUSH:
            return _BetTerms(None, "pushed", None, 1, 0, 1, None)
        case [pay]:
            return _winning_terms(pay, paytable.rounding)
        case _:  # what is known of the round leaves open what the slip is worth
            return _BetTerms(None, "voided", "unknown_fact", 1, 0, 1, None)


def _winning_terms(pay: Fraction, rounding: Rounding) -> _BetTerms:
    gross, unit = pay.numerator + pay.denominator, pay.denominator
    match rounding:
        case "down":
            return _BetTerms(None, "won", None, gross, 0, unit, None)
        case "half_up":
            return _BetTerms(None, "won", None, 2 * gross, unit, 2 * unit, None)
        case "half_even":
            return _BetTerms(None, "won", None, 0, 0, 1, pay)


def _is_after(placed: str, closed: str) -> bool:
    return datetime.fromisoformat(placed) > datetime.fromisoformat(closed)
