"""The whole system on one machine: Kafka, topics, a floor of tables, the processors and the page.

Everything is real; only the floor is simulated, or replayed from a file. What it keeps stands in its data directory,
and the next start goes on from there.
"""

import asyncio
import contextlib
import signal
import socket
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter
from cyclopts.types import ExistingFile
from cyclopts.validators import Number

from baccarat.paytables import UnknownPaytable, load
from beadplate.endings import kafka_meaning
from beadplate.good_roads import GoodRoads
from beadplate.logs import Logs, configure
from beadplate.paytables import Own
from beadplate.settings import ENVIRONMENT, FLAT, KAFKA, LOGS
from beadplate.supervisor import Child, GaveUp, Supervisor, last_words
from broker.catalogue import apply
from broker.connection import Connection
from broker.embedded import EmbeddedKafka
from contract.days import GamingDays
from contract.topics import PROCESSORS

READY_WITHIN_S: Final = 90.0
CORRECTIONS: Final = "0.02"
"""Part of the simulated rounds that are corrected or voided afterwards, as on a real floor."""


@dataclass(frozen=True, kw_only=True)
class Demo:
    """Settings of the demo."""

    tables: Annotated[int, Parameter(validator=Number(gte=1, lte=1000))] = 6
    "Tables on the simulated floor."
    pace: Annotated[float, Parameter(validator=Number(gte=0, lte=86_400))] = 5.0
    "Seconds between rounds of one table; 0 for full speed."
    bettors: Annotated[int, Parameter(validator=Number(gte=0, lte=1000))] = 20
    "Bettors at each table."
    seed: int | None = None
    "Makes the floor reproducible."
    paytable: str = "classic@1"
    "Pay table of the simulated tables."
    replay: ExistingFile | None = None
    "Recorded shoes that take the place of the simulated floor."
    port: Annotated[int, Parameter(validator=Number(gte=1, lte=65535))] = 8080
    "Port of the page on 127.0.0.1."
    data_dir: Path = Path("var/demo")
    "Where Kafka's data and the logs stand."


Shared = tuple[Own | GamingDays | GoodRoads, ...]


class DemoFailed(RuntimeError):
    """The demo could not be started, or went down; the message says why and what to do."""


class PortTaken(ValueError):
    """The page's port is another program's."""


