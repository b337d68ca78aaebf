"""Codes, invites and beacons of rooms (PROTOCOL §17.1, §17.2)."""

from __future__ import annotations

from dataclasses import dataclass

from .encoding import Reader, require, u8, u32
from .identity import PublicIdentity
from .primitives import H, check_signature, sign

LABEL = "earshot/v1/room/beacon"


def door(room: bytes) -> int:
    """Returns the number that the first two digits of a code name."""
    return int.from_bytes(H("earshot/v1/door", room), "big") % 100


def invite_lobby(key: bytes) -> bytes:
    return H("earshot/v1/lobby", key)[:16]


def invite(room: bytes, key: bytes) -> str:
    return f"earshot:room?id={room.hex()}&key={key.hex()}"


@dataclass(frozen=True)
class RoomBeacon:
    """The announcement of a room."""

    room: bytes
    lobby: bytes
    host: PublicIdentity
    sequence: int
    remaining: int
    admission: int
    closed: bool

    def signed(self, seed: bytes) -> bytes:
        clear = (b"\x00\x01" + self.room + self.lobby + self.host.ed + self.host.x + u32(self.sequence)
                 + u32(self.remaining) + u8(self.admission) + u8(self.closed))
        return clear + sign(seed, LABEL, clear)

    @staticmethod
    def decode(body: bytes) -> RoomBeacon:
        reader = Reader(body)
        require(reader.take(2) == b"\x00\x01", "no beacon of a room")
        room, lobby, host = reader.take(16), reader.take(16), PublicIdentity(reader.take(32), reader.take(32))
        sequence, remaining, admission, closed = reader.u32(), reader.u32(), reader.u8(), reader.u8()
        signature = reader.take(64)
        reader.end()
        require(admission <= 2 and closed <= 1, "a room's beacon is malformed")
        check_signature(host.ed, LABEL, body[:-64], signature)
        return RoomBeacon(room, lobby, host, sequence, remaining, admission, closed == 1)
