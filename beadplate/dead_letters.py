"""``beadplate dead-letters``: what could not be taken, listed, shown, and published again after a fix."""

import sys
from collections import Counter
from datetime import UTC, datetime
from typing import Annotated, Final, Literal

import msgspec
from cyclopts import Parameter

from beadplate import running
from beadplate.endings import CHECK_FAILED, DONE, Misuse, kafka_meaning
from beadplate.logs import Logs, configure, quiet
from beadplate.operator import Switch
from beadplate.settings import KAFKA, LOGS
from beadplate.show import line, shown_key
from broker.connection import Connection
from broker.reading import read_topic
from contract.scalars import render_instant
from contract.topics import DEAD_LETTERS
from producer.dead_letters import FUTILE, HOPEFUL, BadChoice, Choice, Letter, Place, letter, moment
from producer.letter_replay import Replayed, replay
from producer.publisher import RecordRefused

Repeated = Annotated[tuple[str, ...], Parameter(negative=())]
_LONGEST: Final = 300


def list_letters(
    *,
    table: str | None = None,
    code: Repeated = (),
    processor: str | None = None,
    since: str | None = None,
    format: Literal["text", "json"] = "text",  # noqa: A002 - the flag's name
    counts: Switch = False,
    connection: Annotated[Connection, KAFKA] = Connection(),
) -> int:
    """List the dead letters, one a line, and count them by code.

    A line begins with the place of the record that was refused, rounds/7/15023: show and replay take it. "Again" is
    said of a letter whose record an earlier letter has already. Letters of one partition come in their order.

    Parameters
    ----------
    table
        Only letters whose key or value names this table.
    code
        Only letters with this code; may be given several times.
    processor
        Only letters of this processor.
    since
        Only letters written since then: 2026-11-30T18:00:00Z, or 90m, 12h, 2d ago.
    format
        A line of text or a JSON object each.
    counts
        Only count them.
    """
    quiet()
    with kafka_meaning(misuse=(BadChoice,)):
        choice = _choice(code, table, processor, since)
        return running.run(_list(connection, choice, json=format == "json", counts=counts))


async def _list(connection: Connection, choice: Choice, *, json: bool, counts: bool) -> int:
    counted: Counter[str] = Counter()
    first: dict[bytes, Place] = {}
    async for record in read_topic(connection, DEAD_LETTERS.name):
        found = letter(record)
        if not choice.takes(found):
            continue
        counted[found.code] += 1
        if not counts:
            before = first.setdefault(found.fingerprint(), found.place)
            again = None if before == found.place else before
            print(as_json(found, again) if json else as_text(found, again))
    if counts and json:
        print(msgspec.json.encode(dict(sorted(counted.items()))).decode())
    else:
        print(_counted(counted), file=sys.stdout if counts else sys.stderr)
    return DONE


def show_letter(place: str, /, *, connection: Annotated[Connection, KAFKA] = Connection()) -> int:
    """Show a dead letter whole: its headers, key and value, as JSON; and what can be done about it.

    Parameters
    ----------
    place
        Where the record was that was refused, rounds/7/15023 as the list has it; or where the letter stands itself,
        dead-letters/7/12.
    """
    quiet()
    with kafka_meaning(misuse=(BadChoice,)):
        return running.run(_show(connection, Choice(places=frozenset({Place.parse(place)})), place))


async def _show(connection: Connection, choice: Choice, place: str) -> int:
    number = 0
    async for record in read_topic(connection, DEAD_LETTERS.name):
        found = letter(record)
        if not choice.takes(found):
            continue
        number += 1
        advice = found.hindrance() or FUTILE.get(found.code) or HOPEFUL.get(found.code) or "nobody knows this code here"
        print(f"{found.place}, {_at(found)}, {printable(found.code)}: {advice}", file=sys.stderr)
        print(_indented(line(DEAD_LETTERS, record)))
    if not number:
        print(f"beadplate: no dead letter stands at {place}, nor comes from there", file=sys.stderr)
    return DONE if number else CHECK_FAILED