def demo(
    *,
    settings: Annotated[Demo, FLAT] = Demo(),
    own: Annotated[Own, FLAT] = Own(),
    days: Annotated[GamingDays, FLAT] = GamingDays(),
    good_roads: Annotated[GoodRoads, FLAT] = GoodRoads(),
    connection: Annotated[Connection | None, KAFKA] = None,
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Run the whole system on this machine: Kafka, topics, a floor of tables, the processors and the page.

    With --bootstrap-servers it uses that Kafka instead of one of its own. Ctrl-C ends everything.
    """
    configure(logs)
    own.bring()
    with kafka_meaning(misuse=(PortTaken, UnknownPaytable), trouble=(DemoFailed,)):
        return run(settings, connection, (own, days, good_roads))


def run(settings: Demo, connection: Connection | None = None, shared: Shared = ()) -> int:
    """Run until Ctrl-C or SIGTERM; with a ``connection`` on that Kafka instead of one of our own.

    ``shared`` are settings that its processes have in common.

    Returns the exit code 0. Raises ``PortTaken``, ``UnknownPaytable``, ``DemoFailed``, and as the broker's room does.
    """
    load(settings.paytable)
    _check_port(settings.port)
    return asyncio.run(_demo(settings, connection, shared))


async def _demo(settings: Demo, connection: Connection | None, shared: Shared) -> int:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for told in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(told, stop.set)
    system = asyncio.create_task(_system(settings, connection, shared))
    told_to_stop = asyncio.create_task(stop.wait())
    await asyncio.wait([system, told_to_stop], return_when=asyncio.FIRST_COMPLETED)
    if not system.done():
        _say("stopping …")
        system.cancel()
    told_to_stop.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await system
    _say("stopped; the next start goes on from here")
    return 0


async def _system(settings: Demo, connection: Connection | None, shared: Shared) -> None:
    started = time.monotonic()
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DemoFailed(f"{settings.data_dir} cannot be written ({error}): name another with --data-dir") from error
    async with _kafka(settings, connection) as (used, node):
        applied = await apply(used)
        _say(f"topics are ready: {len(applied.created)} made, {applied.partitions} partitions each")
        async with Supervisor(_environment(used, *shared)) as supervisor:
            watching = asyncio.create_task(_watch(supervisor, node))
            readiness = asyncio.create_task(_start(settings, supervisor))
            try:
                await asyncio.wait([watching, readiness], return_when=asyncio.FIRST_COMPLETED)
                if readiness.done():
                    readiness.result()
                    seconds = time.monotonic() - started
                    _say(f"Beadplate is ready after {seconds:.0f} s: http://127.0.0.1:{settings.port}")
                    _say("Ctrl-C ends everything")
                await watching
            except GaveUp as error:
                raise DemoFailed(str(error)) from error
            finally:
                for task in (watching, readiness):
                    task.cancel()
                await asyncio.gather(watching, readiness, return_exceptions=True)


async def _watch(supervisor: Supervisor, node: EmbeddedKafka | None) -> None:
    """Wait until a process is given up or our own Kafka has ended by itself; raises ``GaveUp`` or ``DemoFailed``."""
    watched = [asyncio.create_task(supervisor.watch())]
    if node is not None:
        watched.append(asyncio.create_task(_until_ended(node)))
    try:
        done, _ = await asyncio.wait(watched, return_when=asyncio.FIRST_COMPLETED)
        done.pop().result()
    finally:
        for task in watched:
            task.cancel()
        await asyncio.gather(*watched, return_exceptions=True)


async def _until_ended(node: EmbeddedKafka) -> None:
    last = await node.ended()
    raise DemoFailed(f"Kafka has ended by itself, start the demo again: {last}")


def _environment(*shared: Connection | Own | GamingDays | GoodRoads) -> dict[str, str]:
    """How the processes are told what all of them share; a password stands in no command line."""
    said = {field.name: getattr(settings, field.name) for settings in shared for field in fields(settings)}
    return {f"{ENVIRONMENT}{name.upper()}": str(value) for name, value in said.items() if value is not None}


@contextlib.asynccontextmanager
async def _kafka(
    settings: Demo, connection: Connection | None
) -> AsyncIterator[tuple[Connection, EmbeddedKafka | None]]:
    """How to reach Kafka, and the node where it is one of our own."""
    if connection is not None:
        _say(f"using the Kafka at {connection.bootstrap_servers}")
        yield connection, None
        return
    _say("starting Kafka …")
    async with EmbeddedKafka(settings.data_dir / "kafka") as node:
        _say(f"Kafka is ready at {node.bootstrap}, data in {settings.data_dir / 'kafka'}")
        yield Connection(bootstrap_servers=node.bootstrap), node
        _say("stopping Kafka …")


async def _start(settings: Demo, supervisor: Supervisor) -> None:
    """Start every process and wait until all of them say that they are ready."""
    logs = settings.data_dir / "log"
    addresses: dict[str, tuple[int, Path]] = {}
    for name in PROCESSORS:
        port = _free_port()
        supervisor.start(
            Child(name=name, arguments=("processors", name, "--health-port", str(port)), log=logs / f"{name}.log")
        )
        addresses[name] = (port, logs / f"{name}.log")
    page = Child(name="page", arguments=("dashboards", "serve", "--port", str(settings.port)), log=logs / "page.log")
    supervisor.start(page)
    addresses["page"] = (settings.port, page.log)
    supervisor.start(_floor(settings, logs))
    _say(f"starting the floor, the processors and the page; their logs are in {logs}")
    async with asyncio.TaskGroup() as tasks:
        for process, (port, log) in addresses.items():
            tasks.create_task(_ready(process, port, log))


def _floor(settings: Demo, logs: Path) -> Child:
    pace = ("--pace", str(settings.pace))
    log = logs / "floor.log"
    if settings.replay is not None:
        arguments = ("producer", "replay", str(settings.replay), *pace)
        return Child(name="floor", arguments=arguments, log=log, may_end=True)
    seed = () if settings.seed is None else ("--seed", str(settings.seed))
    numbers = ("--tables", str(settings.tables), "--bettors", str(settings.bettors), "--corrections", CORRECTIONS)
    told = (*numbers, *pace, *seed, "--paytable", settings.paytable)
    return Child(name="floor", arguments=("producer", "simulate", *told), log=log)


async def _ready(name: str, port: int, log: Path) -> None:
    """Wait until a process answers that it is ready, and say so."""
    try:
        async with asyncio.timeout(READY_WITHIN_S):
            while not await asyncio.to_thread(_answers, port):  # noqa: ASYNC110 - another process cannot set an Event
                await asyncio.sleep(0.1)
    except TimeoutError as error:
        raise DemoFailed(f"{name} is not ready after {READY_WITHIN_S:.0f} s: {last_words(log)} ({log})") from error
    _say(f"{name} is ready")


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2) as answer:
            return bool(answer.status == 200)  # noqa: PLR2004 - HTTP's word for yes
    except (OSError, urllib.error.URLError):
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise PortTaken(f"port {port} is taken by another program: name another with --port") from error


def _say(sentence: str) -> None:
    print(sentence, flush=True)
