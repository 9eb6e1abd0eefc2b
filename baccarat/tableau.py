"""The tableau: who draws a third card. One table, from 58 Pa. Code chapter 627a (minibaccarat).

The house has no choice to make in this game. After two cards each, a natural on either side ends the round; else
Player draws by his own total, and Banker by her total and by the card that Player drew.
"""

from typing import Final

#: A natural is a total of 8 or 9 on the first two cards.
NATURALS: Final = frozenset({8, 9})

#: Player draws on these totals of two cards, and stands on 6 and 7.
PLAYER_DRAWS: Final = frozenset(range(6))

#: D: Banker draws, S: Banker stands. Row: Banker's total of two cards. First column: Player stood; then Player's
#: third card by its worth. A third card worth nothing is a card, not "no card".
_BANKER: Final = (
    # stood 0123456789
    ("D", "DDDDDDDDDD"),  # 0
    ("D", "DDDDDDDDDD"),  # 1
    ("D", "DDDDDDDDDD"),  # 2
    ("D", "DDDDDDDDSD"),  # 3
    ("D", "SSDDDDDDSS"),  # 4
    ("D", "SSSSDDDDSS"),  # 5
    ("S", "SSSSSSDDSS"),  # 6
    ("S", "SSSSSSSSSS"),  # 7
    ("S", "SSSSSSSSSS"),  # 8: a natural
    ("S", "SSSSSSSSSS"),  # 9: a natural
)

_BANKER_DRAWS: Final[dict[tuple[int, int | None], bool]] = {
    (total, third): mark == "D"
    for total, (stood, drew) in enumerate(_BANKER)
    for third, mark in ((None, stood), *enumerate(drew))
}


def player_draws(total: int) -> bool:
    """Tell whether Player draws on ``total``, 0 to 9, of two cards (when Banker has no natural)."""
    return total in PLAYER_DRAWS


def banker_draws(total: int, player_third: int | None) -> bool:
    """Tell whether Banker draws on ``total``, 0 to 9, of two cards.

    ``player_third`` is the worth of the card that Player drew, or None if Player stood (without a natural).
    """
    return _BANKER_DRAWS[total, player_third]
