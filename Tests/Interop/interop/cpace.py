"""CPace over ristretto255 with SHA-512 (draft-irtf-cfrg-cpace-21), in the role of initiator and responder."""

from __future__ import annotations

import hashlib
import secrets

from .edwards import ORDER
from .encoding import Invalid, varint
from .ristretto import encode, from_hash, product

DSI = b"CPaceRistretto255"
BLOCK = 128


def lv_cat(*parts: bytes) -> bytes:
    return b"".join(varint(len(part)) + part for part in parts)


def generator(password: bytes, channel: bytes, session: bytes) -> bytes:
    """Maps password, channel and session to an element."""
    zeros = max(0, BLOCK - 1 - len(lv_cat(password)) - len(lv_cat(DSI)))
    text = lv_cat(DSI, password, bytes(zeros), channel, session)
    return encode(from_hash(hashlib.sha512(text).digest()))


def new_scalar() -> int:
    return secrets.randbelow(ORDER - 1) + 1


def multiply(scalar: int, element: bytes) -> bytes:
    """Multiplies, or raises `Invalid` where the run ends."""
    result = product(scalar, element)
    if result is None:
        raise Invalid("a point is no element, or leads to the neutral one")
    return result


def shared_key(session: bytes, secret: bytes, first: bytes, first_data: bytes, second: bytes,
               second_data: bytes) -> bytes:
    """Derives ISK of initiator and responder."""
    text = lv_cat(DSI + b"_ISK", session, secret) + lv_cat(first, first_data) + lv_cat(second, second_data)
    return hashlib.sha512(text).digest()
