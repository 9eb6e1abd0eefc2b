"""A table's life: the shoes that are no longer held, folded into one row, each once."""

from fractions import Fraction
from typing import Any, Final, NamedTuple

import msgspec

from processors.sums import Expected, Money, Prices, Sums, Tries, priced, together


class Dealt(NamedTuple):
    """Rounds that are known and not voided, the shoes that have one, and the time between the rounds of each."""

    rounds: int = 0
    shoes: int = 0
    milliseconds: int = 0

    def plus(self, other: "Dealt") -> "Dealt":
        """The sum of two."""
        return Dealt(self.rounds + other.rounds, self.shoes + other.shoes, self.milliseconds + other.milliseconds)


class LifetimeRow(msgspec.Struct, frozen=True, kw_only=True):
    """Row ``table/lifetime``: the shoes up to ``closed_through_shoe``, folded in once.

    Tries per bet and decks, money per bet and currency; ``expected`` hold and variance per bet and currency, exact
    fractions as text, left out where they are not known.
    """

    closed_through_shoe: int = 0
    weight: int = 0
    occurred_at: str = ""
    tries: dict[str, dict[int, Tries]] = {}
    money: dict[str, dict[str, Money]] = {}
    expected: dict[str, dict[str, tuple[str, str]]] = {}
    dealt: Dealt = Dealt()


class Lifetime:
    """The row and what it says, read once."""

    __slots__ = ("row", "sums")

    def __init__(self, row: LifetimeRow = LifetimeRow()) -> None:  # noqa: B008 - frozen
        self.row: Final = row
        self.sums: Final = _sums(row)

    @classmethod
    def of(cls, value: bytes) -> "Lifetime":
        """From the row's bytes."""
        return cls(msgspec.json.decode(value, type=LifetimeRow))

    def with_shoe(
        self, shoe_no: int, sums: Sums, prices: Prices, *, weight: int, occurred_at: str, dealt: Dealt
    ) -> "Lifetime":
        """The lifetime with one more shoe in it; ``weight`` and ``occurred_at`` are already those of both."""
        whole = together((self.sums, sums))
        row: dict[str, Any] = {"tries": {}, "money": {}, "expected": {}}
        for (bet, decks), tries in whole.tries.items():
            row["tries"].setdefault(bet, {})[decks] = tries
        for (bet, currency), money in whole.money.items():
            row["money"].setdefault(bet, {})[currency] = money
        for (bet, currency), expected in priced(whole, prices).items():
            if expected is not None:
                row["expected"].setdefault(bet, {})[currency] = (str(expected.hold), str(expected.variance))
        return Lifetime(
            LifetimeRow(
                closed_through_shoe=shoe_no,
                weight=weight,
                occurred_at=occurred_at,
                dealt=self.row.dealt.plus(dealt),
                **row,
            )
        )


def _sums(row: LifetimeRow) -> Sums:
    return Sums(
        {(bet, decks): tries for bet, by_decks in row.tries.items() for decks, tries in by_decks.items()},
        {(bet, currency): money for bet, by_currency in row.money.items() for currency, money in by_currency.items()},
        {},
        {
            (bet, currency): _expected(row.expected.get(bet, {}).get(currency))
            for bet, by_currency in row.money.items()
            for currency in by_currency
        },
    )


def _expected(said: tuple[str, str] | None) -> Expected | None:
    return Expected(Fraction(said[0]), Fraction(said[1])) if said else None
