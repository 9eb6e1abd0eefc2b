"""Notices of any processor: ``baccarat.alerts.v1``. They may repeat and are no part of the final state."""

from typing import Final, Literal, NamedTuple

from contract.rounds import Event

AlertKind = Literal[
    "clock",
    "conflict",
    "dead_letter_flood",
    "dealt_while_closed",
    "gap",
    "good_road",
    "impossible_count",
    "late_slips",
    "limit",
    "retention_lost",
    "shoe_jump",
    "too_old",
    "unknown_paytable",
    "unsettled",
]


class Kind(NamedTuple):
    """What an alert of one kind tells: when it is raised, what its subject and value are, when it is cleared.

    ``cleared`` is empty where the alert tells of something that happened, and not of a state that lasts.
    """

    raised: str
    subject: str
    value: str
    cleared: str


KINDS: Final[dict[AlertKind, Kind]] = {
    "gap": Kind(
        "a round is missing, and five later numbers or two minutes of records have come",
        "shoe/round",
        "1",
        "the round arrives or is voided, or the shoe is left for good",
    ),
    "good_road": Kind(
        "a pattern runs at the end of the shoe, as long as its threshold; changed: it has grown",
        "shoe/kind/side",
        "its length",
        "it is broken, corrected away, or the shoe is over",
    ),
    "impossible_count": Kind(
        "a card, or without suits a rank, was seen more often in the shoe than its packs have it",
        "shoe/card",
        "how often",
        "corrections or voids bring it down",
    ),
    "dealt_while_closed": Kind("a round was dealt on a closed table", "table", "", "the table is opened"),
    "clock": Kind(
        "a source's time is more than five minutes from Kafka's", "topic", "seconds, below 0: slow", "they agree again"
    ),
    "conflict": Kind("other content came under numbers that are held", "shoe/round", "", ""),
    "too_old": Kind("a record came when its topic had shown the table two shoes later", "shoe/round", "", ""),
    "shoe_jump": Kind("a shoe number came far above the highest", "shoe/round", "", ""),
    "late_slips": Kind("slips were placed after betting had closed, and are refused", "batch", "slips", ""),
    "limit": Kind(
        "one bettor's stakes on one bet lie outside the table's limits; they are ruled like all others",
        "batch",
        "minor units above the limits in all",
        "",
    ),
    "unsettled": Kind(
        "batches wait for a round although the table is at a later shoe; changed: more of them, or given up, and then "
        "it stays: give their stakes back by hand",
        "shoe/round",
        "batches",
        "the round arrives or is voided in time",
    ),
    "unknown_paytable": Kind(
        "a round names a pay table that the settlements processor does not know",
        "shoe/round",
        "1",
        "the round is settled, or its shoe left behind",
    ),
    "dead_letter_flood": Kind(
        "more than 100 records in a row of one table, or of unknown keys, were refused; changed: ten times as many",
        "topic",
        "records",
        "one of the table is taken; unknown keys: ten quiet minutes",
    ),
    "retention_lost": Kind("records were deleted before the processor had read them", "topic/partition", "records", ""),
}
"""Every kind, the one list that documents are made from."""


NEWS: Final[frozenset[AlertKind]] = frozenset({"good_road"})
"""Kinds that tell of no trouble: nobody has to act on them."""


class Alert(Event, frozen=True, kw_only=True, tag="alert"):
    """Something a person should look at: ``kind`` and ``subject`` name it within its table, ``value`` measures it."""

    kind: AlertKind
    subject: str
    state: Literal["raised", "changed", "cleared"]
    shoe_no: int | None = None
    round_no: int | None = None
    value: int | None = None
    message: str
