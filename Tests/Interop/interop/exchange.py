"""The exchange of ML-KEM secrets inside a session (PROTOCOL §8.1)."""

from __future__ import annotations

import secrets

from .encoding import u8, u32
from .primitives import H, decapsulate, encapsulate, hkdf, kem_key_is_sound, kem_public, same, sha256

UNIT, KEY_UNITS, CIPHERTEXT_UNITS, NOTHING = 8, 149, 137, 0xFF


class Exchange:
    """One side of exchange `number`."""

    def __init__(self, number: int, owner: bool, ad: bytes, before: bytes, seed: bytes | None = None,
                 capsule: tuple[bytes, bytes] | None = None) -> None:
        self.number, self.owner, self.ad, self.before = number, owner, ad, before
        self.stage = 0 if owner else 2
        self.capsule = capsule
        self.secret: bytes | None = None
        self.sending = b""
        self.seed: bytes | None = None
        self.units: dict[int, bytes] = {}
        self.cursor = self.peer_need = 0
        if owner:
            self.seed = seed or secrets.token_bytes(64)
            self.public = kem_public(self.seed)
            self.sending = self.public + self._key_check(self.public)

    def _key_check(self, public: bytes) -> bytes:
        return H("earshot/v1/pq/ek", self.ad + u32(self.number) + public)[:8]

    def _derive(self, secret: bytes, public: bytes, ciphertext: bytes) -> tuple[bytes, bytes]:
        out = hkdf(self.before, secret + sha256(public + ciphertext), "earshot/v1/pq", 40)
        return out[:32], out[32:]

    @property
    def expected(self) -> int:
        """Counts the units of the peer's blob."""
        return CIPHERTEXT_UNITS if self.owner else KEY_UNITS

    @property
    def need(self) -> int:
        if self.stage in (1, 3):
            return self.expected
        return next(unit for unit in range(self.expected + 1) if unit not in self.units)

    def section(self, size: int) -> bytes:
        """Writes the section that fills `size` bytes."""
        count = len(self.sending) // UNIT
        if count and self.cursor >= count:
            self.cursor = self.peer_need
        room = min((size - 3) // UNIT, count - self.cursor)
        if room <= 0:
            return (u8(self.number & 0xFF) + u8(self.need) + u8(NOTHING)).ljust(size, b"\0")
        units = self.sending[UNIT * self.cursor:UNIT * (self.cursor + room)]
        head = u8(self.number & 0xFF) + u8(self.need) + u8(self.cursor)
        self.cursor += room
        return (head + units).ljust(size, b"\0")

    def read(self, rest: bytes, newest: bool) -> None:
        """Takes the section of a message that opened."""
        low, need, at = rest[0], rest[1], rest[2]
        if low != self.number & 0xFF or (at != NOTHING and at >= self.expected):
            return
        if newest and need <= len(self.sending) // UNIT:
            self.peer_need = need
        if at == NOTHING or self.stage in (1, 3):
            return
        units = rest[3:]
        for place in range(min(len(units) // UNIT, self.expected - at)):
            self.units[at + place] = units[UNIT * place:UNIT * (place + 1)]
        if len(self.units) == self.expected:
            self._whole(b"".join(self.units[place] for place in range(self.expected)))

    def _whole(self, blob: bytes) -> None:
        """Checks a blob, and goes to the next stage or throws it away."""
        self.units = {}
        body, check = blob[:-8], blob[-8:]
        if self.owner:
            assert self.seed is not None
            secret, right = self._derive(decapsulate(self.seed, body), self.public, body)
            if same(check, right):
                self.secret, self.seed, self.sending, self.stage = secret, None, b"", 1
        elif same(check, self._key_check(body)) and kem_key_is_sound(body):
            ciphertext, shared = self.capsule or encapsulate(body)
            self.secret, proof = self._derive(shared, body, ciphertext)
            self.sending, self.cursor, self.peer_need, self.stage = ciphertext + proof, 0, 0, 3
