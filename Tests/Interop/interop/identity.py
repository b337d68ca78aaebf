"""Identities, fingerprints and safety numbers (PROTOCOL §6.1)."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from .encoding import label
from .primitives import H, ed25519_public, x25519_public


@dataclass(frozen=True)
class PublicIdentity:
    """The two public keys of a peer."""

    ed: bytes
    x: bytes

    @property
    def id(self) -> bytes:
        return H("earshot/v1/id", self.ed + self.x)

    @property
    def fingerprint(self) -> str:
        """Returns 30 digits."""
        value = hashlib.sha512(label("earshot/v1/fp") + self.ed + self.x).digest()
        for _ in range(5200):
            value = hashlib.sha512(value + self.ed + self.x).digest()
        return "".join(f"{int.from_bytes(value[at:at + 5], 'big') % 100_000:05}" for at in range(0, 30, 5))


@dataclass(frozen=True)
class Identity:
    """The two private keys of a peer."""

    ed_seed: bytes
    x_seed: bytes

    @staticmethod
    def new() -> Identity:
        return Identity(secrets.token_bytes(32), secrets.token_bytes(32))

    @property
    def public(self) -> PublicIdentity:
        return PublicIdentity(ed25519_public(self.ed_seed), x25519_public(self.x_seed))


def safety_number(one: PublicIdentity, other: PublicIdentity) -> str:
    """Joins both fingerprints in the order of their digits."""
    return "".join(sorted([one.fingerprint, other.fingerprint]))
