"""What an operator says of a table: opened, closed; of its shoes and of the betting. Pure: a standing in, an event out.

All raise ``Nonsense`` where the table does not stand so that it can be meant.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec.structs import replace

from baccarat.quoting import quote
from contract.rounds import BettingClosed, BettingOpened, Limit, ShoeEnded, ShoeStarted, TableClosed, TableOpened
from contract.scalars import Tail
from producer.amending import cards
from producer.nonsense import Nonsense, known, made, open_table, shoe_of
from producer.reached import LEAP
from producer.standing import ShoeStanding, Standing, equal, phase_place

DECKS: Final = 8
_LIMIT: Final = re.compile(r"([0-9]{1,16})-([0-9]{1,16})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A table's settings as an operator gives them; what is left out stays as it is."""

    name: dict[str, str] = field(default_factory=dict)
    "Name in a language: --name.en 'Baccarat 07'; an empty one goes."
    place: str | None = None
    "Where the table stands."
    currency: str | None = None
    "ISO 4217 code of the table's money, such as EUR; a new table needs it."
    limit: dict[str, str] = field(default_factory=dict)
    "Least and greatest stake of a bet in minor units: --limit.player 5000-500000; an empty one goes."
    bets: bool | None = None
    "Whether bets are taken at the table."
    road_rows: int | None = None
    "Rows of the roads; 6 unless told."
    tail: Tail | None = None
    "What a road does at its lower end."
    time_zone: str | None = None
    "Where the table's day is kept, such as Asia/Macau."


def opening(
    standing: Standing, settings: Settings, at: str, *, config_no: int | None = None, whole: bool = True
) -> TableOpened:
    """The table opened, or its settings changed; ``whole``: the log still has everything ever said of the table."""
    number = _config_no(standing, config_no, whole=whole)
    before = standing.opened
    if before is None and settings.currency is None:
        raise Nonsense(
            f"table {standing.table_id} has never been opened: say its --currency, such as EUR, and where its name "
            "should be shown, --name.en"
        )
    _check_time_zone(settings.time_zone)
    event = made(
        TableOpened,
        table_id=standing.table_id,
        occurred_at=at,
        config_no=number,
        names=_merged(before.names if before else {}, settings.name),
        currency=settings.currency or (before.currency if before else ""),
        limits=_limits(before.limits if before else {}, settings.limit),
        **_plain(before, settings),
    )
    if before is not None and not standing.is_closed and equal(replace(before, config_no=number), event):
        raise Nonsense(f"nothing would change: table {standing.table_id} is open with these settings")
    return event


def closing(standing: Standing, at: str, *, config_no: int | None = None, whole: bool = True) -> TableClosed:
    """The table closed."""
    open_table(standing)
    return made(
        TableClosed, table_id=standing.table_id, occurred_at=at, config_no=_config_no(standing, config_no, whole=whole)
    )


def start_shoe(
    standing: Standing,
    shoe_no: int | None,
    at: str,
    *,
    decks: int | None = None,
    burn_card: str | None = None,
    force: bool = False,
) -> ShoeStarted:
    """A shoe on the table; without a number the next one, without decks as many as the one before."""
    highest = open_table(standing).highest
    number = highest + 1 if shoe_no is None else shoe_no
    _check_shoe_number(standing, number, force=force)
    before = standing.shoes.get(number) or standing.shoes.get(highest)
    return made(
        ShoeStarted,
        table_id=standing.table_id,
        occurred_at=at,
        shoe_no=number,
        decks=decks if decks is not None else before.started.decks if before and before.started else DECKS,
        burn_card=_card(burn_card),
        force=force and highest > 0 and number > highest + LEAP,
    )


def end_shoe(
    standing: Standing, shoe_no: int | None, at: str, *, rounds: int | None = None, force: bool = False
) -> ShoeEnded:
    """The end of a shoe; without a number of the highest one, without rounds after the last that was published."""
    shoe = shoe_of(standing, known(standing).highest if shoe_no is None else shoe_no)
    where = f"shoe {shoe.number} of {standing.table_id}"
    if shoe.ended is not None:
        raise Nonsense(f"{where} has ended after {shoe.ended.rounds} rounds, {shoe.ended.occurred_at}, and stays so")
    number = shoe.highest_round if rounds is None else rounds
    if number < shoe.highest_round:
        raise Nonsense(f"{where} cannot have ended after {number} rounds: its round {shoe.highest_round} was published")
    if number > shoe.highest_round and not force:
        raise Nonsense(
            f"{where} is at round {shoe.highest_round}: its end after {number} would leave rounds out, say --force if "
            "they were dealt"
        )
    return made(ShoeEnded, table_id=standing.table_id, occurred_at=at, shoe_no=shoe.number, rounds=number)


