"""A worker with one fault, whose watches wait seconds in place of minutes.

``python -m tests.integration.faulty BOOTSTRAP stall|recovery|slow|hang`` runs the scoreboards processor: its agent
never takes a record, its recovery never comes to its end, is slow, or its fold never comes back from round 3.
"""

import asyncio
import sys
from typing import Any

from faust.tables.base import Collection

from beadplate.logs import Logs, configure
from broker.connection import Connection
from processors import progress, standstill, worker
from processors.effects import Effects, Record
from processors.recovery import SafeRecovery
from processors.runner import Pipeline
from processors.scoreboards import Scoreboards

LIMIT_S = 3.0


async def never(*_: Any, **__: Any) -> None:
    await asyncio.Event().wait()


async def slowly(*_: Any) -> None:
    await asyncio.sleep(LIMIT_S / 6)


class Hanging(Scoreboards):
    def step(self, record: Record) -> Effects:
        while b'"round_no": 3' in (record.value or b""):
            pass
        return super().step(record)


def become(fault: str) -> None:
    match fault:
        case "stall":
            progress.STALLED_S = LIMIT_S  # type: ignore[misc]
            Pipeline.run = never  # type: ignore[method-assign]
        case "recovery":
            SafeRecovery.on_recovery_completed = never  # type: ignore[method-assign]
        case "slow":
            Collection.on_changelog_event = slowly
        case "hang":
            worker.FOLDS["scoreboards"] = Hanging
            standstill.HUNG_S = LIMIT_S  # type: ignore[misc]
        case _:
            raise ValueError(fault)


if __name__ == "__main__":
    bootstrap, fault = sys.argv[1:]
    configure(Logs(log_style="json"))
    become(fault)
    settings = worker.Worker(recovery_deadline=LIMIT_S)
    sys.exit(worker.run("scoreboards", settings, Connection(bootstrap_servers=bootstrap)))
