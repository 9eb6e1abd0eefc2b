"""What a table's page and its tile in the lobby have in common: names, limits, counters, good roads, silence."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from baccarat.roads.good import GoodRoad
from baccarat.tallies import Counts
from contract.rounds import Limit
from contract.scoreboards import Scoreboard, Status
from dashboards.views.money import whole_amount
from dashboards.views.numbers import integer, percent
from dashboards.words import ENGLISH, Words

LONG_NAME: Final = 24
"""Names longer than this take two lines."""
LONG_LIMITS: Final = 40
"""Limits of more characters than this in all are written smaller."""
_LIMITS: Final = (("banker", "player"), ("tie",), ("banker_pair", "player_pair"))
_SHUFFLING_TIMES: Final = 5
"""A shuffle takes longer than a round."""


def name(names: Mapping[str, str], table_id: str, words: Words) -> str:
    """The table's name in the page's language, else in English, else in any; its id where it has none."""
    return names.get(words.lang) or names.get(ENGLISH.lang) or next((each for each in names.values() if each), table_id)


class LimitRange(NamedTuple):
    """One bet's limits, as text."""

    label: str
    least: str
    most: str


def limits(board: Scoreboard, words: Words) -> list[LimitRange]:
    """The limits of the usual bets; bets of equal limits under one label."""
    shown = []
    for label, bets in zip(words.limits, _LIMITS, strict=True):
        held = {bet: board.limits[bet] for bet in bets if bet in board.limits}
        if len(held) == len(bets) and len({(limit.min, limit.max) for limit in held.values()}) == 1:
            shown.append(_range(label, next(iter(held.values())), board.currency, words))
        else:
            shown += [_range(words.bets[bet], limit, board.currency, words) for bet, limit in held.items()]
    return shown


def _range(label: str, limit: Limit, currency: str | None, words: Words) -> LimitRange:
    return LimitRange(label, whole_amount(limit.min, currency, words), whole_amount(limit.max, currency, words))


class Counter(NamedTuple):
    """A counter: its key among the words' counters, the count, and its part of the known rounds.

    ``width`` is the part in percent as a bar's width, ``told`` and ``part`` are both as people read them.
    """

    key: str
    number: int
    width: str
    told: str
    part: str


def counters(counts: Counts, words: Words) -> list[Counter]:
    """The counters in the order in which they are shown; 0 % of no rounds."""
    rows = (
        ("B", counts.banker),
        ("P", counts.player),
        ("T", counts.tie),
        ("BP", counts.banker_pair),
        ("PP", counts.player_pair),
        ("N", counts.natural),
    )
    parts = [(key, count, 100 * count / counts.rounds if counts.rounds else 0.0) for key, count in rows]
    return [
        Counter(key, count, f"{part:.1f}", integer(count, words), percent(part, 1, words)) for key, count, part in parts
    ]


def counted(counts: Counts, words: Words) -> str:
    """How many rounds the counters know: ``19 rounds · 1 missing``."""
    known = words.counted(counts.rounds)
    return f"{known} · {words.missing(counts.missing)}" if counts.missing else known


def good_road(roads: Sequence[GoodRoad], words: Words) -> str:
    """The first of the running good roads in words; empty where none runs or none has a word."""
    for road in roads:
        side = {"banker": "_B", "player": "_P"}.get(road.side or "", "")
        if text := words.good.get(f"{road.kind}{side}"):
            return text.format(road.length)
    return ""


def silence_limit(status: Status, silent_after: float) -> float:
    """Seconds without news after which a table of this status is silent; 0 where silence is no alarm."""
    match status:
        case "closed" | "unknown":
            return 0
        case "shuffling":
            return silent_after * _SHUFFLING_TIMES
        case "betting" | "dealing" | "dealt":
            return silent_after


def missing_rounds(gaps: Sequence[int]) -> str:
    """The first of the missing numbers: ``17, 18, 21 …``."""
    most = 3
    return ", ".join(map(str, gaps[:most])) + (" …" if len(gaps) > most else "")
