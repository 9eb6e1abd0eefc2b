"""A floor of a thousand tables that deals 33 rounds a second: how soon a round is in a stream of the page.

Producer, Kafka, the scoreboards processor and the page server are what people run; a viewers watch some
tables' own streams.
"""

import asyncio
import datetime as dt
import random
import re
import time
from dataclasses import dataclass
from typing import Final

import httpx
from aiokafka import AIOKafkaProducer

from benchmarks.fanout import ready
from benchmarks.load import Deal, Sent, hands, sent
from benchmarks.processes import running
from benchmarks.stage import free_port, stage
from broker.closing import opened
from contract.partitions import partition_of
from contract.topics import PARTITIONS

TABLES, ROUNDS_A_SECOND, SECONDS = 1000, 33, 60
WATCHED: Final = 33
"""Tables whose own streams are watched."""
WARM_UP: Final = 0.2
"""The part of the rounds before which nothing is measured."""
_SETTLE_S: Final = 20.0
_NEWEST: Final = re.compile(r'data-newest="\d+/(\d+)/\d+"')


@dataclass(frozen=True, kw_only=True)
class Floor:
    """Seconds from the producer's send to the end of the frame that shows the round."""

    tables: int
    rounds: int
    latencies: tuple[float, ...]
    cpu_scoreboards: float
    cpu_page: float


async def floor(scale: float) -> Floor:
    """Deal, and watch."""
    tables = max(WATCHED, round(TABLES * scale))
    rounds = max(200, round(SECONDS * ROUNDS_A_SECOND * scale))
    names = [f"T{number:04}" for number in range(tables)]
    async with stage() as kafka:
        port = free_port()
        environment = {"BEADPLATE_BOOTSTRAP_SERVERS": kafka.bootstrap}
        arguments = ["-m", "beadplate", "dashboards", "serve", "--port", str(port)]
        with (
            kafka.processor("scoreboards") as scoreboards,
            running(arguments, kafka.logs / "page.log", environment) as page,
        ):
            await scoreboards.idle()
            await ready(port, page)
            async with opened(AIOKafkaProducer(bootstrap_servers=kafka.bootstrap, acks="all")) as producer:
                begin, cards = dt.datetime.now(dt.UTC), hands(random.Random(1))
                for name in names:
                    for event in Deal(begin, name, 1, 1).new_shoe():
                        await _send(producer, sent(event))
                await producer.flush()
                await scoreboards.idle()
                async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
                    seen: dict[tuple[str, int], float] = {}
                    watched = names[:WATCHED]
                    watchers = [asyncio.create_task(_watch(client, name, seen)) for name in watched]
                    await asyncio.sleep(1)
                    begun, cpu = time.perf_counter(), (scoreboards.process.cpu(), page.cpu())
                    said: dict[tuple[str, int], float] = {}
                    next_round = dict.fromkeys(names, 0)
                    chance = random.Random(2)
                    for turn in range(rounds):
                        # each tenth round is at a table that is watched, the others anywhere
                        name = watched[turn // 10 % WATCHED] if turn % 10 == 0 else chance.choice(names)
                        next_round[name] += 1
                        record = sent(Deal(begin, name, 1, next_round[name]).dealt(next(cards)))
                        said[name, next_round[name]] = time.perf_counter()
                        await _send(producer, record)
                        await asyncio.sleep(max(0.0, begun + (turn + 1) / ROUNDS_A_SECOND - time.perf_counter()))
                    await _all_seen(said, seen, set(watched))
                    for watcher in watchers:
                        watcher.cancel()
                    await asyncio.gather(*watchers, return_exceptions=True)
                    spent = time.perf_counter() - begun
                    after = (scoreboards.process.cpu(), page.cpu())
    first = begun + WARM_UP * rounds / ROUNDS_A_SECOND
    latencies = tuple(seen[key] - at for key, at in said.items() if key in seen and at > first)
    return Floor(
        tables=tables,
        rounds=rounds,
        latencies=latencies,
        cpu_scoreboards=(after[0] - cpu[0]) / spent,
        cpu_page=(after[1] - cpu[1]) / spent,
    )


async def _send(producer: AIOKafkaProducer, record: Sent) -> None:
    partition = partition_of(record.key, PARTITIONS)
    await producer.send(record.topic, record.value, record.key, partition=partition)


async def _watch(client: httpx.AsyncClient, name: str, seen: dict[tuple[str, int], float]) -> None:
    """Note when each round of the table has come whole."""
    async with client.stream("GET", "/stream", params={"table": name}) as answer:
        round_no = 0
        async for line in answer.aiter_lines():
            if found := _NEWEST.search(line):
                round_no = int(found[1])
            elif not line and round_no:
                seen.setdefault((name, round_no), time.perf_counter())


async def _all_seen(said: dict[tuple[str, int], float], seen: dict[tuple[str, int], float], watched: set[str]) -> None:
    """Returns when every round of a watched table has come, or after a while: what did not come shows in the count."""
    deadline = time.monotonic() + _SETTLE_S
    wanted = [key for key in said if key[0] in watched]
    while any(key not in seen for key in wanted):
        if time.monotonic() > deadline:
            return
        await asyncio.sleep(0.1)
