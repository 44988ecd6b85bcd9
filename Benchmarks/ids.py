"""The numbers of seed.sql: who is whom, without asking the database."""

TENANTS = 50
USERS = 1000
LARGE_IMAGES = 200
LARGE_IMAGE_BYTES = 200_000
CLIENT_ID = "app.chilhada.bench"

# Milliseconds since 2024 of the first drawing; ids are those, shifted by the 11 bits of loop slot and sequence.
_FIRST_DRAWING_MS = 31_622_400_000
_DRAWING_STEP_MS = 20_000


def slug(tenant: int) -> str:
    """Tenants count from 1."""
    return f"bench-{tenant:02d}"


def tenant_of(user: int) -> int:
    return (user - 1) % TENANTS + 1


def drawing_id(number: int) -> int:
    return (_FIRST_DRAWING_MS + number * _DRAWING_STEP_MS) << 11


def first_new_id(drawings: int) -> int:
    """Above every seeded drawing, below whatever a service makes today."""
    return drawing_id(drawings + 1)
