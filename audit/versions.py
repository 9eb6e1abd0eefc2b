"""One version of one round, as its source said it and with the facts that follow."""

from typing import Final, NamedTuple

from baccarat.rounds import Facts, judge
from contract.rounds import Played, RoundVersion

_KEYED: Final = (
    "player",
    "banker",
    "outcome",
    "player_total",
    "banker_total",
    "player_pair",
    "banker_pair",
    "player_natural",
    "banker_natural",
)


class Version(NamedTuple):
    """One version of a round: as published, its facts (None: voided), its offset, and whether the snapshot has it."""

    event: RoundVersion
    facts: Facts | None
    offset: int
    after: bool

    @property
    def paytable(self) -> str | None:
        """The pay table it names; None for a void."""
        return self.event.paytable if isinstance(self.event, Played) else None


def facts_of(event: Played) -> Facts:
    """The facts of a published round. Raises ``ImpossibleRound``."""
    return judge(**{name: getattr(event, name) for name in _KEYED})


Rounds = dict[int, dict[int, Version]]
"""The versions of a shoe's rounds, by round number and revision."""
