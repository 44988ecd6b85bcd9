"""What Schemathesis has to know of ChilAPI: who calls, what a picture is, and what nobody else may see.

The environment names the stack: CHECK_URL, CHECK_ADMIN (the built chiladmin), CHECK_ISSUER, CHECK_ISSUER_KEYS, CHECK_CLIENT_IDS
(`tenant=client …`).
"""

import hashlib
import itertools
import os
import re
import struct
import subprocess
import threading
import zlib

import requests
import schemathesis
from hypothesis import strategies as st
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

URL = os.environ["CHECK_URL"]
CLIENTS = dict(pair.split("=") for pair in os.environ["CHECK_CLIENT_IDS"].split())
TENANTS = sorted(CLIENTS)
# What ends the session or the person that it is called by: each such call has a person of its own.
ENDING = {"deleteMe", "logout", "endSession"}

numbers = itertools.count(1)
lock = threading.Lock()


def sign_in(tenant, subject):
    """A person's access token: a nonce of the service, an identity token of the development issuer, a session."""
    nonce = requests.post(f"{URL}/{tenant}/auth/nonce", timeout=30).json()["nonce"]
    made = subprocess.run(
        [
            os.environ["CHECK_ADMIN"], "dev", "token", "--keys", os.environ["CHECK_ISSUER_KEYS"],
            "--issuer", os.environ["CHECK_ISSUER"], "--client-id", CLIENTS[tenant], "--subject", subject,
            "--nonce", hashlib.sha256(nonce.encode()).hexdigest(),
        ],
        check=True, capture_output=True, text=True, timeout=30,
    )
    body = {"identityToken": made.stdout.strip().splitlines()[-1], "nonce": nonce}
    answer = requests.post(f"{URL}/{tenant}/auth/apple", json=body, timeout=30)
    answer.raise_for_status()
    return answer.json()


def call(method, tenant, path, token=None, **words):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = requests.request(method, f"{URL}/{tenant}/{path}", headers=headers | words.pop("headers", {}), timeout=30, **words)
    answer.raise_for_status()
    return answer.json()


def drawn_by(case):
    """A number by which one of several is chosen: the same for the same request."""
    return zlib.crc32(repr(sorted((case.path_parameters or {}).items(), key=str)).encode())


def is_stateful(case):
    return case.meta is not None and case.meta.phase.name == TestPhase.STATEFUL


def tenant_of(case):
    """One for all steps of a scenario, for each is about what the one before made."""
    tenant = (case.path_parameters or {}).get("tenant")
    if is_stateful(case):
        return TENANTS[0]
    return tenant if tenant in CLIENTS else TENANTS[drawn_by(case) % len(TENANTS)]


def operation_id(case):
    return case.operation.definition.raw.get("operationId", "")


def who(case, context):
    ending = operation_id(case)
    return f"{tenant_of(case)}/{ending if ending in ENDING else 'resident'}"


@schemathesis.auth(cache_by_key=who, refresh_interval=240)
class Residents:
    """One person of each tenant, and others for what ends them."""

    def get(self, case, context):
        with lock:
            number = next(numbers)
        name = f"guest-{number}" if operation_id(case) in ENDING else "resident"
        return sign_in(tenant_of(case), name)["accessToken"]

    def set(self, case, token, context):
        case.headers["Authorization"] = f"Bearer {token}"


# MARK: Requests


class Belongings:
    """What the resident of a tenant has, made when it is first needed: numbers drawn by chance are nobody's."""

    known = {}

    @classmethod
    def of(cls, tenant):
        with lock:
            if tenant not in cls.known:
                cls.known[tenant] = cls(tenant)
            return cls.known[tenant]

    def __init__(self, tenant):
        token = sign_in(tenant, "resident")["accessToken"]
        png = {"Content-Type": "image/png"}
        self.drawing = call("POST", tenant, "drawings", token, data=picture(8, 8, 1), headers=png)["drawingId"]
        self.job = call("POST", tenant, "drawings/print", token, json={"drawingId": self.drawing})["printJobId"]
        leaving = sign_in(tenant, "leaving")["accessToken"]
        self.receipt = call("DELETE", tenant, "me", leaving)["receipt"]
        self.refresh_token = sign_in(tenant, "refreshing")["refreshToken"]


