"""How a table stands: what processors hold of it after the records of its partition of ``rounds``, one by one.

A processor judges a record by what stands before it in its partition alone, so whoever reads the partition comes to
the same verdicts: which record is new, which repeats what is held, and which will be a dead letter, and why.
"""

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from baccarat.rounds import Facts, ImpossibleRound, judge
from contract.dead_letters import DeadLetterCode
from contract.rounds import (
    BettingClosed,
    BettingOpened,
    Event,
    Played,
    RoundsEvent,
    RoundVersion,
    ShoeEnded,
    ShoeStarted,
    TableClosed,
    TableOpened,
)
from producer.reached import LEAP

OPEN_SHOES: Final = 2
"""Shoes of a table that can still be changed: the highest and the one before it."""

Judgement: TypeAlias = Literal["new", "held"] | DeadLetterCode
PhaseEvent: TypeAlias = BettingOpened | BettingClosed


class Verdict(NamedTuple):
    """What processors will make of an event; ``why`` is said of those that become dead letters."""

    judgement: Judgement
    why: str = ""

    @property
    def taken(self) -> bool:
        """Whether what the event says holds afterwards."""
        return self.judgement in ("new", "held")


@dataclass(slots=True)
class ShoeStanding:
    """One shoe: its facts, the greatest betting phase, and per round its versions by rising revision."""

    number: int
    started: ShoeStarted | None = None
    ended: ShoeEnded | None = None
    phase: PhaseEvent | None = None
    rounds: dict[int, list[RoundVersion]] = field(default_factory=dict)

    @property
    def highest_round(self) -> int:
        """The highest round that was dealt or voided; 0 for none."""
        return max(self.rounds, default=0)

    @property
    def announced_rounds(self) -> int:
        """The highest round that anything in the shoe speaks of: a result, a betting phase, the end of the shoe."""
        phase = self.phase.round_no if self.phase else 0
        return max(self.highest_round, phase, self.ended.rounds if self.ended else 0)

    def latest(self, round_no: int) -> RoundVersion | None:
        """The version of a round that counts."""
        versions = self.rounds.get(round_no)
        return versions[-1] if versions else None

    def held(self, round_no: int, revision: int) -> RoundVersion | None:
        """A version of a round."""
        return next((held for held in self.rounds.get(round_no, ()) if held.revision == revision), None)

    def last_played(self, round_no: int) -> Played | None:
        """The latest version of a round that has a result; None where it never had one."""
        return next((v for v in reversed(self.rounds.get(round_no, [])) if isinstance(v, Played)), None)


