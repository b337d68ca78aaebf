"""The wire format of protocol buffers, as far as the contents need it."""

from __future__ import annotations

from .encoding import Invalid, Reader, varint

Value = int | bytes


def field(number: int, value: Value) -> bytes:
    """Writes one field; proto3 leaves out zeros and empty bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value) if value else b""
    return varint(number << 3 | 2) + varint(len(value)) + value if value else b""


def present(number: int, value: bytes) -> bytes:
    """Writes a field of bytes even if it is empty, as bodies and repeated fields are written."""
    return varint(number << 3 | 2) + varint(len(value)) + value


def read_fields(data: bytes) -> list[tuple[int, Value]]:
    """Lists all fields in their order."""
    reader, found = Reader(data), []
    while reader.left:
        key = reader.varint()
        number, kind = key >> 3, key & 7
        if kind == 0:
            found.append((number, reader.varint()))
        elif kind == 2:
            found.append((number, reader.take(reader.varint())))
        elif kind in (1, 5):
            found.append((number, reader.take(8 if kind == 1 else 4)))
        else:
            raise Invalid("an unknown wire type")
        if number == 0:
            raise Invalid("field 0")
    return found


class Message:
    """The fields of a message by number; of several single ones the last counts."""

    def __init__(self, data: bytes) -> None:
        self.fields = read_fields(data)

    def numbers(self) -> list[int]:
        return [number for number, _ in self.fields]

    def number(self, wanted: int) -> int:
        values = [value for number, value in self.fields if number == wanted and isinstance(value, int)]
        return values[-1] if values else 0

    def all(self, wanted: int) -> list[bytes]:
        return [value for number, value in self.fields if number == wanted and isinstance(value, bytes)]

    def bytes(self, wanted: int) -> bytes:
        values = self.all(wanted)
        return values[-1] if values else b""
