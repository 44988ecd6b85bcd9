"""What this machine can do at all: nginx with a static answer, PostgreSQL with the service's own query, OpenSSL's verify."""

import os
import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import ids
import processes
import servers
from measure import Measurement, Plan
from rows import PAGE
from servers import Server
from stack import Stack
from wrk import Load, Replay

PGBENCH = "/usr/lib/postgresql/15/bin/pgbench"
PGBENCH_CLIENTS = 8
# Lists in one pipeline of pgbench.
PIPELINE = 10

NGINX_SETTINGS = """\
daemon off; worker_processes {workers}; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 4096; }}
http {{
    access_log off; keepalive_requests 1000000000; tcp_nodelay on;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        location = /healthz {{ default_type text/plain; return 200 "ok"; }}
    }}
}}
"""


@contextmanager
def nginx(folder: Path, requests: Path) -> Iterator[Server]:
    """A static 200: the HTTP layer's own limit."""
    settings, port = folder / "nginx.conf", servers.free_port()
    user = "user root; " if os.geteuid() == 0 else ""
    settings.write_text(user + NGINX_SETTINGS.format(workers=os.cpu_count(), folder=folder, port=port), encoding="utf-8")
    url = f"http://127.0.0.1:{port}"
    words = ["/usr/sbin/nginx", "-c", str(settings), "-p", str(folder)]
    process, _ = servers.start(words, dict(os.environ), folder, url, folder / "nginx.out")

    def load(row: str, _seconds: float) -> Load | None:
        return Replay.of(requests) if row == "health" else None

    try:
        yield Server("nginx", url, process.pid, load)
    finally:
        servers.stop(process)


class ListQuery:
    """The statement that the service lists drawings with, seen in PostgreSQL while it runs: never a copy that could grow old."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self.text = ""

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Looks for it while the body puts the service under load."""
        over = threading.Event()

        def look() -> None:
            while not self.text and not over.wait(0.25):
                self.text = self._stack.query(
                    "select query from pg_stat_activity where usename = 'chil_service'"
                    " and query ~* 'from drawing.*order by drawing_id desc' limit 1"
                )

        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def as_script(self) -> str:
        """For pgbench: a random tenant, some of its users, and the tenant's row level security entered as the service does."""
        if not self.text:
            raise LookupError("the service's list query was not seen in pg_stat_activity")
        places = self._stack.query("select string_agg(tenant_id::text, ' ' order by slug) from tenant where slug like 'bench-__'")
        lines = [f"\\set place random(1, {ids.TENANTS})", f"\\set tenant {_choice(places.split())}"]
        if "unnest(" in self.text:
            return "\n".join([*lines, *self._gathered(), ""])
        lines.append("\\startpipeline")
        for _ in range(PIPELINE):
            lines.append(f"\\set number random(0, {ids.USERS // ids.TENANTS - 1})")
            lines.append(f"\\set owner (10000000000 + (:number * {ids.TENANTS} + :place) * 1000) * 2048")
            lines.append("select chil_enter(:tenant);")
            lines.append(" ".join(self._bound().split()) + ";")
        return "\n".join([*lines, "\\endpipeline", ""])

    def _gathered(self) -> list[str]:
        """As the service sends it under load: many lists in one statement, which enters each one's tenant by itself."""
        lines, owners = [], []
        for place in range(PIPELINE):
            owner = f"owner{place}"
            lines.append(f"\\set number random(0, {ids.USERS // ids.TENANTS - 1})")
            lines.append(f"\\set {owner} (10000000000 + (:number * {ids.TENANTS} + :place) * 1000) * 2048")
            owners.append(f":{owner}")

        def same(value: str) -> str:
            return f"array[{', '.join([value] * PIPELINE)}]"

        text = self.text
        for number, values in enumerate((same(":tenant"), f"array[{', '.join(owners)}]", same(str(2**63 - 1)), same(str(PAGE + 1))), 1):
            text = text.replace(f"${number}::", f"{values}::")
        if "$" in text:
            raise LookupError(f"a parameter of the list query is unknown to limits.py: {text}")
        return [*lines, " ".join(text.split()) + ";"]

    def _bound(self) -> str:
        """The parameters by what stands before them: `limit $4` is the page and one more."""
        text = re.sub(r"limit\s+\$\d+", f"limit {PAGE + 1}", self.text, flags=re.IGNORECASE)
        text = re.sub(r"drawing_id\s*<\s*\$\d+", f"drawing_id < {2**63 - 1}", text)
        text = re.sub(r"tenant_id\s*=\s*\$\d+", "tenant_id = :tenant", text)
        text = re.sub(r"owner_id\s*=\s*\$\d+", "owner_id = :owner", text)
        if "$" in text:
            raise LookupError(f"a parameter of the list query is unknown to limits.py: {text}")
        return text


