"""The guarantees: every topic has all of them, and every sentence names a test that is there."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from contract.topics import CATALOGUE, Topic

ROOT: Final = Path(__file__).parent.parent
SAID: Final = (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8")
PARTS: Final = dict(re.findall(r"^## (.+)\n((?:(?!^## ).*\n)*)", SAID, flags=re.MULTILINE))
PROOF: Final = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
MATTERS: Final = ("Delivery", "Order", "Identity", "Corrections", "Final", "Kept")


def sentences() -> list[str]:
    """Every promise: a point of a list with what follows it."""
    return [re.sub(r"\s+", " ", point) for point in re.findall(r"^- (?:.+\n)(?:  .+\n)*", SAID, flags=re.MULTILINE)]


@cache
def names_of(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize("topic", CATALOGUE, ids=lambda topic: topic.name)
def test_every_topic_has_every_guarantee(topic: Topic) -> None:
    part = PARTS[f"`{topic.name}`"]
    assert [matter for matter in MATTERS if f"- **{matter}" not in part] == []


def test_no_topic_is_promised_that_is_not_in_the_catalogue() -> None:
    promised = {match[1] for match in re.finditer(r"`(baccarat\.[\w.-]+)`", SAID)}
    assert promised == {topic.name for topic in CATALOGUE}


def test_every_sentence_names_a_test() -> None:
    assert len(sentences()) > 50
    assert [sentence for sentence in sentences() if not PROOF.search(sentence)] == []


def test_every_test_that_is_named_is_there() -> None:
    named = PROOF.findall(SAID)
    assert SAID.count("::") == len(named)
    assert [f"{path}::{name}" for path, name in named if name not in names_of(path)] == []


@pytest.mark.parametrize("topic", CATALOGUE, ids=lambda topic: topic.name)
def test_what_is_said_to_be_kept_is_what_the_catalogue_says(topic: Topic) -> None:
    kept = re.search(r"- \*\*Kept\*\* (for ever|\d+ days)(, the newest)?", PARTS[f"`{topic.name}`"])
    assert kept is not None
    assert kept[1] == ("for ever" if topic.retention_days is None else f"{topic.retention_days} days")
    assert (kept[2] is not None) == ("compact" in topic.cleanup)
