"""One record as it stands in a topic, and the short digests by which the auditor remembers contents."""

from hashlib import blake2b
from typing import NamedTuple


class Stored(NamedTuple):
    """One record as read; ``timestamp`` in milliseconds since 1970."""

    topic: str
    partition: int
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...] = ()

    @property
    def place(self) -> str:
        """Where it stands: topic, partition and offset."""
        return f"{self.topic}/{self.partition}/{self.offset}"


def digest(content: bytes) -> int:
    """Eight bytes that stand for a content; two contents share them by an accident of one in 2⁶⁴."""
    return int.from_bytes(blake2b(content, digest_size=8).digest())


def digest_of_record(key: bytes | None, value: bytes | None) -> int:
    """The digest of key and value together; no key is another than an empty one."""
    parts = (b"-" if part is None else b"%d:%b" % (len(part), part) for part in (key, value))
    return digest(b"".join(parts))
