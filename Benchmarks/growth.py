"""Whether a list costs the same when there are ten times as many drawings: two stacks side by side, measured in turn."""

from pathlib import Path
from statistics import median

import stack as stacks
from chilapi import ChilAPI
from measure import Measurement, Plan, measure, tell

SIZES = (100_000, 1_000_000)
GOAL = 1.15


def run(folder: Path, work: Path, plan: Plan) -> list[Measurement]:
    results = []
    with stacks.running(folder / "stack-small", SIZES[0]) as small, stacks.running(folder / "stack-large", SIZES[1]) as large:
        sides = []
        for stack in (small, large):
            requests = work / f"{stack.drawings}"
            requests.mkdir(mode=0o700, exist_ok=True)
            sides.append((stack, ChilAPI(stack, requests, plan)))
        for repetition in range(plan.repetitions):
            for stack, ours in sides if repetition % 2 == 0 else reversed(sides):
                load = ours.load("list", plan.seconds + plan.warm_seconds)
                result = measure(ours.server(), "list", load, plan)
                result.row = f"list@{stack.drawings}"
                tell(result)
                results.append(result)
    return results


def told(results: list[Measurement]) -> str:
    def cost(size: int) -> float:
        return median(result.cpu_ms + (result.pg_cpu_ms or 0) for result in results if result.row == f"list@{size}")

    small, large = (cost(size) for size in SIZES)
    if not small:
        return "no figures: see the failures above"
    return f"list at {SIZES[1]:,} drawings costs {large / small:.2f} × that at {SIZES[0]:,}, both CPUs together (goal {GOAL})"
