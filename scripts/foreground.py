"""Runs a command in the terminal's foreground, in the place of this process: ``foreground.py COMMAND ARGUMENT…``.

Ctrl-C then reaches the command alone, and make, which would otherwise report an interrupted target, sees how it ends.
Without a terminal, or where make was started by a script, it just runs the command.
"""

import contextlib
import os
import signal
import sys


def main(command: list[str]) -> None:
    """Take the foreground where make has it, and become the command."""
    make_leads_its_job = os.getpgrp() == os.getppid()
    if make_leads_its_job and sys.stdin.isatty():
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
            signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # we are in the background until the next line
            os.tcsetpgrp(sys.stdin.fileno(), os.getpgrp())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