def _choice(values: list[str]) -> str:
    """An expression of pgbench that picks the value number :place, by halving."""
    if len(values) == 1:
        return values[0]

    def choose(first: int, last: int) -> str:
        if first == last:
            return values[first - 1]
        middle = (first + last) // 2
        return f"case when :place <= {middle} then {choose(first, middle)} else {choose(middle + 1, last)} end"

    return choose(1, len(values))


def pgbench(stack: Stack, query: ListQuery, folder: Path, plan: Plan) -> Measurement:
    """Lists a second that PostgreSQL answers when nothing but pgbench stands before it."""
    result = Measurement("list", "pgbench", PGBENCH_CLIENTS)
    try:
        script = folder / "list.pgbench"
        script.write_text(query.as_script(), encoding="utf-8")
    except LookupError as unknown:
        result.failure = str(unknown)
        return result
    seconds = max(1, round(plan.seconds))
    words = [PGBENCH, "-n", "-M", "prepared", "-j", "1", "-c", str(PGBENCH_CLIENTS), "-T", str(seconds), "-f", str(script)]
    postmaster, own = stack.postgres_pid, os.times()
    before = processes.cpu_seconds(postmaster, processes.table())
    done = subprocess.run(
        [*words, stack.values["CHIL_SERVICE_DATABASE_URL"]], capture_output=True, text=True, check=False, timeout=seconds + 60
    )
    postgres_seconds = processes.cpu_seconds(postmaster, processes.table()) - before
    own_seconds = sum(os.times()[2:4]) - sum(own[2:4])
    transactions = re.search(r"actually processed: (\d+)", done.stdout)
    rate = re.search(r"^tps = ([\d.]+)", done.stdout, re.MULTILINE)
    if done.returncode or not transactions or not rate:
        result.failure = f"pgbench: {done.stderr.strip()[-400:]}"
        return result
    lists = int(transactions.group(1)) * PIPELINE
    result.rps = float(rate.group(1)) * PIPELINE
    result.cpu_ms = own_seconds * 1000 / lists
    result.pg_cpu_ms = postgres_seconds * 1000 / lists
    return result


def openssl_verify(seconds: int) -> list[Measurement]:
    """One core's signature checks: what a sign-in cannot be cheaper than."""
    results = []
    for row, name, pattern in (
        ("signin-es256", "ecdsap256", r"ecdsa \(nistp256\).*?([\d.]+)\s*$"),
        ("signin-rs256", "rsa2048", r"rsa 2048 bits.*?([\d.]+)\s*$"),
    ):
        result = Measurement(row, "openssl", 1)
        done = subprocess.run(
            ["openssl", "speed", "-seconds", str(seconds), name], capture_output=True, text=True, check=False, timeout=60
        )
        found = re.search(pattern, done.stdout, re.MULTILINE)
        if found:
            result.rps = float(found.group(1))
            result.cpu_ms = 1000 / result.rps
        else:
            result.failure = f"openssl speed {name} gave no figure"
        results.append(result)
    return results