def open_betting(standing: Standing, round_no: int | None, at: str, *, shoe_no: int | None = None) -> BettingOpened:
    """Betting open on a round; without a number on the next one."""
    shoe = _running(standing, shoe_no)
    number = shoe.highest_round + 1 if round_no is None else round_no
    event = made(BettingOpened, table_id=standing.table_id, occurred_at=at, shoe_no=shoe.number, round_no=number)
    _check_phase(shoe, event)
    return event


def close_betting(standing: Standing, round_no: int | None, at: str, *, shoe_no: int | None = None) -> BettingClosed:
    """No more bets on a round; without a number on the one that betting was last opened on."""
    shoe = _running(standing, shoe_no)
    number = round_no
    if number is None:
        number = shoe.phase.round_no if isinstance(shoe.phase, BettingOpened) else shoe.highest_round + 1
    event = made(BettingClosed, table_id=standing.table_id, occurred_at=at, shoe_no=shoe.number, round_no=number)
    _check_phase(shoe, event)
    return event


def _config_no(standing: Standing, wanted: int | None, *, whole: bool) -> int:
    highest = standing.config_no
    if wanted is None:
        if highest is None and not whole:
            raise Nonsense(
                f"the settings of {standing.table_id} may have been published before what the topic still holds: "
                "say --config-no, higher than any before"
            )
        return 1 if highest is None else highest + 1
    if highest is not None and wanted <= highest:
        raise Nonsense(f"settings {highest} of {standing.table_id} hold: --config-no must be higher than that")
    return wanted


def _plain(before: TableOpened | None, settings: Settings) -> dict[str, Any]:
    """The settings of a single value: as given, else as before, else what the contract has by default."""
    plain = {}
    for name in ("place", "bets", "road_rows", "tail", "time_zone"):
        given = getattr(settings, name)
        if given is not None:
            plain[name] = given
        elif before is not None:
            plain[name] = getattr(before, name)
    return plain


def _merged(before: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in {**before, **given}.items() if value}


def _limits(before: Mapping[str, Limit], given: Mapping[str, str]) -> dict[str, Limit]:
    return _merged(before, {bet: _limit(bet, text) if text else None for bet, text in given.items()})


def _limit(bet: str, text: str) -> Limit:
    found = _LIMIT.fullmatch(text.strip())
    if found is None or int(found[1]) > int(found[2]):
        raise Nonsense(f"the limits of {bet} are the least and the greatest stake, such as 5000-500000, not {text!r}")
    return Limit(min=int(found[1]), max=int(found[2]))


def _check_time_zone(name: str | None) -> None:
    try:
        if name is not None:
            ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Nonsense(f"there is no time zone {quote(name or '')}: write one such as Asia/Macau") from error


def _check_shoe_number(standing: Standing, number: int, *, force: bool) -> None:
    highest, table_id = standing.highest, standing.table_id
    if highest and number > highest + 1 and not force:
        raise Nonsense(
            f"{table_id} is at shoe {highest}: shoe {number} would leave {number - highest - 1} out, say --force if it "
            "is no slip of the keys"
        )
    shoe = shoe_of(standing, number) if 0 < number <= highest else None
    if shoe is not None and shoe.started is not None:
        raise Nonsense(
            f"shoe {number} of {table_id} was started {shoe.started.occurred_at} with {shoe.started.decks} decks, and "
            f"that stays; the next one is {highest + 1}"
        )


def _card(text: str | None) -> str | None:
    typed = cards(text)
    if typed is None:
        return None
    if len(typed) != 1:
        raise Nonsense(f"the burn card is one card, such as 7H, not {text!r}")
    return typed[0]


def _running(standing: Standing, shoe_no: int | None) -> ShoeStanding:
    shoe = shoe_of(open_table(standing), standing.highest if shoe_no is None else shoe_no)
    where = f"shoe {shoe.number} of {standing.table_id}"
    if shoe.ended is not None:
        raise Nonsense(
            f"{where} has ended after {shoe.ended.rounds} rounds: `beadplate producer open-shoe {standing.table_id}` "
            "opens the next one"
        )
    if shoe.number < standing.highest:
        raise Nonsense(f"{where} is over: the table is at shoe {standing.highest}")
    return shoe


def _check_phase(shoe: ShoeStanding, event: BettingOpened | BettingClosed) -> None:
    where = f"shoe {shoe.number} of {event.table_id}"
    if event.round_no <= shoe.highest_round:
        raise Nonsense(f"round {event.round_no} of {where} has its result: {where} is at round {shoe.highest_round}")
    phase = shoe.phase
    if phase is not None and phase_place(event) <= phase_place(phase):
        said = "opened" if isinstance(phase, BettingOpened) else "closed"
        raise Nonsense(f"betting on round {phase.round_no} of {where} was {said} {phase.occurred_at}, and that stays")
    reached = max(shoe.highest_round, phase.round_no if phase else 0)
    if event.round_no > reached + 1:
        raise Nonsense(f"{where} is at round {reached}: betting on round {event.round_no} would leave a gap")
