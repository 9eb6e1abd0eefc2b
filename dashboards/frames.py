"""Server-sent events as bytes, and the ids of frames.

A frame is whole, rendered state; its id says of which build and version, so that page, stream and a reconnect agree
on what is shown.
"""

from typing import Final, Literal, NamedTuple

from dashboards.chunks import Part

FrameEvent = Literal["table", "lobby", "statistics"]
"""What a stream carries besides ``beat`` and ``bye``."""

RETRY_MS: Final = 2000
"""How long a browser waits before it connects again by itself."""


class FrameId(NamedTuple):
    """``build/subject/shoe/version``. Frames of one build and subject are ordered by (shoe, version).

    A frame of all tables has no shoe; it has a time or 0 in its place, and a count of changes as its version.
    """

    build: str
    subject: str
    shoe_no: int
    version: int

    def __str__(self) -> str:
        return f"{self.build}/{self.subject}/{self.shoe_no}/{self.version}"


def parse_frame_id(text: str) -> FrameId | None:
    """The id that a browser names; None where it is none of ours."""
    build, _, rest = text.partition("/")
    subject, *numbers = rest.rsplit("/", 2)
    if not (build and subject) or len(numbers) != len(("shoe", "version")):
        return None
    if not all(number.isascii() and number.isdecimal() for number in numbers):
        return None
    shoe_no, version = map(int, numbers)
    return FrameId(build, subject, shoe_no, version)


def frame(event: FrameEvent, html: str) -> Part:
    """One event of a stream, without an id: the browser keeps the one that it has."""
    lines = html.encode().strip().replace(b"\r", b"\n").replace(b"\n", b"\ndata:")
    return Part(b"event: %b\ndata:%b\n\n" % (event.encode(), lines))


def with_id(frame_id: FrameId, unnamed: bytes) -> Part:
    """The frame under its id."""
    return Part(b"id: %b\n%b" % (str(frame_id).encode(), unnamed))


def beat(json: bytes) -> Part:
    """A heartbeat. It is an event, since scripts do not see comments."""
    return Part(b"event: beat\ndata: %b\n\n" % json)


def bye(retry_ms: int) -> Part:
    """The last event of a stream that the server ends; the browser waits ``retry_ms`` before it comes back."""
    return Part(b"retry: %d\nevent: bye\ndata:\n\n" % retry_ms)


GONE: Final = Part(b"event: gone\ndata:\n\n")
"""There is no such table any more; the page asks anew and is told so."""

HELLO: Final = Part(b"retry: %d\n\n" % RETRY_MS)
"""The first bytes of a stream, sent at once, so that proxies and browsers know it open."""
