"""From a record to an event, or to the refusal that its dead letter names."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final

from contract.codec import BadRecord, UnknownType, decode
from contract.dead_letters import DeadLetter
from contract.partitions import partition_of
from contract.rounds import Event
from contract.scalars import parse_instant
from contract.topics import DEAD_LETTERS, Topic
from processors.alarms import Alarms
from processors.effects import Effects, Out, Record
from processors.floods import Floods
from processors.letters import LetterLimit, table_of
from processors.notices import alert, appended_at, notice_of
from processors.verdicts import Refusal

CLOCK_TOLERANCE: Final = dt.timedelta(minutes=5)
"""An ``occurred_at`` further than this from the append time is the alert ``clock``."""


def read(record: Record, topic: Topic, partitions: int) -> Any:
    """The event of a record, a ``Refusal``, or None for a type that this program does not know (skipped)."""
    try:
        event = decode(topic, record.value)
    except BadRecord as error:
        return Refusal(error.code, str(error))
    except UnknownType:
        return None
    key = event.table_id.encode()
    if record.key != key:
        said = repr(record.key) if record.key is None else repr(record.key.decode(errors="backslashreplace")[:200])
        return Refusal("wrong_key", f"the key is {said}, the table_id {event.table_id!r}")
    if (right := partition_of(key, partitions)) != record.partition:
        return Refusal(
            "wrong_partition",
            f"{event.table_id!r} belongs on partition {right} of {partitions} (murmur2), not on {record.partition}",
        )
    return event


def dead_letter(processor: str, record: Record, refusal: Refusal) -> Out:
    """The record, key and value untouched, with the reason in its headers."""
    letter = DeadLetter(processor, record.topic, record.partition, record.offset, refusal.code, refusal.message)
    return Out(DEAD_LETTERS, record.key, record.value, letter.headers())


class Intake:
    """The door of one processor: reads records, answers bad ones, counts all, keeps the alarms.

    ``reports`` are the topics whose faults this processor answers with dead letters; of the others another one does.
    """

    def __init__(self, processor: str, partitions: int, reports: tuple[Topic, ...]) -> None:
        self.partitions = partitions
        self.counts: Counter[str] = Counter()
        self._processor, self._reports = processor, tuple(topic.name for topic in reports)
        self._begin()

    def _begin(self) -> None:
        self.alarms = Alarms()
        self._known: set[str] = set()
        self._limit, self._floods = LetterLimit(self._known), Floods(self._known, self.alarms)
        self._taken: tuple[str, bool] | None = None

    def restart(self, rows: Iterable[tuple[bytes, bytes]], other: Callable[[bytes, bytes], object]) -> None:
        """Begin anew with the alarms and the tables of these rows; every other row goes to ``other``."""
        self._begin()
        rows = list(rows)
        self._known.update(key.partition(b"/")[0].decode() for key, _ in rows)
        self.alarms.load(rows, other)

    def read(self, record: Record, topic: Topic, effects: Effects) -> Any:
        """The event, or None where there is nothing to take; then the effects say why."""
        self._taken = None
        event = read(record, topic, self.partitions)
        if event is None:
            self.counts["skipped"] += 1
            return None
        if isinstance(event, Refusal):
            self.refuse(record, event, effects)
            return None
        self._limit.good()
        new = event.table_id not in self._known
        self._known.add(event.table_id)
        if record.topic in self._reports:
            self._taken = (event.table_id, new)
            if topic.log_append_time:
                effects.outs += _clock(record, event, self.alarms)
        return event

    def refuse(self, record: Record, refusal: Refusal, effects: Effects, event: Event | None = None) -> None:
        """Answer a bad record; raises ``FaultIsOurs`` where nearly everything is refused.

        Of an ``event`` that was understood and yet is not taken, people get a notice besides.
        """
        self._taken = None
        self.counts[f"refused_{refusal.code}"] += 1
        table_id = table_of(record, self.partitions)
        self._limit.bad(record, table_id, refusal)
        if record.topic in self._reports:
            effects.outs.append(dead_letter(self._processor, record, refusal))
            effects.outs += self._floods.bad(record, table_id, refusal)
            if event is not None:
                effects.outs += notice_of(event, refusal)

    def close(self, record: Record, effects: Effects) -> Effects:
        """The record is done: the rows of the alarms that it has changed go before all others."""
        if self._taken is not None:
            table_id, new = self._taken
            effects.outs += self._floods.good(record, table_id, new=new)
        effects.rows[:0] = self.alarms.rows()
        return effects


def _clock(record: Record, event: Event, alarms: Alarms) -> list[Out]:
    """Compare the source's time with the broker's append time: a notice where they part or meet again, never order."""
    taken = dt.datetime.fromtimestamp(record.timestamp / 1000, dt.UTC)
    difference = parse_instant(event.occurred_at) - taken
    table_id, wrong = event.table_id, abs(difference) > CLOCK_TOLERANCE
    state = alarms.turn(table_id, "clock", on=wrong, offset=record.offset)
    if state is None:
        return []
    seconds, topic = round(difference.total_seconds()), record.topic.split(".")[1]
    source = f"The clock of what publishes {topic} of {table_id}"
    message = (
        f"{source} is {abs(seconds)} s {'fast' if seconds > 0 else 'slow'} (it says {event.occurred_at}). Set it: "
        "nothing is ordered by it, but slips are judged late by the times that the table's system stamps."
        if wrong
        else f"{source} agrees with Kafka again."
    )
    return [alert("clock", table_id, appended_at(record), message, subject=topic, state=state, value=seconds)]
