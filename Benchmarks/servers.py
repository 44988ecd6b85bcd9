"""A server under measurement, and how one is started and ended."""

import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import processes
from wrk import Load

START_SECONDS_MAX = 20
STOP_SECONDS_MAX = 35


@dataclass
class Server:
    """One that answers HTTP: `load` gives what to send for a row for so many seconds, or None where it lacks that row."""

    name: str
    url: str
    pid: int
    load: Callable[[str, float], Load | None]
    # The postmaster of its database; 0: it has none.
    postgres_pid: int = 0
    # Brings the database back to what was seeded; before each row that writes.
    clean: Callable[[], None] = field(default=lambda: None)


class DidNotStart(SystemExit):
    """The server never answered; the text names its log."""


def start(words: list[str], environment: dict[str, str], folder: Path, url: str, log: Path) -> tuple[subprocess.Popen, float]:
    """Starts a server; returns it and the milliseconds from exec to its first 200 on /healthz."""
    with open(log, "ab") as output:
        began = time.monotonic()
        process = subprocess.Popen(
            words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
        )
    while time.monotonic() - began < START_SECONDS_MAX and process.poll() is None:
        if is_healthy(url):
            return process, (time.monotonic() - began) * 1000
        time.sleep(0.0005)
    stop(process)
    raise DidNotStart(f"error: {words[0]} did not answer on {url} within {START_SECONDS_MAX} s: see {log}")


def free_port() -> int:
    """One that the kernel has free now; above those that stacks choose."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def is_healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=1) as answer:
            return answer.status == 200
    except (OSError, urllib.error.URLError):
        return False


def stop(process: subprocess.Popen) -> None:
    """TERM, and KILL when that does not help; children too, by their ids."""
    children = processes.tree(process.pid)[1:]
    process.terminate()
    try:
        process.wait(STOP_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for child in children:
        if processes.table().get(child, processes.Entry(0, 0)).parent == process.pid:
            subprocess.run(["kill", "-KILL", str(child)], check=False, stderr=subprocess.DEVNULL)