def replay_letters(
    places: tuple[str, ...] = (),
    /,
    *,
    table: str | None = None,
    code: Repeated = (),
    processor: str | None = None,
    since: str | None = None,
    all: Switch = False,  # noqa: A002 - the flag's name
    dry_run: Switch = False,
    connection: Annotated[Connection, KAFKA] = Connection(),
    logs: Annotated[Logs, LOGS] = Logs(),
) -> int:
    """Publish dead letters again, key and value untouched, after what refused them was mended.

    Harmless when repeated: what is held already is a duplicate, and what still cannot be taken is a dead letter again.
    A record is published once, however many letters it has. Codes that no fix cures (undecodable, wrong_key,
    impossible_round, conflict, too_old) are passed over unless --code or a place names them.

    Parameters
    ----------
    places
        Letters by the place of their record, rounds/7/15023 as the list has it, or by their own, dead-letters/7/12.
    table
        Only letters whose key or value names this table.
    code
        Only letters with this code; may be given several times.
    processor
        Only letters of this processor.
    since
        Only letters written since then: 2026-11-30T18:00:00Z, or 90m, 12h, 2d ago.
    all
        Every letter.
    dry_run
        Say what would be published, and publish nothing.
    """
    configure(logs)
    quiet()
    with kafka_meaning(misuse=(BadChoice,), trouble=(RecordRefused,)):
        choice = _choice(code, table, processor, since, places)
        if choice.names_something == all:
            raise Misuse(
                "say which letters: places such as rounds/7/15023, --code, --table, --processor or --since; or --all, "
                "and then nothing else"
            )
        return running.run(_replay(connection, choice, dry_run=dry_run))


async def _replay(connection: Connection, choice: Choice, *, dry_run: bool) -> int:
    def report(found: Letter, hindrance: str | None) -> None:
        done = "would be published" if dry_run else "published"
        print(f"{as_text(found, None)}\n    {done if hindrance is None else f'passed over: {hindrance}'}")

    replayed = await replay(connection, choice, report, dry_run=dry_run)
    print(_told(replayed, dry_run=dry_run), file=sys.stderr)
    for place in sorted(replayed.missing):
        print(f"beadplate: no dead letter stands at {place}, nor comes from there", file=sys.stderr)
    return CHECK_FAILED if replayed.missing else DONE


def as_text(found: Letter, again: Place | None) -> str:
    """One letter as a line: where the record was, code, key, time, message."""
    where = str(found.source or found.place)
    key = "no key" if found.key is None else printable(found.key.decode(errors="backslashreplace"))
    message = printable(found.message) + (f" (again, as {again})" if again else "")
    return f"{printable(where):<24} {printable(found.code):<16} {key:<12} {_at(found)}  {message}"


def as_json(found: Letter, again: Place | None) -> str:
    """One letter as a line of JSON; its value is left to ``show``."""
    described = {
        "source": str(found.source) if found.source else None,
        "letter": str(found.place),
        "at": _at(found),
        "processor": found.processor,
        "code": found.code,
        "key": shown_key(found.key),
        "message": found.message,
        "bytes": None if found.value is None else len(found.value),
        "again": str(again) if again else None,
    }
    return msgspec.json.encode(described).decode()


def printable(text: str) -> str:
    """The text without anything that a terminal would obey, and not longer than a person reads."""
    plain = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text[:_LONGEST])
    return plain + ("..." if len(text) > _LONGEST else "")


def _choice(
    codes: tuple[str, ...], table: str | None, processor: str | None, after: str | None, places: tuple[str, ...] = ()
) -> Choice:
    return Choice(
        places=frozenset(map(Place.parse, places)),
        codes=frozenset(codes),
        table=table,
        processor=processor,
        since=moment(after, datetime.now(UTC)) if after is not None else None,
    )


def _at(found: Letter) -> str:
    return render_instant(found.at)


def _counted(counted: Counter[str]) -> str:
    by_code = ", ".join(f"{printable(code)} {number}" for code, number in sorted(counted.items()))
    return f"{counted.total()} dead letters{': ' if by_code else ''}{by_code}"


def _told(replayed: Replayed, *, dry_run: bool) -> str:
    done = "would be published" if dry_run else "published, and acknowledged by Kafka"
    number = replayed.published.total()
    by_code = ", ".join(f"{printable(code)} {each}" for code, each in sorted(replayed.published.items()))
    return f"{number} {done}{f' ({by_code})' if number else ''}; {replayed.passed_over} passed over"


def _indented(text: bytes) -> str:
    try:
        return msgspec.json.format(text, indent=2).decode()
    except RecursionError:
        return text.decode()
