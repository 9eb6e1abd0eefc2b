"""Outputs of the statistics processor: ``baccarat.statistics.v1`` and ``baccarat.shoe-statistics.v1``.

Ratios of a period that is made of several shoes are made anew from the sums, never from the ratios of its parts. What
each figure means and how it is computed stands in ``docs/statistics.md``.
"""

from typing import Literal

from msgspec import Struct, field

from contract.rounds import Event


class MoneyStatistics(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Sums of one bet in one currency, minor units; refused and voided slips left out, pushed ones in.

    ``hold`` is stake − paid. ``hold_percent`` (three decimals, half-even) and ``average_bet``, the mean stake of a slip
    (minor units, three decimals, half-even), are absent at stake 0. ``expected_hold`` is what the pay tables keep of
    these stakes on average, ``hold_variance`` the variance of the hold if every card is fair (minor units squared),
    where all slips of one bet in a round win or lose together; both with three decimals, half-even.
    """

    slips: int
    stake: int
    paid: int
    hold: int
    hold_percent: float | None = None
    average_bet: float | None = None
    expected_hold: float | None = None
    hold_variance: float | None = None


class BetStatistics(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One bet in one scope: ``rounds`` in which its fact was known whatever the result, ``hits`` on which it wins.

    ``exact_probability`` is the mean over those rounds, by each shoe's decks; 0 rounds: by the running shoe's decks.
    ``observed_rate`` is hits by rounds, ``interval`` its Wilson interval at 95 %, low and high; ``z`` is how many
    standard deviations the hits lie above what is expected of those rounds. Six decimals; absent with 0 rounds, and
    ``z`` also where the hits cannot vary.
    """

    rounds: int
    hits: int
    exact_probability: float
    observed_rate: float | None = None
    interval: tuple[float, float] | None = None
    z: float | None = None
    money: dict[str, MoneyStatistics]


class Pace(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How fast was dealt: ``rounds`` that are known and not voided, and the ``seconds`` that they took.

    The seconds of a shoe lie between the sources' times of its earliest and its latest such round: they hold one round
    less than ``rounds`` has. Those of a period are the sum. ``rounds_per_hour`` (three decimals, half-even) is absent
    where no time has passed.
    """

    rounds: int
    shoes: int
    seconds: float
    rounds_per_hour: float | None = None


class TableStatistics(Event, frozen=True, kw_only=True, tag="bet_statistics"):
    """Per scope (``shoe``: the running one; ``lifetime``: all shoes with it) and bet: rounds, hits and money.

    ``gaming_day`` (``2026-11-30``) is the running shoe's, as in ``ShoeStatistics``; absent before its first round.
    """

    shoe_no: int
    version: int
    gaming_day: str | None = None
    pace: dict[str, Pace] = field(default_factory=dict)
    scopes: dict[str, dict[str, BetStatistics]]


class ShoeStatistics(Event, frozen=True, kw_only=True, tag="shoe_statistics"):
    """One shoe's statistics, so that any period can be summed; key ``table_id/shoe_no``.

    Sent when ``shoe_ended`` or a later shoe has been seen, and again after every later change of the shoe.
    ``gaming_day`` is the casino's local day of its lowest round's ``occurred_at``, days starting at the casino's hour;
    a shoe without a round has none. All rounds of the shoe were dealt from ``decks``.
    """

    shoe_no: int
    version: int
    decks: int
    gaming_day: str | None = None
    pace: Pace
    bets: dict[str, BetStatistics]


class Figures(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The statistics of a period, as ``beadplate stats`` and the API tell them.

    ``scope`` is one ``shoe`` of a table, a gaming ``day`` of a table or (no ``table_id``) of all, or a table's
    ``lifetime``. ``tables`` and ``shoes`` are how many are in it; of a lifetime the shoes that have a round.
    """

    scope: Literal["shoe", "day", "lifetime"]
    table_id: str | None = None
    shoe_no: int | None = None
    gaming_day: str | None = None
    tables: int
    shoes: int
    pace: Pace
    bets: dict[str, BetStatistics]
