#!/usr/bin/env python3
"""An attacker on the wire of a segment: it hears all frames, and sends any."""

from __future__ import annotations

import json
import os
import random
import select
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hostile.segment import Segment

BRIDGE = "br0"
ETHERNET, IPV4, UDP = 14, b"\x08\x00", 17
PACKET_OUTGOING = 4
# Own frames come back to an attacker that hears all, so it knows them by what it has sent.
REMEMBERED = 50_000
PATIENCE = 20.0
SILENCE_LIMIT = 600.0


class Wire:
    """The process of an attacker, as the runner sees it."""

    def __init__(self, segment: Segment, manner: str, record: Path) -> None:
        self.record = record
        command = [*segment.inside("switch"), sys.executable, "-B", __file__, manner, str(record)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout is not None and self.process.stdout.readline() == b"ready\n"

    def end(self) -> dict[str, int]:
        """Ends the attack, and returns what it did."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        figures = json.loads(self.process.stdout.readline())
        assert self.process.wait(PATIENCE) == 0, "the attacker failed"
        return figures

    def packets(self) -> list[bytes]:
        """Returns the payloads of all datagrams that were heard."""
        data, found, place = self.record.read_bytes(), [], 0
        while place < len(data):
            size = int.from_bytes(data[place:place + 4], "big")
            found.append(data[place + 4:place + 4 + size])
            place += 4 + size
        return found

    def finish(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Frame:
    """An Ethernet frame with a UDP datagram."""

    def __init__(self, data: bytes) -> None:
        header = (data[ETHERNET] & 15) * 4
        self.udp = ETHERNET + header
        size = struct.unpack("!H", data[self.udp + 4:self.udp + 6])[0]
        self.data, self.payload = data[:self.udp + size], data[self.udp + 8:self.udp + size]

    @staticmethod
    def read(data: bytes) -> Frame | None:
        is_udp = len(data) > 42 and data[12:14] == IPV4 and data[ETHERNET + 9] == UDP
        is_whole = is_udp and not int.from_bytes(data[ETHERNET + 6:ETHERNET + 8], "big") & 0x3FFF
        return Frame(data) if is_whole else None

    def carrying(self, payload: bytes) -> bytes:
        """Returns a frame from and to the same hosts with another payload; UDP over IPv4 needs no checksum."""
        head = bytearray(self.data[:self.udp + 8])
        head[ETHERNET + 2:ETHERNET + 4] = struct.pack("!H", self.udp - ETHERNET + 8 + len(payload))
        head[ETHERNET + 10:ETHERNET + 12] = b"\0\0"
        head[ETHERNET + 10:ETHERNET + 12] = struct.pack("!H", _checksum(bytes(head[ETHERNET:self.udp])))
        head[self.udp + 4:self.udp + 8] = struct.pack("!HH", 8 + len(payload), 0)
        return bytes(head) + payload


def _checksum(header: bytes) -> int:
    total = sum(struct.unpack(f"!{len(header) // 2}H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


class Attacker:
    """What the process does with each datagram that it hears."""

    def __init__(self, manner: str, record: str) -> None:
        self.manner, self.figures = manner, {"heard": 0, "sent": 0}
        self.out = open(record, "wb")
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        self.socket.bind((BRIDGE, 0))
        # A bridge hands out what others send to each other only to those who want everything.
        membership = struct.pack("iHH8s", socket.if_nametoindex(BRIDGE), 1, 0, b"")
        self.socket.setsockopt(263, 1, membership)
        self.old: list[bytes] = []
        self.own: set[bytes] = set()

    def hear(self) -> None:
        data, address = self.socket.recvfrom(65_535)
        frame = Frame.read(data)
        if frame is None or address[2] == PACKET_OUTGOING or frame.payload in self.own:
            return
        self.figures["heard"] += 1
        self.out.write(len(frame.payload).to_bytes(4, "big") + frame.payload)
        self._act(frame)

    def _act(self, frame: Frame) -> None:
        if self.manner == "replay":
            self.old.append(frame.data)
            # At once, and something from long ago.
            for old in (frame.data, random.choice(self.old)):
                self._send(Frame(old).carrying(Frame(old).payload))
        elif self.manner == "flip":
            broken = bytearray(frame.payload)
            broken[random.randrange(len(broken))] ^= 1 << random.randrange(8)
            self._send(frame.carrying(bytes(broken)), bytes(broken))
        elif self.manner == "inject":
            junk = frame.payload[:random.randrange(len(frame.payload) + 1)] + random.randbytes(random.randrange(200))
            self._send(frame.carrying(junk), junk)

    def _send(self, data: bytes, own: bytes = b"") -> None:
        if own:
            if len(self.own) > REMEMBERED:
                self.own.clear()
            self.own.add(own)
        self.socket.send(data)
        self.figures["sent"] += 1

    def run(self) -> None:
        """Works until the input ends."""
        end = time.monotonic() + SILENCE_LIMIT
        print("ready", flush=True)
        while time.monotonic() < end:
            ready, _, _ = select.select([self.socket, sys.stdin], [], [], 1)
            if sys.stdin in ready and os.read(0, 4096) == b"":
                break
            if self.socket in ready:
                self.hear()
        self.out.close()
        print(json.dumps(self.figures), flush=True)


if __name__ == "__main__":
    Attacker(sys.argv[1], sys.argv[2]).run()
