"""A second settlement, written from the trade's rules alone and as plainly as can be: the judge of the first.

It knows hands as lists of cards, pays as decimal fractions in a table of its own, and nothing of ``baccarat``.
"""

from fractions import Fraction
from typing import Any

COMMISSION = {"classic@1": "0.95", "classic-8@1": "0.95", "commission-4@1": "0.96", "full@1": "0.95",
              "dragon-bonus-long@1": "0.95", "egalite@1": "0.95"}  # fmt: skip
BONUS = {4: 1, 5: 2, 6: 4, 7: 6, 8: 10, 9: 30}
LONG_BONUS = {4: 1, 5: 2, 6: 3, 7: 5, 8: 10, 9: 30}
EGALITE = (150, 215, 225, 200, 120, 110, 45, 45, 80, 80)


def points(hand: list[str]) -> int:
    return sum(0 if card[0] in "TJQK" else 1 if card[0] == "A" else int(card[0]) for card in hand) % 10


def pair(hand: list[str]) -> bool:
    return hand[0][0] == hand[1][0]


def twins(hand: list[str]) -> bool:
    return hand[0] == hand[1]


def natural(hand: list[str]) -> bool:
    return len(hand) == 2 and points(hand) >= 8


def wins(paytable: str, bet: str, player: list[str], banker: list[str]) -> Fraction | None:
    """What a stake of one wins; 0 for its return, None where it is lost."""
    p, b = points(player), points(banker)
    if bet.startswith("dragon_bonus"):
        mine, other = (player, banker) if bet.endswith("player") else (banker, player)
        return bonus(mine, other, LONG_BONUS if paytable.startswith("dragon") else BONUS)
    if bet.startswith("egalite_"):
        total = int(bet.removeprefix("egalite_"))
        return Fraction(EGALITE[total]) if p == b == total else None
    if bet == "player":
        return Fraction(1) if p > b else Fraction(0) if p == b else None
    if bet == "banker":
        return banker_wins(paytable, player, banker)
    banker_6, banker_7 = b > p and b == 6, b > p and b == 7
    pays: dict[str, int | Fraction] = {
        "tie": (9 if paytable == "classic@1" else 8) * (p == b),
        "player_pair": 11 * pair(player),
        "banker_pair": 11 * pair(banker),
        "either_pair": 5 * (pair(player) or pair(banker)),
        "perfect_pair": [0, 25, 200][twins(player) + twins(banker)],
        "small": Fraction("1.5") * (len(player) + len(banker) == 4),
        "big": Fraction("0.54") * (len(player) + len(banker) > 4),
        "super_6": 12 * banker_6,
        "lucky_6": (12 if len(banker) == 2 else 20) * banker_6,
        "tiger": (12 if len(banker) == 2 else 20) * banker_6,
        "small_tiger": 22 * (banker_6 and len(banker) == 2),
        "big_tiger": 50 * (banker_6 and len(banker) == 3),
        "dragon_7": 40 * (banker_7 and len(banker) == 3),
        "panda_8": 25 * (p > b and p == 8 and len(player) == 3),
        "tiger_tie": 35 * (p == b == 6),
        "tiger_pair": tiger_pair(player, banker),
        "player_natural": 4 * natural(player),
        "banker_natural": 4 * natural(banker),
        "any_natural": Fraction("1.8") * (natural(player) or natural(banker)),
    }
    return Fraction(pays[bet]) or None


def tiger_pair(player: list[str], banker: list[str]) -> int:
    if pair(player) and pair(banker):
        return 100 if player[0][0] == banker[0][0] else 20
    return 4 * (pair(player) or pair(banker))


def banker_wins(paytable: str, player: list[str], banker: list[str]) -> Fraction | None:
    p, b = points(player), points(banker)
    if p >= b:
        return Fraction(0) if p == b else None
    if paytable == "ez@1":
        return Fraction(0) if b == 7 and len(banker) == 3 else Fraction(1)
    if paytable in ("no-commission@1", "tiger@1"):
        return Fraction(1, 2) if b == 6 else Fraction(1)
    return Fraction(COMMISSION[paytable])


def bonus(mine: list[str], other: list[str], pays: dict[int, int]) -> Fraction | None:
    margin = points(mine) - points(other)
    if natural(mine) and margin >= 0:
        return Fraction(1) if margin else Fraction(0)
    return Fraction(pays[margin]) if margin in pays and not natural(mine) else None


def refusals(paytable: str, offered: set[str], slips: list[Any]) -> dict[int, str]:
    refused: dict[int, str] = {}
    sides: dict[str, str] = {}
    for place, slip in enumerate(slips):
        if slip.bet not in offered:
            refused[place] = "unknown_bet"
        elif slip.bet in ("player", "banker") and paytable != "full@1":
            if sides.get(slip.bettor, slip.bet) != slip.bet:
                refused[place] = "opposite_bet"
            sides.setdefault(slip.bettor, slip.bet)
    mains = {s.bettor for n, s in enumerate(slips) if n not in refused and s.bet in ("player", "banker", "tie")}
    alone = {n for n, s in enumerate(slips) if s.bet not in ("player", "banker", "tie") and s.bettor not in mains}
    return (dict.fromkeys(alone, "side_bet_alone") if paytable == "tiger@1" else {}) | refused


def settle(paytable: str, offered: set[str], player: list[str], banker: list[str], slips: list[Any]) -> list[Any]:
    """Result, payout and reason of each slip (all placed in time), fractions of a minor unit cut off."""
    refused = refusals(paytable, offered, slips)
    answers: list[Any] = []
    for place, slip in enumerate(slips):
        won = None if place in refused else wins(paytable, slip.bet, player, banker)
        if place in refused:
            answers.append(("refused", slip.stake, refused[place]))
        elif won is None:
            answers.append(("lost", 0, None))
        elif won == 0:
            answers.append(("pushed", slip.stake, None))
        else:
            answers.append(("won", slip.stake + int(slip.stake * won), None))
    return answers
