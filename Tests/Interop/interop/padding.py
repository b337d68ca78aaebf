"""Padding: length, items and a rest up to the bucket (PROTOCOL §8)."""

from __future__ import annotations

from .encoding import Reader, require, u16, varint

SECTION_LEAST = 3


def item(content: bytes) -> bytes:
    """Writes one content as the only item."""
    return varint(len(content)) + content


def read_item(items: bytes) -> bytes | None:
    """Returns the only content, or nothing for an END."""
    if items == b"":
        return None
    reader = Reader(items)
    content = reader.take(reader.varint())
    require(content != b"", "an empty content")
    reader.end()
    return content


def bucket_for(overhead: int, items: int, buckets: tuple[int, ...]) -> int:
    """Returns the smallest bucket that overhead, length and items fit."""
    for bucket in buckets:
        if overhead + 2 + items <= bucket:
            return bucket
    raise ValueError("the content is too long")


def pad(items: bytes, size: int) -> bytes:
    """Pads with zeros alone, as groups and join messages do."""
    return (u16(len(items)) + items).ljust(size, b"\0")


def split(padded: bytes) -> tuple[bytes, bytes]:
    """Returns items and rest."""
    reader = Reader(padded)
    items = reader.take(reader.u16())
    return items, reader.rest()


def unpad(padded: bytes) -> bytes:
    """Returns what `pad` was given, and refuses a rest that is not zero."""
    items, rest = split(padded)
    require(not any(rest), "a rest is not zero")
    return items
