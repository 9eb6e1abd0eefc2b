"""Partitions whose state is being made anew: what their compacted outputs do meanwhile.

While old records are read again, the boards of long ago come by once more. A consumer that goes by identity would pass
them over, but a wall should not see them: so of each key the newest is held back, and sent once the partition has
caught up with where the sources ended when the replay was asked for. A shoe's record is let go as soon as nothing can
change it any more, so that no more is held than the shoes that are held anyway. All else (settlements, notices, dead
letters) is sent as it comes: it is equal to what was sent before.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from contract.topics import CATALOGUE, SHOES
from processors.effects import Drop, Effects, Out
from processors.guard import TP
from processors.marks import Replay, partition_of_row, replay

Held = dict[tuple[str, bytes | None], Out]
"""By topic and key."""


@dataclass(slots=True)
class _Partition:
    """One partition: where its sources end for us, how far they are read, and what is held back."""

    ends: Mapping[str, int]
    read: dict[str, int]
    held: Held = field(default_factory=dict)

    @property
    def left(self) -> int:
        """Records that are still to be read."""
        return sum(max(0, end - self.read.get(topic, 0)) for topic, end in self.ends.items())


class Rebuilding:
    """The partitions of a worker that are being made anew; none most of the time."""

    def __init__(self, partitions: int) -> None:
        self._of = partitions
        self._partitions: dict[int, _Partition] = {}

    def __bool__(self) -> bool:
        return bool(self._partitions)

    @property
    def left(self) -> dict[int, int]:
        """Per partition that is being made anew the records that are still to be read."""
        return {number: partition.left for number, partition in sorted(self._partitions.items())}

    def restore(self, replays: Mapping[int, Replay], begins: Mapping[TP, int], effects: Effects) -> Effects:
        """Begin with these marks after a recovery; what becomes of what the fold sends again."""
        self._partitions = {
            number: _Partition(said.ends, {topic: begin for (topic, of), begin in begins.items() if of == number})
            for number, said in replays.items()
        }
        outs = [out for out in effects.outs if not self._hold(self._number(out), out)]
        let_go = Effects(effects.rows, outs, effects.drops)
        for number in [*self._partitions]:
            self._let_go(number, [drop for drop in effects.drops if drop.partition == number], let_go)
        return let_go

    def take(self, topic: str, partition: int, offset: int, effects: Effects) -> Effects:
        """What becomes of the effects of one record."""
        rebuilt = self._partitions.get(partition)
        if rebuilt is None:
            return effects
        rebuilt.read[topic] = offset + 1
        outs = [out for out in effects.outs if not self._hold(partition, out)]
        let_go = Effects(effects.rows, outs, effects.drops)
        self._let_go(partition, effects.drops, let_go)
        return let_go

    def forgotten(self, drop: Drop, effects: Effects) -> None:
        """A shoe is forgotten: what was held of it since its record was let go is the last that is said of it."""
        if (rebuilt := self._partitions.get(drop.partition)) is not None:
            effects.outs += _taken_out(rebuilt, drop)

    def _hold(self, number: int, out: Out) -> bool:
        rebuilt = self._partitions.get(number)
        if rebuilt is None or "compact" not in out.topic.cleanup:
            return False
        rebuilt.held[out.topic.name, out.key] = out
        return True

    def _let_go(self, number: int, drops: Iterable[Drop], effects: Effects) -> None:
        """Add what is due: records of shoes that are past, and all, with the end of the mark, where it is caught up.

        Should the process end here: what the fold sends again after a recovery has all of it, but for those shoes, and
        their rows are not deleted before this record is committed.
        """
        rebuilt = self._partitions[number]
        for drop in drops:
            effects.outs += _taken_out(rebuilt, drop)
        if not rebuilt.left:
            effects.outs += rebuilt.held.values()
            effects.rows.append(replay(number, None))
            del self._partitions[number]

    def _number(self, out: Out) -> int:
        assert out.key is not None
        return partition_of_row(out.key, self._of)


def _taken_out(rebuilt: _Partition, drop: Drop) -> list[Out]:
    """The held outputs of one shoe, held no longer."""
    key = f"{drop.table_id}/{drop.shoe_no}".encode()
    held = [rebuilt.held.pop((topic.name, key), None) for topic in CATALOGUE if topic.key == SHOES.key]
    return [out for out in held if out is not None]
