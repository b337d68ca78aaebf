"""INIT, RETRY, RESP and the header of DATA (PROTOCOL §3.1)."""

from __future__ import annotations

from dataclasses import dataclass

from .encoding import Reader, require

DATAGRAM_LIMIT = 1232
FRAMES_LIMIT = 1207


def init_header(cid: bytes, node: bytes) -> bytes:
    return b"\x10\x02" + cid + node


@dataclass(frozen=True)
class Init:
    """The question for a link."""

    cid: bytes
    node: bytes
    handshake: bytes
    cookie: bytes = b""

    def header(self) -> bytes:
        """Returns the clear fields that the handshake authenticates."""
        return init_header(self.cid, self.node)

    def encoded(self) -> bytes:
        clear = self.header() + bytes([len(self.cookie)]) + self.cookie + self.handshake
        return clear.ljust(400, b"\0")

    @staticmethod
    def decode(data: bytes) -> Init:
        require(400 <= len(data) <= DATAGRAM_LIMIT, "an INIT has a wrong length")
        reader = Reader(data)
        require(reader.take(2) == b"\x10\x02", "no INIT of version 2")
        cid, node, length = reader.take(4), reader.take(8), reader.u8()
        require(cid != bytes(4) and length in (0, 16), "an INIT is malformed")
        cookie = reader.take(length)
        return Init(cid, node, reader.take(48), cookie)


@dataclass(frozen=True)
class Retry:
    """The request for the same INIT with a cookie."""

    cid: bytes
    cookie: bytes

    def encoded(self) -> bytes:
        return b"\x11" + self.cid + self.cookie

    @staticmethod
    def decode(data: bytes) -> Retry:
        require(len(data) == 21 and data[0] == 0x11, "no RETRY")
        return Retry(data[1:5], data[5:])


@dataclass(frozen=True)
class Resp:
    """The answer to an INIT."""

    receiver: bytes
    sender: bytes
    handshake: bytes

    def encoded(self) -> bytes:
        return b"\x12" + self.receiver + self.sender + self.handshake

    @staticmethod
    def decode(data: bytes) -> Resp:
        require(len(data) == 105 and data[0] == 0x12, "no RESP")
        require(data[5:9] != bytes(4), "a cid is 0")
        return Resp(data[1:5], data[5:9], data[9:])


def third_datagram(cid: bytes, message: bytes) -> bytes:
    """Returns the initiator's packet 0, which is message 3 of the handshake."""
    return b"\x40" + cid + bytes(4) + message


def third_message(datagram: bytes) -> bytes:
    """Returns message 3 of the handshake from the initiator's packet 0."""
    require(len(datagram) == 73 and datagram[0] == 0x40 and datagram[5:9] == bytes(4), "no message 3")
    return datagram[9:]
