"""The hostile host: hears the beacons of its segment, and has links under several node keys and addresses."""

from __future__ import annotations

import socket
from dataclasses import dataclass

from interop.beacon import BeaconListener
from interop.endpoint import Address
from interop.noise import OPEN_MESH_KEY

from .link import HostileEndpoint, HostileLink

GROUP, GROUP_PORT = "239.255.69.83", 28787
BEACON_LIMIT = 52


@dataclass(frozen=True)
class Heard:
    """What the last beacon of an honest node shows, whether or not its MAC can be checked."""

    address: Address
    node: bytes
    beacon: bytes


class HostileHost:
    """One machine with an endpoint, and so a node key, on each of its addresses."""

    def __init__(self, addresses: list[str]) -> None:
        self.endpoints = [HostileEndpoint(OPEN_MESH_KEY, address) for address in addresses]
        self.ears = BeaconListener(GROUP, GROUP_PORT, None, addresses[0])
        self.addresses = set(addresses)
        self.heard: dict[Address, Heard] = {}

    def pump(self, wait: float) -> list[tuple[HostileLink, int, bytes]]:
        """Works off what came, and returns the messages of all links with their lanes."""
        self._listen()
        messages = []
        for place, endpoint in enumerate(self.endpoints):
            endpoint.pump(wait if place == 0 else 0)
            endpoint.new_links.clear()
            for link in endpoint.links.values():
                messages += [(link, lane, message) for lane, message in link.messages]
                link.messages.clear()
        return messages

    def _listen(self) -> None:
        while True:
            try:
                data, (source, _) = self.ears.socket.recvfrom(2048)
            except BlockingIOError:
                return
            if source not in self.addresses and 36 <= len(data) <= BEACON_LIMIT and data[:5] == b"EAR1\x01":
                address = (source, int.from_bytes(data[6:8], "big"))
                # A newer endpoint of a node takes the place of the older one, and its leaving ends it.
                self.heard = {one: heard for one, heard in self.heard.items() if heard.node != data[8:16]}
                if not data[5] & 2:
                    self.heard[address] = Heard(address, data[8:16], data)

    def dial_all(self) -> None:
        """Dials from each endpoint all honest nodes that it has no link with."""
        for endpoint in self.endpoints:
            linked = {link.address for link in endpoint.links.values()}
            for address in self.heard.keys() - linked:
                endpoint.dial(address)

    @property
    def links(self) -> list[HostileLink]:
        """Returns the links on which something has come, in a fixed order."""
        return [link for endpoint in self.endpoints for link in endpoint.links.values() if link.proof is None]

    def linked_hosts(self) -> set[str]:
        return {link.address[0] for link in self.links}

    def beacon(self, endpoint: HostileEndpoint, flags: int, node: bytes) -> None:
        """Sends a beacon under any node id from an endpoint."""
        self.ears.address = socket.inet_aton(endpoint.socket.getsockname()[0])
        self.ears.say(endpoint.socket, flags, endpoint.port, node)

    def close(self) -> None:
        for endpoint in self.endpoints:
            endpoint.close()
        self.ears.close()
