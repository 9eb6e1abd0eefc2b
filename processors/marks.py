"""The runner's own rows in a changelog, beside those of the fold: one of each kind a partition.

``~began/4`` says from which offset of each source the state of partition 4 was made; ``~replay/4`` that it is being
made anew, and up to where. No table's name begins with a tilde, and both stand on the partition that they name.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

import msgspec

from broker.groups import Place
from contract.partitions import partition_of
from processors.effects import Row

_MARK: Final = b"~"
_BEGAN: Final = b"~began"
_REPLAY: Final = b"~replay"


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A partition whose state is made anew.

    ``asked``: old rows may still be there, and no worker may start. ``running``: all of them are gone, the group stands
    at the beginning; it has caught up once each source is read up to its entry in ``ends``.
    """

    state: Literal["asked", "running"]
    ends: dict[str, int] = {}


@dataclass(slots=True)
class Marks:
    """The marks of some rows, by partition."""

    began: dict[int, dict[str, int]] = field(default_factory=dict)
    replays: dict[int, Replay] = field(default_factory=dict)

    @property
    def asked(self) -> list[int]:
        """Partitions that no worker may start on: what makes their state anew has not come to its end."""
        return sorted(partition for partition, replay in self.replays.items() if replay.state == "asked")

    def take(self, key: bytes, value: bytes) -> None:
        """Take in one mark."""
        kind, _, partition = key.partition(b"/")
        if kind == _BEGAN:
            self.began[int(partition)] = msgspec.json.decode(value, type=dict[str, int])
        elif kind == _REPLAY:
            self.replays[int(partition)] = msgspec.json.decode(value, type=Replay)


def is_mark(key: bytes) -> bool:
    """Whether a row is the runner's own."""
    return key.startswith(_MARK)


def marks_of(rows: Iterable[tuple[bytes, bytes]]) -> Marks:
    """The marks among some rows."""
    marks = Marks()
    for key, value in rows:
        if is_mark(key):
            marks.take(key, value)
    return marks


def began(partition: int, offsets: Mapping[str, int]) -> Row:
    """The mark of where the state of a partition begins."""
    return Row(b"%s/%d" % (_BEGAN, partition), msgspec.json.encode(offsets))


def first_marks(places: Iterable[Place], marks: Marks, filled: set[int]) -> list[Row]:
    """For partitions of which nothing has ever been read: the marks of where their state begins.

    ``filled`` are the partitions that have rows.
    """
    fresh: dict[int, dict[str, int]] = {}
    read = {place.partition for place in places if place.committed is not None}
    for place in places:
        if place.partition not in read | filled | marks.began.keys():
            fresh.setdefault(place.partition, {})[place.topic] = place.begin
    return [began(partition, offsets) for partition, offsets in fresh.items()]


def replay(partition: int, said: Replay | None) -> Row:
    """The mark of a partition that is made anew; None takes it away."""
    return Row(b"%s/%d" % (_REPLAY, partition), None if said is None else msgspec.json.encode(said))


def partition_of_row(key: bytes, partitions: int) -> int:
    """The partition of a row or an output: the one that a mark names, or that of its table."""
    table_id, _, rest = key.partition(b"/")
    return int(rest) if is_mark(key) else partition_of(table_id, partitions)
