"""What every processor knows of tables, shoes and rounds, and the verdicts on records that all of them must share.

A verdict depends only on what stands before the record in its own partition: ``highest_before`` asks the offsets at
which shoes were first shown, so that a record that is delivered again after a crash, when the rows are ahead of it,
is judged as it was the first time.
"""

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

import msgspec
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
    RoundVoided,
    ShoeEnded,
    ShoeStarted,
    TableClosed,
    TableOpened,
)
from contract.topics import ROUNDS, Topic
from processors.effects import Drop, Row

FORCE_ABOVE: Final = 50
"""A shoe number more than this above the highest needs a ``shoe_started`` with ``force``."""
DEFAULT_DECKS: Final = 8
KEPT: Final = 2
"""At least this many shoes of a table are held: the running one and the one before."""
PHASES: Final = ("betting", "dealing", "dealt")
Phase = Literal["betting", "dealing", "dealt"]


class Refusal(NamedTuple):
    """Why a record is not taken: the dead letter's code and message."""

    code: DeadLetterCode
    message: str


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
    """Row ``table``: the highest settings and the highest closing."""

    opened: TableOpened | None = None
    closed: TableClosed | None = None


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


class Taken(NamedTuple):
    """What a record of ``rounds`` changed, or repeats (``new`` False). Settings have no shoe, phases no round."""

    table: Table
    shoe: Shoe | None
    round: Round | None
    new: bool
    rows: list[Row]
    first_shown: bool = False


