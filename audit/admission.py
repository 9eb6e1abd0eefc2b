"""What one record says about itself: an event, or the code under which it must stand in the dead letters."""

from typing import Any, NamedTuple

from audit.records import Stored
from contract.codec import BadRecord, UnknownType, decode
from contract.dead_letters import DeadLetterCode
from contract.partitions import partition_of
from contract.topics import SHOES, Topic


class Verdict(NamedTuple):
    """Whether a record is refused (``code``) or taken; not ``sure`` where the other would be right as well."""

    code: DeadLetterCode | None = None
    sure: bool = True


TAKEN = Verdict()


def admit(record: Stored, topic: Topic, partitions: int) -> Any:
    """The event of a record, the ``Verdict`` that refuses it, or None for a type that is not known here."""
    try:
        event = decode(topic, record.value)
    except BadRecord as error:
        return Verdict(error.code)
    except UnknownType:
        return None
    key = event.table_id.encode()
    if record.key != (b"%b/%d" % (key, event.shoe_no) if topic.key == SHOES.key else key):
        return Verdict("wrong_key")
    if partition_of(key, partitions) != record.partition:
        return Verdict("wrong_partition")
    return event
