"""Dead letters: the original key and value untouched, and headers that say why."""

from typing import Final, Literal, NamedTuple

DeadLetterCode = Literal[
    "undecodable",
    "invalid",
    "wrong_key",
    "wrong_partition",
    "impossible_round",
    "conflict",
    "too_old",
    "shoe_jump",
    "unknown_paytable",
]
CODES: Final[dict[DeadLetterCode, str]] = {
    "undecodable": "the value is no JSON object",
    "invalid": "the value breaks the schema of its event",
    "wrong_key": "the key is not the table_id of the event",
    "wrong_partition": "the record is not on the partition that its key names",
    "impossible_round": "the tableau forbids the hands, or fields contradict the cards",
    "conflict": "the same version, batch or fact is held with other content",
    "too_old": "the table has been shown two shoes later",
    "shoe_jump": "the shoe number is too far above the highest without a shoe_started",
    "unknown_paytable": "no pay table of this name is known; replay the letter when it is",
}
"""Every code with its meaning, the one list that documents and metrics are made from."""


class DeadLetter(NamedTuple):
    """Headers of one dead letter; ``partition`` and ``offset`` are where the record was read."""

    processor: str
    topic: str
    partition: int
    offset: int
    code: DeadLetterCode
    message: str

    def headers(self) -> list[tuple[str, bytes]]:
        """The Kafka record headers, every value as UTF-8 text."""
        return [(name, str(value).encode("utf-8", "backslashreplace")) for name, value in self._asdict().items()]
