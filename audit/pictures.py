"""What a board and a shoe record must say, drawn from the judged log: history, counts, gaps, roads, version.

The roads are drawn whole (``baccarat.roads.draw``), never grown round by round.
"""

from typing import Any, Final

from audit.tables import PHASES, Shoe, Table, latest
from audit.versions import Version
from baccarat.roads import Tail, draw
from baccarat.roads.good import Thresholds, good_roads
from baccarat.rounds import letter
from baccarat.tallies import tally
from contract.rounds import Played, RoundCorrected, RoundVoided
from contract.scoreboards import Round, Scoreboard, ShoeRecord, Status
from contract.scoreboards import Version as Told

_FACTS: Final = (
    "outcome",
    "player",
    "banker",
    "player_total",
    "banker_total",
    "player_natural",
    "banker_natural",
    "player_pair",
    "banker_pair",
)


def gaps(shoe: Shoe) -> tuple[int, ...]:
    """Numbers below the highest round that counts which have not come."""
    highest = last_round(shoe)
    return tuple(number for number in range(1, highest) if number not in shoe.rounds)


def last_round(shoe: Shoe) -> int:
    """The last round that is not voided; 0 for none."""
    return max((number for number, version in shoe.results() if version.facts), default=0)


def letters(shoe: Shoe) -> str:
    """The results in order, ``?`` for a gap; voided rounds are left out."""
    known = {number: letter(version.facts.outcome) for number, version in shoe.results() if version.facts}
    missing = set(gaps(shoe))
    return "".join(known.get(n, "?") for n in range(1, last_round(shoe) + 1) if n in known or n in missing)


def scoreboard(table: Table, thresholds: Thresholds) -> Scoreboard:
    """The whole board of a table; ``thresholds`` say from where good roads are announced."""
    shoe = table.shoes.get(table.highest) or Shoe(0)
    opened = table.opened
    configs = [config for config in (table.opened, table.closed) if config is not None]
    rows, tail = (opened.road_rows, opened.tail) if opened else (6, "stay")
    numbers = [config.config_no for config in configs]
    return Scoreboard(
        table_id=table.table_id,
        occurred_at=latest([config.occurred_at for config in configs] + shoe.times()),
        version=shoe.weight + sum(numbers) + len(numbers),
        names=opened.names if opened else {},
        place=opened.place if opened else "",
        currency=opened.currency if opened else None,
        limits=opened.limits if opened else {},
        time_zone=opened.time_zone if opened else "UTC",
        status=_status(table, shoe),
        round_no=shoe.rank // len(PHASES),
        last_round=last_round(shoe),
        good_roads=() if gaps(shoe) else good_roads(_counted(shoe), thresholds),
        **_both(shoe, rows, tail),
    )


def shoe_record(table: Table, shoe: Shoe) -> ShoeRecord:
    """The record of one shoe."""
    return ShoeRecord(
        table_id=table.table_id,
        occurred_at=latest(shoe.times()),
        version=shoe.weight,
        started_at=shoe.started.occurred_at if shoe.started else None,
        ended_at=shoe.ended.occurred_at if shoe.ended else None,
        **_both(shoe, 6, "stay"),
    )


def _both(shoe: Shoe, rows: int, tail: Tail) -> dict[str, Any]:
    """What a board and a record have in common."""
    missing = gaps(shoe)
    return {
        "shoe_no": shoe.number,
        "decks": shoe.decks,
        "rounds": tuple(_round(number, shoe.versions(number)) for number in sorted(shoe.rounds)),
        "roads": draw(letters(shoe), rows, tail),
        "gaps": missing,
        "counts": tally((version.facts for _, version in shoe.results() if version.facts), missing=len(missing)),
    }


def _counted(shoe: Shoe) -> list[tuple[int, str]]:
    return [(number, letter(version.facts.outcome)) for number, version in shoe.results() if version.facts]


def _status(table: Table, shoe: Shoe) -> Status:
    if table.is_closed:
        return "closed"
    if shoe.number == 0:
        return "unknown"
    if shoe.ended or shoe.rank == 0:
        return "shuffling"
    phases: tuple[Status, ...] = ("betting", "dealing", "dealt")
    return phases[shoe.rank % len(phases)]


def _round(number: int, versions: list[Version]) -> Round:
    last = versions[-1]
    told = tuple(map(_told, versions)) if len(versions) > 1 else ()
    said: dict[str, Any] = {}
    if last.facts is not None and isinstance(last.event, Played):
        said = _said(last) | {"paytable": last.event.paytable, "free_hand": last.event.free_hand}
    return Round(round_no=number, revision=last.event.revision, voided=last.facts is None, versions=told, **said)


def _told(version: Version) -> Told:
    event = version.event
    said = _said(version)
    if isinstance(event, RoundCorrected | RoundVoided):
        said |= {"reason": event.reason, "operator": event.operator}
    if isinstance(event, Played):
        said |= {
            "paytable": event.paytable,
            "betting_closed_at": event.betting_closed_at,
            "free_hand": event.free_hand,
        }
    return Told(occurred_at=event.occurred_at, revision=event.revision, voided=version.facts is None, **said)


def _said(version: Version) -> dict[str, Any]:
    return {name: getattr(version.facts, name) for name in _FACTS} if version.facts else {}
