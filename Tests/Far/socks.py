"""A proxy that knows names which nobody else knows: SOCKS5 without a login (RFC 1928)."""

from __future__ import annotations

import select
import socket

from network import Network
from service import Service

PORT = 1080
GREETING_ANSWER, SUCCESS, UNREACHABLE = b"\x05\x00", b"\x05\x00\x00\x01" + bytes(6), b"\x05\x04\x00\x01" + bytes(6)
NUMERIC, NAMED = 1, 3
PIECE = 1 << 16


class Proxy(Service):
    """A proxy on a host of its own."""

    def __init__(self, network: Network, host: str, names: dict[str, str]) -> None:
        super().__init__(network, host, PORT)
        self.names = names
        # The destinations that it was asked for.
        self.asked: list[str] = []

    def serve(self, link: socket.socket) -> None:
        _read(link, _read(link, 2)[1])
        link.sendall(GREETING_ANSWER)
        name, port = _destination(link)
        self.asked.append(f"{name}:{port}")
        try:
            other = self._connect(self.names.get(name, name), port)
        except OSError:
            link.sendall(UNREACHABLE)
            return
        with other:
            link.sendall(SUCCESS)
            _pass_on(link, other)

    def _connect(self, address: str, port: int) -> socket.socket:
        with self.network.on(self.host):
            other = socket.create_connection((address, port), 5)
        other.settimeout(None)
        self.links.append(other)
        return other


def _destination(link: socket.socket) -> tuple[str, int]:
    """Reads the request of a client to connect it."""
    kind = _read(link, 4)[3]
    if kind not in (NUMERIC, NAMED):
        raise EOFError
    size = 4 if kind == NUMERIC else _read(link, 1)[0]
    place = _read(link, size)
    return socket.inet_ntoa(place) if kind == NUMERIC else place.decode(), int.from_bytes(_read(link, 2), "big")


def _read(link: socket.socket, count: int) -> bytes:
    found = b""
    while len(found) < count:
        piece = link.recv(count - len(found))
        if not piece:
            raise EOFError
        found += piece
    return found


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    """Passes all bytes on between two hosts until either ends."""
    while True:
        for source in select.select([one, other], [], [])[0]:
            piece = source.recv(PIECE)
            if not piece:
                return
            (other if source is one else one).sendall(piece)
