"""The simulated floor: which tables it has, and what each announces of itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from baccarat.paytables import load
from contract.rounds import Limit, TableOpened
from contract.scalars import render_instant

TABLES_OF_A_PIT: Final = 4
_NAMES: Final = {"en": "Baccarat", "ru": "Баккара", "zh-Hant": "百家樂"}
_LOWEST: Final = (5_000, 2_500, 10_000)
"""Least stake on Player and Banker in minor units; the tables of the floor take turns."""
_LIMITS: Final = {
    # bet: least and greatest stake, in hundredths of the table's lowest stake
    "player": (100, 10_000),
    "banker": (100, 10_000),
    "tie": (20, 1_000),
    "player_pair": (20, 600),
    "banker_pair": (20, 600),
}
"""As in the example of ``table_opened``: 50 to 5,000 on the main bets, 10 to 500 on a tie, 10 to 300 on a pair."""
_LIMIT: Final = (20, 200)
"""Of every other bet."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """One table of the floor as it stays for a whole run. ``limits``: least and greatest stake, minor units."""

    table_id: str
    number: int
    bettors: int
    decks: int
    paytable: str
    currency: str
    limits: dict[str, tuple[int, int]]


def tables(*, prefix: str, count: int, bettors: int, decks: int, paytable: str, currency: str) -> tuple[Table, ...]:
    """The tables ``PREFIX01``, ``PREFIX02`` and so on. Raises ``UnknownPaytable``."""
    bets = tuple(load(paytable).pays)
    return tuple(
        Table(
            table_id=f"{prefix}{number:02d}",
            number=number,
            bettors=bettors,
            decks=decks,
            paytable=paytable,
            currency=currency,
            limits=_limits(bets, _LOWEST[(number - 1) % len(_LOWEST)]),
        )
        for number in range(1, count + 1)
    )


def _limits(bets: Sequence[str], lowest: int) -> dict[str, tuple[int, int]]:
    hundredths = {bet: _LIMITS.get(bet, _LIMIT) for bet in bets}
    return {bet: (lowest * least // 100, lowest * most // 100) for bet, (least, most) in hundredths.items()}


def opened(table: Table, *, config_no: int, time_zone: str, at: datetime) -> TableOpened:
    """The table's announcement; equal but for its time whenever it is made again with the same numbers."""
    return TableOpened(
        table_id=table.table_id,
        occurred_at=render_instant(at),
        config_no=config_no,
        names={language: f"{name} {table.number:02d}" for language, name in _NAMES.items()},
        place=f"Main floor · Pit {1 + (table.number - 1) // TABLES_OF_A_PIT}",
        currency=table.currency,
        limits={bet: Limit(min=least, max=most) for bet, (least, most) in table.limits.items()},
        bets=table.bettors > 0,
        time_zone=time_zone,
    )
