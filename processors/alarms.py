"""Which alarms are raised, kept in rows: each is raised once and cleared once, whatever restarts come between.

An alarm is a state that lasts and is named by its place (a table, or ``table/shoe``) and its name within it. It
remembers the offset of the record that last changed it. When that record is delivered again after a crash, the notice
may never have been sent, and so it is sent again; any other record that finds the alarm as it should be says nothing.
"""

from collections.abc import Callable, Iterable
from typing import Final, Literal

import msgspec

from processors.effects import Row

State = Literal["raised", "changed", "cleared"]
_ROW: Final = "alarms"


class Alarm(msgspec.Struct, frozen=True, array_like=True):
    """What was last told of an alarm, by the record at which offset, and with what measure."""

    state: State
    offset: int
    value: int

    @property
    def on(self) -> bool:
        """Whether it stands raised."""
        return self.state != "cleared"


_decoder: msgspec.json.Decoder[dict[str, Alarm]] = msgspec.json.Decoder(dict[str, Alarm])


class Alarms:
    """The alarms of the tables whose rows are held; one row a table and one a shoe, where there are any."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, Alarm]] = {}
        self._touched: set[str] = set()
        self._doubtful: set[tuple[str, str]] = set()

    def turn(
        self, place: str, name: str, *, on: bool, offset: int, value: int = 0, again: bool = False
    ) -> State | None:
        """Put the alarm on or off by the record at ``offset``; what has to be told, or None where nothing is new.

        ``again``: an alarm that was on before the restart is told once more. That is for alarms which the same record
        may not raise a second time, since what else was read before it may differ.
        """
        held = self._held.get(place, {}).get(name, _OFF)
        if again and (place, name) in self._doubtful:
            self._doubtful.remove((place, name))
            held = _OFF if on else held
        if on == held.on and offset == held.offset and value == held.value:
            self._touched.add(place)
            return held.state
        if on == held.on and (not on or value == held.value):
            return None
        state: State = "cleared" if not on else "changed" if held.on else "raised"
        self._held.setdefault(place, {})[name] = Alarm(state, offset, value)
        self._touched.add(place)
        return state

    def any(self, place: str) -> bool:
        """Whether any alarm of the place was ever raised."""
        return place in self._held

    def concerned(self, place: str, kind: str, offset: int) -> set[str]:
        """Names under ``kind`` that stand raised, or that the record at ``offset`` has changed."""
        held = self._held.get(place)
        if held is None:
            return set()
        return {name for name, alarm in held.items() if name.startswith(kind) and (alarm.on or alarm.offset == offset)}

    def changed_by(self, place: str, name: str, offset: int) -> bool:
        """Whether the record at ``offset`` was the last to change the alarm."""
        return self._held.get(place, {}).get(name, _OFF).offset == offset

    def rows(self) -> list[Row]:
        """The rows to write since the last time; they go before all others of their record."""
        if not self._touched:
            return []
        touched, self._touched = sorted(self._touched), set()
        return [Row(_key(place), msgspec.json.encode(self._held[place])) for place in touched]

    def load(self, rows: Iterable[tuple[bytes, bytes]], other: Callable[[bytes, bytes], object]) -> None:
        """Begin anew with the alarms among the rows; what is none goes to ``other``."""
        self._held, self._touched = {}, set()
        for key, value in rows:
            place, _, last = key.decode().rpartition("/")
            if last == _ROW and place and place.count("/") <= 1:
                self._held[place] = _decoder.decode(value)
            else:
                other(key, value)
        self._doubtful = {(place, name) for place, held in self._held.items() for name in held if held[name].on}

    def forget(self, place: str) -> list[Row]:
        """Forget a place; the row to delete, if there is one."""
        self._touched.discard(place)
        return [Row(_key(place), None)] if self._held.pop(place, None) is not None else []


_OFF: Final = Alarm("cleared", -1, 0)


def _key(place: str) -> bytes:
    return f"{place}/{_ROW}".encode()


def place_of(table_id: str, shoe_no: int) -> str:
    """The place of a shoe's alarms."""
    return f"{table_id}/{shoe_no}"
