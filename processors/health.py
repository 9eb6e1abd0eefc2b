"""Health of a processor over HTTP, on a port of its own: ``/livez``, ``/readyz`` and ``/metrics``."""

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
from aiohttp import web

from contract.dead_letters import CODES
from contract.scalars import render_instant
from processors.progress import Progress, Recovered
from processors.runner import Pipeline

METRICS: Final = {
    "beadplate_processor_ready": "1 once the rows are restored and records are taken",
    "beadplate_processor_assigned_partitions": "partitions of each source that this worker has",
    "beadplate_processor_recovery_left": "changelog records that a recovery still has to read",
    "beadplate_processor_replay_left": "records that a replay still has to read before its boards are sent",
    "beadplate_processor_in_flight": "records taken and not yet acknowledged",
    "beadplate_processor_lag": "records that the group has not committed yet",
    "beadplate_processor_own_lag": "those of them that stand on this worker's partitions",
    "beadplate_processor_records_total": "records by what became of them",
    "beadplate_processor_dead_letters_total": "dead letters sent, by their code",
    "beadplate_processor_last_record_seconds": "append time of the last record taken, seconds since 1970",
}
"""Every metric with its meaning."""


class Health:
    """What is told about one worker; it only looks. ``recovered`` tells how far its recovery has come."""

    def __init__(self, pipeline: Pipeline, progress: Progress, recovered: Callable[[], Recovered]) -> None:
        self._pipeline, self._progress, self._recovered = pipeline, progress, recovered

    def state(self) -> dict[str, Any]:
        """The answer of ``/readyz``."""
        pipeline = self._pipeline
        last = pipeline.last_taken_ms
        return {
            "ready": pipeline.ready,
            "says": self.says(),
            "recovered": pipeline.ready,
            "recovery_left": self._left,
            "replay_left": sum(pipeline.rebuilding.left.values()),
            "partitions": sorted(pipeline.assigned) if pipeline.ready else [],
            "lag": self._progress.lag,
            "own_lag": self._own_lag,
            "last_record_at": render_instant(dt.datetime.fromtimestamp(last / 1000, dt.UTC)) if last else None,
            "last_record_ms": last,
            "dead_letters": dict(sorted(pipeline.letters.items())),
        }

    def says(self) -> str:
        """One sentence for the person on duty."""
        pipeline = self._pipeline
        if not pipeline.ready:
            return (
                f"recovering: {self._left} changelog records still to be read"
                if self._left
                else ("recovering: waits for its partitions, or for Kafka")
            )
        if not pipeline.assigned:
            return "ready, with nothing to do: the other workers have all partitions"
        if left := pipeline.rebuilding.left:
            return (
                f"replaying, {sum(left.values())} records left on partitions {', '.join(map(str, left))}: boards "
                "and statistics of these are sent when it has caught up"
            )
        return f"working: {self._own_lag} records wait on its partitions ({len(pipeline.assigned)})"

    @property
    def _left(self) -> int:
        return 0 if self._pipeline.ready else self._recovered().left

    @property
    def _own_lag(self) -> int:
        return self._progress.lag_of(self._pipeline.assigned) if self._pipeline.ready else 0

    def lines(self) -> Iterator[str]:
        """The metrics in Prometheus's text."""
        pipeline, progress = self._pipeline, self._progress
        name = pipeline.fold.processor.name
        values = {
            "beadplate_processor_ready": int(pipeline.ready),
            "beadplate_processor_assigned_partitions": len(pipeline.assigned) if pipeline.ready else 0,
            "beadplate_processor_recovery_left": self._left,
            "beadplate_processor_replay_left": sum(pipeline.rebuilding.left.values()),
            "beadplate_processor_in_flight": pipeline.in_flight,
            "beadplate_processor_lag": progress.lag,
            "beadplate_processor_own_lag": self._own_lag,
            "beadplate_processor_last_record_seconds": pipeline.last_taken_ms / 1000,
        }
        for metric, value in values.items():
            yield f'{_head(metric, "gauge")}{metric}{{processor="{name}"}} {value}\n'
        counters = pipeline.fold.counters()
        yield from _counter("beadplate_processor_records_total", name, "outcome", counters)
        letters = {code: pipeline.letters[code] for code in CODES}
        yield from _counter("beadplate_processor_dead_letters_total", name, "code", letters)


def _head(metric: str, kind: str) -> str:
    return f"# HELP {metric} {METRICS[metric]}\n# TYPE {metric} {kind}\n"


def _counter(metric: str, processor: str, label: str, counts: Any) -> Iterator[str]:
    yield _head(metric, "counter")
    for value, count in sorted(counts.items()):
        yield f'{metric}{{processor="{processor}",{label}="{value}"}} {count}\n'


def application(
    pipeline: Pipeline, progress: Progress, recovered: Callable[[], Recovered] = lambda: Recovered(0, None)
) -> web.Application:
    """The small web application. A loop that hangs answers nothing; ``processors.standstill`` ends it."""
    health = Health(pipeline, progress, recovered)

    async def livez(_: web.Request) -> web.Response:
        return web.Response(text="alive\n")

    async def readyz(_: web.Request) -> web.Response:
        body = msgspec.json.encode(health.state())
        return web.Response(body=body, status=200 if pipeline.ready else 503, content_type="application/json")

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(text="".join(health.lines()), content_type="text/plain")

    app = web.Application()
    app.add_routes([web.get("/livez", livez), web.get("/readyz", readyz), web.get("/metrics", metrics)])
    return app


async def serve(app: web.Application, host: str, port: int) -> web.AppRunner:
    """Listen; with port 0 on a free one. Raises OSError where the port is taken."""
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, host, port).start()
    return runner
