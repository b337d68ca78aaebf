"""A client for one person: it tells its prekey bundle, writes texts, confirms what it reads (PROTOCOL §10, §18)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .prekey_bundle import PrekeyBundle, Prekey
from .content import MOST_NAMED, RECEIPT, TEXT, UNCONFIRMED, Content, message_id, receipt_content, text_content
from .encoding import Invalid
from .envelope import BUNDLE, PREKEY, RELEASE, SEALED, Envelope, release_bodies, release_hash, released_hashes
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


@dataclass(frozen=True)
class Opened:
    """An envelope and its contents; the size is without the release hash."""

    kind: int
    size: int
    hash: bytes
    contents: list[bytes]


@dataclass
class Owed:
    """All that a peer is still to hear of: preimages, ids of messages, and release hashes of packs."""

    images: list[bytes] = field(default_factory=list)
    delivered: list[bytes] = field(default_factory=list)
    packs: list[bytes] = field(default_factory=list)
    written: list[bytes] = field(default_factory=list)


class Chat:
    """A person on a mesh, to whom every peer is a contact."""

    def __init__(self, mesh: Mesh, nickname: str, extension: bytes = b"") -> None:
        self.mesh, self.nickname = mesh, nickname
        self.identity = Identity.new()
        self.prekey = Prekey.new(self.identity, nickname, extension)
        self.sessions = Sessions(self.identity, self.prekey)
        self.texts: list[Received] = []
        self.opened: list[Opened] = []
        self.sealed: list[Opened] = []
        self.receipts: list[Content] = []
        self.delivered: set[bytes] = set()
        self.released: set[bytes] = set()
        self.releases: list[bytes] = []
        self.orders: dict[bytes, int] = {}
        self.ended: list[bytes] = []
        self.packs: dict[tuple[bytes, bytes], list[bytes]] = {}
        self.owed: dict[bytes, Owed] = {}
        self.holding = False
        self.last_session = b""
        self.on_control_message: Callable[[Arrival, Content], None] = lambda arrival, content: None
        mesh.handler = self.take
        mesh.on_step_end = self.end_step

    @property
    def id(self) -> bytes:
        return self.identity.public.id

    def publish_bundle(self) -> None:
        seconds = self.prekey.bundle.not_after * 3600 - int(time.time())
        self.mesh.publish(Envelope.new(BUNDLE, seconds, self.prekey.bundle.data))

    def peer(self, identifier: bytes) -> Peer | None:
        return self.sessions.peers.get(identifier)

    def owed_to(self, identifier: bytes) -> Owed:
        return self.owed.setdefault(identifier, Owed())

    def text(self, peer: Peer, text: str) -> tuple[bytes, bytes]:
        """Makes the next text for a peer; returns its content and the id of the message."""
        order = self.orders[peer.public.id] = self.orders.get(peer.public.id, 0) + 1
        content = text_content(text, order)
        return content, message_id(self.id, peer.public.id, content)

    def send(self, peer: Peer, text: str) -> tuple[bytes, bytes]:
        """Sends a text at once, alone; returns the id of the message and the hash of its release."""
        content, identifier = self.text(peer, text)
        return identifier, self.send_content(peer, content)

    def write(self, peer: Peer, text: str) -> bytes:
        """Leaves a text to the end of the present step, which sends all of them together; returns its id."""
        content, identifier = self.text(peer, text)
        self.owed_to(peer.public.id).written.append(content)
        return identifier

    def send_content(self, peer: Peer, *contents: bytes) -> bytes:
        """Sends contents in one message, of several a pack; returns the hash of its release."""
        envelope, hashed = self.sessions.seal(peer, list(contents))
        self.packs[peer.public.id, hashed] = [message_id(self.id, peer.public.id, one) for one in contents]
        self.sealed.append(Opened(envelope.kind, len(envelope.body) - 12, hashed, list(contents)))
        self.mesh.publish(envelope)
        return hashed

    def end_step(self) -> None:
        """Tells each peer what became durable: all preimages together, then one message, its receipts first."""
        for identifier, owed in self.owed.items():
            for body in release_bodies(owed.images):
                self.mesh.publish(Envelope.new(RELEASE, RELEASE_LIFE, body))
            owed.images = []
        if self.holding:
            return
        owed_to_all, self.owed = self.owed, {}
        for identifier, owed in owed_to_all.items():
            named = [(True, one) for one in owed.packs] + [(False, one) for one in owed.delivered]
            contents = [receipt_content([one for pack, one in some if not pack], [one for pack, one in some if pack])
                        for some in (named[at:at + MOST_NAMED] for at in range(0, len(named), MOST_NAMED))]
            contents += owed.written
            peer = self.sessions.peers[identifier]
            for some in self.sessions.divide(peer, contents):
                self.send_content(peer, *some)

    def take(self, envelope: Envelope) -> None:
        """Works off an envelope that the mesh brought."""
        if envelope.kind == BUNDLE:
            bundle = PrekeyBundle.decode(envelope.body)
            if bundle.usable(int(time.time()) // 3600):
                self.sessions.learn(bundle)
        elif envelope.kind == RELEASE:
            self.releases.append(envelope.body)
            self.released.update(released_hashes(envelope.body))
        elif envelope.kind in (SEALED, PREKEY):
            arrival = self.sessions.open(envelope)
            if arrival is not None:
                contents = arrival.opened.contents
                self.opened.append(Opened(envelope.kind, len(envelope.body) - 12, envelope.body[:16], contents))
                self._arrived(arrival, envelope.kind)

    def _arrived(self, arrival: Arrival, kind: int) -> None:
        """Works off the contents of a message in their order, and notes what to tell of them."""
        peer, opened = arrival.peer, arrival.opened
        owed = self.owed_to(peer.public.id)
        owed.images.append(opened.preimage)
        self.last_session = arrival.session.ratchet.session
        if not opened.contents:
            self.ended.append(peer.public.id)
            self.sessions.end(arrival)
            return
        named: list[bytes] = []
        dropped = False
        for data in opened.contents:
            try:
                content = Content.decode(data)
                self.sessions.settle(arrival, content.sent_at)
                self._content(arrival, content, data, kind)
            except Invalid:
                dropped = True
                continue
            if content.kind not in UNCONFIRMED:
                named.append(message_id(peer.public.id, self.id, data))
        if named and len(opened.contents) > 1 and not dropped:
            owed.packs.append(release_hash(opened.preimage))
        else:
            owed.delivered += named

    def _content(self, arrival: Arrival, content: Content, data: bytes, kind: int) -> None:
        sender = arrival.peer.public.id
        if content.kind == RECEIPT:
            self.receipts.append(content)
            self.delivered.update(content.delivered + content.read)
            for pack in content.packs:
                self.delivered.update(self.packs.get((sender, pack), []))
        elif content.kind == TEXT:
            identifier = message_id(sender, self.id, data)
            if all(one.id != identifier for one in self.texts):
                self.texts.append(Received(identifier, sender, content.text, kind))
        else:
            self.on_control_message(arrival, content)
