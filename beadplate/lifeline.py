"""A child process that never outlives its parent, even one that was killed with SIGKILL.

The parent keeps the writing end of a pipe; the child reads the other one, whose number stands in the environment, and
ends itself in order when the pipe closes.
"""

import contextlib
import os
import signal
import threading
from typing import Final

VARIABLE: Final = "BEADPLATE_LIFELINE"
"""Environment name of the file descriptor that the child reads."""
GRACE_S: Final = 8.0


def follow() -> None:
    """End this process when the parent named in the environment is gone; does nothing without one."""
    descriptor = os.environ.get(VARIABLE, "")
    if descriptor.isdigit():
        threading.Thread(target=_wait, args=(int(descriptor),), daemon=True, name="lifeline").start()


def _wait(descriptor: int) -> None:
    with contextlib.suppress(OSError):
        os.read(descriptor, 1)  # returns at end of file: the parent has closed the pipe, or is dead
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(GRACE_S)
    os.kill(os.getpid(), signal.SIGKILL)
