"""A wallet that pays what each slip is worth, once.

python wallet.py [HOST:PORT] needs aiokafka alone. A real wallet keeps ``worth`` in its database and changes it in the
transaction that changes the balance.
"""

import asyncio
import json
import sys
from typing import Any

from aiokafka import AIOKafkaConsumer

worth: dict[tuple[str, str], tuple[int, int]] = {}  # (batch_id, slip_id) -> (revision, payout)
paid: dict[str, int] = {}  # currency -> minor units handed back; the stakes were taken when the slips were placed


def take(settled: dict[str, Any]) -> int:
    """Set each slip to what its highest revision says, and move the difference, which is returned."""
    moved, revision = 0, settled["revision"]
    for slip in settled["settlements"]:
        place = (settled["batch_id"], slip["slip_id"])
        held, payout = worth.get(place, (-1, 0))
        if revision > held:  # a repeat, or a revision that was overtaken, moves nothing
            worth[place] = (revision, slip["payout"])
            moved += slip["payout"] - payout
    paid[settled["currency"]] = paid.get(settled["currency"], 0) + moved
    return moved


async def main(kafka: str = "127.0.0.1:9092") -> None:
    """Read all settlements that Kafka still has, and go on for ever."""
    topic = "baccarat.settlements.v1"
    async with AIOKafkaConsumer(topic, bootstrap_servers=kafka, auto_offset_reset="earliest") as consumer:
        async for record in consumer:
            settled = json.loads(record.value)
            if settled["type"] == "bets_settled":
                batch, moved, currency = settled["batch_id"], take(settled), settled["currency"]
                print(f"{batch}: moved {moved}, paid {paid[currency]} {currency}", flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
