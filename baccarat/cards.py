"""Cards and their worth, in the two-character form that travels on the wire: ``4H``, ``TS``, ``KD``."""

from typing import Final, NamedTuple

from baccarat.quoting import quote

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"

#: What each rank counts: ace 1, two to nine their pips, ten and the court cards nothing.
VALUES: Final[dict[str, int]] = dict(zip(RANKS, (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))


class BadCard(ValueError):
    """A text that names no card. The message quotes it."""


class Card(NamedTuple):
    """One card. ``suit`` is empty when the source does not tell it: no result ever depends on it."""

    rank: str
    suit: str

    @property
    def value(self) -> int:
        """What the card adds to a hand, 0 to 9."""
        return VALUES[self.rank]

    def __str__(self) -> str:
        return self.rank + self.suit


#: Every text that names a card, with and without a suit.
CARDS: Final[dict[str, Card]] = {rank + suit: Card(rank, suit) for rank in RANKS for suit in ("", *SUITS)}


def parse_card(text: str) -> Card:
    """Return the card that ``text`` names, such as ``4H`` or, with the suit unknown, ``4``.

    Raises `BadCard` for everything else; ten is ``T``, and letters are capitals.
    """
    card = CARDS.get(text)
    if card is None:
        raise BadCard(f"{quote(text)} is no card: write a rank (A 2-9 T J Q K) and, if known, a suit (C D H S)")
    return card
