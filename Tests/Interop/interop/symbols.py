"""The code by which two neighbours compare what they store, and the sums of their status (PROTOCOL §5)."""

from __future__ import annotations

import functools
import math

from .encoding import u16, u64, varint

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
PLACES = 4096


def _rotate(value: int, count: int) -> int:
    return (value << count | value >> 64 - count) & MASK


def siphash(key: bytes, data: bytes) -> bytes:
    """Returns the 8 bytes of SipHash-2-4."""
    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def rounds(count: int) -> None:
        for _ in range(count):
            v[0] = v[0] + v[1] & MASK
            v[1] = _rotate(v[1], 13) ^ v[0]
            v[0] = _rotate(v[0], 32)
            v[2] = v[2] + v[3] & MASK
            v[3] = _rotate(v[3], 16) ^ v[2]
            v[0] = v[0] + v[3] & MASK
            v[3] = _rotate(v[3], 21) ^ v[0]
            v[2] = v[2] + v[1] & MASK
            v[1] = _rotate(v[1], 17) ^ v[2]
            v[2] = _rotate(v[2], 32)

    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) & 0xFF])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at:at + 8], "little")
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return (v[0] ^ v[1] ^ v[2] ^ v[3]).to_bytes(8, "little")


def mix(value: int) -> int:
    """Returns m of a number."""
    z = value + GOLDEN & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def sums(ids: list[bytes]) -> list[int]:
    """Returns the sum of each sixteenth of the places, for ids that are their own places."""
    found = [0] * 16
    for one in ids:
        found[one[0] >> 4] ^= mix(int.from_bytes(one, "big")) & 0xFFFFFFFF
    return found


@functools.cache
def check_of(salt: bytes, short_id: bytes) -> bytes:
    """Returns h of a short id."""
    return siphash(salt + bytes(8), short_id)


def _hits(at: int, place: int, upper: int) -> bool:
    return (place + 1) * (place + 2) * upper > (at + 1) * (at + 2) << 32


def _around(at: int, upper: int) -> range:
    """Returns the places near the least one that hits."""
    if upper == 0:
        return range(0)
    near = math.isqrt(((at + 1) * (at + 2) << 32) // upper)
    return range(max(at + 1, near - 3), near + 3)


@functools.cache
def places(salt: bytes, short_id: bytes) -> list[int]:
    """Lists all places that an id falls on."""
    state = int.from_bytes(check_of(salt, short_id), "big")
    found, at = [], 0
    while at < PLACES:
        found.append(at)
        upper = mix(state) >> 32
        state = state + GOLDEN & MASK
        at = next((place for place in _around(at, upper) if _hits(at, place, upper)), PLACES)
    return found


def symbols_message(salt: bytes, ids: list[bytes], count: int) -> bytes:
    """Writes the first symbols of a set as a SYMBOLS message."""
    table = [[0, 0, 0] for _ in range(count)]
    for one in ids:
        check = int.from_bytes(check_of(salt, one), "big")
        for place in places(salt, one):
            if place < count:
                table[place][0] ^= int.from_bytes(one, "big")
                table[place][1] ^= check
                table[place][2] += 1
    out = b"\x04" + salt + u16(0)
    return out + b"".join(u64(total) + u64(check) + varint(number) for total, check, number in table)
