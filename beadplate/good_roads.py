"""Settings of the good roads: from which length each pattern is announced, on the scoreboard and as an alert."""

from dataclasses import dataclass, fields
from typing import Final

from baccarat.roads.good import Thresholds

LEAST: Final = 2
MOST: Final = 200


@dataclass(frozen=True, kw_only=True)
class GoodRoads:
    """From which length good roads are announced."""

    good_road_streak: int = 4
    "Results in a row of one side from which a streak is announced."
    good_road_ping_pong: int = 4
    "Columns of one from which ping-pong is announced."
    good_road_double_jump: int = 4
    "Columns of two from which a double jump is announced."
    good_road_one_two: int = 2
    "Pairs of columns, one and two, from which one-two is announced."
    good_road_chop_after: int = 3
    "Chops after one side from which they are announced."

    def __post_init__(self) -> None:
        """Refuse what cannot be right."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value not in range(LEAST, MOST + 1):
                flag = field.name.replace("_", "-")
                raise ValueError(f"--{flag} is a length from {LEAST} to {MOST}, not {value}.")

    @property
    def thresholds(self) -> Thresholds:
        """The same, as the game has it."""
        return Thresholds(
            streak=self.good_road_streak,
            ping_pong=self.good_road_ping_pong,
            double_jump=self.good_road_double_jump,
            one_two=self.good_road_one_two,
            chop_after=self.good_road_chop_after,
        )
