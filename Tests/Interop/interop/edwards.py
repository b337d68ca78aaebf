"""The curve edwards25519: points, their encodings, and the strict rule for signatures of PROTOCOL §1."""

from __future__ import annotations

import functools
import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]
"""Extended coordinates X, Y, Z, T with x = X/Z, y = Y/Z and xy = T/Z."""

NEUTRAL: Point = (0, 1, 1, 0)


def add(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(scalar: int, point: Point) -> Point:
    result = NEUTRAL
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def equal(one: Point, other: Point) -> bool:
    return (one[0] * other[2] - other[0] * one[2]) % P == 0 and (one[1] * other[2] - other[1] * one[2]) % P == 0


def decode(data: bytes) -> Point | None:
    """Reads a canonical encoding of RFC 8032, or returns nothing."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    if len(data) != 32 or y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
assert BASE is not None


@functools.cache
def _good(data: bytes) -> Point | None:
    """Reads a point of the subgroup of prime order that is not the neutral element."""
    point = decode(data)
    if point is None or equal(point, NEUTRAL) or not equal(multiply(ORDER, point), NEUTRAL):
        return None
    return point


def signature_holds(key: bytes, message: bytes, signature: bytes) -> bool:
    """Checks all that §1 asks of a signature."""
    if len(signature) != 64 or len(key) != 32:
        return False
    scalar = int.from_bytes(signature[32:], "little")
    public, commitment = _good(key), _good(signature[:32])
    if scalar >= ORDER or public is None or commitment is None:
        return False
    hashed = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return equal(multiply(scalar, BASE), add(commitment, multiply(hashed, public)))
