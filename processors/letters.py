"""The limit on dead letters: when nearly everything is refused, the fault is ours and not the sources'."""

from typing import Final

from processors.effects import Out, Record
from processors.notices import alert, appended_at
from processors.verdicts import Refusal

LIMIT: Final = 100
TABLES: Final = 3
_OURS: Final = ("undecodable", "invalid")


class FaultIsOurs(Exception):
    """More than 100 records in a row from at least three tables could not be understood: this program is too old."""


class LetterLimit:
    """Counts undecodable and invalid records in a row.

    Over 100 of them from three or more tables raise ``FaultIsOurs``; a flood from one or two is an alert, once.
    """

    def __init__(self) -> None:
        self._row = 0
        self._keys: set[bytes | None] = set()

    def good(self) -> None:
        """A record was understood: the row ends."""
        if self._row:
            self._row = 0
            self._keys.clear()

    def bad(self, record: Record, refusal: Refusal) -> list[Out]:
        """A record was refused; returns the alert where a flood begins."""
        if refusal.code not in _OURS:
            self.good()
            return []
        self._row += 1
        self._keys.add(record.key)
        if self._row <= LIMIT:
            return []
        if len(self._keys) >= TABLES:
            raise FaultIsOurs(
                f"{self._row} records in a row from {len(self._keys)} tables could not be understood "
                f"(the last: {record.topic} partition {record.partition} offset {record.offset}: {refusal.message}). "
                "The sources are newer than this program, or it is broken: deploy the version that fits them."
            )
        if self._row > LIMIT + 1:
            return []
        key = (record.key or b"").decode(errors="backslashreplace")[:64] or "unknown"
        message = f"More than {LIMIT} records in a row of {key} could not be understood: {refusal.message}"
        return [alert("dead_letter_flood", _as_table(key), appended_at(record), message, subject=key, value=self._row)]


def _as_table(key: str) -> str:
    """The key where it can be a table's, else a name that can."""
    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "._-") else "_" for letter in key)
    return plain if plain[:1].isalnum() else f"x{plain}"[:64]
