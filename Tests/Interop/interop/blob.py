"""Blobs: sealed chunks, their root, and the fragments that carry small ones (PROTOCOL §5.4)."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from .encoding import label, u8, u32, u64
from .primitives import H, hmac, seal

CHUNK_SIZE, LIST_SIZE, FRAGMENT_SIZE = 32_768, 1024, 16_360


def _hash(level: int, data: bytes) -> bytes:
    return H("earshot/v1/blob", u8(level) + data)


@dataclass(frozen=True)
class Blob:
    """The sealed chunks of a blob."""

    plain_size: int
    chunks: list[bytes]

    @staticmethod
    def seal(key: bytes, data: bytes) -> Blob:
        parts = [data[at:at + CHUNK_SIZE] for at in range(0, len(data), CHUNK_SIZE)] or [b""]
        sealed = [seal(key, bytes(7) + u32(index) + u8(index == len(parts) - 1), b"", part)
                  for index, part in enumerate(parts)]
        return Blob(len(data), sealed)

    @functools.cached_property
    def hashes(self) -> list[bytes]:
        return [_hash(0, chunk) for chunk in self.chunks]

    @property
    def top(self) -> bytes:
        hashes = self.hashes
        lists = [b"".join(hashes[at:at + LIST_SIZE]) for at in range(0, len(hashes), LIST_SIZE)]
        return b"".join(_hash(1, one) for one in lists)

    @functools.cached_property
    def root(self) -> bytes:
        return _hash(2, u64(self.plain_size) + self.top)

    @property
    def tag(self) -> bytes:
        return H("earshot/v1/chunk", self.root)[:8]

    def fragments(self) -> list[bytes]:
        """Lists the bodies of the CHUNK envelopes."""
        whole = b"".join(self.chunks)
        bodies = []
        for index, at in enumerate(range(0, len(whole), FRAGMENT_SIZE)):
            piece = u32(index) + whole[at:at + FRAGMENT_SIZE]
            bodies.append(self.tag + hmac(self.root, label("earshot/v1/chunk/mac") + piece)[:8] + piece)
        return bodies
