"""Sums of statistics: integers only, kept as one adds and takes away; ratios are made when they are shown."""

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple, TypeVar

import msgspec

from baccarat.bets import BETS
from baccarat.odds import Moments, probability
from contract.figures import Likely, bet_statistics, money_statistics
from contract.settlements import BetTotal
from contract.statistics import BetStatistics, MoneyStatistics

_Place = TypeVar("_Place")
_Total = TypeVar("_Total", bound=tuple[int, ...])
Prices = Callable[[str, int], Mapping[str, Moments] | None]
"""What a pay table, by its name, brings a bettor at a number of decks; None where it is not known."""


class Tries(NamedTuple):
    """Of one bet: rounds whose pay table has it, rounds in which its fact is known, and rounds on which it wins."""

    listed: int = 0
    rounds: int = 0
    hits: int = 0

    def plus(self, other: "Tries", sign: int = 1) -> "Tries":
        """The sum of two, or with sign −1 the difference."""
        return Tries(
            self.listed + sign * other.listed, self.rounds + sign * other.rounds, self.hits + sign * other.hits
        )


class Money(NamedTuple):
    """Of one bet in one currency: slips, stake and what was paid back, in minor units."""

    slips: int = 0
    stake: int = 0
    paid: int = 0

    def plus(self, other: "Money", sign: int = 1) -> "Money":
        """The sum of two, or with sign −1 the difference."""
        return Money(self.slips + sign * other.slips, self.stake + sign * other.stake, self.paid + sign * other.paid)


class Risk(NamedTuple):
    """Of one bet in one currency by one pay table: its stake, and the squares of its stake in each round, summed."""

    stake: int = 0
    squares: int = 0

    def plus(self, other: "Risk", sign: int = 1) -> "Risk":
        """The sum of two, or with sign −1 the difference."""
        return Risk(self.stake + sign * other.stake, self.squares + sign * other.squares)


class Expected(NamedTuple):
    """What a stake was expected to bring the house, and the variance of that; minor units and their square."""

    hold: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)

    def plus(self, other: "Expected") -> "Expected":
        """The sum of two."""
        return Expected(self.hold + other.hold, self.variance + other.variance)


class BatchRow(msgspec.Struct, frozen=True, kw_only=True):
    """Row ``table/shoe/round/batch``: the batch's sums at the highest revision seen, and what it was settled by."""

    revision: int
    currency: str
    occurred_at: str
    totals: dict[str, BetTotal]
    paytable: str | None = None

    def agrees(self, other: "BatchRow") -> bool:
        """Whether two rows of one revision have the same sums, as repeats must."""
        return (self.currency, self.totals) == (other.currency, other.totals)


@dataclass(slots=True)
class Sums:
    """Sums of one shoe, or of many.

    ``tries`` per bet and decks, ``money`` per bet and currency, ``risk`` per bet, currency, pay table and decks; and
    ``expected`` per bet and currency of shoes that are no longer held: None where it is not known.
    """

    tries: dict[tuple[str, int], Tries] = field(default_factory=dict)
    money: dict[tuple[str, str], Money] = field(default_factory=dict)
    risk: dict[tuple[str, str, str, int], Risk] = field(default_factory=dict)
    expected: dict[tuple[str, str], Expected | None] = field(default_factory=dict)

    def add_tries(self, bet: str, decks: int, tries: Tries, sign: int = 1) -> None:
        """Add what rounds say of a bet, or take it away."""
        _put(self.tries, (bet, decks), self.tries.get((bet, decks), Tries()).plus(tries, sign))

    def add_money(self, currency: str, totals: dict[str, BetTotal], sign: int = 1) -> None:
        """Add a batch's totals, or take them away."""
        for bet, total in totals.items():
            money = Money(total.slips, total.stake, total.paid)
            _put(self.money, (bet, currency), self.money.get((bet, currency), Money()).plus(money, sign))

    def move_risk(self, stakes: dict[tuple[str, str, str, int], int], batch: BatchRow, sign: int = 1) -> None:
        """Add a batch to the ``stakes`` of its round, or take it away, and note what that does to the risk.

        Decks are put in when they are shown.
        """
        for bet, total in batch.totals.items():
            place = (bet, batch.currency, batch.paytable or "", 0)
            before = stakes.get(place, 0)
            after = before + sign * total.stake
            stakes[place] = after
            moved = Risk(after - before, after * after - before * before)
            _put(self.risk, place, self.risk.get(place, Risk()).plus(moved))

    def with_decks(self, decks: int) -> "Sums":
        """These sums, all of them from shoes of this number of decks."""
        return Sums(
            {(bet, decks): tries for (bet, _), tries in self.tries.items()},
            self.money,
            {(*place, decks): risk for (*place, _), risk in self.risk.items()},  # type: ignore[misc] # three and one
        )


