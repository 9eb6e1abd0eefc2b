"""Owns the Java process of the embedded Kafka, so that it never outlives the process that asked for it.

Run as a script of its own, standard library only: ``python -I -S guard.py LOCK_FD GRACE_S JAVA …``. Standard input is
a pipe from the owner that nobody writes to: when it ends, the owner has stopped, crashed or been killed with -9, and
Kafka is stopped. On Linux the kernel stops Kafka when the guard itself dies.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import threading

_PR_SET_PDEATHSIG = 1


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _note(lock_fd: int, kafka_pid: int) -> None:
    """Add the Java process to the state file, for the sentence that refuses a second instance."""
    state = json.loads(os.pread(lock_fd, 4096, 0)) | {"kafka_pid": kafka_pid}
    os.pwrite(lock_fd, json.dumps(state).encode(), 0)


def _stop_when_the_owner_is_gone(java: subprocess.Popen[bytes], grace_s: float) -> None:
    while os.read(0, 4096):
        pass
    java.terminate()
    try:
        java.wait(grace_s)
    except subprocess.TimeoutExpired:
        java.kill()


def main(arguments: list[str]) -> int:
    """Run Java until it ends or the owner does; 0 where it ended in order. It is killed ``GRACE_S`` after SIGTERM."""
    lock_fd, grace_s = int(arguments[0]), float(arguments[1])
    java = subprocess.Popen(
        arguments[2:],
        stdin=subprocess.DEVNULL,
        pass_fds=[lock_fd],
        preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509 - no thread runs yet
    )
    _note(lock_fd, java.pid)
    for stop in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stop, lambda *_: java.terminate())
    threading.Thread(target=_stop_when_the_owner_is_gone, args=[java, grace_s], daemon=True).start()
    return 0 if java.wait() in {0, 128 + signal.SIGTERM, -signal.SIGTERM} else 1


if __name__ == "__main__":
    os._exit(main(sys.argv[1:]))  # without waiting for the thread that reads
