"""What can go wrong in a house, each as a function that returns when its cause is over.

The seconds that a fault lasts are its own; whoever waits for what comes of it waits for a condition.
"""

import asyncio
import json
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

from contract.topics import PROCESSORS
from tests.faults.floor import Event, Sent, sent
from tests.faults.house import SIMULATED, House, Worker
from tests.faults.viewers import Viewer

Fault = Callable[[House, random.Random], Awaitable[None]]
KILL, STOP = signal.SIGKILL, signal.SIGTERM
_LAST_WORDS = 32 << 10
"""Room for what Kafka logs when the disk is full; its topics have files that are larger."""
SESSION_S = 10.0
"""Session time-out of the groups."""


async def processors_killed(house: House, _: random.Random) -> None:
    """SIGKILL to each processor; all are started again at once."""
    await _all_end(house, KILL, -KILL)
    for name in PROCESSORS:
        house.start(name)


async def processors_stopped(house: House, _: random.Random) -> None:
    """SIGTERM to each processor; all are started again when they have ended."""
    await _all_end(house, STOP, 0)
    for name in PROCESSORS:
        house.start(name)


async def _all_end(house: House, how: signal.Signals, code: int) -> None:
    workers = [worker for name in PROCESSORS for worker in house.workers[name]]
    codes = await asyncio.gather(*(house.end(worker, how) for worker in workers))
    assert set(codes) == {code}, f"{codes}\n{house.said()}"


async def taken_over(house: House, chance: random.Random) -> None:
    """A second worker of each processor joins; when it has taken partitions over, the first leaves."""
    before = {name: house.workers[name][0] for name in PROCESSORS}
    told: dict[str, int] = {name: house.takings(name) for name in PROCESSORS}
    for name in PROCESSORS:
        house.start(name)
    await house.until(_all_share(house, told), "the second workers take nothing over")
    how = chance.choice((KILL, STOP))
    codes = await asyncio.gather(*(house.end(worker, how) for worker in before.values()))
    assert set(codes) == {0 if how is STOP else -KILL}, f"{codes}\n{house.said()}"


def _all_share(house: House, told: Mapping[str, int]) -> Callable[[], Awaitable[bool]]:
    async def condition() -> bool:  # the one that joined has begun, and the one that was there has anew
        return all(house.takings(name) >= told[name] + 2 for name in PROCESSORS)

    return condition


def broker_away(longest_s: float) -> Fault:
    """Kafka is stopped in order and started again."""

    async def fault(house: House, chance: random.Random) -> None:
        await house.node.stop()
        await asyncio.sleep(chance.uniform(longest_s / 3, longest_s))
        await house.start_kafka()

    return fault


async def broker_killed(house: House, _: random.Random) -> None:
    """SIGKILL to Kafka, which is started again at once."""
    os.kill(house.kafka_pid, KILL)
    await house.node.ended()
    await house.node.stop()
    await house.start_kafka()


async def disk_full(house: House, _: random.Random) -> None:
    """No file of Kafka may grow beyond what it is; Kafka says so and ends, and gets room again."""
    kafka = house.logs / "kafka"
    limit = (kafka / "kafka.log").stat().st_size + _LAST_WORDS
    resource.prlimit(house.kafka_pid, resource.RLIMIT_FSIZE, (limit, limit))
    async with asyncio.timeout(120):
        last_words = await house.node.ended()
    assert "File too large" in last_words or "log dirs" in last_words, last_words
    await house.node.stop()
    await house.start_kafka()


def network_frozen(longest_s: float) -> Fault:
    """Connections stay and carry nothing."""

    async def fault(house: House, chance: random.Random) -> None:
        await house.network.tell("frozen")
        await asyncio.sleep(chance.uniform(longest_s / 3, longest_s))
        await house.network.tell("open")

    return fault


async def network_reset(house: House, chance: random.Random) -> None:
    """Every connection is aborted, again and again, and none is taken for some seconds."""
    for _ in range(3):
        await house.network.tell("reset")
        await asyncio.sleep(chance.uniform(0.1, 2))
        await house.network.tell("open")
        await asyncio.sleep(chance.uniform(0.1, 0.5))


