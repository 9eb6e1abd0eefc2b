"""What an operator says of a round: dealt, corrected, voided. Pure: a table's standing and the wish in, an event out.

An event repeats the whole round. The command fills in pay table, end of betting and free hand from the version
before; of the result nothing is taken over, for what was wrong in it is what is being corrected.
"""

import re
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple

from baccarat.paytables import UnknownPaytable, load
from contract.rounds import BettingClosed, Played, RoundCorrected, RoundDealt, RoundVersion, RoundVoided
from contract.scalars import MAX_REVISION, OutcomeName, canonical_instant
from producer.nonsense import Nonsense, made, named, open_table, shoe_of, told
from producer.standing import ShoeStanding, Standing, facts_of

PAYTABLE: Final = "classic@1"
"""What a round is paid by where neither the command nor any round of the table names a pay table."""
_SEPARATORS: Final = re.compile(r"[\s,]+")
_IDENTITY: Final = {"table_id", "occurred_at", "revision", "reason", "operator"}
"""Fields of a version that are no part of what it says was dealt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What was dealt, with cards or as keyed; what is left out is unknown."""

    player: str | None = None
    "Player's cards in the order dealt, with commas: 4H,5S or 4H,5S,TC. Suits may be left out."
    banker: str | None = None
    "Banker's cards in the order dealt."
    outcome: OutcomeName | None = None
    "Who won, where the cards are not known."
    player_total: int | None = None
    "Player's total, 0 to 9, where the cards are not known."
    banker_total: int | None = None
    "Banker's total, 0 to 9, where the cards are not known."
    player_pair: bool | None = None
    "Whether Player's first two cards are a pair, where the cards are not known."
    banker_pair: bool | None = None
    "Whether Banker's first two cards are a pair, where the cards are not known."
    player_natural: bool | None = None
    "Whether Player has a natural, where the cards are not known."
    banker_natural: bool | None = None
    "Whether Banker has a natural, where the cards are not known."


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How the round's slips are settled; what is left out is as in the version before."""

    paytable: str | None = None
    "Pay table, such as classic@1; as before where it is left out."
    betting_closed_at: str | None = None
    "End of betting by the table's own clock, such as 2026-11-30T18:00:58.000Z; as before where it is left out."
    free_hand: bool | None = None
    "Whether the round was dealt without bets; as before where it is left out."


AS_BEFORE: Final = Terms()


class Signed(NamedTuple):
    """Who says it, why, and when (an instant of the contract)."""

    at: str
    operator: str
    reason: str


def correct(
    standing: Standing,
    shoe_no: int,
    round_no: int,
    *,
    result: Result,
    signed: Signed,
    terms: Terms = AS_BEFORE,
    revision: int | None = None,
    force: bool = False,
) -> RoundCorrected:
    """The next version of a round that has one. Raises ``Nonsense``."""
    shoe = shoe_of(standing, shoe_no)
    latest = shoe.latest(round_no)
    if latest is None:
        raise Nonsense(_no_round(standing, shoe, round_no))
    number = _next_revision(latest, shoe, revision)
    played = shoe.last_played(round_no)
    event = made(
        RoundCorrected,
        table_id=standing.table_id,
        occurred_at=signed.at,
        shoe_no=shoe_no,
        round_no=round_no,
        revision=number,
        **_dealt(result),
        **_terms(terms, played, standing, shoe, round_no),
        reason=_reason(signed),
        operator=signed.operator,
    )
    _check_played(event, force=force)
    if isinstance(latest, Played) and _content(latest) == _content(event):
        raise Nonsense(f"nothing would change: {named(latest)} already is what you say ({told(latest)})")
    return event


def void(
    standing: Standing, shoe_no: int, round_no: int, signed: Signed, *, revision: int | None = None
) -> RoundVoided:
    """The void of a round, or of a number that never came (then it is revision 1). Raises ``Nonsense``."""
    shoe = shoe_of(standing, shoe_no)
    latest = shoe.latest(round_no)
    if isinstance(latest, RoundVoided):
        raise Nonsense(f"nothing would change: {named(latest)} is void already ({told(latest)})")
    if latest is None and round_no > shoe.announced_rounds:
        raise Nonsense(_no_round(standing, shoe, round_no))
    if latest is None and revision not in (None, 1):
        raise Nonsense(f"round {round_no} of shoe {shoe_no} never came: its void is revision 1, not {revision}")
    return made(
        RoundVoided,
        table_id=standing.table_id,
        occurred_at=signed.at,
        shoe_no=shoe_no,
        round_no=round_no,
        revision=1 if latest is None else _next_revision(latest, shoe, revision),
        reason=_reason(signed),
        operator=signed.operator,
    )


def deal(
    standing: Standing,
    shoe_no: int | None,
    round_no: int | None,
    *,
    result: Result,
    at: str,
    terms: Terms = AS_BEFORE,
    force: bool = False,
) -> RoundDealt:
    """A round as first dealt; without numbers the next one of the highest shoe. Raises ``Nonsense``."""
    shoe = shoe_of(open_table(standing), standing.highest if shoe_no is None else shoe_no)
    number = shoe.highest_round + 1 if round_no is None else round_no
    latest = shoe.latest(number)
    if latest is not None:
        raise Nonsense(f"{named(latest)} has been published ({told(latest)}): `beadplate producer correct` changes it")
    if not force:
        _check_next(standing, shoe, number)
    event = made(
        RoundDealt,
        table_id=standing.table_id,
        occurred_at=at,
        shoe_no=shoe.number,
        round_no=number,
        revision=0,
        **_dealt(result),
        **_terms(terms, None, standing, shoe, number),
    )
    _check_played(event, force=force)
    return event


