"""The process of one processor: topics checked, application started, health told, ended in order.

Ends with 0 after SIGINT or SIGTERM, with 3 where a restart may cure it, with 1 where the records cannot be understood.
"""

import asyncio
import contextlib
import functools
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog
import uvloop

from broker.catalogue import require
from broker.connection import Connection
from contract.topics import PROCESSORS, ProcessorName
from processors.effects import Fold
from processors.endings import TROUBLE
from processors.engine import App, build, recovery_of
from processors.health import application, serve
from processors.progress import Progress, RecoveryDeadline, Watch, watch
from processors.scoreboards import Scoreboards
from processors.settlements import Settlements
from processors.statistics import Statistics

log: Final = structlog.get_logger("processors")

FOLDS: Final[dict[ProcessorName, Callable[[int], Fold]]] = {
    "scoreboards": Scoreboards,
    "settlements": Settlements,
    "statistics": Statistics,
}
"""Every processor's fold, made for a number of partitions."""


@dataclass(frozen=True, kw_only=True)
class Worker:
    """Settings of one processor's process."""

    health_host: str = "127.0.0.1"
    "Address of /livez, /readyz and /metrics."
    health_port: int = 0
    "Port of /livez, /readyz and /metrics; 0 takes a free one."
    window: int = 256
    "Records in flight at most."
    recovery_deadline: float = 120.0
    "Seconds that a recovery may go without any progress; then the process ends with 3."

    def __post_init__(self) -> None:
        """Refuse what cannot be right."""
        if self.window < 1 or self.recovery_deadline <= 0:
            given = f"{self.window} and {self.recovery_deadline}"
            raise ValueError(f"--window is at least 1 and --recovery-deadline more than 0, not {given}.")


def run(
    name: ProcessorName, settings: Worker, connection: Connection, make: Callable[[int], Fold] | None = None
) -> int:
    """Run the processor until it is told to stop; returns the exit code. ``make`` makes its fold, with other settings.

    Raises ``TopicsNotReady`` and ``BrokerAway`` before it starts; ``HealthPortTaken`` where the port is another's.
    """
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_work(name, settings, connection, make or FOLDS[name]))


class HealthPortTaken(OSError):
    """The health port is another program's; the message names it."""


async def _work(name: ProcessorName, settings: Worker, connection: Connection, make: Callable[[int], Fold]) -> int:
    processor, stop = PROCESSORS[name], asyncio.Event()
    loop = asyncio.get_running_loop()
    for told in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(told, stop.set)
    partitions = await require(connection, (*processor.sources, *processor.outputs, processor.changelog))
    app = build(make(partitions), connection, partitions=partitions, window=settings.window)
    progress = Progress()
    recovered = functools.partial(recovery_of, app)
    try:
        health = await serve(application(app.pipeline, progress, recovered), settings.health_host, settings.health_port)
    except OSError as error:
        raise HealthPortTaken(
            f"port {settings.health_port} on {settings.health_host} is taken: name another with --health-port"
        ) from error
    looking = Watch(app.pipeline, progress, RecoveryDeadline(settings.recovery_deadline), recovered)
    watching = asyncio.create_task(watch(processor, looking, connection))
    log.info("starting", processor=name, partitions=partitions, health=[str(site) for site in health.addresses])
    try:
        return await _live(app, stop)
    finally:
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching
        await health.cleanup()


async def _live(app: App, stop: asyncio.Event) -> int:
    """Start the application and wait until it is told to stop, or has crashed."""
    starting = asyncio.create_task(app.start())
    stopped, told = asyncio.create_task(app.wait_until_stopped()), asyncio.create_task(stop.wait())
    await asyncio.wait([stopped, told], return_when=asyncio.FIRST_COMPLETED)
    crashed = not stop.is_set()
    await app.stop()
    for task in (starting, stopped, told):
        task.cancel()
    if crashed:
        log.critical("the engine has crashed", reason=repr(app.crash_reason))
    return TROUBLE if crashed else 0
