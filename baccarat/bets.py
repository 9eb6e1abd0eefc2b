"""The bets: each is one entry that says on which facts it stands and how a round ends for it.

A bet names its pay classes, the ways in which it can win; what each class pays is the pay table's business. A bet
that pays more for a rarer win has several classes, one whose stake may come back ends as `PUSHED`, and one whose facts
are not all known has no end: its slips are given back, never guessed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from baccarat.rounds import Facts

LOST: Final = "lost"
PUSHED: Final = "pushed"
#: The pay class of a bet that wins in one way only.
WON: Final = "won"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet:
    """One bet.

    ``needs`` are the fields of `Facts` without which nothing is decided (the outcome is always known). ``decide`` is
    asked only when all of them are known: a pay class of ``classes``, `LOST` or `PUSHED`.
    """

    name: str
    needs: tuple[str, ...] = ()
    classes: tuple[str, ...] = (WON,)
    decide: Callable[[Facts], str]

    def end(self, facts: Facts) -> str | None:
        """Return how the round ends for this bet: a pay class, `LOST`, `PUSHED`, or None if that is not known."""
        if any(getattr(facts, field) is None for field in self.needs):
            return None
        return self.decide(facts)

    def wins(self, facts: Facts) -> bool | None:
        """Tell whether the bet wins in one of its classes; None if that is not known."""
        end = self.end(facts)
        return None if end is None else end in self.classes


def _player(facts: Facts) -> str:
    return {"player": WON, "banker": LOST, "tie": PUSHED}[facts.outcome]


def _banker(facts: Facts) -> str:
    return {"player": LOST, "banker": WON, "tie": PUSHED}[facts.outcome]


def _won(*, it: bool | None) -> str:
    return WON if it else LOST


_ALL: Final = (
    Bet(name="player", decide=_player),
    Bet(name="banker", decide=_banker),
    Bet(name="tie", decide=lambda facts: _won(it=facts.outcome == "tie")),
    # First two cards of the hand of one rank: king and queen are no pair.
    Bet(name="player_pair", needs=("player_pair",), decide=lambda facts: _won(it=facts.player_pair)),
    Bet(name="banker_pair", needs=("banker_pair",), decide=lambda facts: _won(it=facts.banker_pair)),
)

#: Every bet that a pay table may offer, by the name it has on the wire.
BETS: Final[Mapping[str, Bet]] = MappingProxyType({bet.name: bet for bet in _ALL})

#: One bettor may not hold both of these in a round where the pay table refuses opposite bets.
OPPOSITES: Final = frozenset({"player", "banker"})
