"""``beadplate kafka``: the embedded Kafka alone, in the foreground."""

import functools
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from beadplate import running
from beadplate.endings import Trouble, kafka_meaning
from beadplate.logs import Logs, configure
from beadplate.settings import FLAT, LOGS
from broker.embedded import EmbeddedKafka


@dataclass(frozen=True, kw_only=True)
class Node:
    """Settings of the embedded Kafka."""

    port: Annotated[int, Parameter(validator=Number(gte=0, lte=65535))] = 0
    "Port on 127.0.0.1; 0 takes a free one."
    data_dir: Path = Path("var/kafka")
    "Where its data stand."
    heap_mb: Annotated[int, Parameter(validator=Number(gte=128))] = 256
    "Memory of its Java for objects, in MB."


def kafka(*, node: Annotated[Node, FLAT] = Node(), logs: Annotated[Logs, LOGS] = Logs()) -> int:
    """Run the embedded Kafka until Ctrl-C or SIGTERM; its address is printed when it is ready.

    It listens on the loopback alone, keeps its data in the data directory, and never outlives this command.
    """
    configure(logs)
    with kafka_meaning():
        return running.run(_kafka(node))


async def _kafka(node: Node) -> int:
    say = functools.partial(print, file=sys.stderr, flush=True)
    async with EmbeddedKafka(node.data_dir, port=node.port, heap_mb=node.heap_mb, progress=say) as embedded:
        print(embedded.bootstrap, flush=True)
        last_words = await embedded.ended()
    raise Trouble(f"Kafka has ended by itself: {last_words}")
