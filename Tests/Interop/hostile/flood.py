"""Flood: small control messages about envelopes and paths that do not exist."""

from __future__ import annotations

import secrets

from interop.path import Routed
from interop.sync import GRAFT, IHAVE, OFFER, WANT, ask, offer_or_want

from .host import HostileHost
from .link import HostileLink

ANNOUNCED = 60
BATCH = 24


def offer() -> bytes:
    return offer_or_want(OFFER, [secrets.token_bytes(8)])


def announce() -> bytes:
    return bytes([IHAVE]) + secrets.token_bytes(8 * ANNOUNCED)


def want() -> bytes:
    return offer_or_want(WANT, [secrets.token_bytes(8)])


def request() -> bytes:
    return bytes([GRAFT]) + secrets.token_bytes(8 * ANNOUNCED)


def compare() -> bytes:
    return ask(secrets.token_bytes(8), 0)


def route() -> bytes:
    return Routed(0, 0, secrets.token_bytes(8), b"", secrets.token_bytes(24)).encoded()


class Flood:
    """Offers, requests, comparisons, and payloads for labels without a way, of one type in a packet."""

    kinds = {"OFFER": offer, "IHAVE": announce, "WANT": want, "GRAFT": request, "ASK": compare, "ROUTED": route}

    def __init__(self) -> None:
        self.sent = dict.fromkeys(self.kinds, 0)
        self.answers = 0
        self.turn = 0

    def is_ready(self, host: HostileHost, targets: int) -> bool:
        host.dial_all()
        return len(host.linked_hosts()) >= targets

    def act(self, host: HostileHost, count: int) -> int:
        """Sends at most so many messages, fewer while neighbours acknowledge nothing; returns their number."""
        links = host.links
        sent = 0
        names = list(self.kinds)
        for _ in range(len(links)):
            link, name = links[self.turn % len(links)], names[self.turn // len(links) % len(names)]
            self.turn += 1
            some = min(BATCH, count - sent)
            if some > 0 and link.has_room():
                link.send_many(0, [self.kinds[name]() for _ in range(some)])
                self.sent[name] += some
                sent += some
        return sent

    def react(self, host: HostileHost, messages: list[tuple[HostileLink, int, bytes]]) -> None:
        """Counts the questions for what was named, and gives nothing."""
        self.answers += len(messages)
        host.dial_all()

    def figures(self, host: HostileHost) -> dict[str, int]:
        return {**self.sent, "messages back": self.answers}
