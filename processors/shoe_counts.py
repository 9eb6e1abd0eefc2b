"""How often each card has been seen in a shoe, and which were seen more often than its packs allow."""

from collections import Counter
from typing import Final

from baccarat.rounds import Facts

_SUITS: Final = 4


class ShoeCounts:
    """The cards of the latest versions of a shoe's rounds, and of its burn card where that was told.

    A card whose suit was not told counts for its rank alone.
    """

    def __init__(self) -> None:
        self._rounds: dict[int, tuple[str, ...]] = {}
        self._burnt: tuple[str, ...] = ()
        self._seen: Counter[str] = Counter()
        self._ranks: Counter[str] = Counter()

    def put_round(self, round_no: int, facts: Facts | None) -> None:
        """Put the cards of the round at its latest version in the place of those it had; None for a voided round."""
        cards = (facts.player or ()) + (facts.banker or ()) if facts else ()
        self._exchange(self._rounds.get(round_no, ()), cards)
        self._rounds[round_no] = cards

    def put_burnt(self, card: str | None) -> None:
        """The card that was shown and burnt when the shoe began."""
        cards = (card,) if card else ()
        self._exchange(self._burnt, cards)
        self._burnt = cards

    def _exchange(self, old: tuple[str, ...], new: tuple[str, ...]) -> None:
        for sign, cards in ((-1, old), (1, new)):
            for card in cards:
                self._seen[card] += sign
                self._ranks[card[0]] += sign

    def impossible(self, decks: int) -> dict[str, int]:
        """Cards (``9H``) and ranks (``9``) that were seen more often than the packs have them, with how often."""
        over = {card: times for card, times in self._seen.items() if len(card) > 1 and times > decks}
        return over | {rank: times for rank, times in self._ranks.items() if times > _SUITS * decks}
