"""Alerts: notices of a processor for people."""

import datetime as dt
from typing import Literal

from contract.alerts import Alert, AlertKind
from contract.codec import encode
from contract.rounds import Event
from contract.scalars import render_instant
from contract.topics import ALERTS
from processors.effects import Out, Record
from processors.verdicts import Refusal

State = Literal["raised", "changed", "cleared"]


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


def notice_of(event: Event, refusal: Refusal) -> list[Out]:
    """The notice that goes with a verdict that people should know of; none for the other refusals."""
    kind = refusal.code
    if kind not in ("conflict", "too_old", "shoe_jump"):
        return []
    shoe_no, round_no = getattr(event, "shoe_no", None), getattr(event, "round_no", None)
    subject = "/".join(str(number) for number in (shoe_no, round_no) if number is not None) or event.table_id
    message = f"A record was refused: {refusal.message}."
    return [
        alert(kind, event.table_id, event.occurred_at, message, subject=subject, shoe_no=shoe_no, round_no=round_no)
    ]
