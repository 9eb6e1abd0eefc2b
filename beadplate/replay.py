"""``beadplate replay``: makes a processor's state anew from the beginning of its sources."""

import asyncio
from typing import Annotated

from beadplate.endings import CHECK_FAILED, DONE, kafka_meaning
from beadplate.logs import quiet
from beadplate.settings import KAFKA
from broker.connection import Connection
from contract.topics import PROCESSORS, ProcessorName
from processors.replay import Plan, ReplayRefused, carry_out, look


def replay(
    processor: ProcessorName,
    /,
    *,
    dry_run: bool = False,
    accept_partial: bool = False,
    connection: Annotated[Connection, KAFKA] = Connection(),
) -> int:
    """Make a processor's state anew from the beginning of its sources; its workers must be stopped.

    Says what it does. Exit code 1 where it must not be done now: a worker runs, or the sources no longer reach back to
    where the state began. The next start of a worker then reads everything again.

    Parameters
    ----------
    processor
        The processor: scoreboards, settlements or statistics.
    dry_run
        Only say what would be done, and whether it could be.
    accept_partial
        Make it from what is kept, also where the sources no longer reach back; it is said what will differ.
    connection
        How to reach Kafka.
    """
    quiet()
    with kafka_meaning(trouble=(ReplayRefused,)):
        plan = asyncio.run(look(connection, PROCESSORS[processor]))
        if plan.nothing:
            print(f"{processor} has done nothing yet on the Kafka at {connection.bootstrap_servers}: nothing to replay")
            return DONE
        refused = _say(plan, accept_partial=accept_partial)
        if dry_run or refused:
            return CHECK_FAILED if refused else DONE
        asyncio.run(carry_out(connection, plan))
    print(
        f"done: start `beadplate processors {processor}`; its /readyz says how much it still has to read, and "
        "`beadplate verify` afterwards whether all is as it was"
    )
    return DONE


def _say(plan: Plan, *, accept_partial: bool) -> bool:
    """Print the plan; True where it must not be carried out."""
    for sentence in plan.sentences():
        print(sentence)
    refusal = plan.refusal(accept_partial=accept_partial)
    if refusal is not None:
        print(f"refused: {refusal}")
    return refusal is not None
