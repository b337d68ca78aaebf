"""A member of a group or room: takes notices and control messages, reads and writes (PROTOCOL §16)."""

from __future__ import annotations

import dataclasses
import secrets
import time
from collections.abc import Callable

from .chat import Chat
from .content import GROUP_CONTROL, TEXT, Content, control_content, message_id, text_content
from .encoding import Invalid, Reader, require
from .envelope import BUNDLE, SEALED, Envelope
from .group import Group, Welcome, run_at
from .group_lines import line_ids
from .group_log import Forked, Gap, Known
from .group_notes import (BUNDLES, GROUP, LEAF, LEAVE, OPERATIONS, OPERATIONS_FROM, OWNER_KEY, PART, PROPOSAL,
                          WANTS_OWNER_KEY, WANTS_PATH, WELCOME, GroupText, Part, Parts)
from .group_operation import LONGEST, Edit, Operation
from .group_proposal import Proposal
from .group_tree import NeedsLeaf, NeedsPath
from .prekey_bundle import PrekeyBundle
from .primitives import ed25519_public, sha256
from .sessions import Arrival
from .wire import Message, field, present

MESSAGE_LIFE, NOTICE_LIFE = 24 * 3600, 72 * 3600
MOST_OPERATIONS, MOST_WAITING = 64, 256
ASK_PAUSE, LONGEST_PAUSE = 2.0, 600.0


