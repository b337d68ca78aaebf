"""Membership of a group: log, path, and the keys of its epochs (PROTOCOL §16)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from .encoding import Invalid, Reader, require, u8, u16, u32
from .envelope import BUCKETS, LIVE, SEALED, Envelope, check_size
from .group_log import LONGEST_CHECKPOINT, GroupLog, Prepared
from .group_message import (MOST_SKIPPED, MOST_SKIPPED_LATE, NOTICE, NOTICE_OVERHEAD, OVERHEAD, Epoch, Header,
                            associated_data, contents_of, open_body, open_header, open_signed, seal_message,
                            seal_notice)
from .group_operation import DEEPEST, LAST_NUMBER, Add, Edit, Handover, Operation, changes_secrets, group_id
from .group_tree import OwnerTree, check_of, follow, next_secret, plan
from .identity import Identity
from .padding import bucket_for_all, item, pad
from .prekey_bundle import PrekeyBundle
from .primitives import ed25519_public, hmac, same, sha256

PAST_EPOCHS, CONFIRMING, SAMPLED = 64, 32, 16


@dataclass(frozen=True)
class Welcome:
    """The start of a member (§16.2); of a checkpoint that comes in parts it has hash and length."""

    remaining: int
    epoch: int
    slot: int
    path: list[bytes]
    first_key: bytes
    checkpoint: bytes
    digest: tuple[bytes, int] | None
    bundles: list[PrekeyBundle]

    @property
    def group(self) -> bytes:
        return group_id(self.first_key)

    @property
    def log(self) -> GroupLog:
        """Returns the log of the checkpoint, once that is here."""
        log = GroupLog.from_checkpoint(self.checkpoint, self.first_key)
        require((log.epoch, log.state.depth + 1) == (self.epoch, len(self.path)), "a checkpoint of another epoch")
        tree = log.kept[-1].tree
        require(tree is None or same(tree.check, check_of(self.path[-1])), "secrets that are not the operation's")
        return log

    def encoded(self) -> bytes:
        state = b"\x01" + self.digest[0] + u32(self.digest[1]) if self.digest else (
            b"\x00" + u16(len(self.checkpoint)) + self.checkpoint)
        bundles = b"".join(u16(len(one.data)) + one.data for one in self.bundles)
        return (b"\x01" + u32(self.remaining) + u32(self.epoch) + u16(self.slot) + u8(len(self.path) - 1)
                + b"".join(self.path) + self.first_key + state + u8(len(self.bundles)) + bundles)

    @staticmethod
    def decode(data: bytes) -> Welcome:
        reader = Reader(data)
        require(reader.u8() == 1, "a welcome of another version")
        remaining, epoch, slot, depth = reader.u32(), reader.u32(), reader.u16(), reader.u8()
        require(0 < epoch < LAST_NUMBER and depth <= DEEPEST and slot >> depth == 0, "a welcome is malformed")
        path = [reader.take(32) for _ in range(depth + 1)]
        first_key, kind = reader.take(32), reader.u8()
        require(kind <= 1, "a welcome with another state")
        checkpoint, digest = b"", None
        if kind == 0:
            checkpoint = reader.take(reader.u16())
        else:
            digest = reader.take(32), reader.u32()
            require(0 < digest[1] <= LONGEST_CHECKPOINT, "a checkpoint has another length")
        bundles = [PrekeyBundle.decode(reader.take(reader.u16())) for _ in range(reader.u8())]
        reader.end()
        welcome = Welcome(remaining, epoch, slot, path, first_key, checkpoint, digest, bundles)
        require(digest is not None or welcome.log is not None, "a checkpoint is refused")
        return welcome


@dataclass(frozen=True)
class Opened:
    """A group message, or a notice, which has no sender."""

    sender: bytes | None
    contents: list[bytes]
    epoch: int


def run_at(seconds: float) -> int:
    """The run that a device begins at a time."""
    return int(seconds) // 300


class Group:
    """The log and the secrets of one member."""

    def __init__(self, identity: Identity, log: GroupLog) -> None:
        self.identity, self.me, self.log = identity, identity.public.id, log
        self.slot, self.writes_from, self.first_run = -1, 0, 0
        self.path: list[bytes] = []
        self.epochs: list[Epoch] = []
        self.leavers: set[bytes] = set()
        self.equivocators: list[bytes] = []
        self.owner_seed: bytes | None = None
        self.offered_seed: bytes | None = None
        self.tree: OwnerTree | None = None

    @staticmethod
    def joined(identity: Identity, welcome: Welcome) -> Group:
        group = Group(identity, welcome.log)
        group._enter(welcome)
        return group

    @staticmethod
    def founded(identity: Identity, seed: bytes, edits: tuple[Edit, ...]) -> Group:
        """Creates a group by its first operation; the first edit adds this identity."""
        group = Group(identity, GroupLog(ed25519_public(seed)))
        group.owner_seed, group.tree = seed, OwnerTree()
        group.perform(edits)
        return group

    @property
    def is_member(self) -> bool:
        return self.path != []

    def _enter(self, welcome: Welcome) -> None:
        member = self.log.state.members.get(welcome.slot)
        require(member is not None and member.public.id == self.me, "a welcome for another member")
        self.slot = welcome.slot
        if member.joined < welcome.epoch and not self.epochs:
            self.writes_from = welcome.epoch + 1
        self._begin(self.log.kept[-1], welcome.path)

    def rejoin(self, welcome: Welcome) -> None:
        """Goes on by a welcome for the same slot."""
        log = welcome.log
        require(self.is_member and self.log.fork is None and log.continues(self.log), "a welcome that fits not")
        wrong = not same(next_secret(welcome.path[-1]), self.path[-1])
        require(log.epoch > self.log.epoch or wrong, "a welcome that is not newer")
        self.epochs = [one for one in self.epochs if one.number != log.epoch]
        self.log, self.tree = log, None
        self._enter(welcome)

    def _begin(self, operation: Operation, path: list[bytes]) -> None:
        """Begins the epoch of an operation; the path is stepped at once."""
        state = self.log.state
        self.epochs.append(Epoch(self.log.group, operation.epoch, operation.hash, path[-1], state.depth,
                                 state.writers))
        self.epochs = self.epochs[-1 - PAST_EPOCHS:]
        self.path = [next_secret(secret) for secret in path]

    # Operations

    @property
    def _ad(self) -> bytes:
        return associated_data(self.log.group, self.log.epoch, self.log.hash)

    def apply(self, operation: Operation, leaf: bytes | None = None) -> None:
        """Applies an operation; raises `Known`, `Gap`, `Forked`, `NeedsLeaf` or `NeedsPath` where it cannot."""
        require(self.is_member, "not a member")
        prepared = self.log.prepare(operation)
        if prepared.state.slot_of(self.me) != self.slot:
            self.log.take(prepared)
            self.path, self.epochs, self.tree, self.owner_seed = [], [], None, None
            return
        path = follow(self.path, self.slot, prepared.state.depth, prepared.steps, prepared.renewed, operation.tree,
                      leaf, self._ad)
        self._take(prepared, path)
        own = self.log.signers_at(self.log.epoch + 1).owner
        if self.offered_seed is not None and ed25519_public(self.offered_seed) == own:
            self.owner_seed, self.offered_seed = self.offered_seed, None

    def _take(self, prepared: Prepared, path: list[bytes]) -> None:
        for slot in prepared.emptied:
            self.leavers.discard(self.log.state.members[slot].public.id)
            for epoch in self.epochs:
                epoch.forget(slot)
        self.log.take(prepared)
        self._begin(prepared.operation, path)

    # The owner

    def perform(self, edits: tuple[Edit, ...]) -> tuple[Operation, dict[bytes, bytes]]:
        """Signs and applies an operation; returns it, and the leaf secrets by peer id."""
        assert self.owner_seed is not None and self.tree is not None
        state, emptied, renewed = self.log.apply_edits(edits, any(isinstance(one, Handover) for one in edits))
        steps = plan(state, emptied, renewed)
        added = [edit.slot for edit in edits if isinstance(edit, Add)]
        part, leaves = self.tree.perform(state, added, renewed, steps, changes_secrets(edits), self._ad)
        operation = Operation.signed(self.owner_seed, self.log.group, self.log.epoch + 1, self.log.hash, edits,
                                     state.root, state.depth, part)
        slot = state.slot_of(self.me)
        assert slot is not None
        self.slot = slot
        self._take(Prepared(operation, state, emptied, renewed, steps), self.tree.path(slot))
        if operation.is_transfer:
            self.owner_seed = None
        return operation, {state.members[slot].public.id: leaf for slot, leaf in leaves.items()
                           if slot not in added and slot != self.slot}

    def welcome(self, member: bytes, remaining: int, bundles: list[PrekeyBundle], in_parts: bool = False) -> Welcome:
        """Makes the welcome of a member as the owner."""
        assert self.tree is not None
        slot, checkpoint = self.log.state.slot_of(member), self.log.checkpoint()
        require(slot is not None, "a welcome for no member")
        digest = (sha256(checkpoint), len(checkpoint)) if in_parts else None
        return Welcome(remaining, self.log.epoch, slot, self.tree.path(slot), self.log.first_key,
                       b"" if in_parts else checkpoint, digest, bundles)

    def take_tree(self, data: bytes) -> None:
        """Takes the secrets of all nodes as the new owner; those of the own path were stepped already."""
        require(self.owner_seed is not None and self.tree is None, "a tree that nobody needs")
        tree = OwnerTree.decode(data, self.log.kept[-1], self.log.state)
        require([next_secret(one) for one in tree.path(self.slot)] == self.path, "the tree leads to another path")
        self.tree = tree

    # Messages

    def _epoch(self, number: int) -> Epoch:
        return next(one for one in self.epochs if one.number == number)

    def seal(self, contents: list[bytes], life: int) -> Envelope:
        """Seals contents for all members."""
        require(self.log.fork is None, "the group is frozen")
        require(self.log.epoch >= self.writes_from, "the numbers of this epoch may have been used")
        epoch = self.epochs[-1]
        require(epoch.writers is None or self.slot in epoch.writers, "only admins write")
        runs = epoch.runs_of(self.slot)
        run = runs.next - 1 if runs.chains else self.first_run
        chain = runs.find(run)
        runs.keep(run, chain)
        header = Header(self.slot, 0, epoch.number, chain.next, run)
        message = seal_message(epoch.header_key, header, chain.advance(), self.identity.ed_seed, epoch.ad, self.me,
                               secrets.token_bytes(12), _padded(contents, OVERHEAD))
        return Envelope.new(SEALED, life, secrets.token_bytes(16) + message)

    def seal_notice(self, contents: list[bytes], number: int, life: int) -> Envelope:
        """Seals a notice of an epoch; an operation goes out under the epoch before it."""
        epoch = self._epoch(number)
        message = seal_notice(epoch.header_key, number, epoch.notice_key, epoch.ad, secrets.token_bytes(12),
                              _padded(contents, NOTICE_OVERHEAD))
        return Envelope.new(SEALED, life, secrets.token_bytes(16) + message)

    def open(self, envelope: Envelope) -> Opened | None:
        """Opens a message or notice, or returns nothing where it is not of this group; refuses what breaks a rule."""
        message = envelope.body[16:] if envelope.kind == SEALED else envelope.body
        require(envelope.kind in (SEALED, LIVE), "no kind of a group")
        check_size(envelope.kind, 4 + len(message))
        for epoch in reversed(self.epochs):
            try:
                header = open_header(epoch.header_key, message)
            except Invalid:
                continue
            require(header.epoch == epoch.number, "a header names another epoch")
            if header.slot == NOTICE:
                padded = open_body(message, epoch.notice_key, epoch.ad)
                return Opened(None, contents_of(padded), epoch.number)
            return self._open(epoch, header, message)
        return None

    def _open(self, epoch: Epoch, header: Header, message: bytes) -> Opened:
        state = self.log.state
        member = state.members.get(header.slot)
        require(member is not None and member.joined <= header.epoch, "a slot without the member of then")
        sender = member.public.id
        require(header.slot != self.slot or header.device != 0, "an own message")
        require(sender not in self.leavers, "a message of a leaver")
        require(epoch.writers is None or header.slot in epoch.writers, "a member that may not write")
        require(header.device == 0, "a device that nobody listed")
        runs = epoch.runs_of(header.slot)
        chain = runs.find(header.run)
        if header.iteration in chain.used:
            self._compare(chain.used[header.iteration], epoch, sender, member.public.ed, message)
        most = MOST_SKIPPED if epoch is self.epochs[-1] else MOST_SKIPPED_LATE
        message_key = chain.look_up(header.iteration, most)
        padded = open_signed(message, message_key, epoch.ad, sender, member.public.ed)
        contents = contents_of(padded)
        chain.use(header.iteration, padded)
        runs.keep(header.run, chain)
        return Opened(sender, contents, epoch.number)

    def _compare(self, used: tuple[bytes, bytes], epoch: Epoch, sender: bytes, signer: bytes, message: bytes) -> None:
        """Notes a second content under a used iteration; the message stays refused."""
        padded = open_signed(message, used[0], epoch.ad, sender, signer)
        if sha256(padded)[:16] != used[1] and sender not in self.equivocators:
            self.equivocators.append(sender)

    def confirms(self, identifier: bytes, number: int) -> bool:
        """Tells whether this member confirms a message (§16.5)."""
        state = self.log.state
        slots = [slot for slot, member in sorted(state.members.items()) if member.joined <= number]
        if state.policy.no_receipts:
            return False
        if len(slots) > CONFIRMING:
            key = self._epoch(number).notice_key
            slots = sorted(slots, key=lambda slot: hmac(key, identifier + u16(slot)))[:SAMPLED]
        return self.slot in slots


def _padded(contents: list[bytes], overhead: int) -> bytes:
    items = [item(content) for content in contents]
    bucket = bucket_for_all(4 + overhead, [len(one) for one in items], BUCKETS)
    return pad(b"".join(items), bucket - 4 - overhead)
