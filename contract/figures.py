"""Ratios made of sums: what is published of one shoe, of a table's life, or of any period that is put together.

Sums are integers or exact fractions; every figure is rounded once, when it is made. ``docs/statistics.md`` has each
with its formula.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Final, NamedTuple, Protocol

from baccarat.bets import BETS
from contract.statistics import BetStatistics, MoneyStatistics, Pace

#: The quantile of the normal distribution between whose negative and itself 95 % lie.
Z_95: Final = 1.959963984540054
_RATE_DECIMALS: Final = 6
_DECIMALS: Final = 3
_SECONDS_AN_HOUR: Final = 3600
_ORDER: Final = {bet: place for place, bet in enumerate(BETS)}


def rounded(numerator: int, denominator: int, decimals: int = _DECIMALS) -> float:
    """The ratio with so many decimals, half to even, as the nearest double; ``denominator`` above 0."""
    scale: int = 10**decimals
    whole, rest = divmod(numerator * scale, denominator)
    return (whole + (2 * rest + whole % 2 > denominator)) / scale


def money_statistics(
    *, slips: int, stake: int, paid: int, expected_hold: Fraction | None = None, hold_variance: Fraction | None = None
) -> MoneyStatistics:
    """What is published of one bet's money in one currency; minor units, and their square for the variance."""
    hold = stake - paid
    return MoneyStatistics(
        slips=slips,
        stake=stake,
        paid=paid,
        hold=hold,
        hold_percent=rounded(hold * 100, stake) if stake else None,
        average_bet=rounded(stake, slips) if stake and slips else None,
        expected_hold=None if expected_hold is None else rounded(*expected_hold.as_integer_ratio()),
        hold_variance=None if hold_variance is None else rounded(*hold_variance.as_integer_ratio()),
    )


class Likely(NamedTuple):
    """So many rounds, in each of which a bet wins with this probability, a fraction."""

    rounds: int
    numerator: int
    denominator: int


def bet_statistics(
    *, hits: int, likely: Sequence[Likely], exact_probability: float, money: Mapping[str, MoneyStatistics]
) -> BetStatistics:
    """What is published of one bet: its rate beside the exact probability, and its money by currency."""
    rounds = sum([part.rounds for part in likely])
    return BetStatistics(
        rounds=rounds,
        hits=hits,
        exact_probability=exact_probability,
        observed_rate=rounded(hits, rounds, _RATE_DECIMALS) if rounds else None,
        interval=wilson(hits, rounds) if rounds else None,
        z=_z(hits, likely) if rounds else None,
        money=dict(money),
    )


def _z(hits: int, likely: Sequence[Likely]) -> float | None:
    """How many standard deviations the hits lie above what is expected; None where they cannot vary."""
    if len(likely) == 1:
        ((rounds, p, of),) = likely
        spread = rounds * p * (of - p)
        return round((hits * of - rounds * p) / sqrt(spread), _RATE_DECIMALS) if spread else None
    parts = [(rounds, Fraction(p, of)) for rounds, p, of in likely]
    expected = sum((rounds * p for rounds, p in parts), Fraction(0))
    variance = sum((rounds * p * (1 - p) for rounds, p in parts), Fraction(0))
    return round(float(hits - expected) / sqrt(variance), _RATE_DECIMALS) if variance else None


def wilson(hits: int, rounds: int) -> tuple[float, float]:
    """The score interval of a rate at 95 %, low and high (E. B. Wilson 1927, JASA 22, 209); ``rounds`` above 0."""
    rate, z2 = hits / rounds, Z_95**2
    middle = rate + z2 / (2 * rounds)
    half = Z_95 * sqrt(rate * (1 - rate) / rounds + z2 / (4 * rounds**2))
    whole = 1 + z2 / rounds
    low = 0.0 if hits == 0 else (middle - half) / whole
    high = 1.0 if hits == rounds else (middle + half) / whole
    return round(low, _RATE_DECIMALS), round(high, _RATE_DECIMALS)


def pace(*, rounds: int, shoes: int, milliseconds: int) -> Pace:
    """How fast was dealt: ``shoes`` are those that have a round; the time lies between the rounds of each."""
    hourly = rounded((rounds - shoes) * _SECONDS_AN_HOUR * 1000, milliseconds) if milliseconds else None
    return Pace(
        rounds=rounds,
        shoes=shoes,
        seconds=milliseconds / 1000,
        rounds_per_hour=hourly,
    )


class Summed(NamedTuple):
    """The figures of a period: how many shoes it has, how fast they were dealt, and its bets."""

    shoes: int
    pace: Pace
    bets: dict[str, BetStatistics]


class OfShoe(Protocol):
    """What is summed: the pace and the bets of one shoe."""

    @property
    def pace(self) -> Pace: ...  # noqa: D102
    @property
    def bets(self) -> Mapping[str, BetStatistics]: ...  # noqa: D102


def summed(shoes: Iterable[OfShoe]) -> Summed:
    """Put shoes of any tables together, each given once. Bets stand in the order of the game."""
    shoes = list(shoes)
    bets: dict[str, list[BetStatistics]] = {}
    for shoe in shoes:
        for bet, said in shoe.bets.items():
            bets.setdefault(bet, []).append(said)
    paces = [shoe.pace for shoe in shoes]
    how_fast = pace(
        rounds=sum(each.rounds for each in paces),
        shoes=sum(each.shoes for each in paces),
        milliseconds=sum(round(each.seconds * 1000) for each in paces),
    )
    in_order = sorted(bets, key=lambda bet: _ORDER.get(bet, len(_ORDER)))
    return Summed(len(shoes), how_fast, {bet: _together(bets[bet]) for bet in in_order})


def _together(parts: list[BetStatistics]) -> BetStatistics:
    likely = [Likely(part.rounds, *part.exact_probability.as_integer_ratio()) for part in parts if part.rounds]
    rounds = sum(part.rounds for part in likely)
    expected = sum((part.rounds * Fraction(part.numerator, part.denominator) for part in likely), Fraction(0))
    currencies = sorted({currency for part in parts for currency in part.money})
    return bet_statistics(
        hits=sum(part.hits for part in parts),
        likely=likely,
        exact_probability=float(expected / rounds) if rounds else parts[0].exact_probability,
        money={
            currency: together([part.money[currency] for part in parts if currency in part.money])
            for currency in currencies
        },
    )


def together(parts: list[MoneyStatistics]) -> MoneyStatistics:
    """Money of one currency put together, of shoes or of bets."""
    return money_statistics(
        slips=sum(part.slips for part in parts),
        stake=sum(part.stake for part in parts),
        paid=sum(part.paid for part in parts),
        expected_hold=_sum([part.expected_hold for part in parts]),
        hold_variance=_sum([part.hold_variance for part in parts]),
    )


def _sum(parts: list[float | None]) -> Fraction | None:
    """The sum of published decimals, exactly; None where one of them is not known."""
    known = [Fraction(str(part)) for part in parts if part is not None]
    return sum(known, Fraction(0)) if len(known) == len(parts) else None
