"""Tables, shoes and rounds as they are held, and the rows that they are kept in.

A row is one fact: the settings of a table, the facts of a shoe, the versions of a round.
"""

from dataclasses import dataclass, field
from typing import Final, Literal

import msgspec

from baccarat.rounds import Facts
from contract.rounds import BettingClosed, BettingOpened, RoundVersion, ShoeEnded, ShoeStarted, TableClosed, TableOpened

DEFAULT_DECKS: Final = 8
PHASES: Final = ("betting", "dealing", "dealt")
Phase = Literal["betting", "dealing", "dealt"]


class BettingPhase(msgspec.Struct, frozen=True, kw_only=True):
    """The greatest betting phase that was published for a shoe; that a round is dealt follows from the round."""

    round_no: int
    phase: Literal["betting", "dealing"]
    occurred_at: str

    @property
    def rank(self) -> int:
        """Phases of a shoe in their order: round by round, betting before dealing before dealt."""
        return phase_rank(self.round_no, self.phase)


def phase_rank(round_no: int, phase: Phase) -> int:
    """The place of a phase among all phases of a shoe."""
    return round_no * len(PHASES) + PHASES.index(phase)


class TableRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Row ``table``: the highest settings and the highest closing, each with its offset."""

    opened: TableOpened | None = None
    closed: TableClosed | None = None
    opened_at: int = 0
    closed_at: int = 0


class ShoeRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Row ``table/shoe``: its facts, and per topic the offset of the record that first showed it."""

    started: ShoeStarted | None = None
    ended: ShoeEnded | None = None
    phase: BettingPhase | None = None
    shown: dict[str, int] = {}


@dataclass(slots=True)
class Round:
    """All versions of one round that arrived, by rising revision, each with its facts (None: voided)."""

    number: int
    versions: list[RoundVersion] = field(default_factory=list)
    facts: list[Facts | None] = field(default_factory=list)

    @property
    def latest(self) -> RoundVersion:
        """The version with the highest revision: the one that counts."""
        return self.versions[-1]

    @property
    def result(self) -> Facts | None:
        """The facts of the version that counts; None for a voided round."""
        return self.facts[-1]

    def held(self, revision: int) -> RoundVersion | None:
        """The version of this revision, if it arrived."""
        return next((version for version in self.versions if version.revision == revision), None)

    def add(self, version: RoundVersion, facts: Facts | None) -> None:
        """Put a version that is not held into its place."""
        place = sum(held.revision < version.revision for held in self.versions)
        self.versions.insert(place, version)
        self.facts.insert(place, facts)


@dataclass(slots=True)
class Shoe:
    """One shoe of a table."""

    table_id: str
    number: int
    row: ShoeRow = field(default_factory=ShoeRow)
    rounds: dict[int, Round] = field(default_factory=dict)

    @property
    def decks(self) -> int:
        """Packs in the shoe; 8 until a ``shoe_started`` says otherwise."""
        return self.row.started.decks if self.row.started else DEFAULT_DECKS

    @property
    def ended(self) -> bool:
        """Whether ``shoe_ended`` has been seen."""
        return self.row.ended is not None

    def in_order(self) -> list[Round]:
        """The rounds that arrived, by their number."""
        return [self.rounds[number] for number in sorted(self.rounds)]

    def missing(self) -> list[int]:
        """The gaps: numbers below the highest round that is not voided that never arrived."""
        highest = max((r.number for r in self.rounds.values() if r.result is not None), default=0)
        return [number for number in range(1, highest) if number not in self.rounds]


@dataclass(slots=True)
class Table:
    """One table: its settings, and the shoes that are still held."""

    table_id: str
    row: TableRow = field(default_factory=TableRow)
    shoes: dict[int, Shoe] = field(default_factory=dict)

    @property
    def closed(self) -> bool:
        """Whether the highest ``config_no`` is a ``table_closed``."""
        opened, closed = self.row.opened, self.row.closed
        return closed is not None and (opened is None or closed.config_no > opened.config_no)

    @property
    def takes_bets(self) -> bool:
        """False for a table that was opened without bets."""
        return self.row.opened is None or self.row.opened.bets

    def highest(self, topic: str) -> int:
        """The highest shoe that the topic has shown; 0 for none."""
        return max((number for number, shoe in self.shoes.items() if topic in shoe.row.shown), default=0)

    def highest_before(self, topic: str, offset: int) -> int:
        """The highest shoe that the topic had shown when the record at ``offset`` was published; 0 for none."""
        return max(
            (number for number, shoe in self.shoes.items() if shoe.row.shown.get(topic, offset) < offset), default=0
        )


def betting_phase(event: BettingOpened | BettingClosed) -> BettingPhase:
    """The phase that an event announces."""
    phase: Literal["betting", "dealing"] = "betting" if isinstance(event, BettingOpened) else "dealing"
    return BettingPhase(round_no=event.round_no, phase=phase, occurred_at=event.occurred_at)
