"""Scoreboards to show, built from rounds without a processor, and records of them as Kafka would hand them over."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from baccarat.roads import draw
from baccarat.roads.good import good_roads
from baccarat.rounds import Facts, judge, letter
from baccarat.tallies import tally
from contract.codec import encode
from contract.rounds import Event, Limit
from contract.scoreboards import Round, Scoreboard, ShoeRecord
from contract.topics import SCOREBOARDS, SHOE_STATISTICS, SHOES, STATISTICS, Topic
from dashboards.intake import Record
from dashboards.settings import Page
from dashboards.site import Site

DATA: Final = Path(__file__).parent.parent / "data"
NOON_MS: Final = 1_796_040_000_000
"""2026-11-30 12:00:00 UTC"""
LIMITS: Final = {
    "player": Limit(min=50000, max=5000000),
    "banker": Limit(min=50000, max=5000000),
    "tie": Limit(min=10000, max=500000),
    "player_pair": Limit(min=10000, max=300000),
    "banker_pair": Limit(min=10000, max=300000),
}


def example(name: str) -> bytes:
    """An example of the contract, on one line as it is on the wire."""
    return json.dumps(json.loads((DATA / "examples" / f"{name}.json").read_bytes()), separators=(",", ":")).encode()


def dealt(number: int, player: Sequence[str] | None = None, banker: Sequence[str] | None = None, **keyed: Any) -> Round:
    """A round as it stands: of cards, or keyed."""
    facts = judge(player=player, banker=banker, **keyed)
    return Round(round_no=number, revision=0, voided=False, paytable="classic@1", **_fields(facts))


def _fields(facts: Facts) -> dict[str, Any]:
    return {name: getattr(facts, name) for name in Facts.__slots__}


def board_shoe() -> tuple[list[Round], dict[str, Any]]:
    """The shoe of the board's design: its rounds, and every mark of it as the design has them."""
    told = json.loads((DATA / "board_shoe.json").read_bytes())
    rounds = [
        dealt(number, [_card(card) for card in player], [_card(card) for card in banker])
        for number, player, banker, *_ in told["rounds"]
    ]
    return rounds, told


def _card(text: str) -> str:
    return text.replace("10", "T").upper()


def keyed_rounds(letters: str) -> list[Round]:
    """Rounds of a keypad from B, P, T; ``?`` leaves one out, as a gap."""
    outcomes = {"B": "banker", "P": "player", "T": "tie"}
    return [dealt(number, outcome=outcomes[mark]) for number, mark in enumerate(letters, 1) if mark != "?"]


def scoreboard(rounds: Sequence[Round] = (), **changes: Any) -> Scoreboard:
    """The scoreboard of a table with these rounds."""
    standing = [each for each in rounds if not each.voided]
    last = standing[-1].round_no if standing else 0
    known = {each.round_no for each in rounds}
    gaps = tuple(number for number in range(1, last + 1) if number not in known)
    results = {each.round_no: letter(each.outcome) for each in standing if each.outcome}
    letters = "".join(mark for _, mark in sorted({**results, **dict.fromkeys(gaps, "?")}.items()))
    rows, tail = changes.pop("rows", 6), changes.pop("tail", "stay")
    values: dict[str, Any] = {
        "table_id": "B07",
        "occurred_at": "2026-11-30T12:00:00.000Z",
        "shoe_no": 412,
        "version": 100 + len(rounds),
        "names": {"en": "Baccarat 07"},
        "place": "Main floor · Pit 3",
        "currency": "EUR",
        "limits": LIMITS,
        "time_zone": "Asia/Macau",
        "decks": 8,
        "status": "betting",
        "round_no": last,
        "rounds": tuple(rounds),
        "roads": draw(letters, rows, tail),
        "gaps": gaps,
        "counts": tally((_facts(each) for each in standing), len(gaps)),
        "last_round": last,
        "good_roads": () if gaps else good_roads(sorted(results.items())),
    }
    return Scoreboard(**values | changes)


def _facts(each: Round) -> Facts:
    return Facts(**{name: getattr(each, name) for name in Facts.__slots__})


def shoe_record(board: Scoreboard, **changes: Any) -> ShoeRecord:
    """The record of the board's shoe."""
    values = {
        name: getattr(board, name)
        for name in ("table_id", "occurred_at", "shoe_no", "version", "decks", "rounds", "counts", "gaps")
    }
    roads = draw(board.roads.rounds)
    times = {"started_at": "2026-11-30T10:31:00.000Z", "ended_at": "2026-11-30T11:51:00.000Z"}
    return ShoeRecord(**values | {"roads": roads} | times | changes)


_TOPICS: Final[dict[str, Topic]] = {
    "scoreboard": SCOREBOARDS,
    "bet_statistics": STATISTICS,
    "shoe_record": SHOES,
    "shoe_statistics": SHOE_STATISTICS,
}


def record(value: Event | bytes, at_ms: int = NOON_MS, *, partition: int = 0, offset: int = 0) -> Record:
    """An output as a record of its topic."""
    raw = value if isinstance(value, bytes) else encode(value)
    told = json.loads(raw)
    key = told["table_id"] + (f"/{told['shoe_no']}" if told["type"] in ("shoe_record", "shoe_statistics") else "")
    return Record(_TOPICS[told["type"]], partition, offset, key.encode(), raw, at_ms)


def site(events: Iterable[Event | bytes] = (), *, now_ms: int = NOON_MS, settings: Page | None = None) -> Site:
    """A page server's inner life that has caught up, at a time that stands still."""
    made = Site(settings or Page(), clock=lambda: now_ms)
    for event in events:
        made.take(record(event))
    made.source.caught_up = True
    made.source.contact_ms = now_ms
    return made
