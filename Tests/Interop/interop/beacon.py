"""Beacons by multicast (PROTOCOL §4)."""

from __future__ import annotations

import socket
import struct
import time
from dataclasses import dataclass

from .encoding import Invalid, Reader, require, u8, u16, u32
from .primitives import H, hkdf, hmac, same

SOLICIT, LEAVING, MAC = 1, 2, 4


def network_tag(mesh_key: bytes, day: int) -> bytes:
    return H("earshot/v1/mesh/tag", mesh_key + u32(day))[:4]


def beacon_key(mesh_key: bytes) -> bytes:
    return hkdf(b"", mesh_key, "earshot/v1/mesh/beacon", 32)


@dataclass(frozen=True)
class Beacon:
    """The announcement of a node."""

    flags: int
    port: int
    node: bytes
    interval: int
    sequence: int
    shelf: int
    depth: int
    minutes: int
    tag: bytes = bytes(4)

    def encoded(self, address: bytes, key: bytes | None = None) -> bytes:
        """Writes the beacon as this address sends it, with a MAC under the key of a closed mesh."""
        flags = self.flags | MAC if key else self.flags
        clear = (b"EAR1\x01" + u8(flags) + u16(self.port) + self.node + u16(self.interval) + u16(self.sequence)
                 + u16(self.shelf) + u8(self.depth) + bytes(5) + u32(self.minutes) + self.tag)
        return clear + hmac(key, clear + address)[:16] if key else clear

    @staticmethod
    def decode(data: bytes, address: bytes, closed: bytes | None = None) -> Beacon:
        """Reads a beacon from this address: of the open mesh, or of the closed one with this mesh key."""
        reader = Reader(data)
        require(reader.take(5) == b"EAR1\x01", "no beacon")
        flags, port, node, interval, sequence = (reader.u8(), reader.u16(), reader.take(8), reader.u16(),
                                                 reader.u16())
        shelf, depth, _ = reader.u16(), reader.u8(), reader.take(5)
        beacon = Beacon(flags, port, node, interval, sequence, shelf, depth, reader.u32(), reader.take(4))
        require(beacon.port != 0, "a beacon has no port")
        require(depth <= 16 and shelf & 0xFFFF >> depth == 0, "a shelf is malformed")
        if closed is None:
            require(not beacon.flags & MAC and beacon.tag == bytes(4), "a beacon of a closed mesh")
        else:
            require(beacon.flags & MAC != 0, "a beacon without MAC")
            # The tag only saves the check of a beacon of another mesh; a member whose clock is wrong has another.
            require(same(reader.take(16), hmac(beacon_key(closed), data[:36] + address)[:16]), "a wrong MAC")
        reader.end()
        return beacon


class BeaconListener:
    """The beacons of one IPv4 group on the interface with an address: loopback, unless another one is given."""

    def __init__(self, group: str, port: int, mesh_key: bytes | None, address: str = "127.0.0.1") -> None:
        self.group, self.mesh_key, self.address = (group, port), mesh_key, socket.inet_aton(address)
        self.sequence = 0
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind((group, port))
        member = struct.pack("4s4s", socket.inet_aton(group), self.address)
        self.socket.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
        self.socket.setblocking(False)

    def heard(self) -> list[tuple[Beacon, str]]:
        """Returns the beacons that wait, each with its source address."""
        found = []
        while True:
            try:
                data, source = self.socket.recvfrom(2048)
            except BlockingIOError:
                return found
            try:
                found.append((Beacon.decode(data, socket.inet_aton(source[0]), self.mesh_key), source[0]))
            except Invalid:
                continue

    def say(self, out: socket.socket, flags: int, port: int, node: bytes) -> None:
        """Sends a beacon from the socket that links run on."""
        self.sequence += 1
        tag = network_tag(self.mesh_key, int(time.time()) // 86400) if self.mesh_key else bytes(4)
        minutes = int(time.monotonic()) // 60
        beacon = Beacon(flags, port, node, 20, self.sequence, 0, 0, minutes, tag)
        out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, self.address)
        out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)
        key = beacon_key(self.mesh_key) if self.mesh_key else None
        out.sendto(beacon.encoded(self.address, key), self.group)

    def close(self) -> None:
        self.socket.close()
