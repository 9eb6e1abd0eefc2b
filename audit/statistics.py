"""What statistics must say, of a table and of each shoe: integers from rounds and settlements, exact ratios of them."""

import functools
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import NormalDist
from typing import Final

from audit.days import gaming_day
from audit.money import BetSums
from audit.settling import paytable_of
from audit.tables import Shoe, Table, latest
from audit.versions import Version
from baccarat.bets import BETS
from baccarat.odds import moments, probability
from contract.days import GamingDays
from contract.rounds import Played
from contract.scalars import parse_instant
from contract.statistics import BetStatistics, MoneyStatistics, Pace, ShoeStatistics, TableStatistics

_Z: Final = NormalDist().inv_cdf(0.975)
Money = Mapping[int, BetSums]
"""Sums of money by the number of the shoe."""


@dataclass(slots=True)
class _Tries:
    """Of one bet: whether a pay table has it, in how many rounds its fact is known, by packs, on how many it wins."""

    offered: bool = False
    known: Counter[int] = field(default_factory=Counter)
    hits: int = 0


def statistics(table: Table, money: Money, days: GamingDays) -> TableStatistics | None:
    """The statistics of a table from all of its shoes; None before its first shoe."""
    shoe = table.shoes.get(table.highest)
    if shoe is None:
        return None
    shoes = list(table.shoes.values())
    times = [time for each in shoes for time in _times(each, money)]
    whole = BetSums()
    for number, sums in money.items():
        if number not in table.shoes and sums.occurred_at:
            times.append(sums.occurred_at)
        whole.weight += sums.weight
    return TableStatistics(
        table_id=table.table_id,
        occurred_at=latest(times or shoe.times()),
        shoe_no=shoe.number,
        version=sum(map(_weight, shoes)) + whole.weight,
        gaming_day=_day(shoe, days),
        pace={"shoe": _pace([shoe]), "lifetime": _pace(shoes)},
        scopes={"shoe": _scope([shoe], money, shoe.decks), "lifetime": _scope(shoes, money, shoe.decks)},
    )


def shoe_statistics(table: Table, shoe: Shoe, money: Money, days: GamingDays) -> ShoeStatistics:
    """The statistics of one shoe."""
    times = _times(shoe, money)
    return ShoeStatistics(
        table_id=table.table_id,
        occurred_at=latest(times or shoe.times()),
        shoe_no=shoe.number,
        version=_weight(shoe) + money.get(shoe.number, BetSums()).weight,
        decks=shoe.decks,
        gaming_day=_day(shoe, days),
        pace=_pace([shoe]),
        bets=_scope([shoe], money, shoe.decks),
    )


def _weight(shoe: Shoe) -> int:
    revisions = sum(version.event.revision + 1 for held in shoe.rounds.values() for version in held.values())
    return revisions + (shoe.started is not None)


def _times(shoe: Shoe, money: Money) -> list[str]:
    said = [version.event.occurred_at for held in shoe.rounds.values() for version in held.values()]
    said += [shoe.started.occurred_at] if shoe.started else []
    sums = money.get(shoe.number)
    return said + ([sums.occurred_at] if sums and sums.occurred_at else [])


# When was dealt.


def _first_told(held: Mapping[int, Version]) -> str:
    versions = [held[revision].event for revision in sorted(held)]
    return next((event for event in versions if isinstance(event, Played)), versions[0]).occurred_at


def _day(shoe: Shoe, days: GamingDays) -> str | None:
    rounds = [held for _, held in sorted(shoe.rounds.items())]
    dealt = [held for held in rounds if any(isinstance(version.event, Played) for version in held.values())]
    return gaming_day(_first_told((dealt or rounds)[0]), days) if rounds else None


def _pace(shoes: Iterable[Shoe]) -> Pace:
    rounds, counted, milliseconds = 0, 0, 0
    for shoe in shoes:
        standing = {number for number, version in shoe.results() if version.facts is not None}
        times = [parse_instant(_first_told(held)) for number, held in shoe.rounds.items() if number in standing]
        if times:
            rounds, counted = rounds + len(times), counted + 1
            took = max(times) - min(times)
            milliseconds += round((took.days * 86_400 + took.seconds) * 1000 + took.microseconds / 1000)
    hourly = Fraction(3_600_000 * (rounds - counted), milliseconds) if milliseconds else None
    return Pace(
        rounds=rounds,
        shoes=counted,
        seconds=milliseconds / 1000,
        rounds_per_hour=None if hourly is None else _decimals(hourly, 3),
    )


