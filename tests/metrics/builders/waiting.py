"""Waiting for other processes: until something is true, and whether one still runs."""

import time
from pathlib import Path

PATIENCE = 300  # seconds; only a test that would wait for ever reaches it


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"nothing happened for {PATIENCE} seconds"
        time.sleep(0.02)


def is_running(pid):
    """Return whether a process runs; one that ended and that nobody waits for is a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:  # it may also end while its state is read
        return False
