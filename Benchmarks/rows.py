"""The rows of the table: for each the requests, and what one answer of it must look like."""

import http.client
import itertools
import json
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import ids

ALL = ("health", "signin-es256", "signin-rs256", "list", "one", "create", "image")
SIGN_IN = {"signin-es256": "ES256", "signin-rs256": "RS256"}
# These change the database, so it is cleaned before them.
WRITING = frozenset({*SIGN_IN, "create"})
# No request of these is ever sent twice.
ONCE = WRITING
PAGE = 20


class WrongAnswer(SystemExit):
    """A row that would not measure what it says."""


def health() -> Iterator[bytes]:
    yield _request("GET", "/healthz")


def listing(access: list[str]) -> Iterator[bytes]:
    for user, token in enumerate(access, start=1):
        yield _request("GET", f"/{_slug(user)}/drawings?limit={PAGE}", token)


def one(access: list[str]) -> Iterator[bytes]:
    """A drawing of each user: the one with the user's number."""
    for user, token in enumerate(access, start=1):
        yield _request("GET", f"/{_slug(user)}/drawings/{ids.drawing_id(user)}", token)


def image(access: list[str]) -> Iterator[bytes]:
    for user, token in enumerate(access[: ids.LARGE_IMAGES], start=1):
        yield _request("GET", f"/{_slug(user)}/drawings/{ids.drawing_id(user)}/image", token)


def create(access: list[str], count: int, first: int) -> Iterator[bytes]:
    """Every upload is another picture, as people's are; `first` sets them apart from those of an earlier repetition."""
    users = itertools.cycle(range(1, ids.USERS + 1))
    for number, user in zip(range(first, first + count), users):
        yield _request("POST", f"/{_slug(user)}/drawings", access[user - 1], "image/png", small_png(number))


def sign_in(tokens: Iterable[str]) -> Iterator[bytes]:
    """User after user, so that tenants take turns."""
    for user, token in zip(itertools.cycle(range(1, ids.USERS + 1)), tokens):
        body = f'{{"identityToken":"{token}"}}'.encode("ascii")
        yield _request("POST", f"/{_slug(user)}/auth/apple", None, "application/json", body)


def small_png(number: int) -> bytes:
    """A valid picture of 4 × 2 grey pixels that spell the number (RFC 2083): 8 bytes of its own, about 75 in all."""
    pixels = struct.pack(">Q", number)
    header = struct.pack(">IIBBBBB", 4, 2, 8, 0, 0, 0, 0)
    lines = b"\0" + pixels[:4] + b"\0" + pixels[4:]
    chunks = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(lines)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def save(requests: Iterable[bytes], file: Path) -> int:
    """As replay.lua reads them; returns how many. They carry tokens: for the owner's eyes alone."""
    file.touch(mode=0o600)
    count = 0
    with open(file, "wb") as output:
        for request in requests:
            output.write(b"%d\n" % len(request) + request)
            count += 1
    return count


def check(url: str, row: str, request: bytes) -> None:
    """Sends one request and looks at the answer, so that no row measures errors or empty pages."""
    head, _, body = request.partition(b"\r\n\r\n")
    first, *lines = head.decode("ascii").split("\r\n")
    method, path, _ = first.split(" ")
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=10)
    connection.request(method, path, body or None, dict(line.split(": ", 1) for line in lines))
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    if answer.status != (201 if row == "create" else 200):
        raise WrongAnswer(f"error: {row}: {method} {path}: {answer.status} {content[:300].decode(errors='replace')}")
    if row == "list" and len(json.loads(content)["data"]) != PAGE:
        raise WrongAnswer(f"error: list: not {PAGE} drawings: {content[:300].decode(errors='replace')}")
    if row == "image" and len(content) != ids.LARGE_IMAGE_BYTES:
        raise WrongAnswer(f"error: image: {len(content)} bytes instead of {ids.LARGE_IMAGE_BYTES}")
    if row in ("one", "create") and "drawingId" not in json.loads(content):
        raise WrongAnswer(f"error: {row}: no drawing: {content[:300].decode(errors='replace')}")
    if row in SIGN_IN and "accessToken" not in json.loads(content):
        raise WrongAnswer(f"error: {row}: no access token in the answer")


def _slug(user: int) -> str:
    return ids.slug(ids.tenant_of(user))


def _request(method: str, path: str, token: str | None = None, kind: str | None = None, body: bytes = b"") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    if token:
        head += f"Authorization: Bearer {token}\r\n"
    if kind:
        head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
    return head.encode("ascii") + b"\r\n" + body
