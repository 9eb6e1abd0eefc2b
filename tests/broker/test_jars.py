"""Jars: nothing that differs from the lock is ever used, and the cache never holds half a jar."""

import hashlib
from pathlib import Path

import pytest

from broker.jars import LockedJar, cache_dir, locked_jars, read_lock
from broker.unavailable import KafkaUnavailable

GOOD = b"the jar"
JAR = LockedJar(hashlib.sha256(GOOD).hexdigest(), "org.example.group", "tool", "1.2")


def fetch_good(jar: LockedJar, aside: Path) -> Path:
    return written(jar, aside, GOOD)


def fetch_other(jar: LockedJar, aside: Path) -> Path:
    return written(jar, aside, b"another jar")


def fetch_nothing(jar: LockedJar, aside: Path) -> Path:
    raise ConnectionError("no network")


def written(jar: LockedJar, folder: Path, content: bytes) -> Path:
    path = jar.path_in(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_a_missing_jar_is_fetched_and_stands_where_maven_would_put_it(tmp_path: Path) -> None:
    said: list[str] = []
    (path,) = locked_jars(tmp_path, lock=[JAR], fetch=fetch_good, progress=said.append)
    assert path == tmp_path / "org/example/group/tool/1.2/tool-1.2.jar"
    assert path.read_bytes() == GOOD
    assert said == ["fetching 1 of the 1 jars of Apache Kafka (45 MB in all)", "  1/1 tool 1.2"]


def test_a_complete_cache_needs_no_network(tmp_path: Path) -> None:
    written(JAR, tmp_path, GOOD)
    assert locked_jars(tmp_path, lock=[JAR], fetch=fetch_nothing) == [JAR.path_in(tmp_path)]


def test_a_changed_jar_in_the_cache_is_fetched_anew(tmp_path: Path) -> None:
    written(JAR, tmp_path, b"changed")
    (path,) = locked_jars(tmp_path, lock=[JAR], fetch=fetch_good)
    assert path.read_bytes() == GOOD


def test_a_changed_jar_is_never_used_where_the_right_one_cannot_be_had(tmp_path: Path) -> None:
    written(JAR, tmp_path, b"changed")
    with pytest.raises(KafkaUnavailable, match=r"org\.example\.group:tool:1\.2 .*could not be fetched .*no network"):
        locked_jars(tmp_path, lock=[JAR], fetch=fetch_nothing)


def test_what_was_fetched_and_differs_from_the_lock_never_enters_the_cache(tmp_path: Path) -> None:
    with pytest.raises(KafkaUnavailable, match=r"org\.example\.group:tool:1\.2 as fetched has SHA-256 .*not used"):
        locked_jars(tmp_path, lock=[JAR], fetch=fetch_other)
    assert not list(tmp_path.rglob("*.jar"))


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KafkaUnavailable, match=r"the cache .*/file/jars cannot be written .*XDG_CACHE_HOME"):
        locked_jars(tmp_path / "file" / "jars", lock=[JAR], fetch=fetch_good)


def test_the_cache_stands_in_the_folder_that_the_desktop_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_dir() == tmp_path / "beadplate"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/someone")
    assert cache_dir() == Path("/home/someone/.cache/beadplate")


def test_the_lock_pins_one_version_of_kafka() -> None:
    jars = read_lock()
    kafka = {jar.version for jar in jars if jar.group == "org.apache.kafka"}
    assert len(kafka) == 1
    assert kafka.pop().split(".")[0] == "4"
    assert len({jar.coordinate for jar in jars}) == len(jars) == 46
    assert all(len(bytes.fromhex(jar.sha256)) == hashlib.sha256().digest_size for jar in jars)