class Membership:
    """One identity in one group, between the mesh and its chat."""

    def __init__(self, chat: Chat, room: bool) -> None:
        self.chat, self.room, self.mesh = chat, room, chat.mesh
        self.group: Group | None = None
        self.texts: list[GroupText] = []
        self.waiting: list[Envelope] = []
        self.opened: list[tuple[int, list[bytes]]] = []
        self.leaves: dict[int, tuple[bytes, bytes]] = {}
        self.operations: list[Operation] = []
        self.lines: list[bytes] = []
        self.answers: list[list[Operation]] = []
        self.requests: list[tuple[bytes, int]] = []
        self.welcomes: list[Welcome] = []
        self.welcome: tuple[bytes, Welcome] | None = None
        self.parts: dict[tuple[bool, int], Parts] = {}
        self.trees: dict[int, bytes] = {}
        self.previous_owner: bytes | None = None
        self.proof: tuple[Operation, Operation] | None = None
        self.missing = False
        self.aside = 0
        self.wants_path = False
        self.ask_at, self.pause = 0.0, ASK_PAUSE
        self.on_owner_key: Callable[[bytes, bytes], None] = lambda sender, key: None
        self.order, self.notice_life = 0, NOTICE_LIFE
        chat.on_control_message = self._control_message
        self.mesh.handler = self.take
        self.mesh.on_step_end = self._end_step

    # The mesh

    def take(self, envelope: Envelope) -> None:
        """Works off an envelope that the mesh brought."""
        if envelope.kind == SEALED and self._group_envelope(envelope):
            return
        if envelope.kind == BUNDLE and self.room:
            return
        before = len(self.chat.opened)
        self.chat.take(envelope)
        if envelope.kind == SEALED and len(self.chat.opened) == before:
            self.waiting = (self.waiting + [envelope])[-MOST_WAITING:]

    def _retry(self) -> None:
        """Tries what stayed unopened again, as keys have come."""
        waiting, self.waiting = self.waiting, []
        for envelope in waiting:
            if not self._group_envelope(envelope):
                self.waiting.append(envelope)

    def _group_envelope(self, envelope: Envelope) -> bool:
        """Opens a message or notice; tells whether the envelope was one that needs nothing more."""
        if self.group is None or not self.group.is_member:
            return False
        try:
            opened = self.group.open(envelope)
        except Invalid:
            return True
        if opened is None:
            return False
        if opened.sender is None:
            return self._notice(opened.contents)
        self._message(envelope, opened.sender, opened.contents, opened.epoch)
        return True

    def _end_step(self) -> None:
        """Asks the owner for a welcome while an operation is aside."""
        self.chat.end_step()
        if self.must_wait and time.monotonic() >= self.ask_at:
            assert self.group is not None
            self.pause = min(2 * self.pause, LONGEST_PAUSE)
            self.ask_at = time.monotonic() + self.pause
            self.ask(self.group.log.owner, wants_path=True)

    @property
    def must_wait(self) -> bool:
        """Whether an operation is known that cannot be followed yet."""
        return self.group is not None and self.group.is_member and self.aside > self.group.log.epoch

    # Operations

    def _notice(self, contents: list[bytes]) -> bool:
        """Takes the operations of a notice; tells whether none of them waits for a secret."""
        done = True
        for data in contents:
            try:
                content = Content.decode(data)
                require(content.kind == GROUP_CONTROL, "a notice with another content")
                done = self._operations(Message(content.note).all(OPERATIONS)) and done
            except Invalid:
                continue
        return done

    def _operations(self, encoded: list[bytes]) -> bool:
        """Applies operations in their order; tells whether none of them waits for a secret."""
        assert self.group is not None
        require(len(encoded) <= MOST_OPERATIONS, "too many operations")
        operations = [Operation.decode(one) for one in encoded]
        require(len({one.group for one in operations}) <= 1, "operations of several groups")
        require(all(one.epoch <= other.epoch for one, other in zip(operations, operations[1:])), "a wrong order")
        for operation in operations:
            try:
                self._apply(operation)
            except Known:
                continue
            except (NeedsLeaf, NeedsPath):
                if self.aside != operation.epoch:
                    self.aside, self.pause = operation.epoch, ASK_PAUSE
                    self.ask_at = time.monotonic() + self.pause
                return False
            except Gap:
                self.missing = True
                return True
            except Forked as fork:
                self._spread_proof(fork.proof)
                return True
            except Invalid:
                return True
        return True

    def _apply(self, operation: Operation) -> None:
        assert self.group is not None
        group, before, owner = self.group, self.group.log.state, self.group.log.owner
        sender, leaf = self.leaves.get(operation.epoch, (b"", None))
        group.apply(operation, leaf if sender == owner else None)
        self.leaves.pop(operation.epoch, None)
        self.operations.append(operation)
        self.lines += line_ids(operation, before)
        self.previous_owner = owner if operation.is_transfer else None
        self.missing = False
        if operation.epoch in self.trees and group.owner_seed is not None:
            group.take_tree(self.trees.pop(operation.epoch))
        if group.is_member:
            self._retry()

    def spread(self, operations: list[Operation], number: int) -> None:
        """Spreads operations as a notice of an epoch."""
        assert self.group is not None
        note = b"".join(present(OPERATIONS, one.data) for one in operations)
        self.mesh.publish(self.group.seal_notice([control_content(note)], number, self.notice_life))

    def _spread_proof(self, proof: tuple[Operation, Operation]) -> None:
        assert self.group is not None
        if self.proof is None:
            self.proof = proof
            self.spread(list(proof), self.group.log.epoch)

    # Joining

    def enter(self, sender: bytes, welcome: Welcome, wanted: bytes | None) -> None:
        """Becomes a member by a welcome of the owner, in a room by one for that room alone."""
        require(wanted in (None, welcome.group), "a welcome to another room")
        if welcome.digest is not None:
            self.welcome = sender, welcome
            self._complete()
            return
        require(welcome.log.owner == sender, "a welcome that is not the owner's")
        if self.group is not None and self.group.is_member:
            self.group.rejoin(welcome)
            self.wants_path = False
        else:
            self.group = Group.joined(self.chat.identity, welcome)
            self.group.first_run = run_at(time.time())
        for bundle in welcome.bundles:
            require(bundle.owner.id in self.group.log.members, "a bundle of no member")
            self.chat.sessions.learn(bundle)
        last = self.group.log.kept[-1]
        self.operations.append(last)
        self.lines += line_ids(last, self.group.log.state)
        self._retry()

    def _part(self, sender: bytes, group: bytes, part: Part) -> None:
        """Takes a part of a checkpoint, or of a tree from the owner before a handover."""
        owners = (self.previous_owner, self.group.log.owner) if self.group is not None else ()
        require(not part.is_tree or sender in owners, "a tree of another member")
        name = part.is_tree, part.epoch
        if name not in self.parts or self.parts[name].size != part.size:
            self.parts[name] = Parts(part.size)
        self.parts[name].take(part)
        whole = self.parts[name].whole
        if not part.is_tree:
            self._complete()
        elif whole is not None:
            require(self.group is not None and group == self.group.log.group, "a tree of another group")
            del self.parts[name]
            if part.epoch == self.group.log.epoch and self.group.owner_seed is not None:
                self.group.take_tree(whole)
            else:
                self.trees[part.epoch] = whole

    def _complete(self) -> None:
        """Joins once the checkpoint is whole."""
        if self.welcome is None:
            return
        sender, welcome = self.welcome
        parts = self.parts.get((False, welcome.epoch))
        whole = parts.whole if parts else None
        assert welcome.digest is not None
        if whole is None:
            return
        require((sha256(whole), len(whole)) == welcome.digest, "another checkpoint than the welcome's")
        self.welcome = None
        self.enter(sender, dataclasses.replace(welcome, checkpoint=whole, digest=None), None)

    # Control messages

    def send_control(self, member: bytes, note: bytes) -> None:
        self.chat.send_content(self.chat.sessions.peers[member], control_content(note))

    def ask(self, member: bytes, wants_path: bool = False) -> None:
        """Asks a member for operations from the newest on, or the owner for the secrets of the own path."""
        assert self.group is not None
        first = self.group.log.epoch + int(wants_path)
        self.wants_path = self.wants_path or wants_path
        self.send_control(member, field(GROUP, self.group.log.group) + field(OPERATIONS_FROM, first)
                          + field(WANTS_PATH, int(wants_path)))

    def leave(self) -> None:
        """Tells every member, and destroys the keys."""
        assert self.group is not None
        for member in self.group.log.members:
            if member != self.chat.id:
                self.send_control(member, field(GROUP, self.group.log.group) + field(LEAVE, 1))
        self.group.path, self.group.epochs = [], []

    def _control_message(self, arrival: Arrival, content: Content) -> None:
        """Takes a control message of another member: one of a kind."""
        require(content.kind == GROUP_CONTROL, "no control message")
        note, sender = Message(content.note), arrival.peer.public.id
        if note.bytes(WELCOME):
            welcome = Welcome.decode(note.bytes(WELCOME))
            self.welcomes.append(welcome)
            is_member = self.group is not None and self.group.is_member
            if not is_member or self.wants_path and welcome.epoch > self.group.log.epoch:
                self.enter(sender, welcome, self.group.log.group if self.group else None)
            return
        if note.bytes(PART) and self.group is None:
            self._part(sender, note.bytes(GROUP), Part.decode(note.bytes(PART)))
            return
        if self.group is None or not self.group.is_member or sender not in self.group.log.members:
            return
        if note.all(OPERATIONS):
            self.answers.append([Operation.decode(one) for one in note.all(OPERATIONS)])
            self._operations(note.all(OPERATIONS))
        elif note.bytes(GROUP) == self.group.log.group:
            self._about_group(note, sender)

    def _about_group(self, note: Message, sender: bytes) -> None:
        assert self.group is not None
        if note.number(LEAVE):
            self.group.leavers.add(sender)
            self.on_leave(sender)
        elif note.number(OPERATIONS_FROM):
            self._answer(sender, note.number(OPERATIONS_FROM), bool(note.number(WANTS_PATH)))
        elif note.number(WANTS_OWNER_KEY) and sender == self.group.log.owner:
            self.group.offered_seed = self.group.offered_seed or secrets.token_bytes(32)
            key = ed25519_public(self.group.offered_seed)
            self.send_control(sender, field(GROUP, self.group.log.group) + present(OWNER_KEY, key))
        elif len(note.bytes(OWNER_KEY)) == 32:
            self.on_owner_key(sender, note.bytes(OWNER_KEY))
        elif note.bytes(LEAF):
            self._leaf(sender, note.bytes(LEAF))
        elif note.bytes(PART):
            self._part(sender, note.bytes(GROUP), Part.decode(note.bytes(PART)))
        elif note.bytes(PROPOSAL):
            self.on_proposal(sender, Proposal.decode(note.bytes(PROPOSAL)))
        for data in note.all(BUNDLES):
            self._bundle(PrekeyBundle.decode(data), sender)

    def propose(self, *edits: Edit) -> None:
        """Asks the owner for changes, as an admin."""
        assert self.group is not None
        proposal = Proposal(self.group.log.epoch, edits).encoded()
        self.send_control(self.group.log.owner, field(GROUP, self.group.log.group) + present(PROPOSAL, proposal))

    def on_proposal(self, sender: bytes, proposal: Proposal) -> None:
        """Lets a subclass that owns the group make the changes of an admin."""

    def on_leave(self, sender: bytes) -> None:
        """Lets a subclass that owns the group remove who leaves."""

    def _leaf(self, sender: bytes, data: bytes) -> None:
        """Keeps a leaf secret until the operation of its epoch is applied."""
        assert self.group is not None
        reader = Reader(data)
        epoch, secret = reader.u32(), reader.take(32)
        reader.end()
        if epoch > self.group.log.epoch:
            self.leaves[epoch] = sender, secret
            self._retry()

    def _answer(self, sender: bytes, first: int, wants_path: bool) -> None:
        """Answers a request with bare operations; an owner gives a welcome to who wants the path."""
        assert self.group is not None
        self.requests.append((sender, first))
        operations = self.group.log.operations(first)
        if self.group.tree is not None and (wants_path or first < self.group.log.kept[0].epoch):
            welcome = self.group.welcome(sender, 0, [])
            self.send_control(sender, present(WELCOME, welcome.encoded()))
            return
        encoded: list[bytes] = []
        for operation in operations[:MOST_OPERATIONS]:
            if encoded and sum(len(one) for one in encoded) + len(operation.data) > LONGEST:
                break
            encoded.append(operation.data)
        if encoded:
            self.send_control(sender, b"".join(present(OPERATIONS, one) for one in encoded))

    def _bundle(self, bundle: PrekeyBundle, sender: bytes) -> None:
        """Takes a prekey bundle from the owner, or a renewed one from its maker."""
        assert self.group is not None
        require(sender in (self.group.log.owner, bundle.owner.id), "a bundle that only the owner may tell")
        if bundle.owner.id != self.chat.id:
            self.chat.sessions.learn(bundle)

    # Messages

    def _message(self, envelope: Envelope, sender: bytes, contents: list[bytes], epoch: int) -> None:
        """Takes the contents of a message, and owes its author a receipt."""
        assert self.group is not None
        self.opened.append((len(envelope.body) - 12, contents))
        named = [self._text(sender, data, epoch) for data in contents]
        whole = [one for one in named if one is not None]
        confirmed = [one for one in whole if self.group.confirms(one, epoch)]
        if not confirmed:
            return
        if len(named) > 1 and len(confirmed) == len(named):
            self.chat.owed_to(sender).packs.append(envelope.body[:16])
        else:
            self.chat.owed_to(sender).delivered += confirmed

    def _text(self, sender: bytes, data: bytes, epoch: int) -> bytes | None:
        """Takes a content of the group; returns its id unless it is malformed or no text."""
        assert self.group is not None
        try:
            content = Content.decode(data)
        except Invalid:
            return None
        if content.kind != TEXT:
            return None
        identifier = message_id(sender, self.group.log.group, data)
        self.texts.append(GroupText(identifier, sender, content.text, epoch))
        return identifier

    def send(self, text: str, life: int = MESSAGE_LIFE) -> bytes:
        return self.send_all([text], life)[0]

    def send_all(self, texts: list[str], life: int = MESSAGE_LIFE) -> list[bytes]:
        """Writes texts to the group in one message."""
        assert self.group is not None
        require(not self.must_wait, "the present epoch is over")
        contents = []
        for text in texts:
            self.order += 1
            contents.append(text_content(text, self.order))
        envelope = self.group.seal(contents, life)
        identifiers = [message_id(self.chat.id, self.group.log.group, content) for content in contents]
        for member in self.group.log.members:
            self.chat.packs[member, envelope.body[:16]] = identifiers
        self.mesh.publish(envelope)
        return identifiers
