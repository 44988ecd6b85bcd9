"""One measurement: a server, a row, a number of connections."""

import os
import sys
import time
from dataclasses import dataclass

import processes
import wrk
from servers import Server


@dataclass
class Plan:
    """How long and how wide."""

    connections: int
    seconds: float
    warm_seconds: float
    repetitions: int


@dataclass
class Measurement:
    row: str
    server: str
    connections: int
    rps: float = 0
    p50_ms: float | None = None
    p99_ms: float | None = None
    # CPU milliseconds per request: of the server's processes, and of PostgreSQL's.
    cpu_ms: float = 0
    pg_cpu_ms: float | None = None
    rss_mib: float | None = None
    errors: int = 0
    # Cores that something else on this machine took meanwhile: the measure of how quiet it was.
    other_cores: float = 0
    failure: str = ""


def measure(server: Server, row: str, load: wrk.Load, plan: Plan) -> Measurement:
    result = Measurement(row, server.name, plan.connections)
    try:
        if plan.warm_seconds:
            wrk.run(server.url, load, plan.connections, plan.warm_seconds)
            time.sleep(0.2)
        processes.reset_peak_memory(server.pid)
        before, usage_before, own_before = processes.table(), processes.machine_usage(), _children_seconds()
        answers = wrk.run(server.url, load, plan.connections, plan.seconds)
        own, usage, after = _children_seconds() - own_before, processes.machine_usage(), processes.table()
    except wrk.WrkFailed as failed:
        result.failure = str(failed)
        return result

    server_seconds = processes.cpu_seconds(server.pid, after) - processes.cpu_seconds(server.pid, before)
    postgres_seconds = 0.0
    if server.postgres_pid:
        postgres_seconds = processes.cpu_seconds(server.postgres_pid, after) - processes.cpu_seconds(server.postgres_pid, before)
        result.pg_cpu_ms = postgres_seconds * 1000 / answers.requests
    result.rps = answers.requests / answers.seconds
    result.p50_ms, result.p99_ms = answers.p50_ms, answers.p99_ms
    result.cpu_ms = server_seconds * 1000 / answers.requests
    result.rss_mib = processes.memory_mib(server.pid)
    result.errors = answers.errors
    result.other_cores = max(0.0, usage.busy - usage_before.busy - server_seconds - postgres_seconds - own) / answers.seconds
    if load.fault():
        result.failure = load.fault()
    elif answers.errors:
        result.failure = f"{answers.errors} of {answers.requests} requests failed"
    elif server.pid not in after:
        result.failure = "the server ended"
    return result


def tell(result: Measurement) -> None:
    """Progress, a line per measurement; the tables come at the end."""
    figures = f"{result.rps:9.0f} req/s  cpu {result.cpu_ms:.4f} ms  other {result.other_cores:.2f} cores"
    note = f"  FAILED: {result.failure}" if result.failure else ""
    print(f"{time.strftime('%H:%M:%S')} {result.row:13} {result.server:9} {figures}{note}", file=sys.stderr, flush=True)


def _children_seconds() -> float:
    """CPU of the commands that this program ran and waited for: wrk's."""
    times = os.times()
    return times.children_user + times.children_system
