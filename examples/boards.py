"""A display that follows the scoreboard of every table.

python boards.py [HOST:PORT] needs aiokafka alone.
"""

import asyncio
import json
import sys
from typing import Any

from aiokafka import AIOKafkaConsumer

boards: dict[str, dict[str, Any]] = {}


def take(board: dict[str, Any]) -> bool:
    """Show a board unless what is shown is newer: shoe and version never go back. Of equal ones the later holds."""
    shown = boards.get(board["table_id"])
    if shown and (board["shoe_no"], board["version"]) < (shown["shoe_no"], shown["version"]):
        return False  # a delayed writer's
    boards[board["table_id"]] = board
    return True


async def main(kafka: str = "127.0.0.1:9092") -> None:
    """Read the topic from its beginning, which is short since it is compacted, and go on for ever."""
    topic = "baccarat.scoreboards.v1"
    async with AIOKafkaConsumer(topic, bootstrap_servers=kafka, auto_offset_reset="earliest") as consumer:
        async for record in consumer:
            board = json.loads(record.value)
            if board["type"] == "scoreboard" and take(board):
                road = board["roads"]["rounds"]
                print(f"{board['table_id']}: shoe {board['shoe_no']}, {board['status']}, {road}", flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
