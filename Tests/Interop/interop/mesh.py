"""A leaf of the mesh as PROTOCOL §18 allows it: brings its own envelopes, and asks for those of others."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from .beacon import BeaconListener
from .encoding import Invalid
from .endpoint import Address, Endpoint
from .envelope import CHUNK, PROBE, RELEASE, Envelope
from .link import Link
from .sync import ALL_PLACES, ASK, GRAFT, IHAVE, OFFER, ROUTED, WANT, ask, graft, offer_or_want, read_ids


class Mesh:
    """A node that publishes its envelopes on all links, and hands out each foreign one once."""

    def __init__(self, mesh_key: bytes) -> None:
        self.endpoint = Endpoint(mesh_key)
        self.own: dict[bytes, Envelope] = {}
        self.known: set[bytes] = set()
        self.asked: set[bytes] = set()
        self.handler: Callable[[Envelope], None] | None = None
        self.inbox: list[Envelope] = []
        self.on_step_end: Callable[[], None] = lambda: None
        self.on_probe: Callable[[Link, Envelope], None] = lambda link, envelope: None
        self.on_routed: Callable[[Link, bytes], None] = lambda link, message: None
        self.beacons: BeaconListener | None = None
        self.dialled_at: dict[Address, float] = {}

    @property
    def links(self) -> list[Link]:
        return list(self.endpoint.links.values())

    def dial(self, address: Address) -> None:
        """Dials, at most once in 2 s."""
        if time.monotonic() - self.dialled_at.get(address, -10.0) >= 2:
            self.dialled_at[address] = time.monotonic()
            self.endpoint.dial(address)

    def part(self) -> None:
        """Closes all links."""
        for link in self.links:
            link.close()
        self.pump(0)

    def publish(self, envelope: Envelope) -> None:
        """Sends an own envelope on all links, and keeps it for those that come."""
        if envelope.kind != PROBE:
            self.own[envelope.short_id] = envelope
        self.known.add(envelope.short_id)
        for link in self.links:
            self._send(link, envelope)

    def _send(self, link: Link, envelope: Envelope, lane: int = 1) -> None:
        link.message(0 if envelope.kind == RELEASE else lane, envelope.encoded())

    def pump(self, wait: float = 0.02) -> None:
        """Works off what came within the time."""
        others = [self.beacons.socket] if self.beacons else None
        self.endpoint.pump(wait, others)
        for link in self.endpoint.new_links:
            for envelope in self.own.values():
                self._send(link, envelope)
            link.message(0, ask(secrets.token_bytes(8), ALL_PLACES))
        self.endpoint.new_links.clear()
        for link in self.links:
            messages, link.messages = link.messages, []
            for lane, message in messages:
                try:
                    self._take(link, lane, message)
                except Invalid:
                    continue
        self._hand_out()
        self.on_step_end()

    def _hand_out(self) -> None:
        """Gives the envelopes that came to whoever works on them, once there is somebody."""
        while self.inbox and self.handler is not None:
            try:
                self.handler(self.inbox.pop(0))
            except Invalid:
                continue

    def _take(self, link: Link, lane: int, message: bytes) -> None:
        kind = message[0]
        if 0x10 <= kind <= 0x17:
            self._envelope(link, Envelope.decode(message))
        elif kind in (OFFER, IHAVE):
            new = [short for short in read_ids(message) if short not in self.known | self.asked]
            self.asked.update(new)
            if new and kind == OFFER:
                link.message(0, offer_or_want(WANT, new))
            elif new:
                link.message(0 if lane < 2 else 2, graft(new))
        elif kind == ROUTED:
            self.on_routed(link, message)
        elif kind in (WANT, GRAFT):
            for short in read_ids(message):
                if short in self.own:
                    self._send(link, self.own[short], 2 if kind == WANT else lane)
        elif kind == ASK and message[9:11] != b"\xff\xff" and self.own:
            link.message(2, offer_or_want(OFFER, list(self.own)))

    def _envelope(self, link: Link, envelope: Envelope) -> None:
        if envelope.short_id in self.known or envelope.kind == CHUNK:
            return
        self.known.add(envelope.short_id)
        if envelope.kind == PROBE:
            self.on_probe(link, envelope)
        else:
            self.inbox.append(envelope)

    def close(self) -> None:
        self.endpoint.close()
        if self.beacons:
            self.beacons.close()
