"""Liveness, readiness, and a few numbers in the Prometheus text format.

The format is a line per number and we have plain gauges and counters only, so it is written here; a client library
would bring a registry of globals for it.
"""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Final, Literal, NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from dashboards.asked import knowing
from dashboards.site import Site

NONE: Final[frozenset[str]] = frozenset()
"""The parameters of all of them."""
METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Metric(NamedTuple):
    """One metric: its name without the prefix, what it says, and its values by label (empty: one without a label)."""

    name: str
    kind: Literal["gauge", "counter"]
    meaning: str
    values: Mapping[str, float]


class Health:
    """The handlers for supervisors."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def routes(self) -> list[Route]:
        """Address and handler of each."""
        pages = [("/livez", self.livez), ("/readyz", self.readyz), ("/metrics", self.metrics)]
        return [Route(path, knowing(NONE, page)) for path, page in pages]

    async def livez(self, _: Request) -> Response:
        """Slow to fail: only a stuck process does; a page that has lost Kafka keeps its last picture."""
        if self._site.source.alive(self._site.clock()):
            return PlainTextResponse("alive\n")
        return PlainTextResponse("the reader does not turn\n", HTTPStatus.SERVICE_UNAVAILABLE)

    async def readyz(self, _: Request) -> Response:
        """Fast to fail: not caught up yet, or Kafka does not answer."""
        source, now = self._site.source, self._site.clock()
        if source.ready(now) and not self._site.hub.closed:
            return PlainTextResponse("ready\n")
        why = source.trouble or ("Kafka does not answer" if source.caught_up else "reading the tables from Kafka")
        return PlainTextResponse(f"{why}\n", HTTPStatus.SERVICE_UNAVAILABLE)

    async def metrics(self, _: Request) -> Response:
        """The numbers."""
        return Response("".join(_lines(metrics(self._site))), media_type=METRICS_TYPE)


def metrics(site: Site) -> list[Metric]:
    """What the page server counts, now."""
    now, source, hub, store = site.clock(), site.source, site.hub, site.store
    shoes = sum(len(shoes) for shoes in store.shoes.values())
    kafka_age = (now - source.contact_ms) / 1000 if source.contact_ms else float("nan")
    return [
        Metric("viewers", "gauge", "Open streams", {"": hub.viewers}),
        Metric("viewers_turned_away_total", "counter", "Streams refused at the cap", {"": hub.turned_away}),
        Metric("viewers_dropped_total", "counter", "Streams ended since nobody read", {"": hub.dropped}),
        Metric("tables", "gauge", "Tables with a scoreboard", {"": len(store.boards)}),
        Metric("shoes", "gauge", "Shoes on record", {"": shoes}),
        Metric("records_total", "counter", "Records read, by topic", dict(site.intake.taken)),
        Metric("records_skipped_total", "counter", "Records that could not be taken", dict(site.intake.skipped)),
        Metric("kafka_age_seconds", "gauge", "Seconds since Kafka last answered", {"": kafka_age}),
        Metric("ready", "gauge", "1 while the page shows the newest", {"": int(source.ready(now))}),
    ]


def _lines(listed: list[Metric]) -> Iterator[str]:
    for metric in listed:
        name = f"beadplate_page_{metric.name}"
        yield f"# HELP {name} {metric.meaning}\n# TYPE {name} {metric.kind}\n"
        for label, value in metric.values.items():
            labels = "" if not label else f'{{topic="{label}"}}'
            yield f"{name}{labels} {value:.17g}\n" if value == value else f"{name}{labels} NaN\n"  # noqa: PLR0124