async def network_slow(house: House, chance: random.Random) -> None:
    """Every piece of data comes late."""
    await house.network.tell("delay", chance.uniform(0.05, 0.4))
    await asyncio.sleep(chance.uniform(2, 6))
    await house.network.tell("open")


async def processor_paused(house: House, chance: random.Random) -> None:
    """A processor sleeps past its session while a round is corrected, and wakes when another has done its work."""
    name = chance.choice(list(PROCESSORS))
    sleeper = house.workers[name][0]
    number = 1 + sum(key[0] == "Z01" for key in house.expected.rounds)
    await house.publish(_round_of_z(number))
    sleeper.process.send_signal(signal.SIGSTOP)
    house.start(name)
    await house.publish([_correction_of_z(number)])
    await house.until(_settled_by_others(house, sleeper), "nobody takes over from the sleeper")
    sleeper.code = 3  # and is not started again
    sleeper.process.send_signal(signal.SIGCONT)
    await house.until(_has_ended(house, sleeper), "the sleeper goes on")
    assert sleeper.process.returncode == sleeper.code
    assert "stood still" in (house.logs / f"{name}.log").read_text()


def _settled_by_others(house: House, sleeper: Worker) -> Callable[[], Awaitable[bool]]:
    begun = time.monotonic()

    async def condition() -> bool:
        return time.monotonic() - begun > SESSION_S and await house.is_settled()

    return condition


def _has_ended(house: House, worker: Worker) -> Callable[[], Awaitable[bool]]:
    async def condition() -> bool:
        return worker.process.poll() is not None and worker not in house.workers[worker.name]

    return condition


def _round_of_z(number: int) -> Sequence[Sent]:
    """A round with a bet, at a table that only the pause knows."""
    where = {"table_id": "Z01", "occurred_at": "2026-11-30T18:00:00.000Z", "shoe_no": 1, "round_no": number}
    slip = {"slip_id": "a", "bettor": "1", "bet": "player", "stake": 100, "placed_at": "2026-11-30T18:00:00.000Z"}
    batch = {"type": "bets_placed", **where, "batch_id": f"Z01-{number}", "currency": "EUR", "slips": [slip]}
    dealt = {"type": "round_dealt", **where, "revision": 0, "outcome": "banker", "paytable": "classic@1"}
    return [sent(batch), sent(dealt)]


def _correction_of_z(number: int) -> Sent:
    event = json.loads(_round_of_z(number)[1].value or b"")
    corrected = {
        "type": "round_corrected",
        "revision": 1,
        "outcome": "player",
        "reason": "misread",
        "operator": "pit-1",
    }
    return sent({**event, **corrected})


def sends_failing(longest_s: float) -> Fault:
    """No output of one processor can be sent for a while, though its rows can."""

    async def fault(house: House, chance: random.Random) -> None:
        name = chance.choice(list(PROCESSORS))
        before = len(house.restarts)
        broken = house.logs / f"broken-{before}-{chance.random()}"  # the worker may be one that has failed so before
        broken.touch()
        assert await house.end(house.workers[name][0], STOP) == 0
        house.start(name, [sys.executable, "-m", "tests.faults.failing", house.bootstrap, name, str(broken)])
        await house.publish(_some_of_z(house))

        async def has_ended() -> bool:
            return name in house.restarts[before:]

        await house.until(has_ended, f"{name} does not end when its outputs fail")
        await asyncio.sleep(chance.uniform(0, longest_s))
        broken.unlink()

    return fault


def _some_of_z(house: House) -> Sequence[Sent]:
    """A round that all three processors have something to say of."""
    return _round_of_z(1 + sum(key[0] == "Z01" for key in house.expected.rounds))


