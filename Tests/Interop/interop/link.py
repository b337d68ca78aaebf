"""A link that came up: messages on lanes, acks and sending again (PROTOCOL §3.4, §3.5), without rate control."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from .encoding import Invalid, require
from .frames import Ack, Close, Frame, Path, Piece, Ping, decode_frames, eliciting
from .packets import PacketOpener, PacketSealer
from .reassembly import Lane
from .datagrams import FRAMES_LIMIT

PIECE_SIZE = 1150
IN_FLIGHT_LIMIT = 16
RESEND_AFTER = 0.15
PING_AFTER = 5.0
DEAD_AFTER = 30.0


class Link:
    """A connection with one neighbour."""

    def __init__(self, node: bytes, sealer: PacketSealer, opener: PacketOpener, address: tuple[str, int],
                 send: Callable[[bytes], None]) -> None:
        self.node, self.sealer, self.opener, self.address, self.send = node, sealer, opener, address, send
        self.waiting: deque[Piece] = deque()
        self.flight: dict[int, tuple[float, list[Frame]]] = {}
        self.first = sealer.number
        self.numbers = [0, 0, 0, 0]
        self.lanes = [Lane() for _ in range(4)]
        self.largest: int | None = None
        self.must_ack = False
        self.closed: int | None = None
        self.heard = self.spoke = time.monotonic()
        self.messages: list[tuple[int, bytes]] = []
        self.proof: bytes | None = None
        self.proved = 0.0

    def prove(self, datagram: bytes) -> None:
        """Sends message 3 of the handshake, and again until something comes."""
        self.proof, self.proved = datagram, time.monotonic()
        self.send(datagram)

    def message(self, lane: int, data: bytes) -> None:
        """Queues one message."""
        number = self.numbers[lane]
        self.numbers[lane] += 1
        for offset in range(0, len(data), PIECE_SIZE):
            total = len(data) if offset == 0 else None
            self.waiting.append(Piece(lane, number, offset, total, data[offset:offset + PIECE_SIZE]))

    def packet(self, frames: list[Frame]) -> None:
        """Sends frames in one packet and keeps those that elicit an ack."""
        data = b"".join(frame.encoded() for frame in frames)
        assert len(data) <= FRAMES_LIMIT
        number, datagram = self.sealer.seal(data)
        kept = [frame for frame in frames if eliciting(frame)]
        self.spoke = time.monotonic()
        if kept:
            self.flight[number] = (self.spoke, kept)
        self.send(datagram)

    def receive(self, datagram: bytes) -> None:
        """Takes a DATA of this link."""
        number, data = self.opener.open(datagram)
        self.heard = time.monotonic()
        self.proof = None
        frames = decode_frames(data)
        for frame in frames:
            self._take(frame)
        if any(eliciting(frame) for frame in frames):
            self.largest = max(number, -1 if self.largest is None else self.largest)
            self.must_ack = True

    def _take(self, frame: Frame) -> None:
        if isinstance(frame, Ack):
            self._acknowledged(frame)
        elif isinstance(frame, Close):
            self.closed = frame.reason
        elif isinstance(frame, Path) and not frame.response:
            self.packet([Path(True, frame.token)])
        elif isinstance(frame, Piece):
            message = self.lanes[frame.lane].take(frame)
            if message is not None:
                self.messages.append((frame.lane, message))

    def _acknowledged(self, ack: Ack) -> None:
        highest = self.sealer.number - 1
        largest = (highest & ~0xFFFFFFFF) + ack.largest
        require(self.first <= largest <= highest, "an ack names a number never sent")
        for offset in ack.offsets():
            self.flight.pop(largest - offset, None)

    def _ack(self) -> Ack:
        assert self.largest is not None
        bits = [(self.largest - 1 - place) in self.opener.seen for place in range(1024)]
        size = max((place // 8 + 1 for place, bit in enumerate(bits) if bit), default=0)
        octets = bytearray(size)
        for place in range(8 * size):
            octets[place // 8] |= bits[place] << 7 - place % 8
        return Ack(self.largest, 0, bytes(octets))

    def tick(self) -> None:
        """Sends what is due: acks, what nobody acknowledged, what waits, and a ping after silence."""
        now = time.monotonic()
        if self.proof is not None and now - self.proved > RESEND_AFTER:
            self.prove(self.proof)
        if self.must_ack:
            self.must_ack = False
            self.packet([self._ack()])
        for number, (sent, frames) in list(self.flight.items()):
            if now - sent > RESEND_AFTER:
                del self.flight[number]
                self.packet(frames)
        while self.waiting and len(self.flight) < IN_FLIGHT_LIMIT:
            self.packet([self.waiting.popleft()])
        if now - self.spoke > PING_AFTER:
            self.packet([Ping()])
        if now - self.heard > DEAD_AFTER:
            self.closed = 1

    def close(self) -> None:
        """Says goodbye."""
        if self.closed is None:
            self.packet([Close(0)])
            self.closed = 0

    def ping(self) -> None:
        self.packet([Ping()])


def receive_quietly(link: Link, datagram: bytes) -> None:
    """Takes a datagram and drops it if it breaks a rule."""
    try:
        link.receive(datagram)
    except Invalid:
        pass
