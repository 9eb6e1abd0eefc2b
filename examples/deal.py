"""A shoe that publishes: one round at table X1, as any dealing system would.

python deal.py [HOST:PORT] needs aiokafka alone. Run again, it says the same again: that is a duplicate and harmless.
"""

import asyncio
import json
import sys
from datetime import UTC, datetime

from aiokafka import AIOKafkaProducer


def event(kind: str, **fields: object) -> bytes:
    """One event as it stands on the wire."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return json.dumps({"type": kind, "table_id": "X1", "occurred_at": now, "shoe_no": 1, **fields}).encode()


async def main(kafka: str = "127.0.0.1:9092") -> None:
    """Send what happens, in its order; each record is acknowledged before the next one goes."""
    hands = {"player": ["7H", "2S"], "banker": ["KD", "8C"]}
    # idempotent: a send that is tried again neither doubles a record nor changes the order
    async with AIOKafkaProducer(bootstrap_servers=kafka, enable_idempotence=True, acks="all") as producer:
        for happened in (
            event("shoe_started", decks=8),
            event("betting_opened", round_no=1),
            event("betting_closed", round_no=1),
            event("round_dealt", round_no=1, revision=0, paytable="classic@1", **hands),
        ):
            # the key is the table, so that its events lie in one partition and keep their order
            await producer.send_and_wait("baccarat.rounds.v1", happened, key=b"X1")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
