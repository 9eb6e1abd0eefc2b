"""``beadplate odds``: exact probabilities, and what the house keeps of every bet."""

from typing import Literal, TextIO

from msgspec import Struct

from baccarat.odds import edges, outcomes, probability
from baccarat.paytables import load
from beadplate.offline.lines import as_json, until_reader_leaves


class BetOdds(Struct, frozen=True, kw_only=True):
    """How likely a bet wins, and what part of a stake the house keeps on average."""

    probability: float
    house_edge: float


class Odds(Struct, frozen=True, kw_only=True):
    """The odds of a full shoe: each number is the double nearest to the exact fraction."""

    decks: int
    paytable: str
    outcomes: dict[str, float]
    bets: dict[str, BetOdds]


def run(
    *,
    decks: int = 8,
    paytable: str = "classic@1",
    format: Literal["text", "json"] = "text",  # noqa: A002 - the option is called so
    stdout: TextIO,
) -> int:
    """Print the odds and return 0. Raises ValueError for an unknown pay table, and for other than 1 to 8 decks."""
    odds = compute(decks, paytable)
    with until_reader_leaves(stdout):
        stdout.write((as_json(odds) if format == "json" else table(odds)) + "\n")
    return 0


def compute(decks: int, paytable: str) -> Odds:
    """Return the odds of a full shoe of this many decks by a pay table."""
    kept = edges(load(paytable), decks)
    return Odds(
        decks=decks,
        paytable=paytable,
        outcomes={outcome: float(share) for outcome, share in outcomes(decks).items()},
        bets={
            bet: BetOdds(probability=float(probability(bet, decks)), house_edge=float(edge))
            for bet, edge in kept.items()
        },
    )


def table(odds: Odds) -> str:
    """Return the odds as two small tables, in percent with four decimals."""
    width = max(14, *(len(bet) + 1 for bet in odds.bets))
    return "\n".join(
        [
            f"{odds.paytable}, {odds.decks} {'deck' if odds.decks == 1 else 'decks'}, exact",
            "",
            f"{'outcome':<14}{'probability':>13}",
            *(f"{outcome:<14}{share:>13.4%}" for outcome, share in odds.outcomes.items()),
            "",
            f"{'bet':<{width}}{'probability':>13}{'house edge':>13}",
            *(f"{bet:<{width}}{line.probability:>13.4%}{line.house_edge:>13.4%}" for bet, line in odds.bets.items()),
        ]
    )
