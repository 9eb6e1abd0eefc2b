"""Notices of any processor: ``baccarat.alerts.v1``. They may repeat and are no part of the final state."""

from typing import Literal

from contract.rounds import Event

AlertKind = Literal[
    "clock",
    "conflict",
    "dead_letter_flood",
    "dealt_while_closed",
    "gap",
    "impossible_count",
    "late_slips",
    "limit",
    "retention_lost",
    "shoe_jump",
    "too_old",
    "unknown_paytable",
    "unsettled",
]


class Alert(Event, frozen=True, kw_only=True, tag="alert"):
    """Something a person should look at: ``kind`` and ``subject`` name it, ``value`` measures it."""

    kind: AlertKind
    subject: str
    state: Literal["raised", "changed", "cleared"]
    shoe_no: int | None = None
    round_no: int | None = None
    value: int | None = None
    message: str
