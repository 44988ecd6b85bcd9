"""Identity tokens of the development issuer, and the access tokens that real sign-ins give for them.

An identity token is spent by its first use and refused when older than ten minutes, so tokens are made right before the
measurement that needs them. Signing takes all cores: RS256 costs about half a millisecond a token.
"""

import http.client
import itertools
import json
import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import ids
from stack import Stack

# Access tokens live 570 to 600 s. None is used in a measurement that could outlive it.
ACCESS_SECONDS = 570
SIGN_INS_AT_ONCE = 8


class SignInFailed(SystemExit):
    """The service refused a token that should be good: nothing can be measured."""


def identity_tokens(stack: Stack, algorithm: str, per_user: int) -> Iterator[str]:
    """So many distinct ones for each user: those of users 1 to 1,000 first, then again from user 1."""
    users_each = ids.USERS // ids.TENANTS
    issuer = ["--keys", stack.values["CHIL_ISSUER_KEYS"], "--issuer", stack.values["CHIL_ISSUER_URL"], "--alg", algorithm]
    with tempfile.TemporaryDirectory(prefix="chil-tokens-") as folder:

        def make(tenant: int) -> list[str]:
            file = Path(folder) / str(tenant)
            words = [stack.values["CHILADMIN"], "dev", "token", *issuer, "--client-id", ids.CLIENT_ID, "--subject", "u"]
            words += ["--subjects", str(users_each), "--count", str(users_each * per_user), "--out", str(file)]
            done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
            if done.returncode:
                raise SystemExit(f"error: {shlex.join(words)}: {done.stderr.strip()}")
            return file.read_text(encoding="ascii").split()

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            of_tenants = list(pool.map(make, range(1, ids.TENANTS + 1)))
    return itertools.chain.from_iterable(zip(*of_tenants, strict=True))


class AccessTokens:
    """One for each user, made by signing in, and made anew before they could expire."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._tokens: list[str] = []
        self._made = 0.0

    def forget(self) -> None:
        """Their sessions are gone."""
        self._tokens = []

    def lasting(self, seconds: float) -> list[str]:
        """Tokens that are good for so long; user n's is at n - 1."""
        if not self._tokens or time.monotonic() + seconds > self._made + ACCESS_SECONDS - 30:
            self._made = time.monotonic()
            self._tokens = self._sign_in()
        return self._tokens

    def _sign_in(self) -> list[str]:
        signing = list(enumerate(identity_tokens(self._stack, "ES256", 1), start=1))
        with ThreadPoolExecutor(SIGN_INS_AT_ONCE) as pool:
            parts = pool.map(self._sign_in_some, (signing[first::SIGN_INS_AT_ONCE] for first in range(SIGN_INS_AT_ONCE)))
            access = dict(pair for part in parts for pair in part)
        return [access[user] for user, _ in signing]

    def _sign_in_some(self, signing: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """Over one connection; the users with their access tokens."""
        place = urlsplit(self._stack.url)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=10)
        access = []
        for user, token in signing:
            path = f"/{ids.slug(ids.tenant_of(user))}/auth/apple"
            connection.request("POST", path, json.dumps({"identityToken": token}), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != 200:
                raise SignInFailed(f"error: sign-in of user {user}: {answer.status} {body[:300].decode(errors='replace')}")
            access.append((user, json.loads(body)["accessToken"]))
        connection.close()
        return access
