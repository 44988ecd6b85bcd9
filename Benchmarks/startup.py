"""How long chilapi takes from exec to its first 200 on /healthz, and its memory: idle, and with 1,024 idle connections."""

import os
import socket
import time
from pathlib import Path
from statistics import median

import processes
import servers
from measure import Measurement
from stack import Stack

STARTS = 5
IDLE_CONNECTIONS = 1024
START_GOAL_MS, IDLE_GOAL_MIB, CONNECTED_GOAL_MIB = 100, 20, 60


def run(stack: Stack, folder: Path) -> list[Measurement]:
    """A second chilapi on the stack's database, with the stack's own settings."""
    place = f"127.0.0.1:{servers.free_port()}"
    # chilapi refuses settings that it does not know, so nothing of ours is passed on.
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("CHIL_")},
        "CHIL_DATABASE_URL": stack.values["CHIL_SERVICE_DATABASE_URL"],
        "CHIL_KEY_FILE": stack.values["CHIL_KEY_FILE"],
        "CHIL_PUBLIC_URL": f"http://{place}",
        "CHIL_LISTEN": place,
    }
    times = []
    for turn in range(STARTS):
        process, milliseconds = servers.start(
            [stack.values["CHILAPI"]], environment, folder, f"http://{place}", folder / "startup.log"
        )
        try:
            times.append(milliseconds)
            if turn == STARTS - 1:
                time.sleep(1)
                idle = processes.memory_mib(process.pid, "VmRSS")
                connected = _memory_with_connections(process.pid, place)
        finally:
            servers.stop(process)
    return [
        Measurement("startup", "chilapi", 0, p50_ms=median(times), p99_ms=max(times), rss_mib=idle),
        Measurement("idle", "chilapi", IDLE_CONNECTIONS, rss_mib=connected),
    ]


def told(results: list[Measurement]) -> str:
    start, idle = results
    return "\n".join(
        [
            f"first 200 after exec: median {start.p50_ms:.0f} ms, worst of {STARTS} {start.p99_ms:.0f} ms (goal {START_GOAL_MS})",
            f"resident when idle: {start.rss_mib:.1f} MiB (goal {IDLE_GOAL_MIB})",
            f"resident with {IDLE_CONNECTIONS} idle connections: {idle.rss_mib:.1f} MiB (goal {CONNECTED_GOAL_MIB})",
        ]
    )


def _memory_with_connections(pid: int, place: str) -> float:
    """Each connection has had one answer, so that whatever a connection keeps is there."""
    host, port = place.split(":")
    connections = []
    try:
        for _ in range(IDLE_CONNECTIONS):
            connection = socket.create_connection((host, int(port)), timeout=5)
            connections.append(connection)
            connection.sendall(f"GET /healthz HTTP/1.1\r\nHost: {place}\r\n\r\n".encode("ascii"))
            if b" 200 " not in connection.recv(4096):
                raise SystemExit(f"error: connection {len(connections)} of {IDLE_CONNECTIONS} got no 200 on /healthz")
        time.sleep(1)
        return processes.memory_mib(pid, "VmRSS")
    finally:
        for connection in connections:
            connection.close()
