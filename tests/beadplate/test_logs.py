"""Logs: one line per event, JSON where nobody looks, and no flood."""

import json
import logging
import subprocess
import sys

from beadplate.logs import RateLimit


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def library(message: object, *arguments: object, line: int = 7) -> logging.LogRecord:
    return logging.LogRecord("aiokafka", logging.WARNING, "client.py", line, message, arguments, None)


def test_one_place_speaks_five_times_in_ten_seconds_and_then_says_how_often_it_was_held_back() -> None:
    clock = Clock()
    limit = RateLimit(most=5, interval=10, clock=clock)
    assert [limit.filter(library("no answer from %s", node)) for node in range(1000)] == [True] * 5 + [False] * 995
    clock.now = 10
    again = library("no answer from %s", 3)
    assert limit.filter(again)
    assert again.getMessage() == "no answer from 3 (and 995 more like it in 10 s)"
    assert limit.filter(next_one := library("no answer from %s", 4))
    assert next_one.getMessage() == "no answer from 4"


def test_places_are_counted_by_themselves() -> None:
    limit = RateLimit(most=1, interval=10, clock=Clock())
    assert limit.filter(library("a", line=1))
    assert limit.filter(library("a", line=2))
    assert not limit.filter(library("b", line=2))


def test_our_own_events_are_never_held_back() -> None:
    limit = RateLimit(most=1, interval=10, clock=Clock())
    assert all(limit.filter(library({"event": "settled"})) for _ in range(100))


def test_where_nobody_looks_every_line_is_json_from_us_and_from_libraries() -> None:
    code = """
import logging, structlog
from beadplate.logs import Logs, configure
configure(Logs())
structlog.get_logger("producer").info("sent", records=3)
structlog.get_logger("producer").debug("not worth a line")
logging.getLogger("aiokafka.conn").info("not worth a line")
logging.getLogger("faust").warning("slow %s", "thing")
logging.getLogger("another.library").info("not worth a line")
try:
    1 / 0
except ZeroDivisionError:
    structlog.get_logger("page").exception("broken")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(line["logger"], line["level"], line["event"]) for line in lines] == [
        ("producer", "info", "sent"),
        ("faust", "warning", "slow thing"),
        ("page", "error", "broken"),
    ]
    assert lines[0]["records"] == 3
    assert lines[2]["exception"][0]["exc_type"] == "ZeroDivisionError"


def test_for_eyes_a_line_is_no_json() -> None:
    code = """
import structlog
from beadplate.logs import Logs, configure
configure(Logs(log_style="console"))
structlog.get_logger("producer").info("sent", records=3)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "sent" in done.stderr
    assert not done.stderr.startswith("{")


def test_what_is_set_up_anew_holds_for_loggers_that_have_spoken_already() -> None:
    program = """
import structlog
from structlog.testing import capture_logs
from beadplate.logs import Logs, configure
log = structlog.get_logger("page")
configure(Logs())
log.info("first")
configure(Logs())
with capture_logs() as lines:
    log.info("second")
print([line["event"] for line in lines])
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout == "['second']\n"
