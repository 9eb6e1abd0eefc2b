"""The wheel has everything that the folders have: code, templates, pay tables, static files, Kafka's lock."""

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_every_file_of_every_room_is_shipped(shipped: set[str]) -> None:
    in_folders = {
        str(path.relative_to(ROOT))
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert in_folders <= shipped, f"missing from the wheel: {sorted(in_folders - shipped)}"


@pytest.mark.parametrize(
    "kind",
    [
        "broker/kafka.lock",
        "broker/log4j2.properties",
        "baccarat/paytables/*.toml",
        "dashboards/templates/*.html",
        "dashboards/static/*.css",
        "dashboards/static/*.js",
        "*/py.typed",
    ],
)
def test_what_the_code_reads_at_run_time_is_there(shipped: set[str], kind: str) -> None:
    assert [name for name in shipped if Path(name).match(kind)]


def test_nothing_else_is_shipped(shipped: set[str]) -> None:
    assert {name.split("/")[0] for name in shipped} - set(ROOMS) == {
        name.split("/")[0] for name in shipped if ".dist-info/" in name
    }


def test_the_command_is_installed(shipped: set[str]) -> None:
    assert any(name.endswith(".dist-info/entry_points.txt") for name in shipped)
