"""The rounds of a shoe that the table has left, packed: ninety days of them are held at once, and seldom looked at."""

import functools
import zlib
from typing import Final

import msgspec

from audit.versions import Rounds, Version, facts_of
from contract.rounds import Played, RoundVersion

OPEN: Final = 64
"""So many packed shoes are kept unpacked: those that the bets of a partition are about, side by side."""
_Row = tuple[RoundVersion, int, bool]
_decoder: Final = msgspec.json.Decoder(list[_Row])


def pack(rounds: Rounds) -> bytes:
    """The versions of a shoe in few bytes."""
    rows = [(each.event, each.offset, each.after) for held in rounds.values() for each in held.values()]
    return zlib.compress(msgspec.json.encode(rows))


@functools.lru_cache(maxsize=OPEN)
def unpack(packed: bytes) -> Rounds:
    """The versions again, with their facts; not to be changed."""
    rounds: Rounds = {}
    for event, offset, after in _decoder.decode(zlib.decompress(packed)):
        facts = facts_of(event) if isinstance(event, Played) else None
        rounds.setdefault(event.round_no, {})[event.revision] = Version(event, facts, offset, after)
    return rounds
