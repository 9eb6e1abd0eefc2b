"""Settings of the page server; the command line and the environment fill them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

LONGEST_PORT: Final = 65535


class BadPage(ValueError):
    """Settings that no page could be served with; the message names each of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """How the page is served. Times are seconds."""

    host: str = "127.0.0.1"
    "Address to listen on; 0.0.0.0 for every display on the network."
    port: int = 8080
    "Port to listen on; 0 takes a free one."
    beat: float = 5.0
    "Seconds between the heartbeats of a stream."
    max_viewers: int = 5000
    "Most open streams; one more is asked to come back later."
    send_timeout: float = 30.0
    "Seconds that a display may take to read before its stream is dropped."
    silent_after: float = 180.0
    "Seconds without news after which an open table counts as silent (five times as long while it shuffles)."

    def __post_init__(self) -> None:
        """Refuse what cannot be right, everything at once."""
        if problems := list(self._problems()):
            raise BadPage("; ".join(problems))

    def _problems(self) -> Iterator[str]:
        if not 0 <= self.port <= LONGEST_PORT:
            yield f"a port lies between 0 and {LONGEST_PORT}, not {self.port}"
        if self.max_viewers < 1:
            yield f"at least one viewer must be allowed, not {self.max_viewers}"
        for name in ("beat", "send_timeout", "silent_after"):
            if not getattr(self, name) > 0:
                yield f"{name.replace('_', '-')} is a time above 0 s, not {getattr(self, name)}"
