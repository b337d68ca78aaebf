"""The Double Ratchet with header encryption and epochs (PROTOCOL §8)."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from .encoding import Invalid, Reader, label, require, u16, u32
from .envelope import preimage
from .exchange import Exchange
from .prekey_message import SessionKeys
from .padding import SECTION_LEAST, read_items, split
from .primitives import dh, hkdf, hmac, same, seal, unseal, x25519_public

OVERHEAD = 12 + 56 + 32 + 16
MAXIMUM_NUMBER, MAXIMUM_GAP = 65_534, 1000
HEADER_AD = label("earshot/v1/hdr")


@dataclass
class Randomness:
    """The source of all that a session draws; a test puts known values here."""

    pair: Callable[[], bytes] = lambda: secrets.token_bytes(32)
    nonce: Callable[[], bytes] = lambda: secrets.token_bytes(12)
    kem_seed: Callable[[int], bytes | None] = lambda number: None
    capsule: Callable[[int], tuple[bytes, bytes] | None] = lambda number: None

    def __deepcopy__(self, memo: dict) -> Randomness:
        return self


@dataclass
class Opened:
    """A message that opened; an END has no contents, and of a PROBE the only one is the secret of its hello."""

    contents: list[bytes]
    preimage: bytes


@dataclass
class _OldChain:
    """The header key of a former chain, with its skipped message keys."""

    header_key: bytes
    keys: dict[int, bytes] = field(default_factory=dict)


def _advance(chain: bytes) -> tuple[bytes, bytes]:
    return hmac(chain, b"\x02"), hmac(chain, b"\x01")


class Ratchet:
    """One side of a session."""

    def __init__(self, keys: SessionKeys, initiator: bool, random: Randomness) -> None:
        self.ad, self.session, self.root = keys.ad, keys.session, keys.root
        self.initiator, self.random = initiator, random
        self.epoch, self.epoch_secret = 0, keys.epoch_secret
        self.sending_epoch = 0
        self.sending: bytes | None = None
        self.receiving: bytes | None = None
        self.sending_header = self.receiving_header = b""
        self.sent = self.received = self.before = 0
        self.highest_opened = -1
        self.old: list[_OldChain] = []
        self.skipped: dict[int, bytes] = {}

    @staticmethod
    def begun(keys: SessionKeys, spk: bytes, random: Randomness | None = None) -> Ratchet:
        """Begins the session of the maker of a prekey message."""
        ratchet = Ratchet(keys, True, random or Randomness())
        ratchet.seed = ratchet.random.pair()
        ratchet._begin_exchange(1)
        ratchet.root, ratchet.sending, ratchet.next_sending_header = ratchet._step(ratchet.seed, spk)
        ratchet.sending_header = keys.initiator_header
        ratchet.next_receiving_header = keys.responder_next_header
        return ratchet

    @staticmethod
    def taken(keys: SessionKeys, spk_seed: bytes, random: Randomness | None = None) -> Ratchet:
        """Begins the session of the recipient of a prekey message."""
        ratchet = Ratchet(keys, False, random or Randomness())
        ratchet.seed = spk_seed
        ratchet._begin_exchange(1)
        ratchet.next_sending_header = keys.responder_next_header
        ratchet.next_receiving_header = keys.initiator_header
        return ratchet

    def _begin_exchange(self, number: int) -> None:
        owner = self.initiator == (number % 2 == 1)
        self.exchange = Exchange(number, owner, self.ad, self.epoch_secret, self.random.kem_seed(number),
                                 self.random.capsule(number))

    def _begin_epoch(self) -> None:
        assert self.exchange.secret is not None
        self.epoch += 1
        self.epoch_secret = self.exchange.secret
        self._begin_exchange(self.epoch + 1)

    def _step(self, seed: bytes, public: bytes) -> tuple[bytes, bytes, bytes]:
        out = hkdf(self.root, dh(seed, public) + self.epoch_secret, "earshot/v1/dr/root", 96)
        return out[:32], out[32:64], out[64:]

    @property
    def can_send(self) -> bool:
        return self.sending is not None and self.sent <= MAXIMUM_NUMBER

    def seal(self, items: bytes, bucket: int, overhead: int) -> tuple[bytes, bytes]:
        """Returns the session message for a bucket, and the preimage of its release."""
        assert self.sending is not None and self.can_send
        self.sending, key = _advance(self.sending)
        hn = self.random.nonce()
        header = x25519_public(self.seed) + u32(self.sending_epoch) + u16(self.before) + u16(self.sent)
        self.sent += 1
        eh = seal(self.sending_header, hn, HEADER_AD, header)
        rest = bucket - overhead - OVERHEAD - 2 - len(items)
        section = self.exchange.section(rest) if rest >= SECTION_LEAST else bytes(rest)
        out = hkdf(hn, key, "earshot/v1/dr/msg", 76)
        body = seal(out[:32], out[32:44], self.ad + hn + eh, u16(len(items)) + items + section)
        return hn + eh + out[44:] + body, preimage(key, hn)

    def open(self, message: bytes, check: Callable[[bytes], None] = lambda image: None,
             read: Callable[[bytes], list[bytes]] = read_items) -> Opened:
        """Opens a message and keeps the new state, or raises `Invalid` and changes nothing."""
        trial = copy.deepcopy(self)
        opened = trial._open(message, check, read)
        self.__dict__.update(trial.__dict__)
        return opened

    def _header(self, message: bytes) -> tuple[str | _OldChain, bytes]:
        """Finds the key that opens the header."""
        hn, eh = message[:12], message[12:68]
        candidates: list[tuple[str | _OldChain, bytes]] = []
        if self.receiving is not None:
            candidates.append(("current", self.receiving_header))
        candidates.append(("next", self.next_receiving_header))
        candidates += [(chain, chain.header_key) for chain in reversed(self.old)]
        for where, key in candidates:
            try:
                return where, unseal(key, hn, HEADER_AD, eh)
            except Invalid:
                continue
        raise Invalid("no key opens the header")

    def _open(self, message: bytes, check: Callable[[bytes], None],
              read: Callable[[bytes], list[bytes]]) -> Opened:
        require(len(message) > OVERHEAD, "a message is short")
        where, header = self._header(message)
        reader = Reader(header)
        public, epoch, before, number = reader.take(32), reader.u32(), reader.u16(), reader.u16()
        require(number <= MAXIMUM_NUMBER, "a number is too high")
        if isinstance(where, _OldChain):
            key = where.keys.pop(number, None)
            newest = False
        else:
            if where == "next":
                self._receive_chain(public, epoch, before)
            newest = number > self.highest_opened
            key = self._message_key(number)
            self.highest_opened = max(number, self.highest_opened)
        if key is None:
            raise Invalid("the key of a message is gone")
        hn, eh, proof, body = message[:12], message[12:68], message[68:100], message[100:]
        out = hkdf(hn, key, "earshot/v1/dr/msg", 76)
        require(same(out[44:], proof), "a commitment differs")
        items, rest = split(unseal(out[:32], out[32:44], self.ad + hn + eh, body))
        if len(rest) >= SECTION_LEAST:
            self.exchange.read(rest, newest)
        else:
            require(not any(rest), "a short rest is not zero")
        image = preimage(key, hn)
        contents = read(items)
        check(image)
        return Opened(contents, image)

    def _message_key(self, number: int) -> bytes | None:
        if number < self.received:
            return self.skipped.pop(number, None)
        self._skip(number)
        assert self.receiving is not None
        self.receiving, key = _advance(self.receiving)
        self.received += 1
        return key

    def _skip(self, until: int) -> None:
        require(until - self.received <= MAXIMUM_GAP, "too many messages are skipped")
        while self.receiving is not None and self.received < until:
            self.receiving, self.skipped[self.received] = _advance(self.receiving)
            self.received += 1

    def _receive_chain(self, public: bytes, epoch: int, before: int) -> None:
        """Makes the receiving and the sending step."""
        if self.receiving is not None:
            self._skip(before)
            self.old.append(_OldChain(self.receiving_header, self.skipped))
        self.skipped = {}
        if epoch == self.epoch + 1 and not self.exchange.owner and self.exchange.secret is not None:
            self._begin_epoch()
        require(epoch == self.epoch, "a header names another epoch")
        self.receiving_header = self.next_receiving_header
        self.root, self.receiving, self.next_receiving_header = self._step(self.seed, public)
        self.received, self.highest_opened = 0, -1
        if self.exchange.owner and self.exchange.secret is not None:
            self._begin_epoch()
        self.before, self.sent = (self.sent if self.sending is not None else 0), 0
        self.sending_header = self.next_sending_header
        self.seed = self.random.pair()
        self.root, self.sending, self.next_sending_header = self._step(self.seed, public)
        self.sending_epoch = self.epoch
