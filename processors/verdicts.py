"""The verdicts on records of ``rounds`` that every processor must share.

They depend only on what stands before the record in its own partition: ``highest_before`` asks the offsets at which
shoes were first shown, so that a record that is delivered again after a crash, when the rows are ahead of it, is
judged as it was the first time.
"""

from typing import Final, NamedTuple

from msgspec.structs import replace

from baccarat.rounds import Facts, judge
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
from contract.topics import ROUNDS
from processors.shoes import Shoe, Table, betting_phase

FORCE_ABOVE: Final = 50
"""A shoe number more than this above the highest needs a ``shoe_started`` with ``force``."""


class Refusal(NamedTuple):
    """Why a record is not taken: the dead letter's code and message."""

    code: DeadLetterCode
    message: str


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


def is_held(shoe: Shoe, event: Event) -> bool:
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


def contradicts(shoe: Shoe, event: Event) -> bool:
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


def jump(table: Table, event: RoundsEvent, offset: int) -> Refusal | None:
    """Refuse a shoe number that a mistyped key would make."""
    assert not isinstance(event, TableOpened | TableClosed)
    highest = table.highest_before(ROUNDS.name, offset)
    if highest == 0 or event.shoe_no <= highest + 1:
        return None
    if isinstance(event, ShoeStarted) and (event.force or event.shoe_no <= highest + FORCE_ABOVE):
        return None
    need = "a shoe_started with `force`" if event.shoe_no > highest + FORCE_ABOVE else "its shoe_started"
    message = f"shoe {event.shoe_no} of {table.table_id} comes after {highest}: it needs {need} first"
    return Refusal("shoe_jump", message)


def conflict(event: Event) -> Refusal:
    """Refuse other content under an identity that is held."""
    numbers = [f"{name} {value}" for name in _IDENTITY if (value := getattr(event, name, None)) is not None]
    return Refusal("conflict", f"{', '.join(numbers)} of {event.table_id} is held with other content; the first stays")


_IDENTITY: Final = ("config_no", "shoe_no", "round_no", "revision")
