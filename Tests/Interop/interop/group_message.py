"""Sealing and opening a message to a group (PROTOCOL §16.4)."""

from __future__ import annotations

from .encoding import Reader, label, require, u32
from .padding import read_items, unpad
from .primitives import H, check_signature, hkdf, same, seal, sha256, sign, unseal

HEADER_AD, SIGNATURE = label("earshot/v1/hdr"), "earshot/v1/gmsg"
OVERHEAD = 12 + 56 + 32 + 16 + 64


def associated_data(group: bytes, epoch: int, operation_hash: bytes) -> bytes:
    return H("earshot/v1/gad", group + u32(epoch) + operation_hash)


def seal_message(header_key: bytes, key_id: bytes, epoch: int, iteration: int, message_key: bytes, seed: bytes,
                 ad: bytes, sender: bytes, nonce: bytes, padded: bytes) -> bytes:
    """Seals a padded content under the message key of an iteration."""
    eh = seal(header_key, nonce, HEADER_AD, key_id + u32(epoch) + u32(iteration) + bytes(16))
    out = hkdf(nonce, message_key, "earshot/v1/dr/msg", 76)
    signature = sign(seed, SIGNATURE, ad + sender + nonce + eh + out[44:] + sha256(padded))
    body = seal(out[:32], out[32:44], ad + nonce + eh, signature + padded)
    return nonce + eh + out[44:] + body


def open_header(header_key: bytes, message: bytes) -> tuple[bytes, int, int]:
    """Returns key id, epoch and iteration."""
    require(len(message) > OVERHEAD, "a group message is short")
    reader = Reader(unseal(header_key, message[:12], HEADER_AD, message[12:68]))
    return reader.take(16), reader.u32(), reader.u32()


def open_body(message: bytes, message_key: bytes, ad: bytes, sender: bytes, signer: bytes) -> list[bytes]:
    """Checks commitment, body, signature, padding and items in this order, and returns the contents."""
    out = hkdf(message[:12], message_key, "earshot/v1/dr/msg", 76)
    require(same(out[44:], message[68:100]), "a commitment differs")
    body = unseal(out[:32], out[32:44], ad + message[:68], message[100:])
    signature, padded = body[:64], body[64:]
    check_signature(signer, SIGNATURE, ad + sender + message[:100] + sha256(padded), signature)
    contents = read_items(unpad(padded))
    require(contents != [], "a group message without content")
    return contents
