"""Messages by which two neighbours tell what they store (PROTOCOL §3.5, §5)."""

from __future__ import annotations

from .encoding import Reader, require, u16

OFFER, WANT, ASK, SYMBOLS, IHAVE, GRAFT, PRUNE = 0x01, 0x02, 0x03, 0x04, 0x20, 0x21, 0x22
ROUTED = 0x30
ALL_PLACES = 4096


def offer_or_want(kind: int, ids: list[bytes]) -> bytes:
    return bytes([kind]) + u16(len(ids)) + b"".join(ids)


def ask(salt: bytes, place: int) -> bytes:
    """Asks for all ranges, or says how a comparison of all ranges ended."""
    return bytes([ASK]) + salt + u16(place) + u16(0) + bytes([0, 0])


def graft(ids: list[bytes]) -> bytes:
    return bytes([GRAFT]) + b"".join(ids)


def read_ids(message: bytes) -> list[bytes]:
    """Reads the short ids of OFFER, WANT, IHAVE or GRAFT."""
    reader = Reader(message)
    kind = reader.u8()
    if kind in (OFFER, WANT):
        count = reader.u16()
        require(1 <= count <= 1000, "too many ids")
    else:
        count = reader.left // 8
        require(1 <= count <= 60, "too many ids")
    ids = [reader.take(8) for _ in range(count)]
    reader.end()
    return ids
