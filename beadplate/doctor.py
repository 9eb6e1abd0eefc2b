"""``beadplate doctor``: looks a Kafka over and says what holds and what to do."""

import asyncio
import dataclasses
from typing import Annotated, Final, Literal

import msgspec
from cyclopts import Parameter

from beadplate.endings import CHECK_FAILED, DONE, kafka_meaning
from beadplate.logs import quiet
from beadplate.settings import KAFKA
from broker.connection import Connection
from broker.doctor import Verdict, examine

_MARKS: Final[dict[Verdict, str]] = {"holds": "ok   ", "note": "note ", "wrong": "WRONG"}


def doctor(
    *,
    form: Annotated[Literal["text", "json"], Parameter(name="--format")] = "text",
    connection: Annotated[Connection, KAFKA] = Connection(),
) -> int:
    """Probe Kafka, the topics, their newest records and how far the processors have come.

    Exit code 1 where something is wrong.

    Parameters
    ----------
    form
        Sentences, or one JSON object a line.
    connection
        How to reach Kafka.
    """
    quiet()
    with kafka_meaning():
        findings = asyncio.run(examine(connection))
    for finding in findings:
        if form == "json":
            print(msgspec.json.encode(dataclasses.asdict(finding)).decode())
        else:
            print(f"{_MARKS[finding.verdict]} {finding.sentence}")
    return CHECK_FAILED if any(finding.verdict == "wrong" for finding in findings) else DONE
