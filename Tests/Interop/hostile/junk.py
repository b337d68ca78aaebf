"""Junk: new envelopes of the least size that is stored, with the longest life."""

from __future__ import annotations

import secrets

from interop.envelope import BUCKETS, LONGEST_LIFE, SEALED, Envelope

from .host import HostileHost
from .link import HostileLink

BATCH = 8


def junk() -> bytes:
    return Envelope(SEALED, LONGEST_LIFE[SEALED], secrets.token_bytes(BUCKETS[0] + 12)).encoded()


class Junk:
    """SEALED envelopes of random bytes, each on one link only."""

    def __init__(self) -> None:
        self.sent = self.turn = 0

    def is_ready(self, host: HostileHost, targets: int) -> bool:
        host.dial_all()
        return len(host.linked_hosts()) >= targets

    def act(self, host: HostileHost, count: int) -> int:
        links, sent = host.links, 0
        for _ in range(len(links)):
            link = links[self.turn % len(links)]
            self.turn += 1
            some = min(BATCH, count - sent)
            if some > 0 and link.has_room():
                link.send_many(1, [junk() for _ in range(some)])
                sent += some
        self.sent += sent
        return sent

    def react(self, host: HostileHost, messages: list[tuple[HostileLink, int, bytes]]) -> None:
        """Comes again where a link has ended."""
        host.dial_all()

    def figures(self, host: HostileHost) -> dict[str, int]:
        return {"envelopes": self.sent}
