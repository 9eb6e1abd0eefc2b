"""What is carried to Kafka: an event as key and value for its topic, and how to name it to a person."""

from typing import NamedTuple

from contract.codec import encode
from contract.rounds import Event
from contract.topics import Topic, event_name


class Record(NamedTuple):
    """One event, ready to be sent, or bytes of somebody else's (``event`` None).

    It goes to the partition that its key names, unless a ``partition`` is given.
    """

    topic: str
    key: bytes | None
    value: bytes | None
    event: Event | None
    partition: int | None = None

    def __str__(self) -> str:
        if self.event is None:
            return f"record with the key {self.key!r:.80}"
        parts = [event_name(type(self.event)), "of table", self.event.table_id]
        for field, word in (("shoe_no", "shoe"), ("round_no", "round"), ("batch_id", "batch")):
            if (number := getattr(self.event, field, None)) is not None:
                parts += [word, str(number)]
        return " ".join(parts)


def record(topic: Topic, event: Event) -> Record:
    """The event as a record of a source topic, keyed by its table."""
    return Record(topic.name, event.table_id.encode(), encode(event), event)
