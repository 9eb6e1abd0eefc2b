"""What the source log of rounds says of tables, shoes and rounds: the auditor's own memory, and nobody else's."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from audit.packing import pack, unpack
from audit.versions import Rounds, Version
from contract.rounds import ShoeEnded, ShoeStarted, TableClosed, TableOpened
from contract.scalars import later

PHASES: Final = ("betting", "dealing", "dealt")


class Phase(NamedTuple):
    """A published betting phase: its place among all of the shoe, and its time."""

    rank: int
    occurred_at: str


@dataclass(slots=True)
class Shoe:
    """One shoe: its own facts, and per round the versions by revision. ``moving``: changed behind the snapshot."""

    number: int
    started: ShoeStarted | None = None
    ended: ShoeEnded | None = None
    phase: Phase | None = None
    moving: bool = False
    _rounds: Rounds = field(default_factory=dict)
    _packed: bytes = b""

    @property
    def rounds(self) -> Rounds:
        """The versions of each round, by its number and their revision."""
        return unpack(self._packed) if self._packed else self._rounds

    def pack(self) -> None:
        """Take less room: the table has left the shoe, and nothing new of it will be taken."""
        if self._rounds:
            self._packed, self._rounds = pack(self._rounds), {}

    @property
    def decks(self) -> int:
        """Packs; 8 where nobody said."""
        return self.started.decks if self.started else 8

    def versions(self, round_no: int) -> list[Version]:
        """The versions of a round by rising revision; none where it has not come."""
        held = self.rounds.get(round_no, {})
        return [held[revision] for revision in sorted(held)]

    def results(self) -> list[tuple[int, Version]]:
        """Number and latest version of every round, in order."""
        return [(number, self.versions(number)[-1]) for number in sorted(self.rounds)]

    @property
    def rank(self) -> int:
        """The greatest phase of the shoe, published or following from a round; 0 before the first."""
        dealt = max(self.rounds, default=0) * len(PHASES) + PHASES.index("dealt") if self.rounds else 0
        return max(dealt, self.phase.rank if self.phase else 0)

    @property
    def weight(self) -> int:
        """What the shoe adds to the ``version`` of a board or a record."""
        held = sum(len(versions) for versions in self.rounds.values())
        return held + self.rank + (self.started is not None) + (self.ended is not None)

    def times(self) -> list[str]:
        """When all of the shoe's facts happened, as their sources say."""
        phase = self.phase if self.phase and self.phase.rank == self.rank else None  # a round has passed lower ones
        said = [fact.occurred_at for fact in (self.started, self.ended, phase) if fact is not None]
        return said + [each.event.occurred_at for held in self.rounds.values() for each in held.values()]


@dataclass(slots=True)
class Table:
    """One table. ``highest`` is the highest shoe that ``rounds`` has shown, ``highest_before`` at the snapshot.

    Shoes below ``whole_from`` may have lost their beginning to retention. ``moving`` and ``betting``: rounds of it, or
    bets, stand behind the snapshot.
    """

    table_id: str
    opened: TableOpened | None = None
    closed: TableClosed | None = None
    shoes: dict[int, Shoe] = field(default_factory=dict)
    highest: int = 0
    highest_before: int = 0
    whole_from: int = 0
    moving: bool = False
    betting: bool = False

    @property
    def is_closed(self) -> bool:
        """Whether the highest settings close the table."""
        return self.closed is not None and (self.opened is None or self.closed.config_no > self.opened.config_no)


def latest(instants: list[str]) -> str:
    """The latest of canonical instants; "" for none."""
    found = ""
    for instant in instants:
        found = later(found, instant) if found else instant
    return found
