"""Padding: length, items and a rest up to the bucket (PROTOCOL §8)."""

from __future__ import annotations

from .encoding import Reader, require, u16, varint

SECTION_LEAST, MOST_ITEMS = 3, 256
PACK_BUCKETS = (256, 1024, 4096, 16384)


def item(content: bytes) -> bytes:
    """Writes one content with its length."""
    return varint(len(content)) + content


def read_items(items: bytes) -> list[bytes]:
    """Returns all contents in their order, none for an END."""
    reader, contents = Reader(items), []
    while reader.left:
        contents.append(reader.take(reader.varint()))
        require(contents[-1] != b"", "an empty content")
        require(len(contents) <= MOST_ITEMS, "too many contents")
    return contents


def bucket_for(overhead: int, items: int, buckets: tuple[int, ...]) -> int:
    """Returns the smallest bucket that overhead, length and items fit."""
    for bucket in buckets:
        if overhead + 2 + items <= bucket:
            return bucket
    raise ValueError("the content is too long")


def bucket_for_all(overhead: int, sizes: list[int], buckets: tuple[int, ...]) -> int:
    """Returns the bucket of a message with items of these sizes; two and more are a pack (§8, rule 13)."""
    least = bucket_for(overhead, sum(sizes), buckets)
    if len(sizes) < 2:
        return least
    coarse = bucket_for(overhead, sum(sizes), tuple(one for one in buckets if one in PACK_BUCKETS))
    return coarse if coarse <= 2 * sum(bucket_for(overhead, one, buckets) for one in sizes) else least


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
