"""The sessions with peers: prekey messages, the primary session, and sealing into envelopes (PROTOCOL §7, §8)."""

from __future__ import annotations

from dataclasses import dataclass, field

from .prekey_bundle import PrekeyBundle, Prekey
from .encoding import Invalid, require
from .envelope import BUCKETS, PREKEY, SEALED, Envelope, check_size, release_hash
from .prekey_message import SIZE, open_prekey_message, write_prekey_message
from .identity import Identity, PublicIdentity
from .padding import MOST_ITEMS, bucket_for_all, item
from .primitives import sha256
from .ratchet import OVERHEAD, Opened, Ratchet

SEALED_LIFE = 72 * 3600
SEALED_ROOM, PREKEY_ROOM = 16_262, 15_005


@dataclass
class Session:
    """One session with a peer."""

    ratchet: Ratchet
    begun: int
    prekey_message: bytes | None = None
    by_peer: bool = False


@dataclass
class Peer:
    """All that is known of a peer."""

    public: PublicIdentity
    bundle: PrekeyBundle | None = None
    sessions: list[Session] = field(default_factory=list)
    primary: Session | None = None


@dataclass(frozen=True)
class Arrival:
    """A message that opened, and the way in which it came."""

    peer: Peer
    session: Session
    opened: Opened


class Sessions:
    """All sessions of one identity."""

    def __init__(self, identity: Identity, prekey: Prekey) -> None:
        self.identity = identity
        self.prekeys = {prekey.bundle.sequence: prekey}
        self.peers: dict[bytes, Peer] = {}
        self.taken: dict[bytes, tuple[bytes, Peer, Session]] = {}

    def peer(self, public: PublicIdentity) -> Peer:
        return self.peers.setdefault(public.id, Peer(public))

    def learn(self, bundle: PrekeyBundle) -> None:
        """Takes a prekey bundle; of one peer the highest sequence counts."""
        peer = self.peer(bundle.owner)
        if peer.bundle is None or bundle.sequence >= peer.bundle.sequence:
            peer.bundle = bundle

    def seal(self, peer: Peer, contents: list[bytes], life: int = SEALED_LIFE) -> tuple[Envelope, bytes]:
        """Returns an envelope and the hash of its release; begins a session where there is none."""
        session = peer.primary
        if session is None or not session.ratchet.can_send:
            require(peer.bundle is not None, "there is no bundle of the peer")
            prekey_message, keys = write_prekey_message(self.identity, peer.bundle)
            session = Session(Ratchet.begun(keys, peer.bundle.spk), 0, prekey_message)
            peer.sessions.append(session)
            peer.primary = session
        prekey_message = session.prekey_message or b""
        kind = PREKEY if prekey_message else SEALED
        overhead, items = 4 + len(prekey_message), [item(content) for content in contents]
        bucket = bucket_for_all(overhead + OVERHEAD, [len(one) for one in items],
                                BUCKETS[3:] if prekey_message else BUCKETS)
        message, image = session.ratchet.seal(b"".join(items), bucket, overhead)
        hashed = release_hash(image)
        return Envelope.new(kind, life, hashed + prekey_message + message), hashed

    def divide(self, peer: Peer, contents: list[bytes]) -> list[list[bytes]]:
        """Divides contents into those that fit one message each, in their order."""
        session = peer.primary
        room = SEALED_ROOM if session is not None and session.prekey_message is None else PREKEY_ROOM
        parts: list[list[bytes]] = []
        left = 0
        for content in contents:
            size = len(item(content))
            if not parts or size > left or len(parts[-1]) == MOST_ITEMS:
                parts.append([])
                left = room
            parts[-1].append(content)
            left -= size
        return parts

    def open(self, envelope: Envelope) -> Arrival | None:
        """Opens an envelope of kind SEALED or PREKEY, or returns nothing where it is for others."""
        try:
            check_size(envelope.kind, 4 + len(envelope.body) - 16)
            hashed, rest = envelope.body[:16], envelope.body[16:]
            if envelope.kind == PREKEY:
                return self._prekey(rest[:SIZE], rest[SIZE:], hashed)
            return self._sealed(rest, hashed)
        except Invalid:
            return None

    def _sealed(self, message: bytes, hashed: bytes) -> Arrival | None:
        for peer in self.peers.values():
            for session in peer.sessions:
                try:
                    opened = session.ratchet.open(message, _release_check(hashed))
                except Invalid:
                    continue
                session.prekey_message = None
                return Arrival(peer, session, opened)
        return None

    def open_hello(self, message: bytes) -> bytes | None:
        """Returns the secret in the message of a PROBE, or nothing where it is for others."""
        for peer in self.peers.values():
            for session in peer.sessions:
                try:
                    (hello,) = session.ratchet.open(message, read=_hello).contents
                except Invalid:
                    continue
                session.prekey_message = None
                return hello
        return None

    def _prekey(self, prekey_message: bytes, message: bytes, hashed: bytes) -> Arrival:
        known = self.taken.get(prekey_message[:32])
        if known is not None:
            require(known[0] == sha256(prekey_message), "another prekey message with the same key")
            return Arrival(known[1], known[2], known[2].ratchet.open(message, _release_check(hashed)))
        opened = open_prekey_message(self.identity, self.prekeys, prekey_message)
        session = Session(Ratchet.taken(opened.keys, opened.prekey.spk_seed), opened.time, by_peer=True)
        arrival = session.ratchet.open(message, _release_check(hashed))
        peer = self.peer(opened.sender)
        peer.sessions.append(session)
        self.taken[prekey_message[:32]] = (sha256(prekey_message), peer, session)
        own = peer.primary is not None and peer.primary.prekey_message is not None
        if not own or session.ratchet.session < peer.primary.ratchet.session:
            peer.primary = session
        return Arrival(peer, session, arrival)

    def settle(self, arrival: Arrival, sent_at: int) -> None:
        """Applies rule R2 to a message that came on another session than the primary."""
        peer, primary = arrival.peer, arrival.peer.primary
        if primary is None or arrival.session is primary:
            return
        if primary.by_peer and primary.begun * 1000 < sent_at:
            peer.primary = min(primary, arrival.session, key=lambda one: one.ratchet.session)

    def end(self, arrival: Arrival) -> None:
        """Destroys the session that an END came on."""
        peer = arrival.peer
        peer.sessions.remove(arrival.session)
        if peer.primary is arrival.session:
            peer.primary = peer.sessions[-1] if peer.sessions else None


def _hello(items: bytes) -> list[bytes]:
    require(len(items) == 33 and items[0] == 1, "no hello")
    return [items[1:]]


def _release_check(hashed: bytes):
    def check(image: bytes) -> None:
        require(release_hash(image) == hashed, "the release hash is another one")
    return check
