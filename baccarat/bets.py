"""The bets: each is one entry that says how a round may end for it, given what is known of the round.

A bet names its pay classes, the ways in which it can win that some pay table pays differently; what each pays is the
pay table's business. Where a round came without its cards, several ends may be possible: then nobody guesses.

Rules of the side bets: 58 Pa. Code § 627a.1 and § 627a.7-12 (Dragon Bonus, Dragon 7, Panda 8, Lucky 6, pairs), and the
usual felt of Tiger Baccarat and of the Egalité bets.
"""

import functools
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from baccarat.rounds import KEYED, Facts, keypads
from baccarat.tableau import NATURALS

LOST: Final = "lost"
PUSHED: Final = "pushed"
#: The pay class of a bet that wins in one way only, and the plain one of a bet that wins in several.
WON: Final = "won"
#: Banker's ways of winning that pay tables without commission pay less, or push.
ON_6: Final = "on_6"
THREE_CARD_7: Final = "three_card_7"

Ends: TypeAlias = tuple[str, ...]
_Side: TypeAlias = Literal["player", "banker"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet:
    """One bet.

    ``ends`` returns every end that is possible for what is known of the round: pay classes of ``classes``, `LOST` or
    `PUSHED`; exactly one where the fields of `Facts` in ``needs`` are known (the outcome always is), and, for a bet on
    ``suits``, those of the cards.
    """

    name: str
    needs: tuple[str, ...] = ()
    suits: bool = False
    classes: tuple[str, ...] = (WON,)
    ends: Callable[[Facts], Ends]

    def wins(self, facts: Facts) -> bool | None:
        """Tell whether the bet wins in one of its classes, whatever a pay table pays for it; None: not known.

        It is not known either where what is known of the round would tell it of some results only. A Super 6 is lost
        when Player wins, whatever else was keyed; but of rounds counted because of how they ended no rate can be made.
        """
        if facts.player is not None:
            told = not self.suits or facts.suited
        else:
            told = _told_by(self, tuple(field for field in KEYED if getattr(facts, field) is not None))
        return self.ends(facts)[0] in self.classes if told else None


@functools.cache
def _told_by(bet: Bet, fields: tuple[str, ...]) -> bool:
    """Tell whether these fields, whatever they say, are enough to know whether the bet wins."""
    return all(len({end in bet.classes for end in bet.ends(facts)}) == 1 for facts in keypads(fields))


# What a bet may ask of a round. None is "not known", here as in `Facts`.


def _other(side: _Side) -> _Side:
    return "banker" if side == "player" else "player"


def _natural(facts: Facts, side: _Side) -> bool | None:
    said: bool | None = getattr(facts, f"{side}_natural")
    return said


def _total(facts: Facts, side: _Side) -> int | None:
    said: int | None = getattr(facts, f"{side}_total")
    return said


def _some_natural(facts: Facts) -> bool | None:
    """Whether at least one hand holds a natural."""
    return _any(facts.player_natural, facts.banker_natural)


def _third(facts: Facts, side: _Side) -> bool | None:
    """Whether the hand has a third card: nobody draws against a natural, and an 8 or 9 that is none was drawn to."""
    cards = facts.player if side == "player" else facts.banker
    if cards is not None:
        return len(cards) == len(("first", "second", "third"))
    if _some_natural(facts):
        return False
    return True if _natural(facts, side) is False and (_total(facts, side) or 0) in NATURALS else None


def _wins_with(facts: Facts, side: _Side, total: int) -> bool | None:
    """Whether the side wins with this total and not by a natural; against one, nobody wins with less."""
    if facts.outcome != side or _some_natural(facts):
        return False
    said = _total(facts, side)
    return None if said is None else said == total


def _ties_on(facts: Facts, total: int) -> bool | None:
    if facts.outcome != "tie":
        return False
    said = facts.banker_total if facts.player_total is None else facts.player_total
    return None if said is None else said == total


def _suited_pair(cards: tuple[str, ...] | None, *, pair: bool | None) -> bool | None:
    """Whether the first two cards are of one rank and suit. A card may come without its suit."""
    if pair is False:
        return False
    if cards is None or len(cards[0]) == 1 or len(cards[1]) == 1:
        return None
    return cards[0] == cards[1]


def _one_rank(facts: Facts) -> bool | None:
    """Whether the first cards of both hands are of one rank."""
    return None if facts.player is None or facts.banker is None else facts.player[0][0] == facts.banker[0][0]


def _any(*said: bool | None) -> bool | None:
    return True if True in said else None if None in said else False


def _all(*said: bool | None) -> bool | None:
    return False if False in said else None if None in said else True


def _ends(decide: Callable[..., str], *said: bool | None) -> Ends:
    """Every end that ``decide`` comes to, each answer that is not known taken for yes and for no."""
    if None not in said:
        return (decide(*said),)
    answers = [(True, False) if answer is None else (answer,) for answer in said]
    return tuple(dict.fromkeys(decide(*known) for known in itertools.product(*answers)))


def _if(said: bool | None) -> Ends:  # noqa: FBT001 - the one question of the bet
    return (WON, LOST) if said is None else (WON,) if said else (LOST,)


# How a round ends for bets that win in several ways.


def _player(facts: Facts) -> Ends:
    return ({"player": WON, "banker": LOST, "tie": PUSHED}[facts.outcome],)


def _banker(facts: Facts) -> Ends:
    if facts.outcome != "banker":
        return ({"player": LOST, "tie": PUSHED}[facts.outcome],)
    return _ends(
        lambda six, seven, third: ON_6 if six else THREE_CARD_7 if seven and third else WON,
        _wins_with(facts, "banker", 6),
        _wins_with(facts, "banker", 7),
        _third(facts, "banker"),
    )


def _perfect_pair(facts: Facts) -> Ends:
    return _ends(
        lambda one, other: "both_hands" if one and other else "one_hand" if one or other else LOST,
        _suited_pair(facts.player, pair=facts.player_pair),
        _suited_pair(facts.banker, pair=facts.banker_pair),
    )


def _six_by_cards(facts: Facts) -> Ends:
    return _ends(
        lambda six, third: LOST if not six else "three_cards" if third else "two_cards",
        _wins_with(facts, "banker", 6),
        _third(facts, "banker"),
    )


def _tiger_pair(facts: Facts) -> Ends:
    return _ends(
        lambda player, banker, alike: (
            "alike"
            if player and banker and alike
            else "both"
            if player and banker
            else "one"
            if player or banker
            else LOST
        ),
        facts.player_pair,
        facts.banker_pair,
        _one_rank(facts),
    )


#: The margins that pay on the Dragon Bonus, where the win is no natural.
_MARGINS: Final = range(4, 10)
_BONUS_CLASSES: Final = ("natural", *(f"margin_{margin}" for margin in _MARGINS))


def _dragon_bonus(side: _Side) -> Callable[[Facts], Ends]:
    def ends(facts: Facts) -> Ends:
        if facts.outcome == _other(side):
            return (LOST,)
        total = _total(facts, side)
        natural = False if total is not None and total < min(NATURALS) else _some_natural(facts)
        if facts.outcome == "tie":
            return _ends(lambda it: PUSHED if it else LOST, natural)
        if natural is None:  # who wins against a natural, or with one, holds one
            natural = _natural(facts, side)
        others = _total(facts, _other(side))
        margins = range(1, 10) if total is None or others is None else (total - others,)
        by_margin = [f"margin_{margin}" if margin in _MARGINS else LOST for margin in margins]
        possible = (["natural"] if natural is not False else []) + (by_margin if natural is not True else [])
        return tuple(dict.fromkeys(possible))

    return ends


def _egalite(total: int) -> Bet:
    return Bet(
        name=f"egalite_{total}", needs=("player_total", "banker_total"), ends=lambda facts: _if(_ties_on(facts, total))
    )


_THIRDS: Final = ("player", "banker")
_MARGIN: Final = ("player_total", "banker_total", "player_natural", "banker_natural")

_ALL: Final = (
    Bet(name="player", ends=_player),
    Bet(name="banker", needs=("banker_total", "banker"), classes=(WON, ON_6, THREE_CARD_7), ends=_banker),
    Bet(name="tie", ends=lambda facts: _if(facts.outcome == "tie")),
    # First two cards of the hand of one rank: king and queen are no pair.
    Bet(name="player_pair", needs=("player_pair",), ends=lambda facts: _if(facts.player_pair)),
    Bet(name="banker_pair", needs=("banker_pair",), ends=lambda facts: _if(facts.banker_pair)),
    Bet(
        name="either_pair",
        needs=("player_pair", "banker_pair"),
        ends=lambda facts: _if(_any(facts.player_pair, facts.banker_pair)),
    ),
    # One rank and one suit.
    Bet(
        name="perfect_pair",
        needs=("player", "banker"),
        suits=True,
        classes=("one_hand", "both_hands"),
        ends=_perfect_pair,
    ),
    # Five or six cards in all, and four.
    Bet(name="big", needs=_THIRDS, ends=lambda facts: _if(_any(_third(facts, "player"), _third(facts, "banker")))),
    Bet(
        name="small",
        needs=_THIRDS,
        ends=lambda facts: _ends(
            lambda one, other: LOST if one or other else WON, _third(facts, "player"), _third(facts, "banker")
        ),
    ),
    Bet(name="super_6", needs=("banker_total",), ends=lambda facts: _if(_wins_with(facts, "banker", 6))),
    Bet(name="lucky_6", needs=("banker_total", "banker"), classes=("two_cards", "three_cards"), ends=_six_by_cards),
    Bet(
        name="dragon_7",
        needs=("banker_total", "banker"),
        ends=lambda facts: _if(_all(_wins_with(facts, "banker", 7), _third(facts, "banker"))),
    ),
    Bet(
        name="panda_8",
        needs=("player_total", "player"),
        ends=lambda facts: _if(_all(_wins_with(facts, "player", 8), _third(facts, "player"))),
    ),
    Bet(name="dragon_bonus_player", needs=_MARGIN, classes=_BONUS_CLASSES, ends=_dragon_bonus("player")),
    Bet(name="dragon_bonus_banker", needs=_MARGIN, classes=_BONUS_CLASSES, ends=_dragon_bonus("banker")),
    Bet(
        name="small_tiger",
        needs=("banker_total", "banker"),
        ends=lambda facts: _ends(
            lambda six, third: WON if six and not third else LOST,
            _wins_with(facts, "banker", 6),
            _third(facts, "banker"),
        ),
    ),
    Bet(
        name="big_tiger",
        needs=("banker_total", "banker"),
        ends=lambda facts: _if(_all(_wins_with(facts, "banker", 6), _third(facts, "banker"))),
    ),
    Bet(name="tiger", needs=("banker_total", "banker"), classes=("two_cards", "three_cards"), ends=_six_by_cards),
    Bet(name="tiger_tie", needs=("player_total", "banker_total"), ends=lambda facts: _if(_ties_on(facts, 6))),
    # One hand has a pair, both have, or both have and of one rank.
    Bet(
        name="tiger_pair",
        needs=("player_pair", "banker_pair", "player", "banker"),
        classes=("one", "both", "alike"),
        ends=_tiger_pair,
    ),
    *(_egalite(total) for total in range(10)),
    # The hand holds an 8 or 9 of two cards, whoever wins.
    Bet(name="player_natural", needs=("player_natural",), ends=lambda facts: _if(facts.player_natural)),
    Bet(name="banker_natural", needs=("banker_natural",), ends=lambda facts: _if(facts.banker_natural)),
    Bet(name="any_natural", needs=("player_natural", "banker_natural"), ends=lambda facts: _if(_some_natural(facts))),
)

#: Every bet that a pay table may offer, by the name it has on the wire.
BETS: Final[Mapping[str, Bet]] = MappingProxyType({bet.name: bet for bet in _ALL})

#: The bets beside which a side bet may be asked to stand.
MAINS: Final = frozenset({"player", "banker", "tie"})

#: One bettor may not hold both of these in a round where the pay table refuses opposite bets.
OPPOSITES: Final = frozenset({"player", "banker"})
