"""Outsider: dials the nodes of a closed mesh without its key, and sends beacons that seem to be theirs."""

from __future__ import annotations

import secrets
import socket

from interop.beacon import MAC, SOLICIT
from interop.datagrams import Init

from .host import GROUP, GROUP_PORT, HostileHost
from .link import HostileLink

BEACON_EACH = 20


class Outsider:
    """INITs under invented node ids and other keys; beacons without MAC, with a false one, and repeated ones."""

    def __init__(self) -> None:
        self.acts = self.initiations = self.beacons = self.answers = 0

    def is_ready(self, host: HostileHost, targets: int) -> bool:
        return len(host.heard) >= targets

    def act(self, host: HostileHost, count: int) -> int:
        honest = list(host.heard.values())
        for _ in range(count):
            endpoint = host.endpoints[self.acts % len(host.endpoints)]
            if self.acts % BEACON_EACH == 0:
                self._beacon(endpoint.socket, endpoint.port, honest[self.beacons % len(honest)].beacon)
            else:
                init = Init(secrets.token_bytes(3) + b"\1", secrets.token_bytes(8), secrets.token_bytes(48))
                _send(endpoint.socket, init.encoded(), honest[self.initiations % len(honest)].address)
                self.initiations += 1
            self.acts += 1
        return count

    def _beacon(self, out: socket.socket, port: int, heard: bytes) -> None:
        """Sends a beacon made of one that was heard."""
        out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(out.getsockname()[0]))
        invented = port.to_bytes(2, "big") + secrets.token_bytes(8) + heard[16:36]
        manner = self.beacons % 3
        if manner == 0:
            beacon = heard
        elif manner == 1:
            beacon = heard[:5] + bytes([SOLICIT | MAC]) + invented + secrets.token_bytes(16)
        else:
            beacon = heard[:5] + bytes([SOLICIT]) + invented
        _send(out, beacon, (GROUP, GROUP_PORT))
        self.beacons += 1

    def react(self, host: HostileHost, messages: list[tuple[HostileLink, int, bytes]]) -> None:
        """Counts what seems to be a link: there is none."""
        self.answers += len(host.links)

    def figures(self, host: HostileHost) -> dict[str, int]:
        return {"INITs": self.initiations, "beacons": self.beacons, "opened": self.answers}


def _send(out: socket.socket, data: bytes, address: tuple[str, int]) -> None:
    """Sends a datagram, or loses it when the queue is full."""
    try:
        out.sendto(data, address)
    except (BlockingIOError, ConnectionRefusedError):
        pass
