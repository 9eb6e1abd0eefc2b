"""``beadplate processors``: one stream processor as a process of its own."""

import functools
from collections.abc import Callable
from typing import Annotated

from beadplate.endings import kafka_meaning
from beadplate.good_roads import GoodRoads
from beadplate.logs import Logs, configure
from beadplate.paytables import Own
from beadplate.settings import FLAT, KAFKA, LOGS
from broker.connection import Connection
from contract.days import GamingDays
from contract.topics import ProcessorName
from processors.effects import Fold
from processors.scoreboards import Scoreboards
from processors.statistics import Statistics
from processors.worker import HealthPortTaken, Worker, run


def scoreboards(
    *,
    worker: Annotated[Worker, FLAT] = Worker(),
    good_roads: Annotated[GoodRoads, FLAT] = GoodRoads(),
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Draw the scoreboards: rounds in; scoreboards, shoe records, alerts and dead letters out."""
    make = functools.partial(Scoreboards, thresholds=good_roads.thresholds)
    return _work("scoreboards", worker, connection, logs, make)


def settlements(
    *,
    worker: Annotated[Worker, FLAT] = Worker(),
    own: Annotated[Own, FLAT] = Own(),
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Settle the bets: rounds and bets in; settlements, alerts and dead letters out."""
    own.bring()
    return _work("settlements", worker, connection, logs)


def statistics(
    *,
    worker: Annotated[Worker, FLAT] = Worker(),
    own: Annotated[Own, FLAT] = Own(),
    days: Annotated[GamingDays, FLAT] = GamingDays(),
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Keep the statistics of the bets: rounds and settlements in; statistics, alerts and dead letters out."""
    own.bring()
    return _work("statistics", worker, connection, logs, functools.partial(Statistics, days=days))


def _work(
    name: ProcessorName,
    worker: Worker,
    connection: Connection,
    logs: Logs,
    make: Callable[[int], Fold] | None = None,
) -> int:
    configure(logs)
    with kafka_meaning(trouble=(HealthPortTaken,)):
        return run(name, worker, connection, make)
