"""``docs/topics.md``: the topics, the processors, the dead letters' codes and the alerts as tables for people."""

from collections.abc import Iterable, Sequence
from typing import Final

from contract.alerts import KINDS
from contract.dead_letters import CODES, DeadLetter
from contract.topics import CATALOGUE, CHANGELOGS, MIB, PARTITIONS, PROCESSORS, Topic, event_name

_HEAD: Final = f"""\
# Topics

This page is made by `python -m contract.generate` from `contract/topics.py`; the same catalogue makes the topics
themselves (`beadplate topics apply`) and the [AsyncAPI document](asyncapi.json).

Every topic has the same number of partitions ({PARTITIONS} unless told otherwise), and a record lies where Kafka's
murmur2 puts its key: the default of the Java client and of aiokafka; librdkafka needs
`partitioner=murmur2_random`.
"""


_ALERTS: Final = """\
An alert is `raised`, may be `changed`, and is `cleared` where it tells of a state that lasts; its table, `kind` and
`subject` name it. Alerts may repeat and differ with the order of arrival. Each says in words what can be done.
"""


def topics_page() -> str:
    """The page in Markdown."""
    return "\n".join(
        (
            _HEAD,
            _table(
                ("topic", "what stands in it", "events", "key", "cleanup", "kept", "largest", "read by"),
                map(_row, CATALOGUE),
            ),
            "\n## Processors\n",
            _table(
                ("processor", "consumer group", "reads", "writes"),
                (
                    (name, _code(processor.group), _names(processor.sources), _names(processor.outputs))
                    for name, processor in PROCESSORS.items()
                ),
            ),
            "\nTheir rows are kept in changelogs of their own, which nobody else reads:\n",
            _table(("changelog", "cleanup", "largest"), ((_code(t.name), t.cleanup, _size(t)) for t in CHANGELOGS)),
            "\n## Dead letters\n",
            "A dead letter has the key and the value of the record, untouched, and the headers "
            + ", ".join(map(_code, DeadLetter._fields))
            + ", all of them text. `code` is one of:\n",
            _table(("code", "meaning"), ((_code(code), meaning) for code, meaning in CODES.items())),
            "\n## Alerts\n",
            _ALERTS,
            _table(
                ("kind", "raised when", "subject", "value", "cleared when"),
                ((_code(name), *kind) for name, kind in KINDS.items()),
            ),
            "",
        )
    )


def _row(topic: Topic) -> tuple[str, ...]:
    names = [event_name(event) for event in topic.events]
    return (
        _code(topic.name),
        topic.purpose,
        ", ".join(f"[{name}](schemas/{name}.json)" for name in names) or "any bytes",
        topic.key,
        topic.cleanup.replace(",", ", "),
        "for ever" if topic.retention_days is None else f"{topic.retention_days} days",
        _size(topic),
        ", ".join(topic.consumers),
    )


def _size(topic: Topic) -> str:
    return f"{topic.max_message_bytes / MIB:g} MiB"


def _names(topics: Iterable[Topic]) -> str:
    return ", ".join(_code(topic.name) for topic in topics)


def _code(text: str) -> str:
    return f"`{text}`"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
