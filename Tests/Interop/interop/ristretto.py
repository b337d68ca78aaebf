"""The group ristretto255 of RFC 9496, as far as CPace needs it."""

from __future__ import annotations

from .edwards import D, P, ROOT_OF_MINUS_ONE, Point, add, multiply

A_MINUS_D = (-1 - D) % P


def _odd(value: int) -> bool:
    return value % P & 1 == 1


def _absolute(value: int) -> int:
    value %= P
    return P - value if value & 1 else value


def _root_of_ratio(u: int, v: int) -> tuple[bool, int]:
    """Returns whether u/v is a square, and its root or that of √−1 · u/v."""
    root = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * root * root % P
    square = (check - u) % P == 0
    flipped = (check + u) % P == 0
    flipped_i = (check + u * ROOT_OF_MINUS_ONE) % P == 0
    if flipped or flipped_i:
        root = root * ROOT_OF_MINUS_ONE % P
    return square or flipped, _absolute(root)


INVERSE_ROOT_A_MINUS_D = _root_of_ratio(1, A_MINUS_D)[1]
ONE_MINUS_D_SQUARED = (1 - D * D) % P
D_MINUS_ONE_SQUARED = (D - 1) * (D - 1) % P
ROOT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235


def decode(data: bytes) -> Point | None:
    """Reads an element, or returns nothing for bytes that are none."""
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or _odd(s):
        return None
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    square, inverse = _root_of_ratio(1, v * u2 * u2 % P)
    dx = inverse * u2 % P
    dy = inverse * dx * v % P
    x, y = _absolute(2 * s * dx), u1 * dy % P
    if not square or _odd(x * y) or y == 0:
        return None
    return x, y, 1, x * y % P


def encode(point: Point) -> bytes:
    x, y, z, t = point
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    inverse = _root_of_ratio(1, u1 * u2 * u2 % P)[1]
    d1, d2 = inverse * u1 % P, inverse * u2 % P
    z_inverse = d1 * d2 * t % P
    if _odd(t * z_inverse):
        x, y = y * ROOT_OF_MINUS_ONE % P, x * ROOT_OF_MINUS_ONE % P
        inverted = d1 * INVERSE_ROOT_A_MINUS_D % P
    else:
        inverted = d2
    if _odd(x * z_inverse):
        y = -y % P
    return _absolute(inverted * (z - y)).to_bytes(32, "little")


def _map(data: bytes) -> Point:
    """Maps 32 bytes to a point, as Elligator does."""
    t = (int.from_bytes(data, "little") & (1 << 255) - 1) % P
    r = ROOT_OF_MINUS_ONE * t * t % P
    u = (r + 1) * ONE_MINUS_D_SQUARED % P
    v = (-1 - r * D) * (r + D) % P
    square, s = _root_of_ratio(u, v)
    c = -1 % P
    if not square:
        s, c = -_absolute(s * t) % P, r
    n = (c * (r - 1) * D_MINUS_ONE_SQUARED - v) % P
    w0, w1 = 2 * s * v % P, n * ROOT_AD_MINUS_ONE % P
    w2, w3 = (1 - s * s) % P, (1 + s * s) % P
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def from_hash(data: bytes) -> Point:
    """Makes an element of 64 uniform bytes."""
    return add(_map(data[:32]), _map(data[32:]))


def product(scalar: int, element: bytes) -> bytes | None:
    """Multiplies, and returns nothing for no element or a neutral product."""
    point = decode(element)
    if point is None:
        return None
    result = encode(multiply(scalar, point))
    return None if result == bytes(32) else result