def _put(sums: dict[_Place, _Total], place: _Place, total: _Total) -> None:
    """Put a total in its place; one that is nothing has none."""
    if any(total):
        sums[place] = total
    else:
        sums.pop(place, None)


def together(parts: Iterable[Sums]) -> Sums:
    """The sums of all parts."""
    whole = Sums()
    for part in parts:
        for tried, tries in part.tries.items():
            before = whole.tries.get(tried)
            whole.tries[tried] = tries if before is None else before.plus(tries)
        for place, money in part.money.items():
            held = whole.money.get(place)
            whole.money[place] = money if held is None else held.plus(money)
        for risked, risk in part.risk.items():
            whole.risk[risked] = whole.risk.get(risked, Risk()).plus(risk)
        for place, expected in part.expected.items():
            known = whole.expected.get(place, Expected())
            whole.expected[place] = None if expected is None or known is None else known.plus(expected)
    return whole


def priced(sums: Sums, prices: Prices) -> dict[tuple[str, str], Expected | None]:
    """What was expected of all stakes, per bet and currency; None where a pay table among them is not known."""
    found = dict(sums.expected)
    for (bet, currency, paytable, decks), risk in sums.risk.items():
        place, moments = (bet, currency), prices(paytable, decks)
        before = found.get(place)
        if moments is None or bet not in moments or (before is None and place in found):
            found[place] = None
            continue
        mean, variance = moments[bet]
        expected = Expected(-mean * risk.stake, variance * risk.squares)
        found[place] = expected if before is None else before.plus(expected)
    return found


_ORDER: Final = {bet: place for place, bet in enumerate(BETS)}


def statistics_of(sums: Sums, decks: int, prices: Prices) -> dict[str, BetStatistics]:
    """What is published of these sums, bets in the order of the game.

    A bet is listed when a round's pay table has it (or money stands on it); its rounds are all in which its fact is
    known. The exact probability is the mean over them by their shoes' decks; with no round it is that of ``decks``.
    """
    tries: dict[str, dict[int, Tries]] = {}
    for (bet, packs), more in sums.tries.items():
        tries.setdefault(bet, {})[packs] = more
    expected = priced(sums, prices)
    money: dict[str, dict[str, MoneyStatistics]] = {}
    for bet, currency in sorted(sums.money):
        (slips, stake, paid), hold = sums.money[bet, currency], expected.get((bet, currency))
        money.setdefault(bet, {})[currency] = money_statistics(
            slips=slips,
            stake=stake,
            paid=paid,
            expected_hold=hold.hold if hold else None,
            hold_variance=hold.variance if hold else None,
        )
    listed = {bet for bet, by_decks in tries.items() if any(each.listed for each in by_decks.values())}
    bets = sorted((listed | money.keys()) & _ORDER.keys(), key=_ORDER.__getitem__)
    return {bet: _statistics(bet, tries.get(bet, {}), money.get(bet, {}), decks) for bet in bets}


def _statistics(bet: str, tries: dict[int, Tries], money: dict[str, MoneyStatistics], decks: int) -> BetStatistics:
    rounds = {packs: each.rounds for packs, each in tries.items() if each.rounds}
    return bet_statistics(
        hits=sum([each.hits for each in tries.values()]),
        likely=[Likely(count, *odds(bet, packs)) for packs, count in rounds.items()],
        exact_probability=exact_probability(bet, rounds, decks),
        money=money,
    )


@functools.cache
def odds(bet: str, decks: int) -> tuple[int, int]:
    """The exact probability of a bet as a fraction."""
    return probability(bet, decks).as_integer_ratio()


def exact_probability(bet: str, rounds: dict[int, int], decks: int) -> float:
    """The mean exact probability of a bet over rounds by decks, as the nearest double."""
    played = {packs: count for packs, count in rounds.items() if count}
    if len(played) <= 1:
        numerator, denominator = odds(bet, next(iter(played), decks))
        return numerator / denominator
    total = sum(probability(bet, packs) * count for packs, count in played.items())
    return float(total / Fraction(sum(played.values())))
