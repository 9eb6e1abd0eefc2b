"""The demo as a whole, as people run it: how long until the first round, how fast a round is seen, what it holds.

A probe deals rounds at a table of its own beside the demo's floor and reads the stream of that table's page, as a
browser would.
"""

import asyncio
import contextlib
import datetime as dt
import random
import re
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
from aiokafka import AIOKafkaProducer

from baccarat.shoe import Hand
from benchmarks.load import Deal, hands, sent
from benchmarks.processes import Process, Stuck, family, memory, running
from benchmarks.stage import free_port
from broker.closing import opened
from contract.rounds import RoundCorrected, RoundDealt

START_LIMIT_S: Final = 120.0
PROBE: Final = "PROBE"
ROLES: Final = {
    "kafka.Kafka": "Kafka",
    "scoreboards": "scoreboards",
    "settlements": "settlements",
    "statistics": "statistics",
    "dashboards": "page",
    "simulate": "simulated floor",
    "demo": "demo itself",
}
"""A word in a process's command line, and what the process is; the first that fits counts."""
_BOOTSTRAP: Final = re.compile(r"Kafka is ready at (\S+),")
_NEWEST: Final = re.compile(r'data-newest="(\d+)/(\d+)/\d+"')
_VERSION: Final = re.compile(r'data-version="(\d+)"')


@dataclass(frozen=True, kw_only=True)
class DemoFigures:
    """Seconds until the first round was on a page, latencies in seconds, resident memory in bytes by process.

    ``latencies`` are those of dealt rounds, ``corrections`` those of their corrections.
    """

    first_round_s: float
    latencies: tuple[float, ...]
    corrections: tuple[float, ...]
    memory: dict[str, int]


def p50(latencies: Sequence[float]) -> float:
    """Half of them were seen within this time, in seconds."""
    return statistics.median(latencies)


def p99(latencies: Sequence[float]) -> float:
    """All but one of a hundred were seen within this time, in seconds."""
    return statistics.quantiles(latencies, n=100, method="inclusive")[-1]


async def demo(*, rounds: int, every_s: float, minute_s: float) -> DemoFigures:
    """Start the demo on a new directory, watch it, and probe it; memory is looked at ``minute_s`` after its start."""
    with tempfile.TemporaryDirectory(prefix="beadplate-bench-") as place:
        port, begun = free_port(), time.monotonic()
        arguments = ["-m", "beadplate", "demo", "--port", str(port), "--data-dir", str(Path(place, "data"))]
        with running(arguments, Path(place, "demo.log"), {}) as process:
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=10) as page:
                await _until_shown(page, process, "T01", 1)
                first_round_s = time.monotonic() - begun
                latencies, corrections = await _probe(page, process, rounds, every_s)
            await asyncio.sleep(begun + minute_s - time.monotonic())
            return DemoFigures(
                first_round_s=first_round_s,
                latencies=tuple(latencies),
                corrections=tuple(corrections),
                memory=_memory(process),
            )


async def _until_shown(page: httpx.AsyncClient, process: Process, table_id: str, round_no: int) -> None:
    """Returns when the table's page shows this round or a later one; 0 is a page without rounds."""
    deadline = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline:
        process.check()
        with contextlib.suppress(httpx.TransportError):
            answer = await page.get(f"/tables/{table_id}")
            if answer.status_code == httpx.codes.OK and _round(answer.text) >= round_no:
                return
        await asyncio.sleep(0.05)
    raise Stuck(f"round {round_no} of {table_id} is not shown after {START_LIMIT_S:.0f} s: {process.last_words()}")


def _round(html: str) -> int:
    found = _NEWEST.search(html)
    return int(found[2]) if found else 0


async def _probe(
    page: httpx.AsyncClient, process: Process, rounds: int, every_s: float
) -> tuple[list[float], list[float]]:
    """Seconds from the sending of each round, and of its correction, to the end of the frame that shows it."""
    found = _BOOTSTRAP.search(process.log.read_text())
    assert found is not None
    cards, begin = hands(random.Random(1)), dt.datetime.now(dt.UTC)
    deals = [Deal(begin, PROBE, 1, number) for number in range(1, rounds + 1)]
    async with opened(AIOKafkaProducer(bootstrap_servers=found[1], acks="all", enable_idempotence=True)) as producer:
        for event in deals[0].new_shoe():
            record = sent(event)
            await producer.send_and_wait(record.topic, record.value, record.key)
        await _until_shown(page, process, PROBE, 0)
        async with page.stream("GET", "/stream", params={"table": PROBE}) as answer:
            frames = _versions(answer)
            version, seen, corrected = await anext(frames), list[float](), list[float]()
            for deal in deals:
                dealt = deal.dealt(next(cards))
                for event, latencies in ((dealt, seen), (_corrected(dealt, next(cards)), corrected)):
                    begun = time.perf_counter()
                    record = sent(event)
                    await producer.send(record.topic, record.value, record.key)
                    async with asyncio.timeout(START_LIMIT_S):
                        before = version
                        while version <= before:
                            version = await anext(frames)
                    latencies.append(time.perf_counter() - begun)
                    await asyncio.sleep(every_s)
            return seen, corrected


def _corrected(dealt: RoundDealt, cards: tuple[Hand, Hand]) -> RoundCorrected:
    return RoundCorrected(
        table_id=dealt.table_id,
        occurred_at=dealt.occurred_at,
        shoe_no=dealt.shoe_no,
        round_no=dealt.round_no,
        revision=1,
        player=cards[0],
        banker=cards[1],
        paytable=dealt.paytable,
        betting_closed_at=dealt.betting_closed_at,
        reason="read in the wrong order",
        operator="probe",
    )


async def _versions(answer: httpx.Response) -> AsyncIterator[int]:
    """The version of the table that each frame shows, once the frame has come to its end.

    Nobody else publishes for the table, and every version of a round raises it.
    """
    version, is_frame = 0, False
    async for line in answer.aiter_lines():
        if line.startswith("event:"):
            is_frame = line == "event: table"
        elif is_frame and (found := _VERSION.search(line)):
            version = int(found[1])
        elif not line and is_frame:
            is_frame = False
            yield version


def _memory(process: Process) -> dict[str, int]:
    held: dict[str, int] = {}
    for pid, command in family(process.popen.pid):
        role = next((role for word, role in ROLES.items() if word in command), None)
        if role is not None:
            held[role] = held.get(role, 0) + memory(pid)
    return held
