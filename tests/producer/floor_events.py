"""Events of one table for the tests of the operator: table B07, as in the examples of the contract."""

from typing import Any

from contract.rounds import (
    BettingClosed,
    BettingOpened,
    RoundCorrected,
    RoundDealt,
    RoundsEvent,
    RoundVoided,
    ShoeEnded,
    ShoeStarted,
    TableClosed,
    TableOpened,
)
from producer.standing import Standing

AT = "2026-11-30T18:00:00.000Z"
CLOSED_AT = "2026-11-30T18:00:58.000Z"
TABLE = "B07"
PLAYER_WINS: dict[str, Any] = {"player": ("4H", "5S"), "banker": ("KD", "3C")}
BANKER_WINS: dict[str, Any] = {"player": ("KD", "7C"), "banker": ("4H", "5S")}


def opened(config_no: int = 1, **more: Any) -> TableOpened:
    settings: dict[str, Any] = {"names": {"en": "Baccarat 07"}, "currency": "EUR", **more}
    return TableOpened(table_id=TABLE, occurred_at=AT, config_no=config_no, **settings)


def closed(config_no: int) -> TableClosed:
    return TableClosed(table_id=TABLE, occurred_at=AT, config_no=config_no)


def started(shoe_no: int, decks: int = 8) -> ShoeStarted:
    return ShoeStarted(table_id=TABLE, occurred_at=AT, shoe_no=shoe_no, decks=decks)


def ended(shoe_no: int, rounds: int) -> ShoeEnded:
    return ShoeEnded(table_id=TABLE, occurred_at=AT, shoe_no=shoe_no, rounds=rounds)


def betting(shoe_no: int, round_no: int, *, open_: bool) -> RoundsEvent:
    kind = BettingOpened if open_ else BettingClosed
    return kind(table_id=TABLE, occurred_at=AT if open_ else CLOSED_AT, shoe_no=shoe_no, round_no=round_no)


def dealt(shoe_no: int, round_no: int, **more: Any) -> RoundDealt:
    result: dict[str, Any] = {**PLAYER_WINS, "paytable": "classic@1", **more}
    return RoundDealt(table_id=TABLE, occurred_at=AT, shoe_no=shoe_no, round_no=round_no, revision=0, **result)


def corrected(shoe_no: int, round_no: int, revision: int, **more: Any) -> RoundCorrected:
    result: dict[str, Any] = {**BANKER_WINS, "paytable": "classic@1", "reason": "misread", "operator": "amy", **more}
    return RoundCorrected(
        table_id=TABLE, occurred_at=AT, shoe_no=shoe_no, round_no=round_no, revision=revision, **result
    )


def voided(shoe_no: int, round_no: int, revision: int) -> RoundVoided:
    return RoundVoided(
        table_id=TABLE,
        occurred_at=AT,
        shoe_no=shoe_no,
        round_no=round_no,
        revision=revision,
        reason="exposed card",
        operator="amy",
    )


def standing(*events: RoundsEvent) -> Standing:
    """The table after these events, each of which is taken."""
    table = Standing(TABLE)
    for event in events:
        verdict = table.take(event)
        assert verdict.judgement == "new", (event, verdict)
    return table
