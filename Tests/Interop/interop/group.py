"""Membership of a group: log, header keys and sender keys together (PROTOCOL §16)."""

from __future__ import annotations

import copy
import secrets
from dataclasses import dataclass

from .prekey_bundle import PrekeyBundle
from .encoding import Invalid, Reader, require
from .envelope import BUCKETS, SEALED, Envelope
from .group_log import GroupLog, Operation, header_key_hash
from .group_message import OVERHEAD, associated_data, open_body, open_header, seal_message
from .padding import bucket_for_all, item, pad
from .primitives import hkdf
from .sender_key import OwnSenderKey, SenderKey


@dataclass(frozen=True)
class Welcome:
    """The start of a new member (§16.2)."""

    remaining: int
    epoch: int
    header_key: bytes
    first_owner_key: bytes
    bundles: list[PrekeyBundle]
    operations: list[Operation]

    @staticmethod
    def decode(data: bytes) -> Welcome:
        reader = Reader(data)
        require(reader.u8() == 1, "a welcome of another version")
        remaining, epoch, header_key, first = reader.u32(), reader.u32(), reader.take(32), reader.take(32)
        bundles = [PrekeyBundle.decode(reader.take(reader.u16())) for _ in range(reader.u8())]
        operations = [Operation.decode(reader.take(reader.u8())) for _ in range(reader.u16())]
        reader.end()
        return Welcome(remaining, epoch, header_key, first, bundles, operations)


class Group:
    """The keys and the log of one member."""

    def __init__(self, me: bytes, welcome: Welcome) -> None:
        self.me = me
        self.log = GroupLog(welcome.first_owner_key)
        for operation in welcome.operations:
            self.log.apply(operation)
        require(self.log.epoch == welcome.epoch and me in self.log.members, "a welcome does not fit its log")
        self.header_keys = {welcome.epoch: welcome.header_key}
        self.keys: dict[bytes, SenderKey] = {}
        self.own: OwnSenderKey | None = None

    def update(self, data: bytes) -> None:
        """Applies an update: an operation, with the header key it brings."""
        reader = Reader(data)
        operation = Operation.decode(reader.take(reader.u8()))
        if operation.epoch <= self.log.epoch:
            return
        key, wanted = reader.rest(), operation.new_key_hash
        trial = copy.deepcopy(self.log)
        trial.apply(operation)
        if wanted is None:
            require(key == b"", "a key that nobody needs")
            key = hkdf(self.log.group, self.header_keys[self.log.epoch], "earshot/v1/ghk/next", 32)
        else:
            require(len(key) == 32 and header_key_hash(key) == wanted, "another header key")
        self.log = trial
        self.header_keys[operation.epoch] = key

    def take_key(self, data: bytes, maker: bytes, history: bytes) -> SenderKey:
        """Takes the sender key of a member."""
        key = SenderKey.decode(data, maker)
        require(key.group == self.log.group and maker in self.log.members, "a key of no member")
        require(1 <= key.epoch <= self.log.epoch, "a key of an epoch that has not come")
        require(history == self.log.hash_of(key.epoch)[:8], "a key of another history")
        return self.keys.setdefault(key.id, key)

    def renew_key(self) -> bool:
        """Makes a new sender key if the present one may not go on; tells whether all members must get it."""
        epoch, old = self.log.epoch, self.own
        if old and old.public.iteration <= 99 and old.public.epoch >= self.log.last_key_change(epoch):
            return False
        self.own = OwnSenderKey.new(self.log.group, epoch, self.me)
        return True

    def _ad(self, epoch: int) -> bytes:
        return associated_data(self.log.group, epoch, self.log.hash_of(epoch))

    def seal(self, contents: list[bytes], life: int) -> Envelope:
        """Seals contents under the own key, which the members have by then."""
        assert self.own is not None
        items, epoch, key = [item(content) for content in contents], self.log.epoch, self.own.public
        bucket = bucket_for_all(4 + OVERHEAD, [len(one) for one in items], BUCKETS)
        iteration = key.iteration
        padded = pad(b"".join(items), bucket - 4 - OVERHEAD)
        message = seal_message(self.header_keys[epoch], key.id, epoch, iteration, key.advance(), self.own.seed,
                               self._ad(epoch), self.me, secrets.token_bytes(12), padded)
        return Envelope.new(SEALED, life, secrets.token_bytes(16) + message)

    def open(self, envelope: Envelope) -> tuple[bytes, list[bytes]] | None:
        """Returns sender and contents, or nothing where the envelope does not open now."""
        message = envelope.body[16:]
        for epoch, header_key in sorted(self.header_keys.items(), reverse=True):
            try:
                identifier, named, iteration = open_header(header_key, message)
            except Invalid:
                continue
            require(named == epoch, "a header names another epoch")
            known = self.keys.get(identifier)
            require(known is not None, "an unknown sender key")
            require(self.log.last_key_change(epoch) <= known.epoch <= epoch, "a sender key is of a wrong epoch")
            require(known.maker in self.log.members, "the maker is no member")
            trial = copy.deepcopy(known)
            message_key = trial.message_key(iteration)
            require(message_key is not None, "a message key was used")
            contents = open_body(message, message_key, self._ad(epoch), known.maker, known.ed)
            self.keys[identifier] = trial
            return known.maker, contents
        return None
