"""The shoe: shuffled decks, the burn, the cut card, and rounds dealt from it by the tableau."""

from random import Random
from typing import Final, TypeAlias

from baccarat.cards import CARDS, RANKS, SUITS
from baccarat.tableau import NATURALS, banker_draws, player_draws

#: A hand as it goes into an event: cards in the order dealt, such as ("4H", "TS").
Hand: TypeAlias = tuple[str, ...]

MOST_DECKS: Final = 8
#: How many cards may lie behind the cut card. Two rounds take twelve at most, so a shoe never runs dry.
BEHIND_CUT_CARD: Final = range(14, 17)
#: The first card is shown and as many burnt as it says: ten for T J Q K, which are worth nothing in a hand.
_BURNT_BY_TEN: Final = 10

_WORTH: Final = {text: card.value for text, card in CARDS.items()}


class ShoeFinished(RuntimeError):
    """A round was asked of a shoe whose last round has been dealt: shuffle a new one."""


class Shoe:
    """One shoe, shuffled by a generator that is passed in: the same seed deals the same shoe.

    When the cut card shows, the round is finished and one more is played.
    """

    def __init__(self, decks: int, random: Random) -> None:
        """Shuffle and burn. Raises ValueError unless there are 1 to 8 decks."""
        if decks not in range(1, MOST_DECKS + 1):
            raise ValueError(f"A shoe holds 1 to {MOST_DECKS} decks, not {decks}")
        self._cards = [rank + suit for rank in RANKS for suit in SUITS] * decks
        random.shuffle(self._cards)
        self._behind_cut_card = random.choice(BEHIND_CUT_CARD)
        self._rounds_left: int | None = None
        #: The card that was shown first and said how many were burnt face down.
        self.burn_card: Final = self._cards.pop()
        for _ in range(_WORTH[self.burn_card] or _BURNT_BY_TEN):
            self._cards.pop()

    def __len__(self) -> int:
        """Return how many cards are left to deal from."""
        return len(self._cards)

    @property
    def last_round(self) -> bool:
        """Tell whether the cut card has shown and the next round is the last."""
        return self._rounds_left == 1

    @property
    def finished(self) -> bool:
        """Tell whether the last round has been dealt."""
        return self._rounds_left == 0

    def deal_round(self) -> tuple[Hand, Hand]:
        """Deal one round and return Player's and Banker's cards. Raises `ShoeFinished` after the last one."""
        if self.finished:
            raise ShoeFinished("The cut card has shown and the last round is dealt: shuffle a new shoe")
        first, second, third, fourth = (self._cards.pop() for _ in range(4))
        player, banker = self._draw_thirds((first, third), (second, fourth))
        if self._rounds_left is not None:
            self._rounds_left -= 1
        elif len(self._cards) < self._behind_cut_card:
            self._rounds_left = 1
        return player, banker

    def _draw_thirds(self, player: Hand, banker: Hand) -> tuple[Hand, Hand]:
        player_total, banker_total = _total(player), _total(banker)
        if player_total in NATURALS or banker_total in NATURALS:
            return player, banker
        player_third = None
        if player_draws(player_total):
            player = (*player, self._cards.pop())
            player_third = _WORTH[player[-1]]
        if banker_draws(banker_total, player_third):
            banker = (*banker, self._cards.pop())
        return player, banker


def _total(hand: Hand) -> int:
    return sum(_WORTH[card] for card in hand) % 10