async def producer_killed(house: House, chance: random.Random) -> None:
    """SIGKILL to a floor in mid-send; the rounds that it left open are voided; it is started again and deals a shoe."""
    floor = [sys.executable, "-m", "beadplate", "producer", "simulate", "--prefix", SIMULATED.decode(), "--tables", "3"]
    seed = ["--seed", str(chance.randrange(1000)), "--bettors", "15", "--corrections", "0.05"]
    await house.read()
    before, wanted = len(house.expected.places), chance.randrange(20, 60)
    dealing = house.spawn("producer", [*floor, *seed, "--pace", chance.choice(("0", "0.1"))])

    async def under_way() -> bool:
        await house.read()
        return len(house.expected.places) >= before + wanted

    await house.until(under_way, "the floor does not deal")
    dealing.kill()
    dealing.wait()
    await house.read()
    _check_shoes(house)
    await house.publish(list(_voids(house)))
    resumed = house.spawn("producer", [*floor, *seed, "--pace", "0", "--shoes", "1"])
    assert await asyncio.to_thread(resumed.wait, 120) == 0, house.said()
    await house.read()
    _check_shoes(house)


def _check_shoes(house: House) -> None:
    """What was published of a simulated shoe is its beginning, without a hole, and shoes follow each other."""
    simulated: dict[tuple[str, int], set[int]] = {}
    for table_id, shoe_no, round_no in house.expected.rounds:
        if table_id.startswith(SIMULATED.decode()):
            simulated.setdefault((table_id, shoe_no), set()).add(round_no)
    for place, numbers in simulated.items():
        assert numbers == set(range(1, max(numbers) + 1)), f"{place}: {sorted(numbers)}"
    for table_id in {table_id for table_id, _ in simulated}:
        shoes = house.expected.shoes[table_id]
        assert shoes == set(range(1, max(shoes) + 1)), f"{table_id}: {sorted(shoes)}"


def _voids(house: House) -> Sequence[Sent]:
    """What an operator publishes of rounds that have bets and will never be dealt."""
    places = {place for place in house.expected.places.values() if place[0].startswith(SIMULATED.decode())}
    return [
        sent(
            {
                "type": "round_voided", "table_id": table_id, "shoe_no": shoe_no, "round_no": round_no, "revision": 1,
                "occurred_at": "2026-11-30T18:00:00.000Z", "reason": "never dealt", "operator": "pit-1",
            }
        )
        for table_id, shoe_no, round_no in sorted(places - house.expected.rounds.keys())
    ]  # fmt: skip


async def page_killed(house: House, chance: random.Random) -> None:
    """SIGKILL to the page with viewers connected; it is started again, they come back and see the newest board."""
    port = house.free_port()
    command = [sys.executable, "-m", "beadplate", "dashboards", "serve", "--port", str(port)]
    await house.settled()
    await house.read()
    tables = sorted(chance.sample(sorted(house.expected.shoes), 3))
    viewers = [Viewer(port, table_id) for table_id in tables]
    page = house.spawn("page", command)
    try:
        for viewer in viewers:
            viewer.watch()
        await house.until(_show(house, viewers), "the viewers do not see the newest boards")
        page.kill()
        page.wait()
        await house.publish([sent(_opened(house, table_id)) for table_id in tables])
        page = house.spawn("page", command)
        late = [Viewer(port, table_id) for table_id in tables]
        for viewer in late:
            viewer.watch()
        await house.until(_show(house, [*viewers, *late]), "the viewers do not see the newest boards again")
        assert all(viewer.came >= 2 for viewer in viewers)
        for early, newcomer in zip(viewers, late, strict=True):
            await newcomer.leave()
            assert early.frame == newcomer.frame
        page.terminate()
        assert await asyncio.to_thread(page.wait, 60) == 0
    finally:
        page.kill()
        for viewer in viewers:
            await viewer.leave()


def _opened(house: House, table_id: str) -> Event:
    """The table's settings once more, so that there is something new to see."""
    return {
        "type": "table_opened", "table_id": table_id, "occurred_at": "2026-11-30T18:00:00.000Z",
        "config_no": int(time.time()), "names": {"en": f"Table {table_id}"}, "currency": "EUR",
    }  # fmt: skip


def _show(house: House, viewers: Sequence[Viewer]) -> Callable[[], Awaitable[bool]]:
    async def condition() -> bool:
        if not await house.is_settled():
            return False
        await house.read()
        return all(viewer.last.endswith(f"/{_newest(house, viewer.table_id)}") for viewer in viewers)

    return condition


def _newest(house: House, table_id: str) -> str:
    (shoe_no, version), _ = house.shelf.newest["baccarat.scoreboards.v1", table_id.encode()]
    return f"{table_id}/{shoe_no}/{version}"
