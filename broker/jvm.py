"""The flags that Kafka's Java is started with."""

import hashlib
from pathlib import Path
from typing import Final

from broker.jars import LOCK_FILE
from broker.java import Java

FLAGS: Final = (
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:+ExitOnOutOfMemoryError",
    "-XX:+IgnoreUnrecognizedVMOptions",  # the next two are unknown to Java 17
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
    "-Djava.awt.headless=true",
    "-Dlog4j2.disableJmx=true",
    "-Dlog4j2.configurationFile=log4j2.properties",
    "-Dkafka.log=kafka.log",
)
_AOT_SINCE: Final = 25
"""First Java that makes an ahead-of-time cache in one step (JEP 514)."""


def archive_path(java: Java, cache: Path) -> Path:
    """Where the class archive stands that fits this Java, these flags and these jars."""
    fits = "\n".join([str(java.launcher.resolve()), java.banner, str(cache), LOCK_FILE.read_text(), *FLAGS])
    return cache / "archives" / f"kafka-{hashlib.sha256(fits.encode()).hexdigest()[:16]}.jsa"


def using_archive(java: Java, archive: Path) -> list[str]:
    """Flags that map a class archive."""
    if java.major < _AOT_SINCE:
        return [f"-XX:SharedArchiveFile={archive}"]
    return [f"-XX:AOTCache={archive}", "-Xlog:aot*=off"]  # it reports adapters that it links anew at every start


def making_archive(java: Java, archive: Path) -> list[str]:
    """Flags that write a class archive when Java ends."""
    return [f"-XX:AOTCacheOutput={archive}"] if java.major >= _AOT_SINCE else [f"-XX:ArchiveClassesAtExit={archive}"]
