"""The peers: a Go server and a near-limit server in C, built by their own setup.sh. Never required.

Their routes, database and load script are their own; only the names of the rows are matched to ours.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import servers
from servers import Server
from wrk import Load

POSTGRES_PORT = "55432"
POSTGRES_BIN = Path("/usr/lib/postgresql/15/bin")
CASES = {
    "health": "health",
    "signin-es256": "auth",
    "signin-rs256": "authrs",
    "list": "list",
    "one": "one",
    "create": "post",
    "image": "image",
}
# name: (program, settings)
PROGRAMS = {
    "C-go": ("goapp", {"POOL": "16"}),
    "L-limit": ("limit", {"NPG": "1"}),
}


class Peers:
    """Where they are: `source` holds their scripts, `home` what setup.sh built."""

    def __init__(self, source: Path, home: Path) -> None:
        self.source, self.home = source, home

    @staticmethod
    def find(root: Path, wanted: str | None) -> "Peers | None":
        """None, with a word about it, when they are not there or not built."""
        source = Path(wanted).resolve() if wanted else (root / "../shared/peers").resolve()
        if not (source / "bench/wrk.lua").is_file():
            print("no peers: measuring without them" if not wanted else f"no peers in {source}: measuring without them")
            return None
        home = Path(os.environ.get("PEERS_HOME", root / ".peers")).resolve()
        if not all((home / "bin" / program).is_file() for program, _ in PROGRAMS.values()):
            print(f"peers not built in {home}: run {source}/setup.sh {home}, or set PEERS_HOME; measuring without them")
            return None
        return Peers(source, home)

    @contextmanager
    def running(self, log_folder: Path) -> Iterator[list[Server]]:
        was_up = self._is_database_up()
        if not was_up:
            self._control_database("start")
        processes = []
        try:
            found = []
            for name, (program, settings) in PROGRAMS.items():
                port = servers.free_port()
                url = f"http://127.0.0.1:{port}"
                environment = {**os.environ, "BENCH_DIR": str(self.home / "data"), "PORT": str(port), **settings}
                words = [str(self.home / "bin" / program)]
                process, _ = servers.start(words, environment, self.home, url, log_folder / f"{name}.log")
                processes.append(process)
                found.append(Server(name, url, process.pid, self._load, self._postmaster(), self._clean))
            yield found
        finally:
            for process in processes:
                servers.stop(process)
            if not was_up:
                self._control_database("stop")

    def _load(self, row: str, _seconds: float) -> Load:
        return Load(self.source / "bench/wrk.lua", [CASES[row]], {"BENCH_DIR": str(self.home / "data")})

    def _clean(self) -> None:
        for statement in (
            "truncate sessions",
            "delete from drawings where created_at > now() - interval '1 day'",
            "vacuum users, drawings",
            "checkpoint",
        ):
            words = ["psql", "-X", "-q", "-h", "127.0.0.1", "-p", POSTGRES_PORT, "-U", "bench", "-c", statement, "bench"]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)

    def _postmaster(self) -> int:
        return int((self.home / "pg/postmaster.pid").read_text(encoding="ascii").split("\n", 1)[0])

    def _is_database_up(self) -> bool:
        words = [str(POSTGRES_BIN / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", POSTGRES_PORT]
        return subprocess.run(words, check=False).returncode == 0

    def _control_database(self, verb: str) -> None:
        words = [str(POSTGRES_BIN / "pg_ctl"), "-D", str(self.home / "pg"), "-l", str(self.home / "pg/server.log"), "-w", verb]
        if os.geteuid() == 0:
            words = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *words]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, cwd="/")
