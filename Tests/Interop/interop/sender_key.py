"""Sender keys, the chains of messages to a group (PROTOCOL §16.3)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from .encoding import Reader, require, u32
from .primitives import H, ed25519_public, hmac

MAXIMUM_ITERATION = 99


def key_id(group: bytes, epoch: int, maker: bytes, ed: bytes) -> bytes:
    return H("earshot/v1/kid", group + u32(epoch) + maker + ed)[:16]


@dataclass
class SenderKey:
    """A key of another member, or the public part of the own one."""

    group: bytes
    epoch: int
    id: bytes
    ed: bytes
    iteration: int
    chain: bytes
    maker: bytes = b""
    skipped: dict[int, bytes] = field(default_factory=dict)

    def encoded(self) -> bytes:
        """Writes the 105 bytes that other members get."""
        return (b"\x01" + self.group + u32(self.epoch) + self.id + self.ed + u32(self.iteration) + self.chain)

    @staticmethod
    def decode(data: bytes, maker: bytes) -> SenderKey:
        """Reads a key that came on a session with its maker."""
        reader = Reader(data)
        require(reader.u8() == 1, "a sender key of another version")
        key = SenderKey(reader.take(16), reader.u32(), reader.take(16), reader.take(32), reader.u32(), reader.take(32),
                        maker)
        reader.end()
        require(key.iteration <= MAXIMUM_ITERATION, "an iteration is too high")
        require(key.id == key_id(key.group, key.epoch, maker, key.ed), "a key id is wrong")
        return key

    def advance(self) -> bytes:
        """Returns the message key of the present iteration and goes to the next."""
        message_key, self.chain = hmac(self.chain, b"\x01"), hmac(self.chain, b"\x02")
        self.iteration += 1
        return message_key

    def message_key(self, iteration: int) -> bytes | None:
        """Returns the key of a message that came, or nothing if it was used."""
        require(iteration <= MAXIMUM_ITERATION, "an iteration is too high")
        if iteration < self.iteration:
            return self.skipped.pop(iteration, None)
        while self.iteration < iteration:
            self.skipped[self.iteration] = self.advance()
        return self.advance()


@dataclass
class OwnSenderKey:
    """The key that seals the own messages."""

    seed: bytes
    public: SenderKey

    @staticmethod
    def new(group: bytes, epoch: int, maker: bytes) -> OwnSenderKey:
        seed = secrets.token_bytes(32)
        ed = ed25519_public(seed)
        identifier = key_id(group, epoch, maker, ed)
        return OwnSenderKey(seed, SenderKey(group, epoch, identifier, ed, 0, secrets.token_bytes(32), maker))
