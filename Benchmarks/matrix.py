"""The table: every row against every server that has it, in turn, the order rotated from repetition to repetition.

Machines drift by 5 to 20 % from minute to minute, so what shall be compared is measured side by side.
"""

from contextlib import ExitStack
from pathlib import Path

import chilapi
import limits
import rows
from chilapi import ChilAPI
from measure import Measurement, Plan, measure, tell
from peers import Peers
from servers import Server
from stack import Stack


def run(stack: Stack, peers: Peers | None, wanted: list[str], plan: Plan, folder: Path) -> list[Measurement]:
    results: list[Measurement] = []

    def keep(result: Measurement) -> None:
        tell(result)
        results.append(result)

    ours = ChilAPI(stack, folder, plan)
    query = limits.ListQuery(stack)
    with ExitStack() as running:
        servers = [ours.server()]
        if peers:
            servers += running.enter_context(peers.running(folder))
        if "health" in wanted:
            requests = folder / "nginx.requests"
            rows.save(rows.health(), requests)
            servers.append(running.enter_context(limits.nginx(folder, requests)))

        for repetition in range(plan.repetitions):
            turn = repetition % len(servers)
            for row in wanted:
                for server in servers[turn:] + servers[:turn]:
                    result = _measured(server, row, plan, query)
                    if result:
                        keep(result)
                        if server.name == chilapi.NAME:
                            ours.learn(result)
                if row == "list":
                    keep(limits.pgbench(stack, query, folder, plan))
            for result in limits.openssl_verify(1):
                if result.row in wanted:
                    keep(result)
    return results


def _measured(server: Server, row: str, plan: Plan, query: limits.ListQuery) -> Measurement | None:
    seconds = plan.seconds + plan.warm_seconds
    if row in rows.WRITING:
        server.clean()
    load = server.load(row, seconds)
    if load is None:
        return None
    if row == "list" and server.name == chilapi.NAME:
        with query.watching():
            return measure(server, row, load, plan)
    return measure(server, row, load, plan)
