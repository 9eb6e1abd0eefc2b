"""The boards, records and statistics that browser tests look at: every state, and what is long, full or missing."""

import json
from typing import Any

from contract.rounds import Limit
from contract.scoreboards import Scoreboard
from tests.dashboards.child import PageServer
from tests.dashboards.tables import board_shoe, dealt, example, keyed_rounds, scoreboard

LANGS = ["en", "ru", "zh-Hant"]
LONG = "Baccarat 11 · Salon Privé Magnolia · No commission"
HOSTILE = ("\u202e\u200f\"'><script>alert(1)</script><img src=x onerror=alert(2)> & \u2066ש " * 10)[:500]
"""Markup, quotes and marks that turn the writing round."""
PATHS = [
    "/",
    "/tables/full",
    "/tables/gap",
    "/tables/new",
    "/tables/full/shoes",
    "/tables/full/shoes/412",
    "/tables/B07/shoes/412?round=5",
    "/tables/B07/statistics",
    "/tables/B07/statistics?shoe=400",
    "/statistics",
    "/screens",
    "/docs",
    "/tables/hostile",
    "/tables/hostile/shoes/412",
    "/tables/hostile/statistics",
]
"""Every page."""


RICH = {
    **{bet: Limit(min=5_000_000, max=2_000_000_000) for bet in ("player", "banker")},
    "tie": Limit(min=1_000_000, max=200_000_000),
    **{bet: Limit(min=1_000_000, max=100_000_000) for bet in ("player_pair", "banker_pair")},
}
"""Limits in a currency of many zeros."""


def boards() -> dict[str, Scoreboard]:
    """A board for each state and extreme, by table."""
    rounds, _ = board_shoe()
    gap = [each for each in rounds[:20] if each.round_no != 17]
    return {
        "full": scoreboard(rounds, table_id="full"),
        "gap": scoreboard(gap, table_id="gap", status="dealing"),
        "new": scoreboard(table_id="new", names={"en": LONG}, status="shuffling", shoe_no=413),
        "tens": scoreboard([dealt(1, ["TH", "JD", "QC"], ["TS", "KC", "TD"])], table_id="tens"),
        "ties": scoreboard(keyed_rounds("T" * 14), table_id="ties", status="dealt"),
        "leading": scoreboard(keyed_rounds("TTTBPPB" + "T" * 12), table_id="leading", status="closed"),
        "long": scoreboard(keyed_rounds("BP" * 40 + "T" * 9), table_id="long", names={"en": "W" * 300}, place="x" * 99),
        "tail": scoreboard(keyed_rounds("B" * 70), table_id="tail", shoe_no=10**9),
        "rows": scoreboard(keyed_rounds("BBPTPPBPB" * 7), table_id="rows", rows=12, tail="drop"),
        "low": scoreboard(keyed_rounds("BBPTPPBPB" * 7), table_id="low", rows=3),
        "hostile": scoreboard(keyed_rounds("BPT"), table_id="hostile", names={"en": HOSTILE}, place=HOSTILE),
        "rich": scoreboard(rounds[:40], table_id="rich", currency="VND", limits=RICH, names={"en": "Baccarat 12"}),
        "unknown": scoreboard(table_id="unknown", names={}, place="", limits={}, shoe_no=0, status="unknown"),
    }


def shoe_statistics(shoe_no: int) -> bytes:
    """The contract's example under another number, its money on a day of its own."""
    said: dict[str, Any] = json.loads(example("shoe_statistics"))
    money = {
        "slips": 240,
        "stake": 2_000_000,
        "paid": 1_970_000 + shoe_no % 7 * 10_000,
        "hold": 30_000 - shoe_no % 7 * 10_000,
        "hold_percent": (30_000 - shoe_no % 7 * 10_000) / 20_000,
        "average_bet": 8333.333,
        "expected_hold": 21_158.0,
        "hold_variance": 250_000_000_000.0,
    }
    bets = {bet: facts | {"money": {"EUR": money}} for bet, facts in said["bets"].items()}
    return json.dumps(said | {"shoe_no": shoe_no, "gaming_day": f"2026-11-{shoe_no - 390:02}", "bets": bets}).encode()


def furnish(server: PageServer) -> None:
    """Hand over all boards, and table B07 with records and statistics."""
    for board in boards().values():
        server.take(board)
    for kind in ("scoreboard", "bet_statistics", "shoe_record"):
        server.take(example(kind))
    for shoe_no in range(395, 411):
        server.take(shoe_statistics(shoe_no))
