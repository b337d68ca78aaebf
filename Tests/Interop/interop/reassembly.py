"""Puts messages together from their pieces, each once (PROTOCOL §3.5)."""

from __future__ import annotations

from .encoding import require
from .frames import Piece

REMEMBERED = 4096


class _Partial:
    """The pieces of one message so far."""

    def __init__(self) -> None:
        self.total: int | None = None
        self.data = bytearray()
        self.have = bytearray()

    def take(self, piece: Piece) -> bytes | None:
        if piece.total is not None:
            require(self.total in (None, piece.total), "a message has two totals")
            self.total = piece.total
        end = piece.offset + len(piece.data)
        if len(self.data) < end:
            self.have.extend(bytes(end - len(self.data)))
            self.data.extend(bytes(end - len(self.data)))
        self.data[piece.offset:end] = piece.data
        self.have[piece.offset:end] = b"\1" * len(piece.data)
        if self.total is None:
            return None
        require(len(self.data) <= self.total, "a message goes beyond its total")
        return bytes(self.data) if self.have.count(1) == self.total else None


class Lane:
    """One lane of one direction."""

    def __init__(self) -> None:
        self.partial: dict[int, _Partial] = {}
        self.done: set[int] = set()
        self.floor = 0

    def take(self, piece: Piece) -> bytes | None:
        """Returns the message that this piece completes."""
        if piece.number in self.done or piece.number < self.floor:
            return None
        message = self.partial.setdefault(piece.number, _Partial()).take(piece)
        if message is not None:
            del self.partial[piece.number]
            self.done.add(piece.number)
            if len(self.done) > REMEMBERED:
                self.floor = min(self.done) + 1
                self.done.remove(self.floor - 1)
        return message
