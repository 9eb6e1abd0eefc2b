"""A processor whose outputs cannot be sent until a moment has passed; its rows can.

    python -m tests.faults.failing BOOTSTRAP PROCESSOR UNTIL

UNTIL is in seconds since 1970.
"""

import asyncio
import sys
import time
from typing import Any

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaTimeoutError

from broker.connection import Connection
from contract.topics import PROCESSORS, ProcessorName
from processors.worker import Worker, run

_send = AIOKafkaProducer.send


def break_sends(name: ProcessorName, until: float) -> None:
    """Let every send of an output fail until then."""
    outputs = {topic.name for topic in PROCESSORS[name].outputs}

    async def send(producer: AIOKafkaProducer, topic: str, *arguments: Any, **options: Any) -> Any:
        if topic in outputs and time.time() < until:
            failed: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            failed.set_exception(KafkaTimeoutError())
            return failed
        return await _send(producer, topic, *arguments, **options)

    AIOKafkaProducer.send = send


if __name__ == "__main__":
    _, bootstrap, processor, moment = sys.argv
    for each in PROCESSORS:
        if each == processor:
            break_sends(each, float(moment))
            sys.exit(run(each, Worker(), Connection(bootstrap_servers=bootstrap)))
