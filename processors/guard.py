"""The gap guard: no record between two that were delivered was skipped.

Source topics are neither compacted nor transactional, so their offsets have no holes; a jump means that the engine has
lost records (faust-streaming issue 596), or that Kafka has deleted them before they were read.
"""

from collections.abc import Iterator, Mapping
from typing import Any

TP = tuple[str, int]
"""A topic and a partition; Faust's and aiokafka's own are equal to it."""


class OffsetGap(Exception):
    """Records were skipped, or come from another log than the one that was read; the message says what happens now."""


class GapGuard:
    """Checks each record's offset against the one before it, and the first of a generation against where it begins."""

    def __init__(self) -> None:
        self._begins: dict[TP, int] = {}
        self._last: dict[TP, tuple[int, int]] = {}  # generation and offset

    def restore(self, begins: Mapping[TP, int]) -> None:
        """From here on each partition has to be read from this offset."""
        self._begins = dict(begins)

    def check(self, message: Any) -> None:
        """Note a record as read. Raises ``OffsetGap``."""
        tp, offset = message.tp, message.offset
        generation, last = self._last.get(tp, (None, -1))
        begin = self._begins.get(tp, 0)
        if offset < begin:
            raise OffsetGap(
                f"{_named(tp)} has to be read from offset {begin} and was read from {offset}: the end of its log was "
                "lost, or the topic made anew. The next start says what to do"
            )
        if generation != message.generation_id:
            if offset > begin:
                raise OffsetGap(f"{_named(tp)} has to be read from offset {begin} and was read from {offset}; {_AGAIN}")
        elif offset > last + 1:
            raise OffsetGap(f"{_named(tp)} was read up to offset {last} and then from {offset}; {_AGAIN}")
        self._last[tp] = (message.generation_id, offset)

    def read(self, partition: int) -> Iterator[tuple[TP, int]]:
        """Of each topic the offset after the last record that was read from this partition."""
        for tp, (_, offset) in self._last.items():
            if tp[1] == partition:
                yield tp, offset + 1


_AGAIN = "nothing past it is committed, and a restart reads from there again"


def _named(tp: TP) -> str:
    return f"{tp[0]} partition {tp[1]}"
