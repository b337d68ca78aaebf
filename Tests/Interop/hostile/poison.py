"""Poisoned life: passes each envelope on at once to everybody else, with a life that ends in 10 seconds."""

from __future__ import annotations

from dataclasses import replace

from interop.encoding import Invalid
from interop.envelope import Envelope
from interop.sync import IHAVE, OFFER, WANT, graft, offer_or_want, read_ids

from .host import HostileHost
from .link import HostileLink

LANES = (1, 2)


class Poison:
    """Copies with life 1, on lanes 1 and 2 in turn."""

    def __init__(self) -> None:
        self.known: set[bytes] = set()
        self.asked: set[bytes] = set()
        self.copies = dict.fromkeys(LANES, 0)

    def is_ready(self, host: HostileHost, targets: int) -> bool:
        host.dial_all()
        return len(host.linked_hosts()) >= targets

    def act(self, host: HostileHost, count: int) -> int:
        """Does nothing unasked: the attack only reacts."""
        return count

    def react(self, host: HostileHost, messages: list[tuple[HostileLink, int, bytes]]) -> None:
        host.dial_all()
        for link, lane, message in messages:
            try:
                self._take(host, link, lane, message)
            except Invalid:
                continue

    def _take(self, host: HostileHost, link: HostileLink, lane: int, message: bytes) -> None:
        if 0x10 <= message[0] <= 0x1F:
            self._pass_on(host, link, Envelope.decode(message))
        elif message[0] in (IHAVE, OFFER):
            new = [short for short in read_ids(message) if short not in self.known | self.asked]
            self.asked.update(new)
            if new:
                link.send_many(0, [graft(new) if message[0] == IHAVE else offer_or_want(WANT, new)])

    def _pass_on(self, host: HostileHost, source: HostileLink, envelope: Envelope) -> None:
        if envelope.short_id in self.known:
            return
        self.known.add(envelope.short_id)
        lane = LANES[len(self.known) % len(LANES)]
        for link in host.links:
            if link is not source:
                link.send_many(lane, [replace(envelope, life=1).encoded()])
                self.copies[lane] += 1

    def figures(self, host: HostileHost) -> dict[str, int]:
        return {"envelopes": len(self.known), "fresh copies": self.copies[1], "old copies": self.copies[2]}
