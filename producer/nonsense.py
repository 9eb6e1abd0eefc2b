"""What an operator cannot mean, as one sentence that says what is and what to do; and how rounds are named in it."""

from typing import Any, Final, TypeVar

from contract.codec import decode, encode
from contract.rounds import Event, Played, RoundCorrected, RoundVersion, RoundVoided
from contract.topics import ROUNDS
from producer.standing import OPEN_SHOES, ShoeStanding, Standing

Said = TypeVar("Said", bound=Event)
_KEYED: Final = ("player_total", "banker_total", "player_pair", "banker_pair", "player_natural", "banker_natural")


class Nonsense(ValueError):
    """What is asked for cannot be meant as the table stands; the message is one sentence."""


class UnknownTable(Nonsense):
    """Nothing was ever taken of the table."""

    def __init__(self, table_id: str) -> None:
        super().__init__(f"there is no table {table_id} (`beadplate producer open-table` opens one)")
        self.table_id = table_id


def known(standing: Standing) -> Standing:
    """The standing of a table that there is. Raises ``UnknownTable``."""
    if not standing.known:
        raise UnknownTable(standing.table_id)
    return standing


def open_table(standing: Standing) -> Standing:
    """The standing of a table that is not closed. Raises ``Nonsense``."""
    if known(standing).is_closed:
        assert standing.closed is not None
        raise Nonsense(
            f"table {standing.table_id} has been closed since {standing.closed.occurred_at}: "
            f"`beadplate producer open-table {standing.table_id}` opens it again"
        )
    return standing


def shoe_of(standing: Standing, shoe_no: int) -> ShoeStanding:
    """A shoe that has been seen and can still be changed. Raises ``Nonsense``."""
    table_id, highest = known(standing).table_id, standing.highest
    if (shoe := standing.shoes.get(shoe_no)) is not None:
        return shoe
    if not highest:
        raise Nonsense(f"table {table_id} has had no shoe yet: `beadplate producer open-shoe {table_id} 1` opens one")
    if shoe_no + OPEN_SHOES <= highest:
        raise Nonsense(
            f"shoe {shoe_no} of {table_id} can be changed no more: the table is at shoe {highest}, "
            f"and only that one and shoe {highest - 1} can"
        )
    if shoe_no < highest:
        raise Nonsense(f"nothing was ever published of shoe {shoe_no} of {table_id}, and the table is at {highest}")
    raise Nonsense(
        f"{table_id} has no shoe {shoe_no}: it is at shoe {highest}, and `beadplate producer open-shoe {table_id}` "
        "opens the next one"
    )


def made(kind: type[Said], **fields: Any) -> Said:
    """The event as every reader will see it. Raises ``Nonsense`` where it breaks the contract's bounds."""
    try:
        seen: Said = decode(ROUNDS, encode(kind(**fields)))
    except ValueError as error:  # a bad record is one, and so is what an event finds in its own fields
        raise Nonsense(f"that is no event that anyone would take: {error}") from error
    return seen


def named(event: RoundVersion) -> str:
    """The round of a version: ``round 17 of shoe 412 of B07``."""
    return f"round {event.round_no} of shoe {event.shoe_no} of {event.table_id}"


def told(version: RoundVersion) -> str:
    """One version of a round: its revision, its result, who gave it and why."""
    said = f"revision {version.revision}: {result(version)}"
    if isinstance(version, RoundCorrected | RoundVoided):
        said += f", {version.occurred_at} by {version.operator}: {version.reason}"
    return said


def result(version: RoundVersion) -> str:
    """What a version says was dealt."""
    if not isinstance(version, Played):
        return "void"
    if version.player is not None and version.banker is not None:
        return f"Player {' '.join(version.player)} against Banker {' '.join(version.banker)}"
    keyed = [f"{name} {said}".lower() for name in _KEYED if (said := getattr(version, name)) is not None]
    return ", ".join([f"{version.outcome} as keyed", *keyed])
