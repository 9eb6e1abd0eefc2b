"""From a record to an event, or to the refusal that its dead letter names."""

import datetime as dt
from collections import Counter
from typing import Any, Final

from contract.codec import BadRecord, UnknownType, decode
from contract.dead_letters import DeadLetter
from contract.partitions import partition_of
from contract.rounds import Event
from contract.scalars import parse_instant
from contract.topics import DEAD_LETTERS, Topic
from processors.effects import Effects, Out, Record
from processors.letters import LetterLimit
from processors.notices import State, alert, appended_at, notice_of
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
    """The door of one processor: reads records, answers bad ones, counts all.

    ``reports`` are the topics whose faults this processor answers with dead letters; of the others another one does.
    """

    def __init__(self, processor: str, partitions: int, reports: tuple[Topic, ...]) -> None:
        self.partitions = partitions
        self.counts: Counter[str] = Counter()
        self._processor, self._reports = processor, tuple(topic.name for topic in reports)
        self._clocks, self._limit = Clocks(), LetterLimit()

    def read(self, record: Record, topic: Topic, effects: Effects) -> Any:
        """The event, or None where there is nothing to take; then the effects say why."""
        event = read(record, topic, self.partitions)
        if event is None:
            self.counts["skipped"] += 1
            return None
        if isinstance(event, Refusal):
            self.refuse(record, event, effects)
            return None
        self._limit.good()
        if topic.log_append_time and record.topic in self._reports:
            effects.outs += self._clocks.check(record, event)
        return event

    def refuse(self, record: Record, refusal: Refusal, effects: Effects, event: Event | None = None) -> None:
        """Answer a bad record; raises ``FaultIsOurs`` where nearly everything is refused.

        Of an ``event`` that was understood and yet is not taken, people get a notice besides.
        """
        self.counts[f"refused_{refusal.code}"] += 1
        flood = self._limit.bad(record, refusal)
        if record.topic in self._reports:
            effects.outs.append(dead_letter(self._processor, record, refusal))
            effects.outs += flood
            if event is not None:
                effects.outs += notice_of(event, refusal)


class Clocks:
    """Which tables' sources have a clock that is wrong; a notice where that begins or ends."""

    def __init__(self) -> None:
        self._wrong: set[str] = set()

    def check(self, record: Record, event: Event) -> list[Out]:
        """Compare the source's time with the broker's append time; data only, never order."""
        taken = dt.datetime.fromtimestamp(record.timestamp / 1000, dt.UTC)
        difference = parse_instant(event.occurred_at) - taken
        table_id, wrong = event.table_id, abs(difference) > CLOCK_TOLERANCE
        if wrong == (table_id in self._wrong):
            return []
        seconds = round(difference.total_seconds())
        if wrong:
            self._wrong.add(table_id)
            message = f"The clock of {table_id} says {event.occurred_at}, {-seconds} s before the broker."
        else:
            self._wrong.discard(table_id)
            message = f"The clock of {table_id} agrees with the broker again."
        state: State = "raised" if wrong else "cleared"
        return [alert("clock", table_id, appended_at(record), message, subject=table_id, state=state, value=seconds)]
