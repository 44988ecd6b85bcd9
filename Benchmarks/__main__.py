"""The driver behind scripts/bench, which see."""

import argparse
import fcntl
import os
import resource
import signal
import sys
import tempfile
from pathlib import Path
from typing import TextIO

import growth
import matrix
import report
import rows
import stack as stacks
import startup
from measure import Plan
from peers import Peers

DRAWINGS = 100_000


def main() -> int:
    words = _words()
    _allow_descriptors(2 * words.connections + 4096)
    # Whatever ends the run also takes the servers down.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    lock = _lock()  # kept open, and so held, until the end
    plan = Plan(words.connections, words.duration, words.warm, words.reps)
    folder = stacks.ROOT / ".bench"
    folder.mkdir(mode=0o711, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="run-", dir=folder) as work:
        code = _run(words, plan, folder, Path(work))
    lock.close()
    return code


def _run(words: argparse.Namespace, plan: Plan, folder: Path, work: Path) -> int:
    if words.growth:
        results = growth.run(folder, work, plan)
        told = growth.told(results)
        results = report.medians(results)
    else:
        with stacks.running(folder / "stack", DRAWINGS, words.keep) as stack:
            if words.startup:
                results = startup.run(stack, work)
                told = startup.told(results)
            else:
                peers = Peers.find(stacks.ROOT, words.peers) if words.peers != "none" else None
                measured = matrix.run(stack, peers, words.rows, plan, work)
                results = report.medians(measured)
                told = f"{report.verdicts(results)}\n{report.quiet(measured)}"
    if not words.startup:
        print(report.table(results))
    print(f"\n{told.strip()}")
    if words.json:
        report.write_json(results, words.json)
    return 1 if any(result.failure for result in results) else 0


def _words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Measures chilapi beside its limits and its peers.")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--startup", action="store_true", help="time to the first answer, and memory, instead of the rows")
    mode.add_argument("--growth", action="store_true", help="the list at 1,000,000 drawings beside 100,000")
    parser.add_argument("--quick", action="store_true", help="one repetition of 2 s: under 3 minutes in all")
    parser.add_argument("--rows", type=_row_list, default=list(rows.ALL), metavar="A,B", help=f"of {', '.join(rows.ALL)}")
    parser.add_argument("--reps", type=_count, metavar="N", help="repetitions, whose medians are shown (default: 3)")
    parser.add_argument("--duration", type=_count, metavar="S", help="seconds of each measurement (default: 10)")
    parser.add_argument("--connections", type=_count, default=64, metavar="N", help="of wrk (default: 64)")
    parser.add_argument("--peers", metavar="DIR", help="their scripts (default: ../shared/peers), built in PEERS_HOME; or none")
    parser.add_argument("--json", type=Path, metavar="FILE", help="writes the medians there")
    parser.add_argument("--keep", action="store_true", help="leaves the stack up, in .bench/stack")
    words = parser.parse_args()
    words.reps = words.reps or (1 if words.quick else 3)
    words.duration = words.duration or (2 if words.quick else 10)
    words.warm = 1 if words.quick else 3
    return words


def _lock() -> TextIO:
    """Two measurements on one machine would measure each other: the later one waits."""
    file = open(Path(tempfile.gettempdir()) / f"chil-bench.{os.getuid()}.lock", "w", encoding="ascii")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("another scripts/bench is measuring: waiting for it to end", file=sys.stderr)
        fcntl.flock(file, fcntl.LOCK_EX)
    return file


def _row_list(text: str) -> list[str]:
    names = text.split(",")
    unknown = [name for name in names if name not in rows.ALL]
    if unknown:
        raise argparse.ArgumentTypeError(f"no such row: {', '.join(unknown)}; there are {', '.join(rows.ALL)}")
    return [name for name in rows.ALL if name in names]


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 1 to 100000")
    return int(text)


def _allow_descriptors(count: int) -> None:
    """wrk and the servers inherit the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, hard) if hard != resource.RLIM_INFINITY else count, hard))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
