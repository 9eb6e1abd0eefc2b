"""What is carried to Kafka: an event as key and value for its topic, and how to name it to a person."""

from typing import NamedTuple

from contract.codec import encode
from contract.rounds import Event
from contract.topics import Topic, event_name


class Record(NamedTuple):
    """One event, ready to be sent."""

    topic: str
    key: bytes
    value: bytes
    event: Event

    def __str__(self) -> str:
        parts = [event_name(type(self.event)), "of table", self.event.table_id]
        for field, word in (("shoe_no", "shoe"), ("round_no", "round"), ("batch_id", "batch")):
            if (number := getattr(self.event, field, None)) is not None:
                parts += [word, str(number)]
        return " ".join(parts)


def record(topic: Topic, event: Event) -> Record:
    """The event as a record of a source topic, keyed by its table."""
    return Record(topic.name, event.table_id.encode(), encode(event), event)
