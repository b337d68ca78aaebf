"""Bytes as PROTOCOL §1 writes them: big-endian integers, labels, varints and a reader that takes exact lengths."""

from __future__ import annotations


class Invalid(Exception):
    """The error of bytes that break a rule of the protocol; their reader drops them."""


def require(condition: bool, reason: str) -> None:
    """Raises `Invalid` unless the condition holds."""
    if not condition:
        raise Invalid(reason)


def label(text: str) -> bytes:
    """Returns L(text): one byte of length, then ASCII."""
    return bytes([len(text)]) + text.encode("ascii")


def u8(value: int) -> bytes:
    return value.to_bytes(1, "big")


def u16(value: int) -> bytes:
    return value.to_bytes(2, "big")


def u32(value: int) -> bytes:
    return value.to_bytes(4, "big")


def u64(value: int) -> bytes:
    return value.to_bytes(8, "big")


def varint(value: int) -> bytes:
    """Writes LEB128."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


class Reader:
    """A reader of fields that refuses to go past the end."""

    def __init__(self, data: bytes) -> None:
        self.data = bytes(data)
        self.place = 0

    @property
    def left(self) -> int:
        """Tells how many bytes nobody has read yet."""
        return len(self.data) - self.place

    def take(self, count: int) -> bytes:
        require(0 <= count <= self.left, "bytes are missing")
        self.place += count
        return self.data[self.place - count:self.place]

    def number(self, count: int) -> int:
        return int.from_bytes(self.take(count), "big")

    def u8(self) -> int:
        require(self.place < len(self.data), "bytes are missing")
        self.place += 1
        return self.data[self.place - 1]

    def u16(self) -> int:
        return self.number(2)

    def u32(self) -> int:
        return self.number(4)

    def u64(self) -> int:
        return self.number(8)

    def varint(self) -> int:
        value = 0
        for index in range(10):
            byte = self.u8()
            value |= (byte & 127) << 7 * index
            if byte < 128:
                require(value < 1 << 64, "a varint overflows")
                return value
        raise Invalid("a varint is too long")

    def rest(self) -> bytes:
        """Takes all that is left."""
        return self.take(self.left)

    def end(self) -> None:
        """Refuses bytes that are left over."""
        require(self.left == 0, "bytes are left over")
