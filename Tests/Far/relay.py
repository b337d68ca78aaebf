"""A relay between gateways and a hub that moves the dates which the hub states of its mail."""

from __future__ import annotations

import contextlib
import re
import select
import socket
import ssl
from datetime import datetime, timedelta, timezone
from pathlib import Path

import hub as servers
from network import Network
from service import Service

PORT = 4225
PIECE = 1 << 14
LABEL, STAMP_SIZE = b"Nats-Time-Stamp: ", 19
STAMP = re.compile(re.escape(LABEL) + rb"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)")


class Relay(Service):
    """A relay on the host of the hub, with the hub's certificate and TLS on both sides."""

    def __init__(self, network: Network, host: str, certificates: Path, ahead: float) -> None:
        super().__init__(network, host, PORT)
        self.to_gateways = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.to_gateways.load_cert_chain(certificates / "fullchain.pem", certificates / "key.pem")
        self.to_hub = ssl.create_default_context(cafile=str(certificates / "ca.pem"))
        # The times from which on the hub's clock is so much ahead.
        self.clocks = [(datetime.min.replace(tzinfo=timezone.utc), timedelta(seconds=ahead))]

    def set_clock(self, ahead: float) -> None:
        """Has all that happens from now on bear another date; what happened before keeps that which it has."""
        # Dates are read in whole seconds.
        self.clocks.append((datetime.now(timezone.utc).replace(microsecond=0), timedelta(seconds=ahead)))

    def serve(self, link: socket.socket) -> None:
        with self.network.on(self.host):
            plain = socket.create_connection(("127.0.0.1", servers.PORT), 5)
        plain.settimeout(None)
        # A server of NATS greets in clear text, and then waits for TLS.
        with plain:
            link.sendall(_greeting(plain))
            hub = self.to_hub.wrap_socket(plain, server_hostname=servers.NAME)
        with hub, self.to_gateways.wrap_socket(link, server_side=True) as gateway:
            self.links += [hub, gateway]
            self._pass_on(hub, gateway)

    def _pass_on(self, hub: ssl.SSLSocket, gateway: ssl.SSLSocket) -> None:
        """Passes all on until either side ends."""
        rest = b""
        while True:
            ready = [one for one in (hub, gateway) if one.pending()] or select.select([hub, gateway], [], [])[0]
            for source in ready:
                piece = _read(source)
                if piece == b"":
                    return
                if source is gateway:
                    hub.sendall(piece or b"")
                elif piece:
                    text = rest + piece
                    whole = _whole(text)
                    rest = text[whole:]
                    gateway.sendall(STAMP.sub(self._moved, text[:whole]))

    def _moved(self, found: re.Match[bytes]) -> bytes:
        """Returns a header with the date by the clock of that time."""
        time = datetime.fromisoformat(found[1].decode()).replace(tzinfo=timezone.utc)
        ahead = [ahead for begin, ahead in self.clocks if begin <= time][-1]
        return LABEL + (time + ahead).isoformat()[:STAMP_SIZE].encode()


def _greeting(hub: socket.socket) -> bytes:
    """Reads the line with which a hub greets, and nothing behind it."""
    greeting = b""
    while not greeting.endswith(b"\r\n"):
        piece = hub.recv(1)
        if not piece:
            raise EOFError
        greeting += piece
    return greeting


def _read(link: ssl.SSLSocket) -> bytes | None:
    """Reads what is there: nothing at the end, and none if TLS alone had something to say."""
    link.setblocking(False)
    try:
        return link.recv(PIECE)
    except ssl.SSLWantReadError:
        return None
    finally:
        with contextlib.suppress(OSError):
            link.setblocking(True)


def _whole(text: bytes) -> int:
    """Returns the size of what can be passed on: a header with a date waits until all of the date is there."""
    first = max(0, len(text) - len(LABEL) - STAMP_SIZE + 1)
    return next((place for place in range(first, len(text)) if _begins(text[place:])), len(text))


def _begins(end: bytes) -> bool:
    """Returns whether a header with a date may begin here and has not ended."""
    return end.startswith(LABEL) or LABEL.startswith(end)
