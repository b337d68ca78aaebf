"""Keys of an epoch, chains, and sealing and opening of messages and notices (PROTOCOL §16.2 to §16.4)."""

from __future__ import annotations

from dataclasses import dataclass, field

from .encoding import Reader, label, require, u8, u16, u32
from .group_operation import DEEPEST, MOST_MEMBERS
from .group_state import Node
from .group_tree import path_of
from .padding import read_items, unpad
from .primitives import H, check_signature, hkdf, hmac, same, seal, sha256, sign, unseal

HEADER_AD, SIGNATURE = label("earshot/v1/hdr"), "earshot/v1/gmsg"
NOTICE_OVERHEAD = 12 + 56 + 32 + 16
OVERHEAD = NOTICE_OVERHEAD + 64
DEVICES, LAST_ITERATION, MOST_SKIPPED, MOST_SKIPPED_LATE, DIGEST_SIZE = 5, (1 << 20) - 1, 2000, 200, 16
NOTICE = 0xFFFF


def associated_data(group: bytes, epoch: int, operation_hash: bytes) -> bytes:
    return H("earshot/v1/gad", group + u32(epoch) + operation_hash)
RUN_LEVELS, LAST_RUN, RUNS_KEPT = 24, 2**24 - 1, 16


# Headers


@dataclass(frozen=True)
class Header:
    """The place of a message: slot, device, epoch, iteration, run."""

    slot: int
    device: int
    epoch: int
    iteration: int
    run: int = 0

    def encoded(self) -> bytes:
        return u16(self.slot) + u8(self.device) + b"\x00" + u32(self.epoch) + u32(self.iteration) + u32(self.run) + bytes(24)

    @staticmethod
    def decode(data: bytes) -> Header:
        reader = Reader(data)
        slot, device, zero, epoch, iteration = (reader.u16(), reader.u8(), reader.u8(), reader.u32(), reader.u32())
        run = reader.u32()
        require(zero == 0 and reader.take(24) == bytes(24), "a header is not zero where it has to be")
        reader.end()
        require(device < DEVICES and iteration <= LAST_ITERATION and run <= LAST_RUN, "a place is out of range")
        notice = (slot, device, iteration, run) == (NOTICE, 0, 0, 0)
        require(slot < MOST_MEMBERS or notice, "a slot is out of range")
        return Header(slot, device, epoch, iteration, run)


def open_header(header_key: bytes, message: bytes) -> Header:
    """Returns the header of a message whose header key it is."""
    require(len(message) > NOTICE_OVERHEAD, "a group message is short")
    return Header.decode(unseal(header_key, message[:12], HEADER_AD, message[12:68]))


# Bodies


def _sealed(header_key: bytes, header: Header, message_key: bytes, ad: bytes, nonce: bytes,
            body) -> bytes:
    eh = seal(header_key, nonce, HEADER_AD, header.encoded())
    out = hkdf(nonce, message_key, "earshot/v1/dr/msg", 76)
    clear = nonce + eh + out[44:]
    return clear + seal(out[:32], out[32:44], ad + nonce + eh, body(clear))


def seal_message(header_key: bytes, header: Header, message_key: bytes, seed: bytes, ad: bytes, sender: bytes,
                 nonce: bytes, padded: bytes) -> bytes:
    """Seals padded contents, signed by the device of the sender."""
    def body(clear: bytes) -> bytes:
        return sign(seed, SIGNATURE, ad + sender + clear + sha256(padded)) + padded

    return _sealed(header_key, header, message_key, ad, nonce, body)


def seal_notice(header_key: bytes, epoch: int, notice_key: bytes, ad: bytes, nonce: bytes, padded: bytes) -> bytes:
    return _sealed(header_key, Header(NOTICE, 0, epoch, 0), notice_key, ad, nonce, lambda clear: padded)


def open_body(message: bytes, message_key: bytes, ad: bytes) -> bytes:
    """Checks the commitment, and opens the body."""
    out = hkdf(message[:12], message_key, "earshot/v1/dr/msg", 76)
    require(same(out[44:], message[68:100]), "a commitment differs")
    return unseal(out[:32], out[32:44], ad + message[:68], message[100:])


def open_signed(message: bytes, message_key: bytes, ad: bytes, sender: bytes, signer: bytes) -> bytes:
    """Returns the padded contents of a message that its sender has signed."""
    body = open_body(message, message_key, ad)
    require(len(body) > 64, "a body is short")
    padded = body[64:]
    check_signature(signer, SIGNATURE, ad + sender + message[:100] + sha256(padded), body[:64])
    return padded


