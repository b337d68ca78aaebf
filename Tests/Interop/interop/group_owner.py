"""The owner of a group: signs operations, and hands out welcomes, leaf secrets and the tree (PROTOCOL §16.5)."""

from __future__ import annotations

import secrets
import time

from .content import control_content
from .encoding import u32
from .group import Group, run_at
from .group_lines import line_ids
from .group_operation import Add, Edit, Handover, Member, Policy, Remove, Rename, Renew, SetPolicy
from .group_proposal import Proposal
from .group_state import State
from .identity import PublicIdentity
from .membership import Membership
from .group_notes import GROUP, LEAF, WANTS_OWNER_KEY, WELCOME, in_parts
from .prekey_bundle import PrekeyBundle
from .wire import field, present


class GroupOwner(Membership):
    """A member that founded the group, or that it was handed over to."""

    def found(self, title: str, policy: Policy, seed: bytes | None = None) -> None:
        """Creates the group by one operation: the founder in slot 0, the title, the policy."""
        founder = Member(self.chat.identity.public, self.chat.nickname.encode())
        edits: tuple[Edit, ...] = (Add(0, founder), Rename(title.encode()), SetPolicy(policy))
        self.group = Group.founded(self.chat.identity, seed or secrets.token_bytes(32), edits)
        self.group.first_run = run_at(time.time())
        self.operations.append(self.group.log.kept[0])
        self.lines += line_ids(self.operations[0], State())

    def perform(self, *edits: Edit, withheld: tuple[bytes, ...] = (), hidden: bool = False) -> None:
        """Signs an operation, spreads it, and sends each member of a renewed slot its leaf secret.

        Members in `withheld` get no leaf secret, and nobody gets the notice of a `hidden` operation.
        """
        assert self.group is not None
        before, number = self.group.log.state, self.group.log.epoch
        operation, leaves = self.group.perform(edits)
        self.operations.append(operation)
        self.lines += line_ids(operation, before)
        if not hidden:
            self.spread([operation], number)
        for member, leaf in leaves.items():
            if member in withheld:
                continue
            secret = u32(operation.epoch) + leaf
            self.send_control(member, field(GROUP, self.group.log.group) + present(LEAF, secret))

    def _free_slot(self) -> int:
        assert self.group is not None
        used = {edit.slot for one in self.operations for edit in one.edits if isinstance(edit, (Add, Remove))}
        used |= set(self.group.log.state.members)
        return next(slot for slot in range(len(used) + 1) if slot not in used)

    def add(self, public: PublicIdentity, nickname: str, *others: Edit) -> None:
        """Takes a member in, in a slot that nobody had."""
        self.perform(*others, Add(self._free_slot(), Member(public, nickname.encode())))

    def invite(self, bundle: PrekeyBundle, parts: bool = False) -> None:
        """Takes a member in, and sends it the welcome over the session, if wanted with the checkpoint in parts."""
        assert self.group is not None
        self.add(bundle.owner, bundle.nickname)
        welcome = self.group.welcome(bundle.owner.id, 0, [self.chat.prekey.bundle], parts)
        peer = self.chat.sessions.peers[bundle.owner.id]
        self.chat.send_content(peer, control_content(present(WELCOME, welcome.encoded())))
        if parts:
            for content in in_parts(self.group.log.group, False, welcome.epoch, self.group.log.checkpoint()):
                self.chat.send_content(peer, content)

    def slot_of(self, member: bytes) -> int:
        assert self.group is not None
        slot = self.group.log.state.slot_of(member)
        assert slot is not None
        return slot

    def remove(self, member: bytes, left: bool = False) -> None:
        self.perform(Remove(self.slot_of(member), left))

    def renew(self, member: bytes, withheld: bool = False) -> None:
        """Renews the slot of a member, who does not get the leaf secret if that is `withheld`."""
        self.perform(Renew(self.slot_of(member), 0), withheld=(member,) if withheld else ())

    def renew_all(self) -> None:
        """Renews the block of all slots, in a group of up to 128."""
        assert self.group is not None
        self.perform(Renew(0, self.group.log.state.depth))

    def hand_over(self, member: bytes) -> None:
        """Asks for the member's key; signs the handover and sends the tree once the key is here."""
        assert self.group is not None
        group = self.group

        def finish(sender: bytes, key: bytes) -> None:
            if sender != member or group.owner_seed is None:
                return
            self.perform(Handover(self.slot_of(member), key))
            assert group.tree is not None
            for content in in_parts(group.log.group, True, group.log.epoch, group.tree.encoded()):
                self.chat.send_content(self.chat.sessions.peers[member], content)
            group.tree = None

        self.on_owner_key = finish
        self.send_control(member, field(GROUP, group.log.group) + field(WANTS_OWNER_KEY, 1))

    def on_proposal(self, sender: bytes, proposal: Proposal) -> None:
        """Makes the changes of an admin in one operation."""
        assert self.group is not None
        if self.group.owner_seed is None:
            return
        changes = proposal.changes(sender, self.group.log.state)
        assert not any(isinstance(edit, Add) for edit in changes), "this side proposes no members to itself"
        if changes:
            self.perform(*changes)

    def on_leave(self, sender: bytes) -> None:
        """Lets who leaves go at once."""
        if self.group is not None and self.group.owner_seed is not None:
            self.remove(sender, left=True)
