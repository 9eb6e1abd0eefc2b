"""Output of the statistics processor: ``baccarat.statistics.v1``."""

from msgspec import Struct

from contract.rounds import Event


class MoneyStatistics(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Sums of one bet in one currency, minor units; refused and voided slips left out, pushed ones in.

    ``hold`` is stake − paid; ``hold_percent`` has three decimals (half-even) and is absent at stake 0.
    """

    slips: int
    stake: int
    paid: int
    hold: int
    hold_percent: float | None = None


class BetStatistics(Struct, frozen=True, kw_only=True):
    """One bet in one scope: ``rounds`` in which its fact is known, ``hits`` on which it wins.

    ``exact_probability`` is the mean over those rounds, by each shoe's decks; 0 rounds: by the running shoe's decks.
    """

    rounds: int
    hits: int
    exact_probability: float
    money: dict[str, MoneyStatistics]


class TableStatistics(Event, frozen=True, kw_only=True, tag="bet_statistics"):
    """Per scope (``shoe``: the running one; ``lifetime``: all shoes with it) and bet: rounds, hits and money."""

    shoe_no: int
    version: int
    scopes: dict[str, dict[str, BetStatistics]]
