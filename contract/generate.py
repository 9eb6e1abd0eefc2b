"""Write the machine-readable contract into ``docs/``, or check that what stands there is what the code says.

``python -m contract.generate`` writes; with ``--check`` it changes nothing, names the files that differ and ends
with exit status 1 if there are any.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from contract.asyncapi import document
from contract.schema import events, schema_of
from contract.tables import topics_page
from contract.topics import event_name

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"


def files() -> dict[Path, str]:
    """Path under ``docs/`` and content of every generated file."""
    schemas = {Path("schemas", f"{event_name(event)}.json"): _pretty(schema_of(event)) for event in events()}
    return {**schemas, Path("asyncapi.json"): _pretty(document()), Path("topics.md"): topics_page()}


def drift(docs: Path) -> Iterator[Path]:
    """The files under ``docs`` that are missing, differ, or are schemas of no event."""
    wanted = files()
    for path, content in wanted.items():
        target = docs / path
        if not target.is_file() or target.read_text(encoding="utf-8") != content:
            yield target
    for left in sorted((docs / "schemas").glob("*.json")):
        if left.relative_to(docs) not in wanted:
            yield left


def write(docs: Path) -> None:
    """Bring ``docs`` to what the code says; schemas of events that are gone are removed."""
    wanted = files()
    for target in list(drift(docs)):
        content = wanted.get(target.relative_to(docs))
        if content is None:
            target.unlink()
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Run the command; the exit status is 1 where ``--check`` finds a difference."""
    parser = argparse.ArgumentParser(prog="python -m contract.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, say what differs")
    parser.add_argument("--docs", type=Path, default=DOCS, help="folder of the documents")
    settings = parser.parse_args(arguments)
    if not settings.check:
        write(settings.docs)
        return 0
    drifted = list(drift(settings.docs))
    for path in drifted:
        sys.stderr.write(f"{path} is not what the contract says: run python -m contract.generate\n")
    return 1 if drifted else 0


def _pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
