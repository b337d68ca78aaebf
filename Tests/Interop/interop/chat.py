"""A client for one person: it tells its prekey bundle, writes texts, confirms what it reads (PROTOCOL §10, §18)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from .prekey_bundle import PrekeyBundle, Prekey
from .content import RECEIPT, TEXT, Content, message_id, receipt_content, text_content
from .encoding import Invalid
from .envelope import BUNDLE, PREKEY, RELEASE, SEALED, Envelope, release_hash
from .identity import Identity
from .mesh import Mesh
from .sessions import Arrival, Peer, Sessions

RELEASE_LIFE = 24 * 3600


@dataclass(frozen=True)
class Received:
    """A text that came."""

    id: bytes
    sender: bytes
    text: str
    kind: int


class Chat:
    """A person on a mesh, to whom every peer is a contact."""

    def __init__(self, mesh: Mesh, nickname: str, extension: bytes = b"") -> None:
        self.mesh, self.nickname = mesh, nickname
        self.identity = Identity.new()
        self.prekey = Prekey.new(self.identity, nickname, extension)
        self.sessions = Sessions(self.identity, self.prekey)
        self.texts: list[Received] = []
        self.delivered: set[bytes] = set()
        self.released: set[bytes] = set()
        self.orders: dict[bytes, int] = {}
        self.ended: list[bytes] = []
        self.last_session = b""
        self.on_control_message: Callable[[Arrival, Content], None] = lambda arrival, content: None
        mesh.handler = self.take

    @property
    def id(self) -> bytes:
        return self.identity.public.id

    def publish_bundle(self) -> None:
        seconds = self.prekey.bundle.not_after * 3600 - int(time.time())
        self.mesh.publish(Envelope.new(BUNDLE, seconds, self.prekey.bundle.data))

    def peer(self, identifier: bytes) -> Peer | None:
        return self.sessions.peers.get(identifier)

    def send(self, peer: Peer, text: str) -> tuple[bytes, bytes]:
        """Sends a text; returns the id of the message and the hash of its release."""
        order = self.orders[peer.public.id] = self.orders.get(peer.public.id, 0) + 1
        content = text_content(text, order)
        return message_id(self.id, peer.public.id, content), self.send_content(peer, content)

    def send_content(self, peer: Peer, content: bytes) -> bytes:
        envelope, hashed = self.sessions.seal(peer, content)
        self.mesh.publish(envelope)
        return hashed

    def take(self, envelope: Envelope) -> None:
        """Works off an envelope that the mesh brought."""
        if envelope.kind == BUNDLE:
            bundle = PrekeyBundle.decode(envelope.body)
            if bundle.usable(int(time.time()) // 3600):
                self.sessions.learn(bundle)
        elif envelope.kind == RELEASE:
            self.released.add(release_hash(envelope.body))
        elif envelope.kind in (SEALED, PREKEY):
            arrival = self.sessions.open(envelope)
            if arrival is not None:
                self._arrived(arrival, envelope.kind)

    def _arrived(self, arrival: Arrival, kind: int) -> None:
        self.mesh.publish(Envelope.new(RELEASE, RELEASE_LIFE, arrival.opened.preimage))
        self.last_session = arrival.session.ratchet.session
        peer, data = arrival.peer, arrival.opened.content
        if data is None:
            self.ended.append(peer.public.id)
            self.sessions.end(arrival)
            return
        try:
            content = Content.decode(data)
        except Invalid:
            return
        self.sessions.settle(arrival, content.sent_at)
        if content.kind == RECEIPT:
            self.delivered.update(content.delivered + content.read)
        elif content.kind == TEXT:
            identifier = message_id(peer.public.id, self.id, data)
            self.texts.append(Received(identifier, peer.public.id, content.text, kind))
            self.send_content(peer, receipt_content([identifier]))
        else:
            self.on_control_message(arrival, content)
