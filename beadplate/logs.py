"""Logs: our own events and the libraries' records, one line each; for eyes on a terminal, JSON elsewhere.

The libraries speak from WARNING on, and no faster than a limit: without one an outage of Kafka logs thousands of lines
a second.
"""

import logging
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec
import structlog

LIBRARIES: Final = ("aiokafka", "asyncio", "faust", "kafka", "mode", "uvicorn")
OURS: Final = ("beadplate", "broker", "producer", "processors", "dashboards", "page")

Level = Literal["debug", "info", "warning", "error"]
Style = Literal["auto", "console", "json"]


@dataclass(frozen=True, kw_only=True)
class Logs:
    """What is logged, and how."""

    log_style: Style = "auto"
    "Lines for eyes or JSON; auto: for eyes on a terminal."
    log_level: Level = "info"
    "The least that Beadplate's own events must be worth; libraries speak from warning on."


class RateLimit(logging.Filter):
    """Lets ``most`` records of one place in a library's code pass per ``interval`` seconds, and has the next one that
    passes say how many were held back. Our own events, which structlog brings, all pass.
    """

    def __init__(self, most: int = 5, interval: float = 10.0, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._most, self._interval, self._clock = most, interval, clock
        self._spoken: dict[tuple[str, int], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """False where the record's place has spoken enough."""
        if not isinstance(record.msg, str):
            return True
        place, now = (record.pathname, record.lineno), self._clock()
        since, spoken = self._spoken.get(place, (now, 0))
        if now - since >= self._interval:
            if (held_back := spoken - self._most) > 0:
                record.msg = f"{record.getMessage()} (and {held_back} more like it in {now - since:.0f} s)"
                record.args = ()
            since, spoken = now, 0
        self._spoken[place] = (since, spoken + 1)
        return spoken < self._most


def configure(logs: Logs) -> None:
    """Set up structlog and the standard library's logging, to standard error, for the whole process."""
    console = logs.log_style == "console" or (logs.log_style == "auto" and sys.stderr.isatty())
    handler = logging.StreamHandler()
    handler.setFormatter(_formatter(console=console))
    handler.addFilter(RateLimit())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for name in OURS:
        logging.getLogger(name).setLevel(logs.log_level.upper())
    for name in LIBRARIES:
        logging.getLogger(name).setLevel(logging.WARNING)
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )


def quiet() -> None:
    """For commands that answer at once: libraries are silent, since the command's own sentence says what is wrong."""
    for name in LIBRARIES:
        logging.getLogger(name).setLevel(logging.CRITICAL)


_SHARED: Final[list[Any]] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper("iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def _formatter(*, console: bool) -> logging.Formatter:
    last: list[Any] = (
        [structlog.dev.ConsoleRenderer()]
        if console
        else [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer(serializer=_json)]
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_SHARED, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last]
    )


def _json(event: Any, **_: Any) -> str:
    return msgspec.json.encode(event, enc_hook=str).decode()
