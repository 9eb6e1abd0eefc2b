"""``beadplate doctor``: looks a Kafka over and says what holds and what to do."""

import asyncio
from typing import Annotated, Final

from beadplate.endings import CHECK_FAILED, DONE, kafka_meaning
from beadplate.logs import quiet
from beadplate.settings import KAFKA
from broker.connection import Connection
from broker.doctor import Verdict, examine

_MARKS: Final[dict[Verdict, str]] = {"holds": "ok   ", "note": "note ", "wrong": "WRONG"}


def doctor(*, connection: Annotated[Connection, KAFKA] = Connection()) -> int:
    """Probe Kafka, the topics and how far the processors have come; exit code 1 where something is wrong."""
    quiet()
    with kafka_meaning():
        findings = asyncio.run(examine(connection))
    for finding in findings:
        print(f"{_MARKS[finding.verdict]} {finding.sentence}")
    return CHECK_FAILED if any(finding.verdict == "wrong" for finding in findings) else DONE
