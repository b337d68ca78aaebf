"""INIT, RETRY, RESP and the header of DATA (PROTOCOL §3.1)."""

from __future__ import annotations

from dataclasses import dataclass

from .encoding import Reader, require
from .primitives import number_nonce, seal, unseal

DATAGRAM_LIMIT = 1232
FRAMES_LIMIT = 1207


@dataclass(frozen=True)
class Init:
    """The question for a link."""

    cid: bytes
    node: bytes
    handshake: bytes
    cookie: bytes = b""

    def encoded(self) -> bytes:
        clear = b"\x10\x01" + self.cid + self.node + bytes([len(self.cookie)]) + self.cookie + self.handshake
        return clear.ljust(400, b"\0")

    @staticmethod
    def decode(data: bytes) -> Init:
        require(400 <= len(data) <= DATAGRAM_LIMIT, "an INIT has a wrong length")
        reader = Reader(data)
        require(reader.take(2) == b"\x10\x01", "no INIT of version 1")
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
    sealed_node: bytes

    def encoded(self) -> bytes:
        return b"\x12" + self.receiver + self.sender + self.handshake + self.sealed_node

    @staticmethod
    def decode(data: bytes) -> Resp:
        require(len(data) == 81 and data[0] == 0x12, "no RESP")
        require(data[5:9] != bytes(4), "a cid is 0")
        return Resp(data[1:5], data[5:9], data[9:57], data[57:])


def _resp_data(init: Init, sender: bytes) -> bytes:
    return b"\x10\x01" + init.cid + init.node + b"\x12" + init.cid + sender


def make_resp(init: Init, cid: bytes, node: bytes, handshake: bytes, key: bytes) -> Resp:
    """Seals the responder's node id as its packet 0."""
    return Resp(init.cid, cid, handshake, seal(key, number_nonce(0), _resp_data(init, cid), node))


def open_resp(init: Init, resp: Resp, key: bytes) -> bytes:
    """Returns the responder's node id."""
    return unseal(key, number_nonce(0), _resp_data(init, resp.sender), resp.sealed_node)