class Ledger:
    """The tables of the assigned partitions, as their rows have them.

    ``topics`` are those that the processor reads: a shoe is dropped when all of them have left it two shoes behind.
    """

    def __init__(self, topics: tuple[Topic, ...]) -> None:
        self.tables: dict[str, Table] = {}
        self._topics = topics
        self._dropping: set[tuple[str, int]] = set()

    def take(self, event: RoundsEvent, offset: int) -> Taken | Refusal:
        """Judge an event of ``rounds`` and take it in."""
        if isinstance(event, TableOpened | TableClosed):
            return self._take_config(event)
        facts = None
        if isinstance(event, Played):
            try:
                facts = facts_of(event)
            except ImpossibleRound as error:
                return Refusal("impossible_round", str(error))
        table = self.table(event.table_id)
        shoe = table.shoes.get(event.shoe_no)
        if shoe is not None and _is_held(shoe, event):
            return self._repeated(table, shoe, event, offset)
        if (refusal := age(table, ROUNDS.name, event.shoe_no, offset) or _jump(table, event, offset)) is not None:
            return refusal
        if shoe is not None and _contradicts(shoe, event):
            return _conflict(event)
        shoe = table.shoes.setdefault(event.shoe_no, Shoe(event.table_id, event.shoe_no))
        return self._take_in(table, shoe, event, facts, offset)

    def table(self, table_id: str) -> Table:
        """The table, made when it is new."""
        table = self.tables.get(table_id)
        if table is None:
            table = self.tables[table_id] = Table(table_id)
        return table

    def show(
        self, table: Table, shoe_no: int, topic: str, offset: int, *, again: bool = False
    ) -> tuple[Shoe, list[Row]]:
        """Note that a record of another topic has shown a shoe; the row to write, if that is new or wanted again."""
        shoe = table.shoes.setdefault(shoe_no, Shoe(table.table_id, shoe_no))
        return shoe, [_shoe_row(shoe)] if _show(shoe, topic, offset) or again else []

    def _take_config(self, event: TableOpened | TableClosed) -> Taken | Refusal:
        table = self.table(event.table_id)
        opened, closed = table.row.opened, table.row.closed
        same = [held for held in (opened, closed) if held is not None and held.config_no == event.config_no]
        if same and not equal(same[0], event):
            return _conflict(event)
        mine = opened if isinstance(event, TableOpened) else closed
        new = not same and (mine is None or mine.config_no < event.config_no)
        if new and isinstance(event, TableOpened):
            table.row = replace(table.row, opened=event)
        elif new and isinstance(event, TableClosed):
            table.row = replace(table.row, closed=event)
        rows = [Row(table.table_id.encode(), msgspec.json.encode(table.row))]
        return Taken(table, None, None, new=new, rows=rows)

    def _repeated(self, table: Table, shoe: Shoe, event: RoundsEvent, offset: int) -> Taken:
        """The same rows again: they may have been lost on their way with the worker that first wrote them."""
        _show(shoe, ROUNDS.name, offset)
        the_round = shoe.rounds[event.round_no] if isinstance(event, RoundVersion) else None
        rows = [_shoe_row(shoe)] if the_round is None else [_round_row(shoe, the_round), _shoe_row(shoe)]
        return Taken(table, shoe, the_round, new=False, rows=rows)

    def _take_in(self, table: Table, shoe: Shoe, event: RoundsEvent, facts: Facts | None, offset: int) -> Taken:
        first_shown = _show(shoe, ROUNDS.name, offset)
        rows, the_round = [], None
        match event:
            case ShoeStarted():
                shoe.row = replace(shoe.row, started=event)
            case ShoeEnded():
                shoe.row = replace(shoe.row, ended=event)
            case BettingOpened() | BettingClosed():
                shoe.row = replace(shoe.row, phase=betting_phase(event))
            case TableOpened() | TableClosed():
                raise AssertionError("settings have no shoe")
            case _:
                the_round = shoe.rounds.setdefault(event.round_no, Round(event.round_no))
                the_round.add(event, facts)
                rows.append(_round_row(shoe, the_round))
        if the_round is None or first_shown:
            rows.append(_shoe_row(shoe))
        return Taken(table, shoe, the_round, new=True, rows=rows, first_shown=first_shown)

    def load(self, key: bytes, value: bytes) -> bool:
        """Take in one row after a recovery; False where it is none of the ledger's (a processor's own)."""
        match key.decode().split("/", 3):
            case [table_id]:
                self.table(table_id).row = _table_decoder.decode(value)
            case [table_id, shoe_no]:
                self._shoe(table_id, int(shoe_no)).row = _shoe_decoder.decode(value)
            case [table_id, shoe_no, round_no]:
                the_round = Round(int(round_no))
                for version in _round_decoder.decode(value):
                    the_round.add(version, facts_of(version) if isinstance(version, Played) else None)
                self._shoe(table_id, int(shoe_no)).rounds[int(round_no)] = the_round
            case _:
                return False
        return True

    def _shoe(self, table_id: str, shoe_no: int) -> Shoe:
        return self.table(table_id).shoes.setdefault(shoe_no, Shoe(table_id, shoe_no))

    def due(self, table: Table, partition: int) -> list[Drop]:
        """The shoes that every topic has left two shoes behind, lowest first, each once."""
        names = [topic.name for topic in self._topics if table.takes_bets or topic is ROUNDS]
        if len(table.shoes) < KEPT:
            return []
        drops = []
        for shoe_no in sorted(table.shoes):
            after = [_first_shown(table, name, shoe_no + 2) for name in names]
            if None in after:
                break
            if (table.table_id, shoe_no) not in self._dropping:
                self._dropping.add((table.table_id, shoe_no))
                offsets = tuple((name, offset) for name, offset in zip(names, after, strict=True) if offset is not None)
                drops.append(Drop(table.table_id, shoe_no, partition, offsets))
        return drops

    def forget(self, table_id: str, shoe_no: int) -> list[Row]:
        """Forget a shoe; the rows to delete."""
        self._dropping.discard((table_id, shoe_no))
        table = self.tables.get(table_id)
        shoe = table.shoes.pop(shoe_no, None) if table else None
        if shoe is None:
            return []
        prefix = f"{table_id}/{shoe_no}"
        return [Row(f"{prefix}/{number}".encode(), None) for number in shoe.rounds] + [Row(prefix.encode(), None)]


def _first_shown(table: Table, topic: str, shoe_no: int) -> int | None:
    """The least offset at which the topic showed this shoe or a later one; None where it has not."""
    shown = [
        shoe.row.shown[topic] for number, shoe in table.shoes.items() if number >= shoe_no and topic in shoe.row.shown
    ]
    return min(shown, default=None)


