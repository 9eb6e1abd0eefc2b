"""Sets Beadplate up in .venv; run by make. Needs only a Python 3.11 or newer with venv, and takes uv where it is found.

``setup.py run`` makes the virtual environment, installs the locked packages, links the project, and brings the embedded
Kafka with a Java where none is found; ``setup.py develop`` also brings what the tests need. What is done is remembered,
so a second run does and downloads nothing. Every package is checked against the SHA-256 in its lock.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (3, 11)
TRIED = ("python3.13", "python3.12", "python3.11")  # every locked package has a wheel for these


def _with_another_python() -> None:
    """Start again under a Python that is new enough, or say what is missing. Must run on an old Python 3."""
    for name in TRIED:
        found = shutil.which(name)
        if found and subprocess.call([found, "-c", ""], stderr=subprocess.DEVNULL) == 0:
            os.execv(found, [found, *sys.argv])
    found = f"{sys.executable} is {sys.version.split()[0]}"
    sys.exit(f"Beadplate needs Python 3.11 or newer, and {found}: install one, or name it with make PYTHON=…")


if sys.version_info < OLDEST:
    _with_another_python()

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
MEMORY = VENV / "beadplate-setup.json"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class SetupFailed(Exception):
    """One step failed; the message says what to do."""


def main(arguments: list[str]) -> int:
    """Carry out the steps that are not done yet; 0, or 1 with a sentence on standard error."""
    os.chdir(ROOT)
    develop = arguments == ["develop"]
    try:
        make_venv()
        done = remembered()
        install_packages(done, "dev" if develop else "run")
        link_project(done)
        bring_java(done)
        bring_kafka(done)
        if develop:
            bring_browser()
    except SetupFailed as failure:
        print(f"set-up: {failure}", file=sys.stderr)
        return 1
    return 0


def make_venv() -> None:
    """Make .venv, or make it anew where its Python is gone."""
    if PYTHON.exists() and subprocess.call([PYTHON, "-c", ""], stderr=subprocess.DEVNULL) == 0:
        return
    say(f"making .venv with Python {sys.version.split()[0]}")
    if uv := working_uv():
        carry_out([uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(VENV)], "uv could not make .venv")
        return
    carry_out(
        [sys.executable, "-m", "venv", "--clear", str(VENV)],
        "this Python cannot make a virtual environment; on Debian and Ubuntu: apt install python3-venv",
    )


def install_packages(done: dict[str, str], kind: str) -> None:
    """Install the packages of one lock; what develops also runs."""
    lock = ROOT / "requirements" / f"{kind}.txt"
    if done.get(kind) == digest(lock) or (kind == "run" and done.get("dev") == digest(lock.with_name("dev.txt"))):
        return
    number = sum("==" in line for line in lock.read_text().splitlines())
    say(f"fetching {number} packages, each checked against requirements/{lock.name}")
    carry_out(
        [*pip_install(), "--require-hashes", "-r", str(lock)],
        "the packages could not be installed (why stands above); the first set-up needs the network",
    )
    remember(done, kind, digest(lock))


def link_project(done: dict[str, str]) -> None:
    """Install Beadplate itself, so that it runs from these folders."""
    key = digest(ROOT / "pyproject.toml") + str(ROOT)
    if done.get("project") == key:
        return
    command = [*pip_install(), "--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
    carry_out(command, "Beadplate itself could not be installed")
    remember(done, "project", key)


def bring_java(done: dict[str, str]) -> None:
    """Use the Java of this machine, or install one beside the packages where there is none of 17 or newer."""
    key = f"{os.environ.get('JAVA_HOME')} {shutil.which('java')}"
    if done.get("java") == key:
        return
    found = subprocess.run([PYTHON, "-m", "broker.java"], capture_output=True, text=True, check=False)
    if found.returncode:
        say("fetching a Java (35 MB), since none of 17 or newer is here")
        carry_out(
            [*pip_install(), "--require-hashes", "-r", str(ROOT / "requirements" / "java.txt")],
            "a Java could not be fetched (why stands above); install Java 17 or newer and set JAVA_HOME",
        )
    else:
        say(f"using the Java at {found.stdout.strip()}")
    remember(done, "java", key)


def bring_kafka(done: dict[str, str]) -> None:
    """Fetch and verify the jars of Kafka and prepare its classes."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "beadplate")
    key = f"{digest(ROOT / 'broker' / 'kafka.lock')} {cache} {done['java']}"
    if done.get("kafka") == key and (cache / "jars").is_dir():
        return
    carry_out([str(PYTHON), "-m", "broker.install"], "the embedded Kafka is not there")
    remember(done, "kafka", key)


def bring_browser() -> None:
    """A Chromium for the tests that look at the page."""
    if any(shutil.which(name) for name in BROWSERS):
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        say("installing Chromium for the browser tests")
        env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        failure = "Chromium could not be installed (why stands above); the browser tests need it"
        carry_out(["apt-get", "update", "-qq"], failure, env=env)
        carry_out(["apt-get", "install", "-qq", "-y", "--no-install-recommends", "chromium"], failure, env=env)
    if not any(shutil.which(name) for name in BROWSERS):
        raise SetupFailed("the browser tests need Chromium or Chrome, and neither is on the PATH: install one")


def working_uv() -> str | None:
    """The path of uv, where it is there and runs."""
    uv = shutil.which("uv")
    if uv and subprocess.run([uv, "--version"], capture_output=True, check=False).returncode == 0:
        return uv
    return None


def pip_install() -> list[str]:
    """The beginning of a command that installs into .venv."""
    if uv := working_uv():
        return [uv, "pip", "install", "--quiet", "--python", str(PYTHON)]
    if subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True, check=False).returncode:
        carry_out([str(PYTHON), "-m", "ensurepip"], ".venv has no pip; delete .venv and start again")
    return [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]


def remembered() -> dict[str, str]:
    """What was done, by step: a key of all that it depends on."""
    try:
        done = json.loads(MEMORY.read_text())
    except (OSError, ValueError):
        return {}
    return done if isinstance(done, dict) else {}


def remember(done: dict[str, str], step: str, key: str) -> None:
    """Note that a step is done."""
    done[step] = key
    MEMORY.write_text(json.dumps(done, indent=1))


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def carry_out(command: list[str], failure: str, env: dict[str, str] | None = None) -> None:
    """Run a command whose output people see. Raises ``SetupFailed`` with the sentence ``failure``."""
    sys.stdout.flush()
    try:
        code = subprocess.call(command, stdin=subprocess.DEVNULL, env=env)
    except OSError as error:
        raise SetupFailed(f"{failure} ({error})") from error
    if code:
        raise SetupFailed(failure)


def say(sentence: str) -> None:
    """Tell what is going on."""
    print(f"set-up: {sentence}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
