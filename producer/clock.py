"""The time of day as the floor sees it; tests bring one of their own."""

import asyncio
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time in UTC and waits for a moment of it."""

    def now(self) -> datetime:
        """The time, aware, in UTC, to the millisecond."""

    async def sleep_until(self, moment: datetime) -> None:
        """Return at the moment, or at once where it is past; lets others run in any case."""


class WallClock:
    """The system's clock."""

    def now(self) -> datetime:
        """The time, in UTC, to the millisecond."""
        return to_millisecond(datetime.now(UTC))

    async def sleep_until(self, moment: datetime) -> None:
        """Return when the system's clock has reached the moment."""
        await asyncio.sleep(max(0.0, (moment - datetime.now(UTC)).total_seconds()))


def to_millisecond(moment: datetime) -> datetime:
    """The moment as finely as events tell it; what is finer is cut off."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
