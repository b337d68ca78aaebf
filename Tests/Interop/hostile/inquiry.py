"""Inquiry: no attack, but a neighbour that asks what honest nodes keep, and for how long still."""

from __future__ import annotations

import secrets

from interop.encoding import Invalid
from interop.envelope import PREKEY, SEALED, Envelope
from interop.sync import ALL_PLACES, OFFER, WANT, ask, offer_or_want, read_ids

from .host import HostileHost
from .link import HostileLink


class Inquiry:
    """The life that each host tells of the mail in its store, in ticks of 10 seconds."""

    def __init__(self) -> None:
        self.asked: set[bytes] = set()
        self.offered: set[tuple[bytes, bytes]] = set()
        self.lives: dict[str, dict[bytes, int]] = {}

    def is_ready(self, host: HostileHost, targets: int) -> bool:
        host.dial_all()
        return len(host.linked_hosts()) >= targets

    def act(self, host: HostileHost, count: int) -> int:
        """Asks each neighbour once."""
        for link in host.links:
            if link.node not in self.asked:
                self.asked.add(link.node)
                link.send_many(0, [ask(secrets.token_bytes(8), ALL_PLACES)])
        return count

    def react(self, host: HostileHost, messages: list[tuple[HostileLink, int, bytes]]) -> None:
        for link, _, message in messages:
            try:
                self._take(link, message)
            except Invalid:
                continue

    def _take(self, link: HostileLink, message: bytes) -> None:
        if message[0] == OFFER:
            new = [short for short in read_ids(message) if (link.node, short) not in self.offered]
            self.offered.update((link.node, short) for short in new)
            if new:
                link.send_many(0, [offer_or_want(WANT, new)])
        elif 0x10 <= message[0] <= 0x17:
            envelope = Envelope.decode(message)
            if envelope.kind in (SEALED, PREKEY):
                self.lives.setdefault(link.address[0], {})[envelope.short_id] = envelope.life

    def figures(self, host: HostileHost) -> dict[str, int]:
        """Returns for each host how many it keeps, and the shortest life of these."""
        found = {}
        for address, lives in self.lives.items():
            found[f"{address} count"], found[f"{address} life"] = len(lives), min(lives.values())
        return found
