"""Noise's SymmetricState with SHA-256 and AES-256-GCM, and the handshake XXpsk0 of links (PROTOCOL §3.2)."""

from __future__ import annotations

import secrets

from .encoding import label, require
from .primitives import H, argon2id, dh, hmac, number_nonce, seal, sha256, unseal, x25519_public

LINK_NAME = "Noise_XXpsk0_25519_AESGCM_SHA256"
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


def node_id(public: bytes) -> bytes:
    """Returns the node id of a public node key."""
    return H("earshot/v1/node", public)[:8]


class LinkHandshake:
    """One side of XXpsk0, or of XX without a psk, with empty payloads unless a test gives others."""

    def __init__(self, psk: bytes | None, key: bytes, header: bytes, seed: bytes | None = None,
                 prologue: bytes = label("earshot/v1/link"), name: str = LINK_NAME) -> None:
        self.psk, self.key, self.seed = psk, key, seed or secrets.token_bytes(32)
        self.public = x25519_public(self.seed)
        self.state = SymmetricState(name)
        self.state.mix_hash(prologue + header)
        self.remote = self.remote_key = b""

    def _mix_ephemeral(self, public: bytes) -> None:
        self.state.mix_hash(public)
        if self.psk is not None:
            self.state.mix_key(public)

    def _first(self, public: bytes) -> None:
        if self.psk is not None:
            self.state.mix_key_and_hash(self.psk)
        self._mix_ephemeral(public)

    def write_first(self, payload: bytes = b"") -> bytes:
        self._first(self.public)
        return self.public + self.state.encrypt_and_hash(payload)

    def read_first(self, message: bytes) -> bytes:
        require(len(message) >= 32, "a handshake message is short")
        self.remote = message[:32]
        self._first(self.remote)
        return self.state.decrypt_and_hash(message[32:])

    def write_second(self, payload: bytes = b"") -> bytes:
        self._mix_ephemeral(self.public)
        self.state.mix_key(dh(self.seed, self.remote))
        sealed = self.state.encrypt_and_hash(x25519_public(self.key))
        self.state.mix_key(dh(self.key, self.remote))
        return self.public + sealed + self.state.encrypt_and_hash(payload)

    def read_second(self, message: bytes) -> bytes:
        require(len(message) >= 96, "a handshake message is short")
        self.remote = message[:32]
        self._mix_ephemeral(self.remote)
        self.state.mix_key(dh(self.seed, self.remote))
        self.remote_key = self.state.decrypt_and_hash(message[32:80])
        self.state.mix_key(dh(self.seed, self.remote_key))
        return self.state.decrypt_and_hash(message[80:])

    def write_third(self, payload: bytes = b"") -> bytes:
        sealed = self.state.encrypt_and_hash(x25519_public(self.key))
        self.state.mix_key(dh(self.key, self.remote))
        return sealed + self.state.encrypt_and_hash(payload)

    def read_third(self, message: bytes) -> bytes:
        require(len(message) >= 64, "a handshake message is short")
        self.remote_key = self.state.decrypt_and_hash(message[:48])
        self.state.mix_key(dh(self.seed, self.remote_key))
        return self.state.decrypt_and_hash(message[48:])
