"""One fault over a running house, while a part of its floor is published: before it, under it and after it."""

import random
import time
from collections.abc import Sequence

from tests.faults.faults import Fault
from tests.faults.floor import Sent
from tests.faults.house import House


async def strike(house: House, fault: Fault, records: Sequence[Sent], chance: random.Random) -> float:
    """Let the fault happen at a moment that chance names; the seconds from its end until all was settled again."""
    cut = len(records) * 3 // 4
    feed = house.feed(records[:cut])
    try:
        await feed.reach(chance.uniform(0.05, 0.95))
        await fault(house, chance)
        over = time.monotonic()
        await feed.finish()
    finally:
        feed.cancel()
    await house.publish(records[cut:])
    await house.settled()
    return time.monotonic() - over
