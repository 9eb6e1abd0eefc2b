"""A processor whose outputs cannot be sent as long as a file is there; its rows can.

python -m tests.faults.failing BOOTSTRAP PROCESSOR FILE
"""

import asyncio
import sys
from pathlib import Path
from typing import Any

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaTimeoutError

from beadplate.logs import Logs, configure
from broker.connection import Connection
from contract.topics import PROCESSORS, ProcessorName
from processors.worker import Worker, run

_send = AIOKafkaProducer.send


def break_sends(name: ProcessorName, broken: Path) -> None:
    """Let every send of an output fail while the file is there."""
    outputs, is_broken = {topic.name for topic in PROCESSORS[name].outputs}, broken.exists

    async def send(producer: AIOKafkaProducer, topic: str, *arguments: Any, **options: Any) -> Any:
        if topic in outputs and is_broken():
            failed: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            failed.set_exception(KafkaTimeoutError())
            return failed
        return await _send(producer, topic, *arguments, **options)

    AIOKafkaProducer.send = send


if __name__ == "__main__":
    _, bootstrap, processor, file = sys.argv
    configure(Logs())
    for each in PROCESSORS:
        if each == processor:
            break_sends(each, Path(file))
            sys.exit(run(each, Worker(), Connection(bootstrap_servers=bootstrap)))
