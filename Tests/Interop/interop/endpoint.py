"""The UDP socket that links run on: dials, answers dials and hands datagrams to links (PROTOCOL §3.2)."""

from __future__ import annotations

import random
import secrets
import select
import socket
import time
from dataclasses import dataclass, field

from .datagrams import Init, Resp, Retry, init_header, third_datagram, third_message
from .encoding import Invalid, require
from .link import Link, receive_quietly
from .noise import LinkHandshake, node_id
from .packets import PacketOpener, PacketSealer
from .primitives import x25519_public

Address = tuple[str, int]
ANSWER_LIFE = 3.0


def _new_cid() -> bytes:
    return secrets.token_bytes(3) + b"\x01"


@dataclass
class _Dial:
    """A handshake that waits for its RESP."""

    handshake: LinkHandshake
    init: Init
    next_at: float
    pause: float = 0.02
    started: float = field(default_factory=time.monotonic)


@dataclass
class _Answer:
    """An answered INIT before message 3 of the handshake."""

    init: Init
    resp: bytes
    address: Address
    cid: bytes
    handshake: LinkHandshake
    at: float = field(default_factory=time.monotonic)


class Endpoint:
    """One socket, on loopback unless another address is given, and its links."""

    link_class = Link

    def __init__(self, mesh_key: bytes, address: str = "127.0.0.1") -> None:
        self.mesh_key = mesh_key
        self.key = secrets.token_bytes(32)
        self.node = node_id(x25519_public(self.key))
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((address, 0))
        self.socket.setblocking(False)
        self.port = self.socket.getsockname()[1]
        self.links: dict[bytes, Link] = {}
        self.dials: dict[Address, _Dial] = {}
        self.answers: list[_Answer] = []
        self.retries = 0
        self.new_links: list[Link] = []
        self.loss = 0.0

    def dial(self, address: Address) -> None:
        """Begins a dial unless one to this address is under way."""
        if address not in self.dials:
            cid = _new_cid()
            handshake = LinkHandshake(self.mesh_key, self.key, init_header(cid, self.node))
            init = Init(cid, self.node, handshake.write_first())
            self.dials[address] = _Dial(handshake, init, time.monotonic())

    def pump(self, wait: float, others: list[socket.socket] | None = None) -> list[socket.socket]:
        """Waits for datagrams, works them off, and returns which of the other sockets can be read."""
        ready, _, _ = select.select([self.socket, *(others or [])], [], [], wait)
        while True:
            try:
                data, address = self.socket.recvfrom(2048)
            except (BlockingIOError, ConnectionRefusedError):
                break
            if random.random() < self.loss:
                continue
            try:
                self._receive(data, address)
            except Invalid:
                continue
        self._tick()
        return [other for other in ready if other is not self.socket]

    def _out(self, data: bytes, address: Address) -> None:
        """Sends a datagram, unless a test of losses takes it."""
        if random.random() >= self.loss:
            self.socket.sendto(data, address)

    def _tick(self) -> None:
        now = time.monotonic()
        for address, dial in list(self.dials.items()):
            if now - dial.started > 3:
                del self.dials[address]
            elif now >= dial.next_at:
                self._out(dial.init.encoded(), address)
                dial.next_at, dial.pause = now + dial.pause, dial.pause * 2
        self.answers = [answer for answer in self.answers if now - answer.at < ANSWER_LIFE]
        for cid, link in list(self.links.items()):
            link.tick()
            if link.closed is not None:
                del self.links[cid]

    def _receive(self, data: bytes, address: Address) -> None:
        require(data != b"", "nothing came")
        if data[0] & 0xFE == 0x40:
            self._data(data)
        elif data[0] == 0x10:
            self._init(Init.decode(data), address)
        elif data[0] == 0x11:
            self._retry(Retry.decode(data), address)
        elif data[0] == 0x12:
            self._resp(Resp.decode(data), address)

    def _retry(self, retry: Retry, address: Address) -> None:
        dial = self.dials.get(address)
        if dial and dial.init.cid == retry.cid:
            dial.init = Init(dial.init.cid, dial.init.node, dial.init.handshake, retry.cookie)
            self.retries += 1
            self._out(dial.init.encoded(), address)

    def _resp(self, resp: Resp, address: Address) -> None:
        dial = self.dials.get(address)
        require(dial is not None and dial.init.cid == resp.receiver, "a RESP to nothing")
        dial.handshake.read_second(resp.handshake)
        proof = third_datagram(resp.sender, dial.handshake.write_third())
        mine, theirs = dial.handshake.state.split()
        del self.dials[address]
        link = self._add(dial.init.cid, dial.handshake.remote_key, address, PacketSealer(mine, resp.sender, 1),
                         PacketOpener(theirs, {0}))
        link.prove(proof)
        link.ping()

    def _init(self, init: Init, address: Address) -> None:
        require(init.node != self.node, "the own node")
        for answer in self.answers:
            if answer.address == address and answer.init.handshake == init.handshake and answer.init.cid == init.cid:
                answer.at = time.monotonic()
                self._out(answer.resp, address)
                return
        handshake, cid = LinkHandshake(self.mesh_key, self.key, init.header()), _new_cid()
        handshake.read_first(init.handshake)
        resp = Resp(init.cid, cid, handshake.write_second()).encoded()
        self.answers.append(_Answer(init, resp, address, cid, handshake))
        self._out(resp, address)

    def _data(self, data: bytes) -> None:
        cid = data[1:5]
        if cid in self.links:
            receive_quietly(self.links[cid], data)
            return
        for answer in self.answers:
            if answer.cid == cid:
                message = third_message(data)
                self.answers.remove(answer)
                answer.handshake.read_third(message)
                require(node_id(answer.handshake.remote_key) == answer.init.node, "a node id is of another key")
                theirs, mine = answer.handshake.state.split()
                self._add(cid, answer.handshake.remote_key, answer.address, PacketSealer(mine, answer.init.cid, 1),
                          PacketOpener(theirs, {0})).ping()
                return

    def _add(self, cid: bytes, key: bytes, address: Address, sealer: PacketSealer, opener: PacketOpener) -> Link:
        """Adds a link in the place of an older one with the same node key."""
        link = self.link_class(node_id(key), sealer, opener, address, lambda out: self._out(out, address))
        self.links = {old: other for old, other in self.links.items() if other.node != link.node}
        self.links[cid] = link
        self.new_links.append(link)
        return link

    def close(self) -> None:
        for link in self.links.values():
            link.close()
        self.socket.close()
