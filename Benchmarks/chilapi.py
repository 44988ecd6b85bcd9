"""ChilAPI as a server under measurement: prepares the requests of each row."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import ids
import rows
import tokens
from measure import Measurement, Plan
from servers import Server
from stack import Stack
from wrk import Load, Replay, ReplayOnce

NAME = "chilapi"
# Requests that are sent once are made beforehand: so many a second, or more where a row has shown that it needs more.
GUESS_PER_SECOND = {"create": 14_000}
GUESS_OF_OTHERS = 8_000
SPARE = 1.25


class ChilAPI:
    def __init__(self, stack: Stack, folder: Path, plan: Plan) -> None:
        self.stack, self.plan = stack, plan
        self._folder = folder
        self._access = tokens.AccessTokens(stack)
        self._guesses: dict[str, float] = {}
        self._pictures = 1

    def server(self) -> Server:
        return Server(NAME, self.stack.url, self.stack.pid, self.load, self.stack.postgres_pid, self.clean)

    def clean(self) -> None:
        self.stack.clean()
        self._access.forget()

    def learn(self, result: Measurement) -> None:
        """How many requests a second a row took, so that the next repetition makes enough."""
        self._guesses[result.row] = max(self._guess(result.row), result.rps)

    @staticmethod
    def _guess(row: str) -> int:
        return GUESS_PER_SECOND.get(row, GUESS_OF_OTHERS)

    def load(self, row: str, seconds: float) -> Load:
        """Requests for the warm-up and the measurement, the first of them checked."""
        file = self._folder / f"{row}.requests"
        requests = self._requests(row, seconds)
        first = next(requests)
        rows.check(self.stack.url, row, first)
        if row in rows.ONCE:
            return ReplayOnce.of(file, rows.save(requests, file))
        rows.save(itertools.chain([first], requests), file)
        return Replay.of(file)

    def _requests(self, row: str, seconds: float) -> Iterator[bytes]:
        per_second = self._guesses.get(row, self._guess(row))
        count = int(per_second * seconds * SPARE) + 1_000
        if row == "health":
            return rows.health()
        if row in rows.SIGN_IN:
            return rows.sign_in(tokens.identity_tokens(self.stack, rows.SIGN_IN[row], -(-count // ids.USERS)))
        access = self._access.lasting(seconds + 60)
        if row == "create":
            self._pictures += count
            return rows.create(access, count, self._pictures - count)
        return {"list": rows.listing, "one": rows.one, "image": rows.image}[row](access)
