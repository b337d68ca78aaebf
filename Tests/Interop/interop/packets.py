"""Sealed DATA packets: numbers, phases and the window of numbers seen (PROTOCOL §3.2)."""

from __future__ import annotations

from .encoding import Invalid, require, u32
from .primitives import number_nonce, seal, unseal

WINDOW = 2048


def next_phase_key(key: bytes) -> bytes:
    return seal(key, number_nonce(2**64 - 1), b"", bytes(32))[:32]


class PacketSealer:
    """The sending half of a link, always in phase 0, since a link of a test closes within the hour."""

    def __init__(self, key: bytes, cid: bytes, first: int) -> None:
        self.key, self.cid, self.number = key, cid, first

    def seal(self, frames: bytes) -> tuple[int, bytes]:
        """Returns the number and the whole datagram."""
        number, self.number = self.number, self.number + 1
        header = b"\x40" + self.cid + u32(number & 0xFFFFFFFF)
        return number, header + seal(self.key, number_nonce(number), header, frames)


class PacketOpener:
    """The receiving half of a link, with phases and the numbers seen."""

    def __init__(self, key: bytes, seen: set[int]) -> None:
        self.keys: list[bytes | None] = [None, key, next_phase_key(key)]
        self.phase = 0
        self.first_of_phase: int | None = None
        self.seen = set(seen)
        self.highest = max(seen, default=-1)

    def _complete(self, low: int) -> int:
        expected = self.highest + 1
        number = (expected & ~0xFFFFFFFF) + low
        candidates = [value for value in (number - 2**32, number, number + 2**32) if value >= 0]
        return min(candidates, key=lambda value: abs(value - expected))

    def open(self, datagram: bytes) -> tuple[int, bytes]:
        """Returns number and frames."""
        require(len(datagram) >= 25 and datagram[0] & 0xFE == 0x40, "no DATA")
        number = self._complete(int.from_bytes(datagram[5:9], "big"))
        require(number not in self.seen and number > self.highest - WINDOW, "a packet number came before")
        which = 1
        if datagram[0] & 1 != self.phase & 1:
            which = 0 if self.first_of_phase is not None and number < self.first_of_phase else 2
        key = self.keys[which]
        if key is None:
            raise Invalid("a packet is of a phase that is gone")
        frames = unseal(key, number_nonce(number), datagram[:9], datagram[9:])
        if which == 2:
            self.keys = [self.keys[1], key, next_phase_key(key)]
            self.phase += 1
            self.first_of_phase = number
        elif which == 1:
            self.first_of_phase = number if self.first_of_phase is None else min(self.first_of_phase, number)
        self._remember(number)
        return number, frames

    def _remember(self, number: int) -> None:
        self.seen.add(number)
        if number > self.highest:
            self.highest = number
            if len(self.seen) > 2 * WINDOW:
                self.seen = {value for value in self.seen if value > number - WINDOW}
