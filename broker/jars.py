"""The jars of the embedded Kafka: ``kafka.lock`` names each with its SHA-256, and none that differs is ever run.

jgo only fetches what is missing (it does not check what it fetches). A jar is fetched into a folder aside, verified and
then moved into the cache, so that the cache never holds half a jar; a complete cache needs no network.
"""

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from broker.unavailable import KafkaUnavailable

LOCK_FILE: Final = Path(__file__).with_name("kafka.lock")
AT_ONCE: Final = 8
"""Downloads side by side."""

Fetch = Callable[["LockedJar", Path], Path]


class LockedJar(NamedTuple):
    """One line of the lock: SHA-256 in hexadecimal, and the Maven coordinate."""

    sha256: str
    group: str
    artifact: str
    version: str

    @property
    def coordinate(self) -> str:
        """``group:artifact:version``."""
        return f"{self.group}:{self.artifact}:{self.version}"

    def path_in(self, cache: Path) -> Path:
        """Where the jar stands, laid out as Maven lays out a repository."""
        folder = cache / self.group.replace(".", "/") / self.artifact / self.version
        return folder / f"{self.artifact}-{self.version}.jar"

    def stands_in(self, cache: Path) -> bool:
        """Whether the cache holds exactly the bytes that the lock names."""
        try:
            return hashlib.sha256(self.path_in(cache).read_bytes()).hexdigest() == self.sha256
        except FileNotFoundError:
            return False


def cache_dir() -> Path:
    """Beadplate's folder for what can be fetched again: ``$XDG_CACHE_HOME/beadplate``, else ``~/.cache/beadplate``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "beadplate")


def read_lock(lock_file: Path = LOCK_FILE) -> list[LockedJar]:
    """The jars that the lock names, in its order."""
    lines = (line.split() for line in lock_file.read_text().splitlines())
    return [LockedJar(sha256, *coordinate.split(":")) for sha256, coordinate in lines]


def locked_jars(
    cache: Path | None = None,
    *,
    lock: Sequence[LockedJar] | None = None,
    progress: Callable[[str], None] = lambda _: None,
    fetch: Fetch | None = None,
) -> list[Path]:
    """Paths of all jars, verified at every call; what is missing or differs is fetched anew.

    ``progress`` hears a sentence per jar fetched. Raises ``KafkaUnavailable`` where a jar cannot be had.
    """
    jars = read_lock() if lock is None else lock
    cache = cache_dir() / "jars" if cache is None else cache
    with _alone(cache), ThreadPoolExecutor(AT_ONCE) as pool:
        stand = list(pool.map(lambda jar: jar.stands_in(cache), jars))
        missing = [jar for jar, stands in zip(jars, stand, strict=True) if not stands]
        if missing:
            progress(f"fetching {len(missing)} of the {len(jars)} jars of Apache Kafka (45 MB in all)")
            _fetch_all(missing, cache, pool, progress, fetch or _fetch_with_jgo)
    return [jar.path_in(cache) for jar in jars]


@contextmanager
def _alone(cache: Path) -> Iterator[None]:
    """One process at a time in the cache."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        lock = (cache / ".lock").open("w")
    except OSError as error:
        raise KafkaUnavailable(
            f"the cache {cache} cannot be written ({error.strerror}): make it writable or set XDG_CACHE_HOME"
        ) from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _fetch_all(
    missing: Sequence[LockedJar], cache: Path, pool: ThreadPoolExecutor, progress: Callable[[str], None], fetch: Fetch
) -> None:
    with tempfile.TemporaryDirectory(dir=cache, prefix=".fetching-") as aside:
        done = pool.map(lambda jar: _fetch_one(jar, cache, Path(aside), fetch), missing)
        for number, jar in enumerate(done, 1):
            progress(f"  {number}/{len(missing)} {jar.artifact} {jar.version}")


def _fetch_one(jar: LockedJar, cache: Path, aside: Path, fetch: Fetch) -> LockedJar:
    try:
        fetched = fetch(jar, aside)
        digest = hashlib.sha256(fetched.read_bytes()).hexdigest()
        if digest != jar.sha256:
            raise KafkaUnavailable(
                f"{jar.coordinate} as fetched has SHA-256 {digest}, not the one in kafka.lock, and is not used: "
                "something between here and Maven Central changes files"
            )
        target = jar.path_in(cache)
        target.parent.mkdir(parents=True, exist_ok=True)
        fetched.replace(target)
    except OSError as error:  # the errors of requests, which jgo fetches with, are OSErrors too
        raise _unfetched(jar, error) from error
    return jar


def _fetch_with_jgo(jar: LockedJar, aside: Path) -> Path:
    from jgo.maven import MavenContext  # noqa: PLC0415 - heavy, and needed on the first start only

    component = MavenContext(repo_cache=aside).project(jar.group, jar.artifact).at_version(jar.version)
    try:
        return Path(component.artifact().resolve())
    except (RuntimeError, AssertionError) as error:  # not there, or broken off on the way
        raise _unfetched(jar, error) from error


def _unfetched(jar: LockedJar, error: Exception) -> KafkaUnavailable:
    why = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
    return KafkaUnavailable(
        f"{jar.coordinate} is not in the cache and could not be fetched from Maven Central ({why}): "
        "the first start needs the network, later ones do not"
    )
