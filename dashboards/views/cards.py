"""Cards and results of rounds as a page shows them."""

import functools
from collections.abc import Sequence
from typing import Final, NamedTuple

from contract.scoreboards import Round, Version
from dashboards.views.grids import letter
from dashboards.words import Words

_SUITS: Final = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
_SIGNS: Final = {"club": "♣", "diamond": "♦", "heart": "♥", "spade": "♠", "": ""}


class Card(NamedTuple):
    """A card: its rank as printed, its suit's name (empty where not known), and whether it is red."""

    rank: str
    suit: str
    red: bool

    @property
    def sign(self) -> str:
        """The suit's sign, told to be text and no emoji."""
        return f"{_SIGNS[self.suit]}\N{VARIATION SELECTOR-15}" if self.suit else ""


def cards(hand: Sequence[str] | None) -> tuple[Card, ...]:
    """The cards of a hand; none where they are not known."""
    return tuple(map(_card, hand or ()))


@functools.cache
def _card(text: str) -> Card:
    suit = _SUITS.get(text[1:], "")
    return Card("10" if text[0] == "T" else text[0], suit, suit in {"heart", "diamond"})


class Result(NamedTuple):
    """What a round came to. ``outcome`` is B, P or T (empty: none), totals are text: a dash where not known."""

    outcome: str
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_total: str
    banker_total: str
    player_natural: bool = False
    banker_natural: bool = False
    player_pair: bool = False
    banker_pair: bool = False

    @property
    def natural(self) -> bool:
        """Whether either hand is a natural."""
        return self.player_natural or self.banker_natural

    @property
    def natural_total(self) -> str:
        """The points of the best natural, empty where they are not known."""
        totals = [
            total
            for total, natural in (
                (self.player_total, self.player_natural),
                (self.banker_total, self.banker_natural),
            )
            if natural and total != _UNKNOWN
        ]
        return max(totals, default="")


_UNKNOWN: Final = "–"


def result(of: Round | Version) -> Result:
    """What a round, or one version of it, came to."""
    hands = hand_result(of.outcome, of.player, of.banker, of.player_total, of.banker_total)
    return hands._replace(
        player_natural=bool(of.player_natural),
        banker_natural=bool(of.banker_natural),
        player_pair=bool(of.player_pair),
        banker_pair=bool(of.banker_pair),
    )


def hand_result(
    outcome: str | None,
    player: Sequence[str] | None,
    banker: Sequence[str] | None,
    player_total: int | None,
    banker_total: int | None,
) -> Result:
    """What the hands came to, without naturals and pairs."""
    return Result(
        letter(outcome),
        cards(player),
        cards(banker),
        _UNKNOWN if player_total is None else str(player_total),
        _UNKNOWN if banker_total is None else str(banker_total),
    )


def spoken(round_no: int, shown: Result, words: Words) -> str:
    """The result as a sentence for a screen reader."""
    said = words.spoken.format(round_no, words.wins[shown.outcome], shown.player_total, shown.banker_total)
    also = [
        words.natural if shown.natural else "",
        words.player_pair if shown.player_pair else "",
        words.banker_pair if shown.banker_pair else "",
    ]
    return " ".join([said, *(f"{what}." for what in also if what)])
