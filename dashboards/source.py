"""What the page server knows of its source, Kafka: whether it has caught up, and when Kafka last answered."""

from dataclasses import dataclass
from typing import Final

LOST_AFTER_MS: Final = 5000
"""Without an answer for this long the source is lost. Kafka answers an idle reader once a second."""
STUCK_AFTER_MS: Final = 60_000
"""Without a turn of the reader for this long the process itself is ill; it turns also while Kafka is away."""


@dataclass(slots=True)
class Source:
    """Kept by the reader. Times are milliseconds since 1970.

    ``caught_up`` once everything that was in Kafka at the start has been read, and from then on for ever.
    ``trouble`` says in a sentence why nothing is read, empty where all is well.
    """

    caught_up: bool = False
    contact_ms: int = 0
    turn_ms: int = 0
    trouble: str = ""

    def lost(self, now_ms: int) -> bool:
        """Whether Kafka has not answered for too long."""
        return now_ms - self.contact_ms > LOST_AFTER_MS

    def ready(self, now_ms: int) -> bool:
        """Whether what is shown is the newest."""
        return self.caught_up and not self.lost(now_ms)

    def alive(self, now_ms: int) -> bool:
        """Whether the reader still turns, whatever Kafka does."""
        return now_ms - self.turn_ms <= STUCK_AFTER_MS