def forgotten(standing: Standing, event: RoundCorrected) -> list[str]:
    """What was known of the round in its version before and is not any more: bets that need it are given back."""
    before = standing.shoes[event.shoe_no].last_played(event.round_no)
    if before is None:
        return []
    was, is_now = facts_of(before), facts_of(event)
    names = ("player_total", "banker_total", "player_natural", "banker_natural", "player_pair", "banker_pair")
    return [name for name in names if getattr(was, name) is not None and getattr(is_now, name) is None]


def cards(text: str | None) -> tuple[str, ...] | None:
    """A hand as typed: commas or spaces between the cards, any case, 10 or T for a ten."""
    if text is None:
        return None
    typed = [card for card in _SEPARATORS.split(text.strip()) if card]
    return tuple(card.upper().replace("10", "T", 1) for card in typed)


def _dealt(result: Result) -> dict[str, Any]:
    said = {field.name: getattr(result, field.name) for field in fields(result)}
    dealt = {**said, "player": cards(result.player), "banker": cards(result.banker)}
    if (result.player is None) != (result.banker is None):
        raise Nonsense("a round has the cards of both hands: give --player and --banker, or --outcome without cards")
    if result.player is None and result.outcome is None:
        raise Nonsense("say what was dealt: --player and --banker with their cards, or --outcome as it was keyed")
    return dealt


def _terms(
    terms: Terms, before: Played | None, standing: Standing, shoe: ShoeStanding, round_no: int
) -> dict[str, Any]:
    closed = terms.betting_closed_at
    if closed is not None:
        try:
            closed = canonical_instant(closed)
        except ValueError as error:
            raise Nonsense(f"--betting-closed-at {error}") from error
    elif before is not None:
        closed = before.betting_closed_at
    else:
        closed = _betting_closed_at(shoe, round_no)
    free = terms.free_hand if terms.free_hand is not None else before is not None and before.free_hand
    paytable = terms.paytable or (before.paytable if before else _usual_paytable(standing))
    return {"paytable": paytable, "betting_closed_at": closed, "free_hand": free}


def _betting_closed_at(shoe: ShoeStanding, round_no: int) -> str | None:
    phase = shoe.phase
    return phase.occurred_at if isinstance(phase, BettingClosed) and phase.round_no == round_no else None


def _usual_paytable(standing: Standing) -> str:
    """The pay table of the table's newest round that has a result."""
    for _, shoe in sorted(standing.shoes.items(), reverse=True):
        for round_no in sorted(shoe.rounds, reverse=True):
            if (played := shoe.last_played(round_no)) is not None:
                return played.paytable
    return PAYTABLE


def _check_played(event: RoundCorrected | RoundDealt, *, force: bool) -> None:
    try:
        facts_of(event)
    except ValueError as error:
        raise Nonsense(f"that cannot have been dealt: {error}") from error
    if force:
        return
    try:
        load(event.paytable)
    except UnknownPaytable as error:
        raise Nonsense(f"{error}; name one with --paytable, or say --force if the processors know it") from error


def _check_next(standing: Standing, shoe: ShoeStanding, number: int) -> None:
    if shoe.ended is not None and number > shoe.ended.rounds:
        raise Nonsense(
            f"shoe {shoe.number} of {standing.table_id} ended after {shoe.ended.rounds} rounds: round {number} comes "
            "after its end, say --force if it was dealt all the same"
        )
    expected = max(shoe.highest_round + 1, shoe.announced_rounds)
    if number > expected:
        raise Nonsense(
            f"shoe {shoe.number} of {standing.table_id} is at round {shoe.highest_round}: round {number} would leave a "
            "gap, say --force if the rounds between were dealt"
        )


def _no_round(standing: Standing, shoe: ShoeStanding, round_no: int) -> str:
    where = f"shoe {shoe.number} of {standing.table_id}"
    if 0 < round_no <= shoe.announced_rounds:
        return f"round {round_no} of {where} never came: publish it with `beadplate producer deal`, or void it"
    return f"{where} has no round {round_no}: its highest is {shoe.announced_rounds}"


def _next_revision(latest: RoundVersion, shoe: ShoeStanding, wanted: int | None) -> int:
    free = latest.revision + 1
    if free > MAX_REVISION:
        raise Nonsense(f"{named(latest)} has had all of its {MAX_REVISION} revisions, and cannot be changed any more")
    if wanted is None or wanted == free:
        return free
    if (held := shoe.held(latest.round_no, wanted)) is not None:
        raise Nonsense(f"revision {wanted} of {named(latest)} is taken ({told(held)}); the next free one is {free}")
    if wanted < free:
        raise Nonsense(f"revision {wanted} of {named(latest)} would change nothing, for {latest.revision} is held")
    raise Nonsense(f"the next revision of {named(latest)} is {free}, not {wanted}")


def _reason(signed: Signed) -> str:
    if not signed.reason.strip():
        raise Nonsense("say why with --reason: it stands beside the round in its history")
    return signed.reason.strip()


def _content(version: Played) -> dict[str, Any]:
    return {name: getattr(version, name) for name in version.__struct_fields__ if name not in _IDENTITY}
