"""Noise's SymmetricState with SHA-256 and AES-256-GCM, and the handshake NNpsk0 of links (PROTOCOL §3.2)."""

from __future__ import annotations

import secrets

from .encoding import label, require
from .primitives import H, argon2id, dh, hmac, number_nonce, seal, sha256, unseal, x25519_public

LINK_NAME = "Noise_NNpsk0_25519_AESGCM_SHA256"
OPEN_MESH_KEY = H("earshot/v1/open-mesh", b"")


def closed_mesh_key(passphrase: str) -> bytes:
    """Stretches the passphrase of a closed mesh; the caller gives it in NFKC."""
    return argon2id(passphrase.encode(), H("earshot/v1/mesh/salt", b"")[:16], 3, 65536)


class SymmetricState:
    """ck, h and the cipher key of a Noise handshake."""

    def __init__(self, name: str) -> None:
        data = name.encode("ascii")
        self.h = data.ljust(32, b"\0") if len(data) <= 32 else sha256(data)
        self.ck = self.h
        self.key: bytes | None = None
        self.number = 0

    def _derive(self, ikm: bytes, count: int) -> list[bytes]:
        """Derives as Noise's HKDF does."""
        temporary, last, out = hmac(self.ck, ikm), b"", []
        for index in range(1, count + 1):
            last = hmac(temporary, last + bytes([index]))
            out.append(last)
        return out

    def mix_hash(self, data: bytes) -> None:
        self.h = sha256(self.h + data)

    def mix_key(self, ikm: bytes) -> None:
        self.ck, self.key = self._derive(ikm, 2)
        self.number = 0

    def mix_key_and_hash(self, ikm: bytes) -> None:
        self.ck, mixed, self.key = self._derive(ikm, 3)
        self.mix_hash(mixed)
        self.number = 0

    def encrypt_and_hash(self, plaintext: bytes) -> bytes:
        sealed = plaintext
        if self.key is not None:
            sealed = seal(self.key, number_nonce(self.number), self.h, plaintext)
            self.number += 1
        self.mix_hash(sealed)
        return sealed

    def decrypt_and_hash(self, sealed: bytes) -> bytes:
        plaintext = sealed
        if self.key is not None:
            plaintext = unseal(self.key, number_nonce(self.number), self.h, sealed)
            self.number += 1
        self.mix_hash(sealed)
        return plaintext

    def split(self) -> tuple[bytes, bytes]:
        first, second = self._derive(b"", 2)
        return first, second


class LinkHandshake:
    """One side of NNpsk0, with empty payloads unless a test gives others."""

    def __init__(self, psk: bytes, seed: bytes | None = None, prologue: bytes = label("earshot/v1/link")) -> None:
        self.seed = seed or secrets.token_bytes(32)
        self.public = x25519_public(self.seed)
        self.state = SymmetricState(LINK_NAME)
        self.state.mix_hash(prologue)
        self.psk = psk

    def _mix_ephemeral(self, public: bytes) -> None:
        self.state.mix_hash(public)
        self.state.mix_key(public)

    def write_first(self, payload: bytes = b"") -> bytes:
        self.state.mix_key_and_hash(self.psk)
        self._mix_ephemeral(self.public)
        return self.public + self.state.encrypt_and_hash(payload)

    def read_first(self, message: bytes) -> bytes:
        require(len(message) >= 48, "a handshake message is short")
        self.state.mix_key_and_hash(self.psk)
        self._mix_ephemeral(message[:32])
        self.remote = message[:32]
        return self.state.decrypt_and_hash(message[32:])

    def write_second(self, payload: bytes = b"") -> bytes:
        self._mix_ephemeral(self.public)
        self.state.mix_key(dh(self.seed, self.remote))
        return self.public + self.state.encrypt_and_hash(payload)

    def read_second(self, message: bytes) -> bytes:
        require(len(message) >= 48, "a handshake message is short")
        self._mix_ephemeral(message[:32])
        self.state.mix_key(dh(self.seed, message[:32]))
        return self.state.decrypt_and_hash(message[32:])
