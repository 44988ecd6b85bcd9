"""Runs wrk: one thread, so that it leaves a core to the server, and as many connections as asked for."""

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

REPLAY = Path(__file__).with_name("replay.lua")
ANSWER_SECONDS_MAX = 5


class WrkFailed(Exception):
    """wrk gave no figures; the text says what it printed."""


@dataclass
class Load:
    """What wrk sends: a script and its words."""

    script: Path
    words: list[str]
    environment: dict[str, str] = field(default_factory=dict)

    def start(self) -> list[str]:
        return self.words

    def sent(self, count: int) -> None:
        """Told after each run how many requests left."""

    def fault(self) -> str:
        """Why what was sent is no measurement; empty when it is one."""
        return ""


@dataclass
class Replay(Load):
    """Prepared requests out of a file, in turn and over again."""

    @staticmethod
    def of(file: Path) -> "Replay":
        return Replay(REPLAY, [str(file), "loop", "0"])


@dataclass
class ReplayOnce(Load):
    """Prepared requests out of a file, none of them twice: each run goes on where the last one ended."""

    count: int = 0
    first: int = 0

    @staticmethod
    def of(file: Path, count: int) -> "ReplayOnce":
        return ReplayOnce(REPLAY, [str(file), "once"], count=count)

    def start(self) -> list[str]:
        return [*self.words, str(self.first)]

    def sent(self, count: int) -> None:
        self.first += count

    def fault(self) -> str:
        return f"all {self.count} prepared requests were used up: raise GUESS_PER_SECOND in chilapi.py" if self.first > self.count else ""


@dataclass
class Answers:
    requests: int
    seconds: float
    p50_ms: float
    p99_ms: float
    errors: int


def run(url: str, load: Load, connections: int, seconds: float) -> Answers:
    whole = max(1, round(seconds))
    words = ["wrk", "-t1", f"-c{connections}", f"-d{whole}s", f"--timeout={ANSWER_SECONDS_MAX}s", "-s", str(load.script), url]
    finished = subprocess.run(
        [*words, "--", *load.start()],
        env={**os.environ, **load.environment},
        capture_output=True,
        text=True,
        timeout=whole + 60,
        check=False,
    )
    figures = _figures(finished.stdout)
    if figures is None or not figures["requests"]:
        said = (finished.stderr + finished.stdout).strip()[-400:]
        raise WrkFailed(f"no answers from {url}: {said or 'wrk was silent'}")
    load.sent(int(figures.get("sent", 0)))
    return Answers(
        requests=int(figures["requests"]),
        seconds=figures["microseconds"] / 1e6,
        p50_ms=figures["p50"] / 1e3,
        p99_ms=figures["p99"] / 1e3,
        errors=int(figures["refused"] + figures["broken"]),
    )


def _figures(output: str) -> dict[str, float] | None:
    """The last line of replay.lua, or of the peers' script: RESULT and seven numbers in a fixed order."""
    named = re.search(r"^measured (.*)$", output, re.MULTILINE)
    if named:
        return {name: float(value) for name, value in (word.split("=") for word in named.group(1).split())}
    bare = re.search(r"^RESULT (.*)$", output, re.MULTILINE)
    if bare:
        names = ("requests", "microseconds", "p50", "p99", "max", "refused", "broken")
        return dict(zip(names, (float(word) for word in bare.group(1).split()), strict=True))
    return None
