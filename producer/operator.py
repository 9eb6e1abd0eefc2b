"""One word of an operator, carried to Kafka: the table's standing is asked, the event made, published, and read back.

Two operators who speak at once are told apart by the log itself: what is first in the partition stays. So the event is
looked for in what has come since the table was asked, and judged there as processors will judge it.
"""

import asyncio
import difflib
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from broker.catalogue import TopicsNotReady
from broker.connection import Connection
from contract.codec import encode
from contract.rounds import Played, RoundCorrected, RoundDealt, RoundsEvent, RoundVoided
from contract.topics import ROUNDS
from producer.asking import Judged, Log, ask, go_on, tables
from producer.nonsense import Nonsense, UnknownTable, named, told
from producer.publisher import publishing

WITHIN_S: Final = 60.0
"""How long an operator waits for Kafka's acknowledgement."""
_NEAR: Final = 5


class Beaten(RuntimeError):
    """The event stands in the log, and processors will not take it: somebody else was faster."""


class Unacknowledged(RuntimeError):
    """Kafka did not say that it has the event; it may have it all the same."""


class Said(NamedTuple):
    """An event as it was published, and where it stands; the place is None where it was only to be shown."""

    event: RoundsEvent
    partition: int
    offset: int | None


async def operate(
    connection: Connection, table_id: str, make: Callable[[Log], RoundsEvent], *, dry_run: bool = False
) -> Said:
    """Ask how the table stands, make the event of it, publish it and see that it was taken.

    Raises what ``make`` raises (``Nonsense``; an unknown table is told with the names that come near), ``Beaten``,
    ``Unacknowledged``, ``TopicsNotReady``, ``BrokerAway`` and ``RecordRefused``.
    """
    log = await ask(connection, table_id)
    try:
        event = make(log)
    except UnknownTable as error:
        raise Nonsense(f"{error}{await _near(connection, table_id)}") from error
    if dry_run:
        return Said(event, log.place.partition, None)
    await _publish(connection, event)
    mine = found(event, await go_on(connection, log))
    return Said(event, log.place.partition, mine.offset)


def found(event: RoundsEvent, since: Iterable[Judged]) -> Judged:
    """The event's record among those of the table that came since it was asked. Raises ``Beaten``."""
    value, others = encode(event), list[Judged]()
    for judged in since:
        if judged.value == value:
            if judged.verdict.taken:
                return judged
            raise Beaten(_beaten(event, judged, others))
        others.append(judged)
    raise Beaten(
        "Kafka acknowledged the event and it is not to be found in the topic: its records are being deleted, look at "
        "the retention and at the broker"
    )


def _beaten(event: RoundsEvent, mine: Judged, others: list[Judged]) -> str:
    first = next((other for other in others if _identity(other.event) == _identity(event)), None)
    if first is not None and isinstance(first.event, RoundDealt | RoundCorrected | RoundVoided):
        what = f"{named(first.event)} has just got {told(first.event)}"
    else:
        what = mine.verdict.why
    return (
        f"somebody else was faster: {what}. Yours stands at offset {mine.offset} and becomes a dead letter "
        f"({mine.verdict.judgement}); look at the round, and say it again if it is still wrong"
    )


def _identity(event: RoundsEvent) -> tuple[object, ...]:
    names = ("shoe_no", "round_no", "revision")
    played = isinstance(event, Played | RoundVoided)
    return (played, *(getattr(event, name, None) for name in names)) if played else (type(event), event.table_id)


async def _publish(connection: Connection, event: RoundsEvent) -> None:
    try:
        async with asyncio.timeout(WITHIN_S), publishing(connection) as publisher:
            await publisher.deliver(ROUNDS, event)
    except TimeoutError as error:
        raise Unacknowledged(
            f"Kafka has not acknowledged the event within {WITHIN_S:.0f} s: say the same again when it answers, and "
            "you will be told whether it was taken"
        ) from error


async def _near(connection: Connection, table_id: str) -> str:
    """A hint at tables whose names come near; empty where nothing is known of any."""
    try:
        names = sorted(await tables(connection))
    except TopicsNotReady:
        return ""
    near = difflib.get_close_matches(table_id, names, n=_NEAR) or names[:_NEAR]
    return f"; there {'is' if len(near) == 1 else 'are'} {', '.join(near)}" if near else "; nothing was published yet"
