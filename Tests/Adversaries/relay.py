"""The malicious relay: the only way between two people, who take it for a member of the mesh."""

from __future__ import annotations

import random

from interop.envelope import Envelope
from interop.link import Link
from interop.mesh import Mesh
from interop.node import Node
from interop.scenarios import free_port
from stage import Stage, search, texts

COUNT = 8
MANNERS = ("honest", "drop", "delay", "reorder", "replay", "turn", "cut")


class Relay(Mesh):
    """A mesh that passes envelopes on between its two links, in its own manner."""

    def __init__(self, key: bytes) -> None:
        super().__init__(key)
        self.manner = "honest"
        self.kept: list[tuple[Link, Envelope]] = []
        self.seen: list[bytes] = []
        self.harmed = 0
        self.random = random.Random(7)

    def _envelope(self, link: Link, envelope: Envelope) -> None:
        self.seen.append(envelope.encoded())
        if envelope.short_id in self.known:
            return
        self.known.add(envelope.short_id)
        # Whoever asks later gets it: only this way is closed.
        self.own[envelope.short_id] = envelope
        self._pass(link, envelope)

    def _pass(self, link: Link, envelope: Envelope) -> None:
        if self.manner == "honest":
            return self._forward(link, envelope)
        self.harmed += 1
        if self.manner == "drop":
            del self.own[envelope.short_id]
        elif self.manner in ("delay", "reorder"):
            self.kept.append((link, envelope))
        elif self.manner == "replay":
            for _ in range(5):
                self._forward(link, envelope)
        else:
            self._forward(link, self._broken(envelope))
            self._forward(link, envelope)
        return None

    def _broken(self, envelope: Envelope) -> Envelope:
        body = bytearray(envelope.body)
        if self.manner == "turn":
            body[self.random.randrange(len(body))] ^= 1 << self.random.randrange(8)
        else:
            # Another body of the same size behind the same beginning.
            body[len(body) // 2:] = self.random.randbytes(len(body) - len(body) // 2)
        return Envelope(envelope.kind, envelope.life, bytes(body))

    def _forward(self, link: Link, envelope: Envelope) -> None:
        for other in self.links:
            if other is not link:
                self._send(other, envelope)

    def give(self) -> None:
        """Passes on what it kept back, in any order."""
        self.random.shuffle(self.kept)
        for link, envelope in self.kept:
            self._forward(link, envelope)
        self.kept = []

    def repeat(self) -> None:
        """Sends all that it ever saw once more to both."""
        for envelope in list(self.own.values()):
            for link in self.links:
                self._send(link, envelope)


def harm(stage: Stage) -> str:
    """Has two people write to each other through it in each manner: each text comes once, and none is opened."""
    ports = free_port(), free_port()
    one, other = (stage.loopback.node(name, "--no-multicast", "--port", str(port))
                  for name, port in zip(("Adelheid", "Balthasar"), ports))
    relay = Relay(stage.loopback.mesh().endpoint.mesh_key)
    stage.loopback.meshes.append(relay)
    for port in ports:
        stage.loopback.link(relay, port)
    stage.loopback.until(lambda: all(len(node.call("contacts")) == 1 for node in (one, other)), "the contacts")
    one.call("trust", peer=other.id.hex(), action="accept")
    other.call("trust", peer=one.id.hex(), action="accept")
    sent: dict[str, list[str]] = {one.name: [], other.name: []}
    for manner in MANNERS:
        relay.manner = manner
        _talk(stage, relay, one, other, manner, sent)
    relay.repeat()
    stage.loopback.until(lambda: _all_delivered(one, other), "the last receipts", 60)
    for node, peer in ((one, other), (other, one)):
        shown = sorted(texts(node, peer.id))
        assert shown == sorted(sent[one.name] + sent[other.name]), f"{node.name} is shown {len(shown)} texts"
    needles = {f"the text {text!r}": text.encode() for text in sent[one.name] + sent[other.name]}
    search({"the relay's envelopes": b"\n".join(relay.seen)}, needles)
    return f"{len(MANNERS)} manners, {relay.harmed} of {len(relay.seen)} envelopes dropped, kept back, repeated or " \
           f"broken; {len(needles)} texts once each, none in clear"


def _talk(stage: Stage, relay: Relay, one: Node, other: Node, manner: str, sent: dict[str, list[str]]) -> None:
    """Has both write while the relay does harm, and waits for all once it is honest again."""
    begin = relay.harmed
    for number in range(COUNT):
        for author, reader in ((one, other), (other, one)):
            text = f"{author.name} writes {number} while it does {manner}"
            author.call("send", to=reader.id.hex(), text=text)
            sent[author.name].append(text)
            relay.pump()
    if manner == "honest":
        stage.loopback.until(lambda: _all_delivered(one, other), "receipts", 60)
        return
    stage.loopback.until(lambda: relay.harmed >= begin + 4, f"envelopes to {manner}")
    for _ in range(20):
        relay.pump()
    relay.manner = "honest"
    relay.give()
    if manner == "drop":
        _link_again(stage, relay)
    stage.loopback.until(lambda: _all_delivered(one, other), f"receipts after {manner}", 90)


def _link_again(stage: Stage, relay: Relay) -> None:
    """Parts and links anew, as a relay does that restarts; what it dropped is known to it no more."""
    addresses = [link.address for link in relay.links]
    relay.part()
    relay.known.clear()
    relay.asked.clear()
    relay.known.update(relay.own)
    for address in addresses:
        stage.loopback.link(relay, address[1])


def _all_delivered(one: Node, other: Node) -> bool:
    return all(node.call("status")["outbox"] == 0 for node in (one, other))

