"""``python -m broker.install``: fetches and prepares the embedded Kafka, and says what it does; needed once."""

import logging
import sys

from broker.archive import make_archive
from broker.jars import cache_dir, locked_jars
from broker.unavailable import KafkaUnavailable


def _say(sentence: str) -> None:
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


def main() -> int:
    """0 when the embedded Kafka can be started without a network, 3 when it cannot."""
    logging.disable(logging.ERROR)  # the client reports each try of a Kafka that is just starting
    cache = cache_dir()
    try:
        jars = locked_jars(cache / "jars", progress=_say)
        _say(f"Apache Kafka is there: {len(jars)} jars in {cache / 'jars'}, each verified")
        archive = make_archive(cache)
    except KafkaUnavailable as unavailable:
        sys.stderr.write(f"{unavailable}\n")
        return 3
    _say("its classes are prepared: it starts in a second" if archive else "this Java keeps no prepared classes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
