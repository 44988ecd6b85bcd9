"""Medians over the repetitions, the table with its ratios, and the JSON."""

import json
from pathlib import Path
from statistics import median

import rows
from measure import Measurement

OURS, LIMIT, GO = "chilapi", "L-limit", "C-go"
# Server CPU per request: at most so many times that of the near-limit server.
GOALS = {
    "health": 2.5,
    "signin-es256": 1.5,
    "signin-rs256": 1.5,
    "list": 2.5,
    "one": 2.5,
    "create": 2.5,
    "image": 1.75,
}
# PostgreSQL's own CPU on reads, likewise.
POSTGRES_GOAL = 1.5
READS = ("list", "one", "image")
# The slowest of a hundred lists when this many connections ask at once, ms.
CROWD, CROWD_GOAL_MS = 1024, 150


def medians(results: list[Measurement]) -> list[Measurement]:
    """One for each row and server, in the order of the rows; a repetition that failed makes the whole failed."""
    groups: dict[tuple[str, str, int], list[Measurement]] = {}
    for result in results:
        groups.setdefault((result.row, result.server, result.connections), []).append(result)
    order = {row: place for place, row in enumerate(rows.ALL)}
    return [_median(group) for _, group in sorted(groups.items(), key=lambda item: order.get(item[0][0], len(order)))]


def _median(group: list[Measurement]) -> Measurement:
    def of(name: str) -> float | None:
        values = [getattr(result, name) for result in group if getattr(result, name) is not None]
        return median(values) if values else None

    first = group[0]
    return Measurement(
        first.row, first.server, first.connections, of("rps") or 0, of("p50_ms"), of("p99_ms"), of("cpu_ms") or 0, of("pg_cpu_ms"),
        max((result.rss_mib for result in group if result.rss_mib is not None), default=None),
        sum(result.errors for result in group), of("other_cores") or 0,
        next((result.failure for result in group if result.failure), ""),
    )  # fmt: skip


def table(results: list[Measurement]) -> str:
    """Markdown. CPU of the server divided by that of the near-limit and of the Go server; requests/s divided by Go's."""
    lines = [
        "| row | server | req/s | p50 ms | p99 ms | CPU ms/req | PG CPU ms/req | peak RSS MiB"
        " | CPU ÷ limit | CPU ÷ Go | req/s ÷ Go |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    by_place = {(result.row, result.server): result for result in results}
    for result in results:
        limit, go = by_place.get((result.row, LIMIT)), by_place.get((result.row, GO))
        if result.failure:
            lines.append(f"| {result.row} | {result.server} | **failed**: {result.failure} |" + " |" * 8)
            continue
        cells = [
            result.row,
            result.server,
            f"{result.rps:,.0f}",
            _number(result.p50_ms, 2),
            _number(result.p99_ms, 2),
            _number(result.cpu_ms, 4),
            _number(result.pg_cpu_ms, 4),
            _number(result.rss_mib, 0),
            _ratio(result.cpu_ms, limit and limit.cpu_ms),
            _ratio(result.cpu_ms, go and go.cpu_ms),
            _ratio(result.rps, go and go.rps),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def verdicts(results: list[Measurement]) -> str:
    """Each goal that this run can judge, with what was measured."""
    by_place = {(result.row, result.server): result for result in results if not result.failure}
    lines = []
    for row, goal in GOALS.items():
        ours, limit, go = (by_place.get((row, server)) for server in (OURS, LIMIT, GO))
        if ours and limit and limit.cpu_ms:
            lines.append(_verdict(row, "CPU ÷ limit", ours.cpu_ms / limit.cpu_ms, goal))
            if row in READS and ours.pg_cpu_ms and limit.pg_cpu_ms:
                lines.append(_verdict(row, "PG CPU ÷ limit", ours.pg_cpu_ms / limit.pg_cpu_ms, POSTGRES_GOAL))
        if ours and go and go.cpu_ms and ours.rps:
            lines.append(_verdict(row, "CPU ÷ Go", ours.cpu_ms / go.cpu_ms, 1))
            lines.append(_verdict(row, "Go req/s ÷ ours", go.rps / ours.rps, 1))
        if ours and row == "list" and ours.connections == CROWD:
            lines.append(_verdict(row, "p99 ms", ours.p99_ms or 0, CROWD_GOAL_MS))
    return "\n".join(lines)


def _verdict(row: str, what: str, value: float, goal: float) -> str:
    return f"{'met   ' if value <= goal else 'MISSED'} {row:13} {what:16} {value:.2f} (at most {goal:g})"


def quiet(results: list[Measurement]) -> str:
    """How far the machine was busy with something else; figures of a busy machine say little."""
    others = [result.other_cores for result in results if result.p50_ms is not None]
    if not others:
        return ""
    return f"CPU taken by others during the measurements: median {median(others):.2f}, at most {max(others):.2f} cores"


def write_json(results: list[Measurement], file: Path) -> None:
    names = ("row", "server", "connections", "rps", "p50_ms", "p99_ms", "cpu_ms", "pg_cpu_ms", "rss_mib")
    listed = []
    for result in results:
        entry = {name: _rounded(getattr(result, name)) for name in names}
        if result.failure:
            entry["failure"] = result.failure
        listed.append(entry)
    file.write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")


def _rounded(value: object) -> object:
    return round(value, 5) if isinstance(value, float) else value


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def _ratio(value: float, other: float | None) -> str:
    return f"{value / other:.2f}" if other else "–"
