"""Alerts: notices of a processor for people."""

import datetime as dt
from typing import Final

from contract.alerts import Alert, AlertKind
from contract.codec import encode
from contract.rounds import Event
from contract.scalars import render_instant
from contract.topics import ALERTS
from processors.alarms import State
from processors.effects import Out, Record
from processors.verdicts import Refusal


def alert(
    kind: AlertKind,
    table_id: str,
    occurred_at: str,
    message: str,
    *,
    subject: str,
    state: State = "raised",
    shoe_no: int | None = None,
    round_no: int | None = None,
    value: int | None = None,
) -> Out:
    """A notice for people."""
    notice = Alert(
        table_id=table_id,
        occurred_at=occurred_at,
        kind=kind,
        subject=subject,
        state=state,
        shoe_no=shoe_no,
        round_no=round_no,
        value=value,
        message=message,
    )
    return Out(ALERTS, table_id.encode(), encode(notice))


def appended_at(record: Record) -> str:
    """When the broker took the record."""
    return render_instant(dt.datetime.fromtimestamp(record.timestamp / 1000, dt.UTC))


_WHAT_TO_DO: Final = {
    "conflict": (
        "Two producers may speak for one table, or a number was used twice: "
        "publish what is right under the next revision, or under a new batch_id."
    ),
    "too_old": "It can change nothing any more: settle by hand what it was meant to change.",
    "shoe_jump": (
        "Was the number mistyped, publish the record under the right one; "
        "is it right, publish the shoe_started, then replay the dead letter."
    ),
}
"""To the notices of verdicts: what people can do."""


def notice_of(event: Event, refusal: Refusal) -> list[Out]:
    """The notice that goes with a verdict that people should know of; none for the other refusals."""
    kind = refusal.code
    if kind not in ("conflict", "too_old", "shoe_jump"):
        return []
    shoe_no, round_no = getattr(event, "shoe_no", None), getattr(event, "round_no", None)
    subject = "/".join(str(number) for number in (shoe_no, round_no) if number is not None) or event.table_id
    message = f"A record was refused: {refusal.message}. {_WHAT_TO_DO[kind]}"
    return [
        alert(kind, event.table_id, event.occurred_at, message, subject=subject, shoe_no=shoe_no, round_no=round_no)
    ]
