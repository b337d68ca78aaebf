"""Contents of session and group messages (PROTOCOL §10): texts, receipts and notes of groups."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass

from .encoding import Invalid, require
from .primitives import H
from .wire import Message, field, present

LATEST = 253_402_300_799_999
BODIES = (4, 5, 20, 21, 22, 23, 24, 25, 26, 50, 60, 61)
TEXT, RECEIPT, GROUP_CONTROL, ROTATION, REVOCATION = 4, 5, 50, 60, 61
UNCONFIRMED = (RECEIPT, GROUP_CONTROL, ROTATION, REVOCATION)
MOST_NAMED = 256


def now_ms() -> int:
    return int(time.time() * 1000)


def text_content(text: str, order: int) -> bytes:
    return (field(1, now_ms()) + field(2, secrets.token_bytes(16)) + field(3, order)
            + present(TEXT, field(1, text.encode())))


def receipt_content(delivered: list[bytes], packs: list[bytes] | None = None) -> bytes:
    body = b"".join(present(1, one) for one in delivered) + b"".join(present(3, one) for one in packs or [])
    return field(1, now_ms()) + field(2, secrets.token_bytes(16)) + present(RECEIPT, body)


def control_content(note: bytes) -> bytes:
    """Writes a note of a group, without salt and with order 0."""
    return field(1, now_ms()) + present(GROUP_CONTROL, note)


def message_id(sender: bytes, chat: bytes, content: bytes) -> bytes:
    return H("earshot/v1/mid", sender + chat + content)[:16]


@dataclass(frozen=True)
class Content:
    """A content that was read; `kind` is the number of its body, 0 for none that is known."""

    sent_at: int
    order: int
    kind: int
    text: str = ""
    delivered: tuple[bytes, ...] = ()
    read: tuple[bytes, ...] = ()
    packs: tuple[bytes, ...] = ()
    note: bytes = b""

    @staticmethod
    def decode(data: bytes) -> Content:
        message = Message(data)
        sent_at, order = message.number(1), message.number(3)
        require(sent_at <= LATEST, "a content is of after the year 9999")
        kinds = [number for number in message.numbers() if number in BODIES]
        kind = kinds[-1] if kinds else 0
        if kind == TEXT:
            text = Message(b"".join(message.all(TEXT))).bytes(1)
            require(1 <= order <= 2**62 and 1 <= len(text) <= 13_312, "a text is beyond its limits")
            try:
                return Content(sent_at, order, kind, text.decode())
            except UnicodeDecodeError as error:
                raise Invalid("a text is no UTF-8") from error
        if kind == RECEIPT:
            receipt = Message(b"".join(message.all(RECEIPT)))
            delivered, read, packs = (tuple(one for one in receipt.all(number) if len(one) == 16)
                                      for number in (1, 2, 3))
            require(sum(len(receipt.all(number)) for number in (1, 2, 3)) <= MOST_NAMED, "a receipt names too many")
            return Content(sent_at, order, kind, delivered=delivered, read=read, packs=packs)
        if kind == GROUP_CONTROL:
            return Content(sent_at, order, kind, note=message.bytes(GROUP_CONTROL))
        return Content(sent_at, order, kind)