@dataclass(slots=True)
class Standing:
    """One table: its settings, its highest shoe, and the shoes that can still be changed."""

    table_id: str
    opened: TableOpened | None = None
    closed: TableClosed | None = None
    shoes: dict[int, ShoeStanding] = field(default_factory=dict)

    @property
    def known(self) -> bool:
        """Whether anything was taken of the table."""
        return bool(self.shoes or self.opened or self.closed)

    @property
    def highest(self) -> int:
        """The highest shoe; 0 before any."""
        return max(self.shoes, default=0)

    @property
    def is_closed(self) -> bool:
        """Whether the highest ``config_no`` is a ``table_closed``."""
        return self.closed is not None and (self.opened is None or self.closed.config_no > self.opened.config_no)

    @property
    def config_no(self) -> int | None:
        """The highest number of settings; None where the table was neither opened nor closed."""
        return max((held.config_no for held in (self.opened, self.closed) if held is not None), default=None)

    def judge(self, event: RoundsEvent) -> Verdict:
        """What processors will make of the event when it comes next."""
        if isinstance(event, TableOpened | TableClosed):
            return self._judge_config(event)
        if isinstance(event, Played):
            try:
                facts_of(event)
            except ImpossibleRound as error:
                return Verdict("impossible_round", str(error))
        return self._judge_in_shoe(event, event.shoe_no)

    def _judge_in_shoe(self, event: RoundsEvent, shoe_no: int) -> Verdict:
        shoe = self.shoes.get(shoe_no)
        if shoe is not None and _is_held(shoe, event):
            return Verdict("held")
        if shoe_no + OPEN_SHOES <= self.highest:
            return Verdict("too_old", f"{self.table_id} is at shoe {self.highest}")
        if self.highest and shoe_no > self.highest + 1 and not _announced(event, shoe_no, self.highest):
            return Verdict("shoe_jump", f"{self.table_id} is at shoe {self.highest}")
        if shoe is not None and _contradicts(shoe, event):
            return Verdict("conflict", "the same is held with other content, and the first stays")
        return Verdict("new")

    def take(self, event: RoundsEvent) -> Verdict:
        """Judge an event and take it in, as processors will."""
        verdict = self.judge(event)
        if verdict.judgement == "new":
            self._take_in(event)
        return verdict

    def _judge_config(self, event: TableOpened | TableClosed) -> Verdict:
        same = [held for held in (self.opened, self.closed) if held is not None and held.config_no == event.config_no]
        if same and not equal(same[0], event):
            return Verdict("conflict", f"settings {event.config_no} are held with other content, and the first stay")
        mine = self.opened if isinstance(event, TableOpened) else self.closed
        return Verdict("new" if mine is None or mine.config_no < event.config_no else "held")

    def _take_in(self, event: RoundsEvent) -> None:
        match event:
            case TableOpened():
                self.opened = event
                return
            case TableClosed():
                self.closed = event
                return
            case ShoeStarted():
                self._shoe(event.shoe_no).started = event
            case ShoeEnded():
                self._shoe(event.shoe_no).ended = event
            case BettingOpened() | BettingClosed():
                self._shoe(event.shoe_no).phase = event
            case _:
                versions = self._shoe(event.shoe_no).rounds.setdefault(event.round_no, [])
                versions.append(event)
                versions.sort(key=lambda version: version.revision)
        for number in [number for number in self.shoes if number + OPEN_SHOES <= self.highest]:
            del self.shoes[number]

    def _shoe(self, number: int) -> ShoeStanding:
        return self.shoes.setdefault(number, ShoeStanding(number))


def facts_of(event: Played) -> Facts:
    """What is known of a round's result; raises ``ImpossibleRound``."""
    return judge(
        player=event.player,
        banker=event.banker,
        outcome=event.outcome,
        player_total=event.player_total,
        banker_total=event.banker_total,
        player_pair=event.player_pair,
        banker_pair=event.banker_pair,
        player_natural=event.player_natural,
        banker_natural=event.banker_natural,
    )


def equal(left: Event, right: Event) -> bool:
    """Whether two events say the same, whenever they happened."""
    return type(left) is type(right) and replace(left, occurred_at=right.occurred_at) == right


def phase_place(event: PhaseEvent) -> tuple[int, bool]:
    """The place of a betting phase among all of a shoe."""
    return event.round_no, isinstance(event, BettingClosed)


def _fact_under(shoe: ShoeStanding, event: RoundsEvent) -> Event | None:
    """What the shoe holds under the identity of a shoe fact or of a round's version."""
    match event:
        case ShoeStarted():
            return shoe.started
        case ShoeEnded():
            return shoe.ended
        case TableOpened() | TableClosed() | BettingOpened() | BettingClosed():
            return None
        case _:
            return shoe.held(event.round_no, event.revision)


def _is_held(shoe: ShoeStanding, event: RoundsEvent) -> bool:
    if isinstance(event, BettingOpened | BettingClosed):
        return shoe.phase is not None and phase_place(event) <= phase_place(shoe.phase)
    held = _fact_under(shoe, event)
    return held is not None and equal(held, event)


def _contradicts(shoe: ShoeStanding, event: RoundsEvent) -> bool:
    return _fact_under(shoe, event) is not None


def _announced(event: RoundsEvent, shoe_no: int, highest: int) -> bool:
    return isinstance(event, ShoeStarted) and (event.force or shoe_no <= highest + LEAP)
