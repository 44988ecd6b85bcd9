"""A private stack for the measurements: PostgreSQL, chilapi, the development issuer (scripts/stack)."""

import os
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import ids

ROOT = Path(__file__).resolve().parent.parent
HERE = Path(__file__).resolve().parent


class Stack:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.values: dict[str, str] = {}
        self.drawings = 0

    def up(self) -> None:
        self._command("up", "--bare", "--config", "release")
        printed = self._command("env")
        self.values = dict(word.split("=", 1) for word in shlex.split(printed))

    def down(self) -> None:
        self._command("down", "--purge")

    @property
    def url(self) -> str:
        return self.values["CHIL_PUBLIC_URL"]

    @property
    def pid(self) -> int:
        return int(self.values["CHIL_API_PID"])

    @property
    def postgres_pid(self) -> int:
        folder = Path(self.query("show data_directory"))
        return int((folder / "postmaster.pid").read_text(encoding="ascii").split("\n", 1)[0])

    def query(self, statement: str) -> str:
        """One value, as the administrator."""
        words = ["psql", "-X", "-q", "-A", "-t", "-c", statement, self.values["CHIL_ADMIN_DATABASE_URL"]]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()

    def admin(self, *words: str) -> None:
        """chiladmin, as the stack's operator."""
        names = ("CHIL_DATABASE_URL", "CHIL_KEY_FILE", "CHIL_PUBLIC_URL")
        environment = {**os.environ, "CHIL_OPERATOR": "bench", **{name: self.values[name] for name in names}}
        done = subprocess.run(
            [self.values["CHILADMIN"], *words], env=environment, capture_output=True, text=True, check=False, timeout=120
        )
        if done.returncode:
            raise SystemExit(f"error: chiladmin {shlex.join(words)}: {done.stderr.strip()}")

    def run_sql(self, file: Path, **variables: int) -> None:
        """A file, as the administrator."""
        settings = [word for name, value in variables.items() for word in ("-v", f"{name}={value}")]
        words = ["psql", "-X", "-q", *settings, "-f", str(file), self.values["CHIL_ADMIN_DATABASE_URL"]]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"error: {file.name}: {done.stderr.strip()}")

    def seed(self, drawings: int) -> None:
        """Tenants by chiladmin, as an operator makes them, for their keys are sealed; all else by SQL."""
        issuer = self.values["CHIL_ISSUER_URL"]
        client = ["--client-id", ids.CLIENT_ID, "--issuer", issuer, "--jwks-url", f"{issuer}/.well-known/jwks.json"]
        client += ["--allow-private", issuer.removeprefix("http://"), "--nonce-policy", "optional", "--development"]

        # One after another: all chiladmin make their ids in the same slot.
        for tenant in range(1, ids.TENANTS + 1):
            self.admin("tenant", "create", ids.slug(tenant))
            self.admin("client", "add", ids.slug(tenant), *client)
            # The load comes from one address, and as fast as it is served.
            self.admin("limit", "set", ids.slug(tenant), "all", "all", "1000000000", "--per", "1")
        self.run_sql(HERE / "seed.sql", drawings=drawings)
        self.drawings = drawings

    def clean(self) -> None:
        self.run_sql(HERE / "clean.sql", first_new_id=ids.first_new_id(self.drawings))

    def _command(self, verb: str, *words: str) -> str:
        done = subprocess.run(
            [str(ROOT / "scripts/stack"), verb, "--dir", str(self.folder), *words],
            stdout=subprocess.PIPE, text=True, check=False, timeout=1800,
        )
        if done.returncode:
            raise SystemExit(f"error: scripts/stack {verb} failed; its logs are in {self.folder}/log")
        return done.stdout


@contextmanager
def running(folder: Path, drawings: int, keep: bool = False) -> Iterator[Stack]:
    """A seeded stack; it is removed in the end, its database too, unless it shall be kept."""
    stack = Stack(folder)
    if folder.exists():
        stack.down()  # kept by an earlier run, or left by one that was killed
    try:
        stack.up()
        stack.seed(drawings)
        yield stack
    finally:
        if not keep:
            stack.down()
