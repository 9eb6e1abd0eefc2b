"""``beadplate dashboards``: the live page."""

from typing import Annotated

from beadplate.endings import kafka_meaning
from beadplate.logs import Logs, configure
from beadplate.settings import FLAT, KAFKA, LOGS
from broker.connection import Connection
from dashboards.serve import run
from dashboards.settings import Page


def serve(
    *,
    page: Annotated[Page, FLAT] = Page(),
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Serve the lobby, the tables, their history and statistics, live, and the JSON API."""
    configure(logs)
    with kafka_meaning():
        return run(page, connection)
