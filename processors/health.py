"""Health of a processor over HTTP, on a port of its own: ``/livez``, ``/readyz`` and ``/metrics``."""

from collections.abc import Iterator
from typing import Final

import msgspec
from aiohttp import web

from processors.progress import Progress
from processors.runner import Pipeline

METRICS: Final = {
    "beadplate_processor_ready": "1 once the rows are restored and records are taken",
    "beadplate_processor_in_flight": "records taken and not yet acknowledged",
    "beadplate_processor_lag": "records that the group has not committed yet",
    "beadplate_processor_records_total": "records by what became of them",
    "beadplate_processor_last_record_seconds": "append time of the last record taken, seconds since 1970",
}
"""Every metric with its meaning."""


def application(pipeline: Pipeline, progress: Progress) -> web.Application:
    """The small web application; it only looks."""

    async def livez(_: web.Request) -> web.Response:
        return web.Response(text="alive\n")

    async def readyz(_: web.Request) -> web.Response:
        state = {"ready": pipeline.ready, "lag": progress.lag, "last_record_ms": pipeline.last_taken_ms}
        body = msgspec.json.encode(state)
        return web.Response(body=body, status=200 if pipeline.ready else 503, content_type="application/json")

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(text="".join(_lines(pipeline, progress)), content_type="text/plain")

    app = web.Application()
    app.add_routes([web.get("/livez", livez), web.get("/readyz", readyz), web.get("/metrics", metrics)])
    return app


def _lines(pipeline: Pipeline, progress: Progress) -> Iterator[str]:
    name = pipeline.fold.processor.name
    values = {
        "beadplate_processor_ready": int(pipeline.ready),
        "beadplate_processor_in_flight": pipeline.in_flight,
        "beadplate_processor_lag": progress.lag,
        "beadplate_processor_last_record_seconds": pipeline.last_taken_ms / 1000,
    }
    for metric, value in values.items():
        yield f'# HELP {metric} {METRICS[metric]}\n# TYPE {metric} gauge\n{metric}{{processor="{name}"}} {value}\n'
    metric = "beadplate_processor_records_total"
    yield f"# HELP {metric} {METRICS[metric]}\n# TYPE {metric} counter\n"
    for outcome, count in sorted(pipeline.fold.counters().items()):
        yield f'{metric}{{processor="{name}",outcome="{outcome}"}} {count}\n'


async def serve(app: web.Application, host: str, port: int) -> web.AppRunner:
    """Listen; with port 0 on a free one. Raises OSError where the port is taken."""
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, host, port).start()
    return runner
