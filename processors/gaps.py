"""When the missing rounds of a shoe are an alarm: by later rounds, or by the append time of later records."""

from collections.abc import Iterable
from typing import Final

GAP_AFTER: Final = 5
"""A gap is an alarm once the round this many numbers later has arrived."""
GAP_AFTER_MS: Final = 2 * 60 * 1000
"""Or once a record of its table was appended this much later than the record that showed the gap.

Two rounds of a fast table: a round that is merely out of order has come long before.
"""


class Gaps:
    """The gaps of one shoe, and the append time in milliseconds at which each was first seen.

    The times live in memory: after a restart they begin anew, so that an alarm may come up to two minutes later.
    """

    def __init__(self) -> None:
        self._seen: dict[int, int] = {}
        self.last_round = 0

    @property
    def none(self) -> bool:
        """Whether the shoe lacks nothing."""
        return not self._seen

    def see(self, gaps: Iterable[int], last_round: int, at_ms: int) -> None:
        """Take what the shoe lacks now; ``last_round`` is the last that is not voided."""
        self._seen = {gap: self._seen.get(gap, at_ms) for gap in gaps}
        self.last_round = last_round

    def __contains__(self, round_no: int) -> bool:
        return round_no in self._seen

    def due(self, now_ms: int) -> set[int]:
        """The gaps that people have to be told of, by a record appended at ``now_ms``."""
        return {
            gap
            for gap, seen in self._seen.items()
            if self.last_round - gap >= GAP_AFTER or now_ms - seen > GAP_AFTER_MS
        }
