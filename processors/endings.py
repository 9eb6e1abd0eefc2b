"""How a processor's process ends by itself: at once, without a commit, with one line that says what to do."""

import os
from typing import Final, NoReturn

import structlog

log: Final = structlog.get_logger("processors")

TROUBLE: Final = 3
"""Exit code of a fault that a restart may cure."""
REFUSED: Final = 1
"""Exit code where a restart cures nothing: somebody has to act first."""


class RestartIsNoCure(Exception):
    """What ends a processor until somebody acts; the message says what to do."""


def die(why: str, *, code: int = TROUBLE, exc_info: bool = False, **facts: object) -> NoReturn:
    """End now, without a commit; what is not committed comes again."""
    try:
        log.critical(why, exc_info=exc_info, **facts)
    finally:
        os._exit(code)
