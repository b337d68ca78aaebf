"""The mail of mailboxes (PROTOCOL §19): its keys, its names and its seal."""

from __future__ import annotations

from .encoding import u16, u32
from .primitives import H, hkdf, hmac, seal

BUCKETS = (256, 512, 1_024, 2_048, 4_096, 8_192, 16_384)


def day_keys(day_key: bytes) -> tuple[bytes, bytes]:
    """Returns the tag of a chain on a day, and the key of its mail."""
    return hmac(day_key, b"\x01")[:16], hmac(day_key, b"\x03")


def group_keys(group: bytes, header_key: bytes, day: int) -> tuple[bytes, bytes]:
    """Returns the tag of a group on a day, and the key of its mail."""
    key = hkdf(group, header_key, "earshot/v1/far/group", 32)
    return hmac(key, u32(day))[:16], hmac(key, u32(day) + b"\x03")


def pad_piece(piece: bytes) -> bytes:
    """Pads the body of a CHUNK to the size of the body of a SEALED."""
    size = next(bucket + 12 for bucket in BUCKETS if len(piece) + 2 <= bucket + 12)
    return (u16(len(piece)) + piece).ljust(size, b"\0")


def mail_proof(proof: bytes, key: bytes) -> bytes:
    """Returns the delivery proof of a message in a mailbox."""
    return hkdf(proof, key, "earshot/v1/far/release", 16)


def seal_mail(tag: bytes, key: bytes, kind: int, body: bytes, proof: bytes | None) -> bytes:
    """Returns the body of the FAR or FARCHUNK with a message."""
    plaintext = bytes([kind]) + body
    name = hmac(key, plaintext)[:16] if proof is None else H("earshot/v1/release", mail_proof(proof, key))[:16]
    return tag + name + seal(hkdf(name, key, "earshot/v1/far/mail", 32), bytes(12), tag, plaintext)
