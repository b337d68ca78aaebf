"""A link past whose queue small messages go out, so that the hostile host has time to send them."""

from __future__ import annotations

from collections.abc import Iterator

from interop.datagrams import FRAMES_LIMIT
from interop.endpoint import Endpoint
from interop.frames import Frame, Piece
from interop.link import PIECE_SIZE, Link

IN_FLIGHT_LIMIT = 64
UNDER_WAY_LIMIT = 1_024
PIECE_HEADER_LIMIT = 14


class HostileLink(Link):
    """A link of the second implementation with more in flight and many messages in a packet."""

    def has_room(self) -> bool:
        """Tells whether the neighbour has acknowledged enough for more to go out."""
        under_way = sum(len(frames) for _, frames in self.flight.values())
        return self.closed is None and len(self.flight) < IN_FLIGHT_LIMIT and under_way < UNDER_WAY_LIMIT

    def send_many(self, lane: int, messages: list[bytes]) -> None:
        """Sends small messages at once, and queues those that need several packets."""
        for message in messages:
            if len(message) > PIECE_SIZE:
                self.message(lane, message)
        for frames in self._packets(lane, [message for message in messages if len(message) <= PIECE_SIZE]):
            self.packet(frames)

    def _packets(self, lane: int, messages: list[bytes]) -> Iterator[list[Frame]]:
        frames: list[Frame] = []
        size = 0
        for message in messages:
            number, self.numbers[lane] = self.numbers[lane], self.numbers[lane] + 1
            if size + len(message) + PIECE_HEADER_LIMIT > FRAMES_LIMIT and frames:
                yield frames
                frames, size = [], 0
            frames.append(Piece(lane, number, 0, len(message), message))
            size += len(message) + PIECE_HEADER_LIMIT
        if frames:
            yield frames


class HostileEndpoint(Endpoint):
    """An endpoint with such links."""

    link_class = HostileLink
    links: dict[bytes, HostileLink]