def contents_of(padded: bytes) -> list[bytes]:
    contents = read_items(unpad(padded))
    require(contents != [], "a group message without content")
    return contents


# Chains


def child(secret: bytes, right: int) -> bytes:
    return hmac(secret, u8(right))


@dataclass
class Chain:
    """The message keys of one run of a device in one epoch."""

    key: bytes
    next: int = 0
    skipped: dict[int, bytes] = field(default_factory=dict)
    used: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)

    def advance(self) -> bytes:
        require(self.next <= LAST_ITERATION, "a chain is at its end")
        message_key, self.key = hmac(self.key, b"\x01"), hmac(self.key, b"\x02")
        self.next += 1
        return message_key

    def look_up(self, iteration: int, most: int = MOST_SKIPPED) -> bytes:
        """Returns the key of a message that has not come; the chain goes on only by `use`."""
        if iteration < self.next:
            require(iteration in self.skipped, "a message key was used")
            return self.skipped[iteration]
        require(iteration - self.next <= most, "a message is too far ahead")
        trial = Chain(self.key, self.next)
        while trial.next < iteration:
            trial.advance()
        return trial.advance()

    def use(self, iteration: int, padded: bytes) -> None:
        while self.next <= iteration:
            number = self.next
            self.skipped[number] = self.advance()
        self.used[iteration] = self.skipped.pop(iteration), sha256(padded)[:DIGEST_SIZE]


class Runs:
    """The runs of one device of a slot in one epoch, and the chains of those that were begun."""

    def __init__(self, root: bytes) -> None:
        self.nodes: dict[Node, bytes] = {(RUN_LEVELS, 0): root}
        self.chains: dict[int, Chain] = {}
        self.next = 0

    def find(self, run: int) -> Chain:
        """Returns the chain of a run; one that was not begun is kept only by `keep`."""
        if run in self.chains:
            return self.chains[run]
        return Chain(hmac(self._walk(run, {}), b"\x04"))

    def keep(self, run: int, chain: Chain) -> None:
        if run not in self.chains:
            siblings: dict[Node, bytes] = {}
            self._walk(run, siblings)
            del self.nodes[self._start(run)]
            self.nodes.update(siblings)
            self.next = max(self.next, run + 1)
        self.chains[run] = chain
        if len(self.chains) > RUNS_KEPT:
            del self.chains[min(self.chains)]

    def _start(self, run: int) -> Node:
        way = path_of(run, RUN_LEVELS)
        start = next((node for node in way if node in self.nodes), None)
        require(start is not None, "a run was begun before")
        return start

    def _walk(self, run: int, siblings: dict[Node, bytes]) -> bytes:
        start = self._start(run)
        secret = self.nodes[start]
        for level in range(start[0] - 1, -1, -1):
            index = run >> level
            siblings[level, index ^ 1] = child(secret, (index ^ 1) & 1)
            secret = child(secret, index & 1)
        return secret


class Epoch:
    """The keys that follow from an operation and the root secret."""

    def __init__(self, group: bytes, number: int, operation_hash: bytes, root: bytes, depth: int,
                 writers: set[int] | None) -> None:
        require(depth <= DEEPEST, "a tree is too deep")
        out = hkdf(operation_hash, root, "earshot/v1/gepoch", 96)
        self.number, self.depth, self.writers = number, depth, writers
        self.header_key, self.notice_key = out[:32], out[64:]
        self.ad = associated_data(group, number, operation_hash)
        self.nodes: dict[Node, bytes] = {(depth, 0): out[32:64]}
        self.runs: dict[tuple[int, int], Runs] = {}

    def _leaf(self, slot: int) -> bytes:
        """Walks to a leaf, keeps the siblings, and erases the way."""
        require(slot >> self.depth == 0, "a slot is outside of the tree")
        way = path_of(slot, self.depth)
        start = next((node for node in way if node in self.nodes), None)
        require(start is not None, "a chain was begun before")
        secret = self.nodes.pop(start)
        for level in range(start[0] - 1, -1, -1):
            index = slot >> level
            self.nodes[level, index ^ 1] = child(secret, (index ^ 1) & 1)
            secret = child(secret, index & 1)
        return secret

    def runs_of(self, slot: int, device: int = 0) -> Runs:
        if (slot, 0) not in self.runs:
            leaf = self._leaf(slot)
            for number in range(DEVICES):
                self.runs[slot, number] = Runs(hmac(leaf, b"\x02" + u8(number)))
        return self.runs[slot, device]

    def forget(self, slot: int) -> None:
        """Erases the chains of a member that is out."""
        for number in range(DEVICES):
            self.runs.pop((slot, number), None)
