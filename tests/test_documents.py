"""The documents say nothing that is not so: paths, links, commands, dependencies, decisions."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from contract.topics import PROCESSORS
from dashboards.health import metrics
from dashboards.settings import Page
from dashboards.site import Site
from processors.health import METRICS

ROOT: Final = Path(__file__).parent.parent
DOCUMENTS: Final = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text())
ENDINGS: Final = ("/", ".py", ".toml", ".html", ".js", ".json", ".lock", ".md", ".txt", ".yml")


def name(document: Path) -> str:
    return str(document.relative_to(ROOT))


def text(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def plain(document: Path) -> str:
    """Without the fenced blocks."""
    return re.sub(r"^```.*?^```$", "", text(document), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_every_link_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", plain(document))
    assert [link for link in links if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_every_path_that_is_named_exists(document: Path) -> None:
    named = [span for span in re.findall(r"`([\w@.{}-]+(?:/[\w@.{}-]*)+)`", plain(document)) if span.endswith(ENDINGS)]
    if document.name == "ARCHITECTURE.md":
        assert len(named) > 50
    assert [path for path in named if not (ROOT / path).exists() and not path.startswith("var/")] == []


def test_the_architecture_names_every_room_and_the_arrows_as_they_are_checked() -> None:
    said = text(ROOT / "ARCHITECTURE.md")
    (layers,) = [
        contract["layers"] for contract in PROJECT["tool"]["importlinter"]["contracts"] if "layers" in contract
    ]
    assert " → ".join(layers) in said
    for room in PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
        assert f"| `{room}/` |" in said


def dependencies() -> Iterator[str]:
    """Every direct dependency, of whichever kind."""
    project, build = PROJECT["project"], (ROOT / "requirements" / "build.in").read_text()
    listed = [*project["dependencies"], *PROJECT["dependency-groups"]["dev"]]
    listed += [each for extra in project["optional-dependencies"].values() for each in extra]
    for line in [*listed, *build.splitlines()]:
        if found := re.match(r"[A-Za-z][\w.-]*", line):
            yield found[0].lower()


def test_every_direct_dependency_has_its_reason_and_nothing_else_has() -> None:
    rows = re.findall(
        r"^\| ([a-z][\w-]*) \| ([^|]{10,}) \| ([^|]+) \| (\d{4}-\d{2}) \|$",
        text(ROOT / "docs/dependencies.md"),
        re.MULTILINE,
    )
    assert sorted(package for package, *_ in rows) == sorted(set(dependencies()))


def test_decisions_are_numbered_without_a_gap_and_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    pages = sorted(folder.glob("[0-9]*.md"))
    index = text(folder / "README.md")
    for number, page in enumerate(pages, 1):
        title = text(page).splitlines()[0]
        assert page.name.startswith(f"{number:04}-")
        assert title.startswith(f"# {number:04} ")
        assert re.findall(r"^## (.*)$", text(page), re.MULTILINE) == ["The question", "The decision", "What follows"]
        assert f"| [{number:04}]({page.name}) | {title[7:]} |" in index
    assert index.count("| [") == len(pages)


def test_decisions_that_others_lean_on_exist() -> None:
    pages = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    for page in pages:
        for number in re.findall(r"\((0\d{3})(?:, (0\d{3}))?\)", text(page)):
            assert all(any(other.name.startswith(each) for other in pages) for each in number if each)


def test_operations_name_every_metric_and_group() -> None:
    said = text(ROOT / "docs" / "operations.md")
    page = {f"beadplate_page_{metric.name}" for metric in metrics(Site(Page()))}
    named = set(re.findall(r"beadplate_(?:page|processor)_\w+", said))
    assert set(METRICS) <= named <= set(METRICS) | page
    assert all(f"`{processor.group}`" in said for processor in PROCESSORS.values())


def test_the_changelog_keeps_what_is_unreleased() -> None:
    assert re.findall(r"^## (.*)$", text(ROOT / "CHANGELOG.md"), re.MULTILINE)[0] == "Unreleased"


def test_the_licence_is_the_one_that_the_project_names() -> None:
    assert PROJECT["project"]["license"] == "Apache-2.0"
    licence = text(ROOT / "LICENSE")
    assert "Apache License\n                           Version 2.0, January 2004" in licence
    assert "END OF TERMS AND CONDITIONS" in licence
