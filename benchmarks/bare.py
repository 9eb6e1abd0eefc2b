"""The yardstick: settlement in a bare aiokafka loop, without a framework, without rows, without recovery.

``python -m benchmarks.bare BOOTSTRAP SLIPS`` is a group consumer on the same topics that joins batches and rounds in a
dictionary, with the same validation and the same pure settlement, sends the same outputs through an idempotent
producer and commits. It ends after so many slips and prints one JSON object.
"""

import asyncio
import json
import sys
import time
from dataclasses import dataclass, field
from typing import Any, Final

import uvloop
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from baccarat.paytables import load
from baccarat.rounds import Facts
from baccarat.settlement import Settler
from benchmarks.stage import Sample
from contract.bets import BetsPlaced
from contract.codec import encode
from contract.rounds import RoundDealt
from contract.settlements import BetsSettled
from contract.topics import BETS, PARTITIONS, ROUNDS, SETTLEMENTS, Topic
from processors.effects import Record
from processors.intake import read
from processors.settling import settle, settler_of
from processors.verdicts import Refusal, facts_of

OUTPUT: Final = Topic(
    name="bench.settlements",
    purpose="What the bare loop says",
    key="table_id",
    events=(BetsSettled,),
    cleanup="delete",
    retention_days=1,
    max_message_bytes=SETTLEMENTS.max_message_bytes,
)
COMMIT_S: Final = 1.0
_Key = tuple[str, int, int]


@dataclass(slots=True)
class Joined:
    """What has been seen of rounds and batches."""

    rounds: dict[_Key, tuple[RoundDealt, Facts, Settler]] = field(default_factory=dict)
    waiting: dict[_Key, list[BetsPlaced]] = field(default_factory=dict)
    slips: int = 0

    def take(self, record: Any) -> list[BetsSettled]:
        """The settlements that a record makes possible."""
        topic = BETS if record.topic == BETS.name else ROUNDS
        raw = Record(record.topic, record.partition, record.offset, record.timestamp, record.key, record.value)
        event = read(raw, topic, PARTITIONS)
        assert not isinstance(event, Refusal), event
        if isinstance(event, BetsPlaced):
            key = (event.table_id, event.shoe_no, event.round_no)
            if key in self.rounds:
                return [self._settle(event, *self.rounds[key])]
            self.waiting.setdefault(key, []).append(event)
        elif isinstance(event, RoundDealt):
            key = (event.table_id, event.shoe_no, event.round_no)
            facts = facts_of(event)
            settler = settler_of(event, facts, load)
            assert settler is not None
            self.rounds[key] = (event, facts, settler)
            return [self._settle(batch, event, facts, settler) for batch in self.waiting.pop(key, ())]
        return []

    def _settle(self, batch: BetsPlaced, event: RoundDealt, facts: Facts, settler: Settler) -> BetsSettled:
        self.slips += len(batch.slips)
        return settle(batch, event, facts, settler)


async def work(bootstrap: str, slips: int) -> dict[str, float]:
    """Settle so many slips; CPU-seconds from the end of the first twentieth on."""
    joined, first, committed = Joined(), None, time.monotonic()
    consumer = AIOKafkaConsumer(
        ROUNDS.name,
        BETS.name,
        bootstrap_servers=bootstrap,
        group_id="bench-bare",
        auto_offset_reset="earliest",
        enable_auto_commit=False,
    )
    producer = AIOKafkaProducer(
        bootstrap_servers=bootstrap,
        acks="all",
        enable_idempotence=True,
        max_batch_size=1 << 19,
        max_request_size=1 << 21,
    )
    async with consumer, producer:
        while joined.slips < slips:
            for records in (await consumer.getmany(timeout_ms=200, max_records=500)).values():
                for record in records:
                    for settled in joined.take(record):
                        await producer.send(OUTPUT.name, encode(settled), settled.table_id.encode())
            if first is None and joined.slips >= slips // 20:
                first = Sample(joined.slips, time.process_time())
            if time.monotonic() - committed > COMMIT_S:
                await producer.flush()
                await consumer.commit()
                committed = time.monotonic()
        await producer.flush()
        await consumer.commit()
        last = Sample(joined.slips, time.process_time())
    if first is None or first.done == last.done:  # a load so small that it came in one fetch: then the start counts
        first = Sample(0, 0.0)
    return {"slips": last.done - first.done, "cpu": last.cpu - first.cpu}


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        print(json.dumps(runner.run(work(sys.argv[1], int(sys.argv[2])))))
