"""The one error of the embedded Kafka."""


class KafkaUnavailable(RuntimeError):
    """The embedded Kafka cannot run here and now; the message is one sentence that says why and what to do."""
