"""What the statistics of a table must say: integers from rounds and settlements, exact ratios of them."""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from audit.money import BetSums
from audit.settling import paytable_of
from audit.tables import Shoe, Table, latest
from baccarat.bets import BETS
from baccarat.odds import probability
from contract.statistics import BetStatistics, MoneyStatistics, TableStatistics


@dataclass(slots=True)
class _Tries:
    """Of one bet: whether a pay table has it, in how many rounds its fact is known, by packs, on how many it wins."""

    offered: bool = False
    known: Counter[int] = field(default_factory=Counter)
    hits: int = 0


def statistics(table: Table, running: BetSums, lifetime: BetSums) -> TableStatistics | None:
    """The statistics of a table from all of its shoes; None before its first shoe."""
    shoe = table.shoes.get(table.highest)
    if shoe is None:
        return None
    shoes = list(table.shoes.values())
    started = [each.started.occurred_at for each in shoes if each.started]
    times = started + [time for each in shoes for time in _round_times(each)]
    times += [lifetime.occurred_at] if lifetime.occurred_at else []
    revisions = sum(version.event.revision + 1 for each in shoes for _, version in each.results())
    return TableStatistics(
        table_id=table.table_id,
        occurred_at=latest(times or shoe.times()),
        shoe_no=shoe.number,
        version=revisions + len(started) + lifetime.weight,
        scopes={"shoe": _scope([shoe], running, shoe.decks), "lifetime": _scope(shoes, lifetime, shoe.decks)},
    )


def _round_times(shoe: Shoe) -> list[str]:
    return [version.event.occurred_at for held in shoe.rounds.values() for version in held.values()]


def _scope(shoes: list[Shoe], money: BetSums, decks: int) -> dict[str, BetStatistics]:
    tries = _tries(shoes)
    currencies: dict[str, list[str]] = {}
    for bet, currency in sorted(money.money):
        currencies.setdefault(bet, []).append(currency)
    return {
        bet: BetStatistics(
            rounds=tries.get(bet, _Tries()).known.total(),
            hits=tries.get(bet, _Tries()).hits,
            exact_probability=_mean(bet, tries.get(bet, _Tries()).known, decks),
            money={currency: _money(*money.money[bet, currency]) for currency in currencies.get(bet, ())},
        )
        for bet in BETS
        if bet in currencies or (bet in tries and tries[bet].offered)
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


def _mean(bet: str, rounds: Counter[int], decks: int) -> float:
    """The mean of the exact probability over rounds by packs; that of ``decks`` where there is none."""
    if not rounds.total():
        return float(probability(bet, decks))
    whole = sum((probability(bet, packs) * count for packs, count in rounds.items()), Fraction(0))
    return float(whole / rounds.total())


def _money(slips: int, stake: int, paid: int) -> MoneyStatistics:
    hold = stake - paid
    percent = round(Fraction(hold * 100_000, stake)) / 1000 if stake else None  # round() is half to even
    return MoneyStatistics(slips=slips, stake=stake, paid=paid, hold=hold, hold_percent=percent)
