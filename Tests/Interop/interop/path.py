"""Paths between two peers: probes, answers and their sealed payloads (PROTOCOL §5.1, §8, §10)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from .chat import Chat
from .encoding import Reader, require, u8, u16, u64
from .envelope import PROBE, Envelope
from .link import Link
from .primitives import hkdf, number_nonce, seal, unseal
from .sessions import Peer
from .sync import ROUTED

ANSWER_FLAG = 2
ANSWER, PLEASE_ANSWER, PONG = 0, 1, 2
PROBE_LIFE = 20


def path_keys(opener_label: bytes, answerer_label: bytes, secret: bytes) -> tuple[bytes, bytes]:
    """Returns the keys of the opener and of the answerer."""
    out = hkdf(opener_label + answerer_label, secret, "earshot/v1/path", 64)
    return out[:32], out[32:]


def seal_payload(key: bytes, number: int, content: bytes) -> bytes:
    padded = u16(len(content)) + content
    padded += bytes(-len(padded) % 256)
    return u64(number) + seal(key, number_nonce(number), b"", padded)


def open_payload(key: bytes, payload: bytes) -> tuple[int, bytes]:
    """Returns number and content."""
    reader = Reader(payload)
    number = reader.u64()
    padded = Reader(unseal(key, number_nonce(number), b"", reader.rest()))
    require(padded.left % 256 == 0, "a payload has a wrong size")
    content = padded.take(padded.u16())
    require(not any(padded.rest()), "a rest is not zero")
    return number, content


@dataclass(frozen=True)
class Routed:
    """A payload on its way to a label."""

    flags: int
    hops: int
    label: bytes
    own: bytes
    payload: bytes

    def encoded(self) -> bytes:
        return u8(ROUTED) + u8(self.flags) + u8(self.hops) + self.label + self.own + self.payload

    @staticmethod
    def decode(message: bytes) -> Routed:
        reader = Reader(message)
        require(reader.u8() == ROUTED, "no ROUTED")
        flags, hops, label = reader.u8(), reader.u8(), reader.take(8)
        require(flags in (0, 1, 2, 3, 4, 8, 10) and hops < 254, "a ROUTED is malformed")
        own = reader.take(8) if flags & ANSWER_FLAG else b""
        payload = reader.rest()
        require(1 <= len(payload) <= 20_480, "a payload has a wrong length")
        return Routed(flags, hops + 1, label, own, payload)


@dataclass
class _End:
    """One end of a path."""

    link: Link
    to: bytes
    sending: bytes
    receiving: bytes
    number: int = 0
    seen: int = -1


class Paths:
    """All paths of one chat, opened by either side."""

    def __init__(self, chat: Chat) -> None:
        self.chat, self.mesh = chat, chat.mesh
        self.ends: dict[bytes, _End] = {}
        self.opened: dict[bytes, bytes] = {}
        self.pinged = 0
        self.pongs: list[tuple[bytes, int]] = []
        self.mesh.on_probe = self._probe
        self.mesh.on_routed = self._routed

    def open(self, peer: Peer) -> bytes:
        """Floods a probe for a peer that has answered in a session; returns its label."""
        secret = secrets.token_bytes(32)
        require(peer.primary is not None, "there is no session")
        message, _ = peer.primary.ratchet.seal(b"\x01" + secret, 256, 4)
        envelope = Envelope.new(PROBE, PROBE_LIFE, message)
        self.opened[envelope.short_id] = secret
        self.mesh.publish(envelope)
        return envelope.short_id

    def ping(self, label: bytes) -> bytes:
        """Asks the other end of a path to answer; returns the value of the question."""
        value = secrets.token_bytes(8)
        self._send(self.ends[label], u8(PLEASE_ANSWER) + value)
        return value

    def _send(self, end: _End, content: bytes, own: bytes = b"") -> None:
        hops = secrets.randbelow(8)
        payload = seal_payload(end.sending, end.number, u8(hops) + content)
        end.number += 1
        flags = ANSWER_FLAG if own else 0
        end.link.message(0, Routed(flags, hops, end.to, own, payload).encoded())

    def _probe(self, link: Link, envelope: Envelope) -> None:
        """Answers a probe whose message opens."""
        hello = self.chat.sessions.open_hello(envelope.body)
        if hello is None:
            return
        label, own = envelope.short_id, secrets.token_bytes(8)
        opener, answerer = path_keys(label, own, hello)
        end = self.ends[own] = _End(link, label, answerer, opener)
        self._send(end, u8(ANSWER) + self.mesh.endpoint.node, own)

    def _routed(self, link: Link, message: bytes) -> None:
        routed = Routed.decode(message)
        if routed.own and routed.label in self.opened and routed.label not in self.ends:
            opener, answerer = path_keys(routed.label, routed.own, self.opened[routed.label])
            end = _End(link, routed.own, opener, answerer)
            content = self._take(end, routed.payload)
            require(content[1] == ANSWER, "the first payload is no answer")
            self.ends[routed.label] = end
        elif routed.label in self.ends:
            end = self.ends[routed.label]
            content = self._take(end, routed.payload)
            if content[1] == PLEASE_ANSWER:
                self.pinged += 1
                self._send(end, u8(PONG) + content[2:10])
            elif content[1] == PONG:
                self.pongs.append((content[2:10], max(1, routed.hops - content[0])))

    def _take(self, end: _End, payload: bytes) -> bytes:
        number, content = open_payload(end.receiving, payload)
        require(number > end.seen and len(content) >= 2, "a payload came before")
        end.seen = number
        return content
