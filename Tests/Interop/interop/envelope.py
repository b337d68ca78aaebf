"""Envelopes, their ids and releases (PROTOCOL §2)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from .encoding import require, u8, u16
from .primitives import H, hmac

SEALED, PREKEY, BUNDLE, ROOM, LIVE, PROBE, RELEASE, CHUNK = range(8)
PREIMAGE, PLACES = 16, (1, 4, 16, 64)
BUCKETS = (256, 512, 1024, 2048, 4096, 8192, 16384)
LONGEST_LIFE = {SEALED: 25920, PREKEY: 25920, BUNDLE: 60480, ROOM: 60480, LIVE: 6, PROBE: 2, RELEASE: 8640, CHUNK: 4320}


@dataclass(frozen=True)
class Envelope:
    """The bytes that links carry and relays see; life counts ticks of 10 s."""

    kind: int
    life: int
    body: bytes

    @staticmethod
    def new(kind: int, seconds: int, body: bytes) -> Envelope:
        """Makes an envelope of the own."""
        return Envelope(kind, seconds // 10, body)

    @property
    def id(self) -> bytes:
        return H("earshot/v1/pid", u8(0x10 | self.kind) + self.body)[:16]

    @property
    def short_id(self) -> bytes:
        return self.id[:8]

    def encoded(self) -> bytes:
        return u8(0x10 | self.kind) + u16(self.life) + self.body

    @staticmethod
    def decode(data: bytes) -> Envelope:
        """Makes the checks of §2 on what a link brought."""
        require(4 <= len(data) and 0x10 <= data[0] <= 0x17, "no envelope of version 1")
        kind, life, body = data[0] & 15, int.from_bytes(data[1:3], "big"), data[3:]
        require(is_size(kind, len(body)), "a body has a wrong size")
        require(life > 0, "an envelope is at its end")
        return Envelope(kind, min(life, LONGEST_LIFE[kind]), body)


def is_size(kind: int, count: int) -> bool:
    """Returns whether a body of `count` bytes has a size of its kind."""
    if kind in (SEALED, PREKEY):
        return count - 12 in (BUCKETS[3:] if kind == PREKEY else BUCKETS)
    if kind == BUNDLE:
        return 1360 <= count <= 1648
    if kind == ROOM:
        return count in (172, 1233, 1297) or count + 4 in BUCKETS
    if kind == LIVE:
        return count + 4 in BUCKETS
    if kind == PROBE:
        return 1 <= count <= 256
    if kind == RELEASE:
        return count % PREIMAGE == 0 and count // PREIMAGE in PLACES
    return 21 <= count <= 16380


def check_size(kind: int, size: int) -> None:
    """Refuses a size that is no bucket; `size` is header and body without the release hash."""
    allowed = BUCKETS[3:] if kind == PREKEY else BUCKETS
    require(size in allowed, "the size of an envelope is no bucket")


def preimage(message_key: bytes, header_nonce: bytes) -> bytes:
    return hmac(message_key, b"\x03" + header_nonce)[:16]


def release_bodies(images: list[bytes]) -> list[bytes]:
    """Returns bodies of RELEASE for the preimages of one peer's messages, filled up with random places."""
    bodies = []
    for start in range(0, len(images), PLACES[-1]):
        some = images[start:start + PLACES[-1]]
        unused = next(places for places in PLACES if len(some) <= places) - len(some)
        bodies.append(b"".join(some) + secrets.token_bytes(PREIMAGE * unused))
    return bodies


def released_hashes(body: bytes) -> list[bytes]:
    """Returns the release hash of each place of a RELEASE."""
    return [release_hash(body[at:at + PREIMAGE]) for at in range(0, len(body), PREIMAGE)]


def release_hash(image: bytes) -> bytes:
    return H("earshot/v1/release", image)[:16]
