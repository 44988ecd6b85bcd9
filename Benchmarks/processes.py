"""What processes cost, read from /proc (man 5 proc).

CPU is utime + stime in clock ticks, summed over a process and its descendants. Children that have ended and were waited for
are in their parent's cutime and cstime, so a PostgreSQL backend that came and went is not lost.
"""

import os
import re
from typing import NamedTuple

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


class Entry(NamedTuple):
    parent: int
    ticks: int


class Usage(NamedTuple):
    """Seconds of CPU since boot: of all cores, and stolen by the host."""

    busy: float
    stolen: float


def table() -> dict[int, Entry]:
    """Every process there is, by its id."""
    entries = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            continue
        # The command's name, in parentheses, may itself hold spaces and parentheses.
        fields = text[text.rindex(")") + 2 :].split()
        entries[int(name)] = Entry(int(fields[1]), sum(int(field) for field in fields[11:15]))
    return entries


def tree(root: int, entries: dict[int, Entry] | None = None) -> list[int]:
    """A process and its living descendants."""
    entries = table() if entries is None else entries
    members = [root] if root in entries else []
    for member in members:
        members += [pid for pid, entry in entries.items() if entry.parent == member]
    return members


def cpu_seconds(root: int, entries: dict[int, Entry]) -> float:
    return sum(entries[pid].ticks for pid in tree(root, entries)) / TICKS_PER_SECOND


def machine_usage() -> Usage:
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, irq, softirq, steal = (int(field) for field in file.readline().split()[1:9])
    return Usage((user + nice + system + irq + softirq) / TICKS_PER_SECOND, steal / TICKS_PER_SECOND)


def memory_mib(root: int, field: str = "VmHWM") -> float:
    """Resident memory of a process tree: VmHWM the peak, VmRSS now. Shared pages count once for each process."""
    kib = 0
    for pid in tree(root):
        try:
            with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
                found = re.search(rf"^{field}:\s+(\d+) kB", file.read(), re.MULTILINE)
        except OSError:
            continue
        kib += int(found.group(1)) if found else 0
    return kib / 1024


def reset_peak_memory(root: int) -> None:
    """Makes VmHWM start again from what is resident now."""
    for pid in tree(root):
        try:
            with open(f"/proc/{pid}/clear_refs", "w", encoding="ascii") as file:
                file.write("5")
        except OSError:
            continue  # ended meanwhile, or another user's: then the peak is that of its whole life
