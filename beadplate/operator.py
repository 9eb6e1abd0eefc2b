"""What the commands of an operator share: the event is made of how the table stands, published, and printed.

The event goes to standard output as one line of JSON, where it stands to standard error. What cannot be meant is one
sentence and exit code 2; an event that somebody else forestalled is exit code 1.
"""

import getpass
import sys
from collections.abc import Callable
from typing import Annotated, Final

from cyclopts import Parameter

from beadplate import running
from beadplate.endings import CHECK_FAILED, DONE, kafka_meaning
from beadplate.logs import Logs, configure, quiet
from broker.connection import Connection
from contract.codec import encode
from contract.rounds import RoundCorrected, RoundsEvent
from contract.scalars import render_instant
from contract.topics import ROUNDS
from producer.amending import forgotten
from producer.asking import Log
from producer.clock import WallClock
from producer.nonsense import Nonsense
from producer.operator import Beaten, Unacknowledged, operate
from producer.publisher import RecordRefused

Switch = Annotated[bool, Parameter(negative=())]
"""A flag that is off unless it is given."""
_LONGEST_NAME: Final = 500


def say(table: str, make: Callable[[Log], RoundsEvent], connection: Connection, logs: Logs, *, dry_run: bool) -> int:
    """Have an operator's event made, published and printed; the exit code.

    Raises ``Misuse`` for what cannot be meant, and ``Trouble``.
    """
    configure(logs)
    quiet()
    with kafka_meaning(misuse=(Nonsense,), trouble=(RecordRefused, Unacknowledged)):
        return running.run(_spoken(table, make, connection, dry_run=dry_run))


async def _spoken(table: str, make: Callable[[Log], RoundsEvent], connection: Connection, *, dry_run: bool) -> int:
    notes: list[str] = []

    def make_and_note(log: Log) -> RoundsEvent:
        event = make(log)
        if isinstance(event, RoundCorrected) and (names := forgotten(log.standing, event)):
            notes.append(f"not known any more: {', '.join(names)}; bets that need it are given back")
        return event

    try:
        said = await operate(connection, table, make_and_note, dry_run=dry_run)
    except Beaten as error:
        print(f"beadplate: {error}", file=sys.stderr)
        return CHECK_FAILED
    print(encode(said.event).decode())
    for note in notes:
        print(note, file=sys.stderr)
    where = f"partition {said.partition} of {ROUNDS.name}"
    done = (
        f"not published; it belongs in {where}" if said.offset is None else f"published: {where}, offset {said.offset}"
    )
    print(done, file=sys.stderr)
    return DONE


def now() -> str:
    """The time, as events say it."""
    return render_instant(WallClock().now())


def operator_name(given: str | None) -> str:
    """Who speaks. Raises ``Nonsense`` where nobody says so, not even the machine."""
    try:
        name = (given if given is not None else getpass.getuser()).strip()
    except (KeyError, OSError, ImportError):
        name = ""
    if not name or len(name) > _LONGEST_NAME:
        raise Nonsense("say who you are with --operator: the name stands beside the round in its history")
    return name