OWNED_IN_PATHS = {
    "getDrawing": ("id", "drawing"),
    "getDrawingImage": ("id", "drawing"),
    "changeDrawing": ("id", "drawing"),
    "moveDrawing": ("id", "drawing"),
    "getPrintJob": ("id", "job"),
    "getAccountDeletion": ("receipt", "receipt"),
}
OWNED_IN_BODIES = {"printDrawing": ("drawingId", "drawing"), "refresh": ("refreshToken", "refresh_token")}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Nearly always a tenant that there is, and often what somebody has there, so that more than absence is looked at."""
    path, meta = case.path_parameters, case.meta
    if not path or "tenant" not in path or meta is None or meta.is_negative_at(ParameterLocation.PATH):
        return
    drawn = drawn_by(case)
    if drawn % 16 == 0 and not is_stateful(case):
        return
    path["tenant"] = tenant_of(case)
    if is_stateful(case) or drawn % 4 == 0 or not meta.generation.mode.is_positive:
        return
    name, what = OWNED_IN_PATHS.get(operation_id(case), (None, None))
    if name in path:
        path[name] = getattr(Belongings.of(path["tenant"]), what)
    name, what = OWNED_IN_BODIES.get(operation_id(case), (None, None))
    if isinstance(case.body, dict) and name in case.body:
        case.body = case.body | {name: getattr(Belongings.of(path["tenant"]), what)}


def picture(width, height, seed):
    """A PNG of grey pixels."""
    rows = b"".join(b"\0" + bytes((seed + x * y) % 256 for x in range(width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


pictures = st.builds(picture, st.integers(1, 24), st.integers(1, 24), st.integers(0, 255))
# Told by what they are, not by what they are called: a PNG is taken under any of these names.
for media_type in ("image/png", "image/jpeg", "application/octet-stream"):
    schemathesis.openapi.media_type(media_type, pictures)
schemathesis.openapi.format("binary", pictures)


def texts(schema, value, root):
    """The texts of a value, each with the number of bytes that its schema allows."""
    if "$ref" in schema:
        found = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            found = found.get(step.replace("~1", "/").replace("~0", "~"), {})
        schema = found
    if isinstance(value, str) and "x-maxBytes" in schema:
        yield value, schema["x-maxBytes"]
    if isinstance(value, dict):
        for name, part in value.items():
            yield from texts(schema.get("properties", {}).get(name, {}), part, root)


@schemathesis.hook
def filter_body(context, body):
    """JSON Schema counts characters where the service counts bytes (`x-maxBytes`): what is between the two is neither good nor bad."""
    root = context.operation.schema.raw_schema
    contents = context.operation.definition.raw.get("requestBody", {}).get("content", {})
    for content in contents.values():
        for text, most in texts(content.get("schema", {}), body, root):
            if len(text) <= most < len(text.encode("utf-8", "surrogatepass")):
                return False
    return True


# MARK: Checks

# Why what a schema allows is refused all the same: it cannot say that a row is there, that a signature is right, that a code is good.
# By operation: the refusal's code, with the member that it is about.
BEYOND_SCHEMAS = {
    "uploadDrawing": {"idempotency-key-reused"},
    # One that is being drawn still, or moves; one or several, and not both.
    "printDrawing": {"idempotency-key-reused", "no-printer", "invalid-fields /drawingId", "invalid-fields /drawingIds"},
    "listPrintJobs": {"invalid-fields /cursor"},
    # Its drawing is gone, or its printer is.
    "retryPrintJob": {"idempotency-key-reused", "no-printer", "invalid-fields /drawingId"},
    "openScanSession": {"idempotency-key-reused"},
    "sayConsent": {"invalid-fields /notice"},
    "listDrawings": {"invalid-fields /cursor"},
    "changeMe": {"precondition-failed"},
    "changeDrawing": {"precondition-failed"},
    "generateDrawing": {"idempotency-key-reused", "wish-refused"},
    "moveDrawing": {"idempotency-key-reused", "unsupported-image", "invalid-fields /drawingId"},
    "token": {"invalid-fields /clientId"},
    "authorize": {"malformed-request"},
    "callback": {"malformed-request"},
    "takeNotification": {"invalid-notification"},
    "takeSharedNotification": {"invalid-notification"},
    "getDrawingImage": {"range-not-satisfiable"},
}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """False: it is none."""
    if type(failure).__name__ != "RejectedPositiveData":
        return True
    try:
        said = response.json()
    except ValueError:
        return True
    known = BEYOND_SCHEMAS.get(operation_id(case), set())
    if operation_id(case) == "token" and said.get("error") in ("invalid_grant", "invalid_request"):
        # Which parameters a grant type needs is the form's own affair (RFC 6749 §4.1.3, §6).
        return False
    reasons = {said.get("code")} | {f"{said.get('code')} {error['pointer']}" for error in said.get("errors", [])}
    return not known & reasons


class Seen(AssertionError):
    """Somebody got what is another's."""


@schemathesis.check
def nobody_else_sees_it(ctx, response, case):
    """What one person reads under a number, another of the tenant, one of another tenant and nobody do not."""
    token = response.request.headers.get("Authorization")
    if response.status_code != 200 or case.method.upper() != "GET" or not token:
        return
    if "{id}" not in case.operation.path:
        return
    tenant = tenant_of(case)
    other = next(name for name in TENANTS if name != tenant)
    address = response.request.url.split("?")[0]
    foreign = address.replace(f"/{tenant}/", f"/{other}/", 1)
    for url, caller, expected in (
        (address, stranger(tenant), 404),
        (address, stranger(other), 401),
        (foreign, stranger(other), 404),
        (address, None, 401),
    ):
        headers = {"Authorization": f"Bearer {caller}"} if caller else {}
        status = requests.get(url, headers=headers, timeout=30).status_code
        if status != expected:
            raise Seen(f"{url} is answered {status} to {'a stranger' if caller else 'nobody'}, not {expected}")


strangers = {}


def stranger(tenant):
    with lock:
        if tenant not in strangers:
            strangers[tenant] = sign_in(tenant, "stranger")["accessToken"]
        return strangers[tenant]


@schemathesis.check
def refusals_hold_no_result(ctx, response, case):
    """The first app reads JSON whatever the status: no refusal may have a member that it takes for a result."""
    if response.status_code >= 400 and response.content:
        text = response.content.decode("utf-8", "replace")
        if re.search(r'"(url|drawingId)"\s*:', text):
            raise AssertionError(f"a refusal has a member of results: {text[:200]}")
