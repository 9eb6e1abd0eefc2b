"""Sums of statistics: integers only, kept as one adds and takes away; ratios are made when they are shown."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

import msgspec

from baccarat.bets import BETS
from baccarat.odds import probability
from contract.settlements import BetTotal
from contract.statistics import BetStatistics, MoneyStatistics


class Tries(NamedTuple):
    """Of one bet: rounds whose pay table has it, rounds in which its fact is known, and rounds on which it wins."""

    listed: int = 0
    rounds: int = 0
    hits: int = 0

    def plus(self, other: "Tries", sign: int = 1) -> "Tries":
        """The sum of two, or with sign −1 the difference."""
        return Tries(*(mine + sign * theirs for mine, theirs in zip(self, other, strict=True)))


class Money(NamedTuple):
    """Of one bet in one currency: slips, stake and what was paid back, in minor units."""

    slips: int = 0
    stake: int = 0
    paid: int = 0

    def plus(self, other: "Money", sign: int = 1) -> "Money":
        """The sum of two, or with sign −1 the difference."""
        return Money(*(mine + sign * theirs for mine, theirs in zip(self, other, strict=True)))


class BatchRow(msgspec.Struct, frozen=True, kw_only=True):
    """Row ``table/shoe/round/batch``: the batch's sums at the highest revision seen."""

    revision: int
    currency: str
    occurred_at: str
    totals: dict[str, BetTotal]

    def agrees(self, other: "BatchRow") -> bool:
        """Whether two rows of one revision have the same sums, as repeats must."""
        return (self.currency, self.totals) == (other.currency, other.totals)


class LifetimeRow(msgspec.Struct, frozen=True, kw_only=True):
    """Row ``table/lifetime``: the shoes up to ``closed_through_shoe``, folded in once; tries per bet and decks."""

    closed_through_shoe: int = 0
    weight: int = 0
    occurred_at: str = ""
    tries: dict[str, dict[int, Tries]] = {}
    money: dict[str, dict[str, Money]] = {}


@dataclass(slots=True)
class Sums:
    """Sums of one shoe, or of many: tries per bet and decks, money per bet and currency."""

    tries: dict[tuple[str, int], Tries] = field(default_factory=dict)
    money: dict[tuple[str, str], Money] = field(default_factory=dict)

    def add_tries(self, bet: str, decks: int, tries: Tries, sign: int = 1) -> None:
        """Add what rounds say of a bet, or take it away."""
        total = self.tries.get((bet, decks), Tries()).plus(tries, sign)
        if any(total):
            self.tries[bet, decks] = total
        else:
            self.tries.pop((bet, decks), None)

    def add_money(self, currency: str, totals: dict[str, BetTotal], sign: int = 1) -> None:
        """Add a batch's totals, or take them away."""
        for bet, total in totals.items():
            money = Money(total.slips, total.stake, total.paid)
            summed = self.money.get((bet, currency), Money()).plus(money, sign)
            if any(summed):
                self.money[bet, currency] = summed
            else:
                self.money.pop((bet, currency), None)

    def add(self, other: "Sums") -> None:
        """Add another's sums."""
        for (bet, decks), tries in other.tries.items():
            self.add_tries(bet, decks, tries)
        for (bet, currency), money in other.money.items():
            self.money[bet, currency] = self.money.get((bet, currency), Money()).plus(money)


_ORDER: Final = {bet: place for place, bet in enumerate(BETS)}


def statistics_of(parts: Iterable[Sums], decks: int) -> dict[str, BetStatistics]:
    """What is published of these sums together, bets in the order of the game.

    A bet is listed when a round's pay table has it (or money stands on it); its rounds are all in which its fact is
    known. The exact probability is the mean over them by their shoes' decks; with no round it is that of ``decks``.
    """
    tries: dict[str, dict[int, Tries]] = {}
    money: dict[str, dict[str, Money]] = {}
    for part in parts:
        for (bet, packs), more in part.tries.items():
            by_decks = tries.setdefault(bet, {})
            by_decks[packs] = by_decks.get(packs, Tries()).plus(more)
        for (bet, currency), sums in part.money.items():
            by_currency = money.setdefault(bet, {})
            by_currency[currency] = by_currency.get(currency, Money()).plus(sums)
    listed = {bet for bet, by_decks in tries.items() if any(each.listed for each in by_decks.values())}
    bets = sorted((listed | money.keys()) & _ORDER.keys(), key=_ORDER.__getitem__)
    return {bet: _statistics(bet, tries.get(bet, {}), money.get(bet, {}), decks) for bet in bets}


def _statistics(bet: str, tries: dict[int, Tries], money: dict[str, Money], decks: int) -> BetStatistics:
    return BetStatistics(
        rounds=sum(each.rounds for each in tries.values()),
        hits=sum(each.hits for each in tries.values()),
        exact_probability=exact_probability(bet, {packs: each.rounds for packs, each in tries.items()}, decks),
        money={currency: money_statistics(money[currency]) for currency in sorted(money)},
    )


def exact_probability(bet: str, rounds: dict[int, int], decks: int) -> float:
    """The mean exact probability of a bet over rounds by decks, as the nearest double."""
    played = {packs: count for packs, count in rounds.items() if count}
    if len(played) <= 1:
        return float(probability(bet, next(iter(played), decks)))
    total = sum(probability(bet, packs) * count for packs, count in played.items())
    return float(total / Fraction(sum(played.values())))


def money_statistics(money: Money) -> MoneyStatistics:
    """Hold and hold percentage of a sum."""
    hold = money.stake - money.paid
    percent = None if money.stake == 0 else thousandths(hold * 100, money.stake) / 1000
    return MoneyStatistics(slips=money.slips, stake=money.stake, paid=money.paid, hold=hold, hold_percent=percent)


def thousandths(numerator: int, denominator: int) -> int:
    """The ratio in thousandths, rounded half to even; ``denominator`` above 0."""
    whole, rest = divmod(numerator * 1000, denominator)
    return whole + (2 * rest + whole % 2 > denominator)