_table_decoder = msgspec.json.Decoder(TableRow)
_shoe_decoder = msgspec.json.Decoder(ShoeRow)
_round_decoder: msgspec.json.Decoder[list[RoundVersion]] = msgspec.json.Decoder(list[RoundVersion])


def facts_of(event: Played) -> Facts:
    """The facts of a published round; raises ``ImpossibleRound``."""
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


def age(table: Table, topic: str, shoe_no: int, offset: int) -> Refusal | None:
    """Refuse a record of a shoe that its own topic has left two shoes behind."""
    highest = table.highest_before(topic, offset)
    if highest < shoe_no + 2:
        return None
    return Refusal("too_old", f"shoe {shoe_no} of {table.table_id}: the table has been shown at shoe {highest}")


def betting_phase(event: BettingOpened | BettingClosed) -> BettingPhase:
    """The phase that an event announces."""
    phase: Literal["betting", "dealing"] = "betting" if isinstance(event, BettingOpened) else "dealing"
    return BettingPhase(round_no=event.round_no, phase=phase, occurred_at=event.occurred_at)


def _is_held(shoe: Shoe, event: Event) -> bool:
    """Whether the shoe already has what the event says."""
    match event:
        case ShoeStarted():
            return shoe.row.started is not None and equal(shoe.row.started, event)
        case ShoeEnded():
            return shoe.row.ended is not None and equal(shoe.row.ended, event)
        case BettingOpened() | BettingClosed():
            return shoe.row.phase is not None and betting_phase(event).rank <= shoe.row.phase.rank
        case Played() | RoundVoided():
            assert isinstance(event, RoundVersion)
            held = shoe.rounds[event.round_no].held(event.revision) if event.round_no in shoe.rounds else None
            return held is not None and equal(held, event)
        case _:
            raise AssertionError(f"{type(event).__name__} has no shoe")


def _contradicts(shoe: Shoe, event: Event) -> bool:
    """Whether the shoe has other content under the event's identity (what is equal was found before)."""
    match event:
        case ShoeStarted():
            return shoe.row.started is not None
        case ShoeEnded():
            return shoe.row.ended is not None
        case Played() | RoundVoided():
            assert isinstance(event, RoundVersion)
            return event.round_no in shoe.rounds and shoe.rounds[event.round_no].held(event.revision) is not None
        case _:
            return False


def _jump(table: Table, event: RoundsEvent, offset: int) -> Refusal | None:
    """Refuse a shoe number that a mistyped key would make."""
    assert not isinstance(event, TableOpened | TableClosed)
    highest = table.highest_before(ROUNDS.name, offset)
    if highest == 0 or event.shoe_no <= highest + 1:
        return None
    if isinstance(event, ShoeStarted) and (event.force or event.shoe_no <= highest + FORCE_ABOVE):
        return None
    need = "a shoe_started with `force`" if event.shoe_no > highest + FORCE_ABOVE else "its shoe_started"
    return Refusal(
        "shoe_jump", f"shoe {event.shoe_no} of {table.table_id} comes after {highest}: it needs {need} first"
    )


def _conflict(event: Event) -> Refusal:
    numbers = [f"{name} {value}" for name in _IDENTITY if (value := getattr(event, name, None)) is not None]
    return Refusal("conflict", f"{', '.join(numbers)} of {event.table_id} is held with other content; the first stays")


_IDENTITY: Final = ("config_no", "shoe_no", "round_no", "revision")


def _show(shoe: Shoe, topic: str, offset: int) -> bool:
    """Note the first record of a topic that showed the shoe; True where it is the first."""
    known = shoe.row.shown.get(topic)
    if known is not None and known <= offset:
        return False
    shoe.row = replace(shoe.row, shown={**shoe.row.shown, topic: offset})
    return known is None


def _shoe_row(shoe: Shoe) -> Row:
    return Row(f"{shoe.table_id}/{shoe.number}".encode(), msgspec.json.encode(shoe.row))


def _round_row(shoe: Shoe, the_round: Round) -> Row:
    key = f"{shoe.table_id}/{shoe.number}/{the_round.number}"
    return Row(key.encode(), msgspec.json.encode(the_round.versions))
