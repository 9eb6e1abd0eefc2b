"""How a command ends: the exit codes, and what an error means for the person who called it.

0 done, also after Ctrl-C or SIGTERM; 1 a check failed; 2 wrong use; 3 a fault that a restart may cure.
"""

import contextlib
from collections.abc import Iterator
from typing import Final

DONE: Final = 0
CHECK_FAILED: Final = 1
WRONG_USE: Final = 2
TROUBLE: Final = 3

Errors = tuple[type[Exception], ...]


class Misuse(Exception):
    """The command was called wrongly; the message is one sentence that says what to do instead."""


class Trouble(Exception):
    """Something outside is not as it must be; the message is one sentence that says what to do."""


@contextlib.contextmanager
def meaning(*, misuse: Errors = (), trouble: Errors = ()) -> Iterator[None]:
    """Sort the errors of a room, whose messages are made for people, by what the caller should do."""
    try:
        yield
    except misuse as error:
        raise Misuse(str(error)) from error
    except trouble as error:
        raise Trouble(str(error)) from error


@contextlib.contextmanager
def kafka_meaning(*, misuse: Errors = (), trouble: Errors = ()) -> Iterator[None]:
    """``meaning`` with the errors of every command that talks to Kafka."""
    # offline commands never come here, and should not wait for a Kafka client to be imported
    from broker.catalogue import TopicsNotReady  # noqa: PLC0415
    from broker.cluster import Refused  # noqa: PLC0415
    from broker.connection import BadConnection, BrokerAway  # noqa: PLC0415
    from broker.unavailable import KafkaUnavailable  # noqa: PLC0415

    with meaning(
        misuse=(*misuse, BadConnection), trouble=(*trouble, BrokerAway, Refused, TopicsNotReady, KafkaUnavailable)
    ):
        yield
