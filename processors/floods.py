"""Floods of dead letters: a source whose records are refused one after the other, told to people."""

from collections import Counter
from collections.abc import Set as AbstractSet
from typing import Final

from processors.alarms import Alarms, State
from processors.effects import Out, Record
from processors.letters import LIMIT
from processors.notices import alert, appended_at
from processors.verdicts import Refusal

QUIET_MS: Final = 10 * 60 * 1000
"""A flood of strangers is over when none of them was refused for this long, by append times."""
_STRANGERS: Final = "unknown"
_NAME: Final = "flood"


class Floods:
    """Counts each table's refused records in a row; a notice at more than 100, at each power of ten, and at the end.

    A table's row ends with a record of it that is taken. Records under keys of no ``known`` table are counted together,
    as strangers: one broken source may write a new key each time. Their flood ends when one of them is understood, or
    after ten quiet minutes.
    """

    def __init__(self, known: AbstractSet[str], alarms: Alarms) -> None:
        self._known, self._alarms = known, alarms
        self._rows: Counter[str] = Counter()
        self._strangers, self._strangers_at = 0, 0

    def bad(self, record: Record, table_id: str | None, refusal: Refusal) -> list[Out]:
        """A record was refused."""
        if table_id is None or table_id not in self._known:
            self._strangers, self._strangers_at = self._strangers + 1, record.timestamp
            begun: State = "raised" if self._strangers == LIMIT + 1 else "changed"
            return [_risen(record, None, begun, self._strangers, refusal)] if _is_told(self._strangers) else []
        self._rows[table_id] += 1
        if not _is_told(count := self._rows[table_id]):
            return []
        state = self._alarms.turn(table_id, _NAME, on=True, offset=record.offset, value=count, again=True)
        return [_risen(record, table_id, state, count, refusal)] if state else []

    def good(self, record: Record, table_id: str, *, new: bool) -> list[Out]:
        """A record of a table was taken; ``new`` where it is the first that was understood of that table."""
        outs = []
        if self._strangers and (new or record.timestamp - self._strangers_at > QUIET_MS):
            outs += [_over(record, None)] if self._strangers > LIMIT else []
            self._strangers = 0
        self._rows.pop(table_id, None)
        if self._alarms.concerned(table_id, _NAME, record.offset) and self._alarms.turn(
            table_id, _NAME, on=False, offset=record.offset
        ):
            outs.append(_over(record, table_id))
        return outs


def _is_told(count: int) -> bool:
    return count == LIMIT + 1 or (count > LIMIT and count == 10 ** (len(str(count)) - 1))


def _who(table_id: str | None) -> str:
    return f"table {table_id}" if table_id else "sources whose keys are of no known table"


def _risen(record: Record, table_id: str | None, state: State, count: int, refusal: Refusal) -> Out:
    message = (
        f"{count} records in a row of {_who(table_id)} were refused (the last: {refusal.message}). Look at what is "
        "sent; the other tables go on, and what can be mended can be replayed from the dead letters."
    )
    return _notice(record, table_id, state, count, message)


def _over(record: Record, table_id: str | None) -> Out:
    return _notice(record, table_id, "cleared", 0, f"The flood of refused records of {_who(table_id)} is over.")


def _notice(record: Record, table_id: str | None, state: State, count: int, message: str) -> Out:
    table, topic = table_id or _STRANGERS, record.topic.split(".")[1]
    return alert("dead_letter_flood", table, appended_at(record), message, subject=topic, state=state, value=count)
