"""Judges the log of rounds again, record by record in the order of its partition.

The same rules as everywhere (duplicate, conflict, too old, shoe jump), written apart from the processors. Where a
processor may rightly decide either way, its dead letter says how it did: a repeat of a shoe left two behind is a
duplicate while the shoe is still held, and ``too_old`` afterwards; of a shoe whose beginning was deleted by retention
nobody here can know.
"""

from typing import Final

from msgspec.structs import replace

from audit.admission import TAKEN, Verdict
from audit.tables import PHASES, Phase, Shoe, Table
from audit.versions import Version, facts_of
from baccarat.rounds import ImpossibleRound
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

ORDER_CODES: Final = ("conflict", "too_old", "shoe_jump")
"""The codes that follow from what stands before a record in its log, and not from the record alone."""
ShoeEvent = ShoeStarted | ShoeEnded | BettingOpened | BettingClosed | RoundVersion
LEFT: Final = 2
"""A shoe is left, and records of it too old, once its topic has shown the table this many shoes later."""
FAR: Final = 50
"""A shoe further than this above the highest must be started with ``force``."""


def equal(left: Event | None, right: Event) -> bool:
    """Whether two events say the same, whenever they happened."""
    return left is not None and type(left) is type(right) and replace(left, occurred_at=right.occurred_at) == right


class Rounds:
    """The tables of one partition as its log tells them. ``cut``: the beginning of the log was deleted."""

    def __init__(self, *, cut: bool) -> None:
        self.tables: dict[str, Table] = {}
        self.repeats = 0
        self.cut = cut

    def take(self, event: RoundsEvent, offset: int, said: str | None, *, after: bool) -> Verdict:
        """Judge a record and take it in. ``said`` is the code of its dead letter; ``after``: behind the snapshot."""
        facts = None
        if isinstance(event, Played):
            try:
                facts = facts_of(event)
            except ImpossibleRound:
                return Verdict("impossible_round")
        table = self.tables.get(event.table_id) or Table(event.table_id)
        if isinstance(event, TableOpened | TableClosed):
            verdict = _settings_verdict(table, event)
            verdict = verdict._replace(sure=verdict.sure and not self.cut)
        else:
            verdict = self._shoe_verdict(table, event, said)
        if (verdict.code if verdict.sure else said) in ORDER_CODES:
            return verdict
        self.tables[event.table_id] = table
        if isinstance(event, TableOpened | TableClosed):
            new = _set(table, event)
        else:
            version = Version(event, facts, offset, after) if isinstance(event, RoundVersion) else None
            new = _put(table, event, version, after=after)
        table.moving |= new and after
        self.repeats += not new
        return verdict

    def _shoe_verdict(self, table: Table, event: ShoeEvent, said: str | None) -> Verdict:
        if self.cut and not table.whole_from and said not in ORDER_CODES:
            table.whole_from = event.shoe_no + LEFT  # at this record the table was at the next shoe at the most
        verdict = _verdict(table, event)
        if event.shoe_no < table.whole_from or table.highest < table.whole_from:
            return verdict._replace(sure=False)
        return verdict


def _verdict(table: Table, event: ShoeEvent) -> Verdict:
    shoe = table.shoes.get(event.shoe_no)
    left = table.highest >= event.shoe_no + LEFT
    if shoe is not None and _holds(shoe, event):
        return Verdict("too_old", sure=False) if left else TAKEN
    if left:
        return Verdict("too_old")
    if _jumps(table, event):
        return Verdict("shoe_jump")
    if shoe is not None and _identity_taken(shoe, event):
        return Verdict("conflict")
    return TAKEN


def _jumps(table: Table, event: ShoeEvent) -> bool:
    above = event.shoe_no - table.highest
    if table.highest == 0 or above <= 1:
        return False
    return not (isinstance(event, ShoeStarted) and (event.force or above <= FAR))


def _fact(shoe: Shoe, event: ShoeEvent) -> Event | None:
    """What the shoe has under the event's identity."""
    match event:
        case ShoeStarted():
            return shoe.started
        case ShoeEnded():
            return shoe.ended
        case BettingOpened() | BettingClosed():
            return None
        case _:
            held = shoe.rounds.get(event.round_no, {}).get(event.revision)
            return held.event if held else None


def _identity_taken(shoe: Shoe, event: ShoeEvent) -> bool:
    return _fact(shoe, event) is not None


def _holds(shoe: Shoe, event: ShoeEvent) -> bool:
    if isinstance(event, BettingOpened | BettingClosed):
        return shoe.phase is not None and _phase(event).rank <= shoe.phase.rank
    return equal(_fact(shoe, event), event)


def _phase(event: BettingOpened | BettingClosed) -> Phase:
    name = "betting" if isinstance(event, BettingOpened) else "dealing"
    return Phase(event.round_no * len(PHASES) + PHASES.index(name), event.occurred_at)


def _put(table: Table, event: ShoeEvent, version: Version | None, *, after: bool) -> bool:
    """Take a fact in, the first of one identity stays; whether anything is new."""
    first = event.shoe_no not in table.shoes
    shoe = table.shoes.setdefault(event.shoe_no, Shoe(event.shoe_no))
    new = not _holds(shoe, event) and not _identity_taken(shoe, event)
    match event:
        case ShoeStarted():
            shoe.started = shoe.started or event
        case ShoeEnded():
            shoe.ended = shoe.ended or event
        case BettingOpened() | BettingClosed():
            shoe.phase = _phase(event) if new else shoe.phase
        case _:
            assert version is not None
            shoe.rounds.setdefault(event.round_no, {}).setdefault(event.revision, version)
    shoe.moving |= new and after
    if first:
        table.highest = max(table.highest, event.shoe_no)
        table.highest_before = table.highest_before if after else table.highest
        for number in sorted(table.shoes):
            if number > table.highest - LEFT:
                break
            table.shoes[number].pack()
    return new


def _settings_verdict(table: Table, event: TableOpened | TableClosed) -> Verdict:
    for held in (table.opened, table.closed):
        if held is not None and held.config_no == event.config_no:
            return TAKEN if equal(held, event) else Verdict("conflict")
    return TAKEN


def _set(table: Table, event: TableOpened | TableClosed) -> bool:
    """Take settings in where they are the highest of their kind; whether they are."""
    mine = table.opened if isinstance(event, TableOpened) else table.closed
    if mine is not None and mine.config_no >= event.config_no:
        return False
    if isinstance(event, TableOpened):
        table.opened = event
    else:
        table.closed = event
    return True