# What the bets did.


def _scope(shoes: list[Shoe], money: Money, decks: int) -> dict[str, BetStatistics]:
    tries, sums = _tries(shoes), _money(shoes, money)
    return {
        bet: _bet(bet, tries.get(bet, _Tries()), decks, sums.get(bet, {}))
        for bet in BETS
        if bet in sums or (bet in tries and tries[bet].offered)
    }


def _tries(shoes: list[Shoe]) -> dict[str, _Tries]:
    tries: dict[str, _Tries] = {}
    for shoe in shoes:
        for _, version in shoe.results():
            if version.facts is None:
                continue
            paytable = paytable_of(version.paytable) if version.paytable else None
            for bet, rule in BETS.items():
                row, won = tries.setdefault(bet, _Tries()), rule.wins(version.facts)
                row.offered |= paytable is not None and bet in paytable.pays
                row.known[shoe.decks] += won is not None
                row.hits += won is True
    return tries


def _bet(bet: str, tries: _Tries, decks: int, money: dict[str, MoneyStatistics]) -> BetStatistics:
    rounds, hits = tries.known.total(), tries.hits
    if not rounds:
        return BetStatistics(rounds=0, hits=0, exact_probability=float(probability(bet, decks)), money=money)
    likely = [(probability(bet, packs), count) for packs, count in tries.known.items()]
    mean = sum((p * count for p, count in likely), Fraction(0))
    spread = sum((p * (1 - p) * count for p, count in likely), Fraction(0))
    return BetStatistics(
        rounds=rounds,
        hits=hits,
        exact_probability=float(mean / rounds),
        observed_rate=_decimals(Fraction(hits, rounds), 6),
        interval=_interval(hits, rounds),
        z=round(float(hits - mean) / math.sqrt(spread), 6) if spread else None,
        money=money,
    )


def _interval(hits: int, rounds: int) -> tuple[float, float]:
    """Wilson's: the two rates from which the observed one lies just so many standard deviations away."""
    square = _Z * _Z
    a, b, c = rounds + square, 2 * hits + square, hits * hits / rounds
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    return round(max(0.0, (b - root) / (2 * a)), 6), round(min(1.0, (b + root) / (2 * a)), 6)


def _money(shoes: list[Shoe], money: Money) -> dict[str, dict[str, MoneyStatistics]]:
    rows: dict[tuple[str, str], list[int]] = {}
    expected: dict[tuple[str, str], list[Fraction] | None] = {}
    for shoe in shoes:
        sums = money.get(shoe.number, BetSums())
        for place, row in sums.money.items():
            rows[place] = [mine + theirs for mine, theirs in zip(rows.get(place, (0, 0, 0)), row, strict=True)]
        for (bet, currency, paytable), (stake, squares) in sums.risks().items():
            odds = _moments(paytable, shoe.decks)
            before = expected.setdefault((bet, currency), [Fraction(0), Fraction(0)])
            if odds is None or bet not in odds or before is None:
                expected[bet, currency] = None
            else:
                before[0] -= odds[bet][0] * stake
                before[1] += odds[bet][1] * squares
    told: dict[str, dict[str, MoneyStatistics]] = {}
    for bet, currency in sorted(rows):
        told.setdefault(bet, {})[currency] = _amounts(rows[bet, currency], expected.get((bet, currency)))
    return told


@functools.cache
def _moments(paytable: str, decks: int) -> Mapping[str, tuple[Fraction, Fraction]] | None:
    found = paytable_of(paytable)
    return None if found is None else moments(found, decks)


def _amounts(row: list[int], expected: list[Fraction] | None) -> MoneyStatistics:
    slips, stake, paid = row
    return MoneyStatistics(
        slips=slips,
        stake=stake,
        paid=paid,
        hold=stake - paid,
        hold_percent=_decimals(Fraction((stake - paid) * 100, stake), 3) if stake else None,
        average_bet=_decimals(Fraction(stake, slips), 3) if stake else None,
        expected_hold=_decimals(expected[0], 3) if expected else None,
        hold_variance=_decimals(expected[1], 3) if expected else None,
    )


def _decimals(ratio: Fraction, places: int) -> float:
    return float(round(ratio, places))  # of a fraction: half to even
