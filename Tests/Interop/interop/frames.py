"""The frames that a packet holds (PROTOCOL §3.3)."""

from __future__ import annotations

from dataclasses import dataclass

from .encoding import Invalid, Reader, require, u8, u16, u32, varint

MESSAGE_LIMIT = 24_576


@dataclass(frozen=True)
class Ping:
    def encoded(self) -> bytes:
        return b"\x01"


@dataclass(frozen=True)
class Ack:
    """The largest number received, and those before it."""

    largest: int
    delay: int
    bitmap: bytes

    def encoded(self) -> bytes:
        return b"\x02" + u32(self.largest & 0xFFFFFFFF) + u16(self.delay) + u8(len(self.bitmap)) + self.bitmap

    def offsets(self) -> list[int]:
        """Lists how far below the largest each named number lies."""
        bits = [8 * place + bit + 1 for place, byte in enumerate(self.bitmap) for bit in range(8) if byte << bit & 128]
        return [0] + bits


@dataclass(frozen=True)
class Close:
    reason: int

    def encoded(self) -> bytes:
        return b"\x03" + u8(self.reason)


@dataclass(frozen=True)
class Status:
    shelf: int
    depth: int
    sums: list[int]
    count: int
    load: int

    def encoded(self) -> bytes:
        return (b"\x04" + u16(self.shelf) + u8(self.depth) + u8(0)
                + b"".join(u32(some) for some in self.sums) + u32(self.count) + u8(self.load) + u8(0))


@dataclass(frozen=True)
class Piece:
    """A part of a message; `total` stands in the first part alone."""

    lane: int
    number: int
    offset: int
    total: int | None
    data: bytes

    def encoded(self) -> bytes:
        total = varint(self.total or 0) if self.offset == 0 else b""
        return (b"\x10" + u8(self.lane) + varint(self.number) + varint(self.offset) + total
                + varint(len(self.data)) + self.data)


@dataclass(frozen=True)
class Live:
    data: bytes

    def encoded(self) -> bytes:
        return b"\x11" + varint(len(self.data)) + self.data


@dataclass(frozen=True)
class Path:
    response: bool
    token: bytes

    def encoded(self) -> bytes:
        return b"\x12" + u8(self.response) + self.token


@dataclass(frozen=True)
class StatusSum:
    """The sum of the status that the sender last took from the receiver; 0 without one."""

    sum: int

    def encoded(self) -> bytes:
        return b"\x05" + u32(self.sum)


Frame = Ping | Ack | Close | Status | StatusSum | Piece | Live | Path


def eliciting(frame: Frame) -> bool:
    """Tells whether a frame asks for an ack (§3.4)."""
    return isinstance(frame, Ping | Status | StatusSum | Piece | Live)


def _status(reader: Reader) -> Status:
    shelf, depth, _ = reader.u16(), reader.u8(), reader.u8()
    require(depth <= 16 and shelf & 0xFFFF >> depth == 0, "a shelf is malformed")
    sums = [reader.u32() for _ in range(16)]
    count, load, _ = reader.u32(), reader.u8(), reader.u8()
    return Status(shelf, depth, sums, count, load)


def _piece(reader: Reader) -> Piece:
    lane, number, offset = reader.u8(), reader.varint(), reader.varint()
    total = reader.varint() if offset == 0 else None
    data = reader.take(reader.varint())
    require(lane <= 3 and data != b"" and offset < MESSAGE_LIMIT, "a piece is malformed")
    require(offset + len(data) <= MESSAGE_LIMIT, "a piece is beyond the limit")
    require(total is None or 1 <= total <= MESSAGE_LIMIT and len(data) <= total, "a piece has a wrong total")
    return Piece(lane, number, offset, total, data)


def decode_frames(data: bytes) -> list[Frame]:
    """Reads all frames of a packet."""
    reader, frames = Reader(data), []
    while reader.left:
        kind = reader.u8()
        if kind == 0x00:
            continue
        if kind == 0x01:
            frames.append(Ping())
        elif kind == 0x02:
            largest, delay, count = reader.u32(), reader.u16(), reader.u8()
            require(count <= 128, "an ack is too long")
            frames.append(Ack(largest, delay, reader.take(count)))
        elif kind == 0x03:
            frames.append(Close(reader.u8()))
        elif kind == 0x04:
            frames.append(_status(reader))
        elif kind == 0x05:
            frames.append(StatusSum(reader.u32()))
        elif kind == 0x10:
            frames.append(_piece(reader))
        elif kind == 0x11:
            count = reader.varint()
            require(1 <= count <= 1100, "a live datagram has a wrong length")
            frames.append(Live(reader.take(count)))
        elif kind == 0x12:
            which = reader.u8()
            require(which <= 1, "a path frame is malformed")
            frames.append(Path(which == 1, reader.take(8)))
        else:
            raise Invalid("an unknown frame")
    return frames
