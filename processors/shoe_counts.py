"""How often each card has been seen in a shoe, and which were seen more often than its packs allow."""

from collections import Counter
from typing import Final

from baccarat.rounds import Facts
from processors.shoes import DEFAULT_DECKS

_SUITS: Final = 4


class ShoeCounts:
    """The cards of the latest versions of a shoe's rounds, and of its burn card where that was told.

    ``impossible`` are the cards (``9H``) and ranks (``9``) that were seen more often than the packs have them, with how
    often. A card whose suit was not told counts for its rank alone.
    """

    def __init__(self) -> None:
        self.impossible: dict[str, int] = {}
        self._decks = DEFAULT_DECKS
        self._rounds: dict[int, tuple[str, ...]] = {}
        self._burnt: tuple[str, ...] = ()
        self._seen: Counter[str] = Counter()

    def put_round(self, round_no: int, facts: Facts | None) -> None:
        """Put the cards of the round at its latest version in the place of those it had; None for a voided round."""
        cards = (facts.player or ()) + (facts.banker or ()) if facts else ()
        self._exchange(self._rounds.get(round_no, ()), cards)
        self._rounds[round_no] = cards

    def put_start(self, decks: int, burnt: str | None) -> None:
        """The packs of the shoe, and the card that was shown and burnt when it began."""
        cards = (burnt,) if burnt else ()
        if cards != self._burnt:
            self._exchange(self._burnt, cards)
            self._burnt = cards
        if decks != self._decks:
            self._decks = decks
            self._judge(set(self._seen))

    def _exchange(self, old: tuple[str, ...], new: tuple[str, ...]) -> None:
        if old == new:
            return
        for sign, cards in ((-1, old), (1, new)):
            for card in cards:
                self._seen[card] += sign
                if len(card) > 1:
                    self._seen[card[0]] += sign
        self._judge({*old, *new, *(card[0] for card in (*old, *new))})

    def _judge(self, cards: set[str]) -> None:
        for card in cards:
            if self._seen[card] > (self._decks if len(card) > 1 else _SUITS * self._decks):
                self.impossible[card] = self._seen[card]
            else:
                self.impossible.pop(card, None)
