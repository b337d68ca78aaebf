"""The table of members, and all else that operations change (PROTOCOL §16.1)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .encoding import Reader, require, u8, u16
from .group_operation import (DEEPEST, MOST_MEMBERS, Add, Edit, Handover, Member, Policy, Remove, Rename, Renew,
                              SetPolicy, Takeover)
from .names import name_is_good
from .primitives import H

LABEL = "earshot/v1/gtab"
Node = tuple[int, int]


@dataclass
class State:
    """Members by slot, owner's slot, title and policy."""

    depth: int = 0
    members: dict[int, Member] = field(default_factory=dict)
    owner: int | None = None
    title: bytes = b""
    policy: Policy = field(default_factory=Policy)

    def copy(self) -> State:
        return replace(self, members=dict(self.members))

    def slot_of(self, peer: bytes) -> int | None:
        return next((slot for slot, member in self.members.items() if member.public.id == peer), None)

    def has_member(self, node: Node) -> bool:
        level, index = node
        return any(slot >> level == index for slot in self.members)

    @property
    def writers(self) -> set[int] | None:
        """Returns the slots of owner and admins if only they write."""
        return {self.owner or 0, *self.policy.admins} if self.policy.admins_write else None

    @property
    def settings(self) -> bytes:
        return u16(self.owner or 0) + u8(len(self.title)) + self.title + self.policy.encoded()

    @property
    def root(self) -> bytes:
        """Computes the state root anew."""
        level = [bytes(32)] * (1 << self.depth)
        for slot, member in self.members.items():
            level[slot] = H(LABEL, b"\x00" + member.entry(slot))
        while len(level) > 1:
            level = [H(LABEL, b"\x01" + level[at] + level[at + 1]) for at in range(0, len(level), 2)]
        return H(LABEL, b"\x02" + level[0] + self.settings)

    def encoded(self) -> bytes:
        """Writes settings and members as a checkpoint has them."""
        entries = b"".join(member.entry(slot) for slot, member in sorted(self.members.items()))
        return self.settings + u16(len(self.members)) + entries

    @staticmethod
    def read(reader: Reader, depth: int) -> State:
        owner, title = reader.u16(), reader.take(reader.u8())
        require(title == b"" or name_is_good(title, 128), "a bad title")
        policy, count = Policy.read(reader), reader.u16()
        require(count <= MOST_MEMBERS, "too many members")
        members: dict[int, Member] = {}
        for _ in range(count):
            slot, member = reader.u16(), Member.read(reader, True)
            require(slot < 1 << depth and slot not in members, "a slot is outside of the tree, or comes twice")
            members[slot] = member
        require(len({member.public.id for member in members.values()}) == count, "a member has two slots")
        require(owner in members, "the owner is no member")
        return State(depth, members, owner, title, policy)

    # Applying

    def apply(self, edits: tuple[Edit, ...], epoch: int, key: bytes) -> tuple[list[int], list[int]]:
        """Changes the state by the edits of an operation; returns the slots emptied, and those of renewed leaves."""
        while any(isinstance(edit, Add) and edit.slot >> self.depth for edit in edits):
            self.depth += 1
        require(self.depth <= DEEPEST, "a tree is too deep")
        if self.owner is None:
            require(bool(edits) and isinstance(edits[0], Add), "nobody founds the group")
            self.owner = edits[0].slot
        changed: set[int] = set()
        for edit in edits:
            self._apply(edit, epoch, key, changed)
        require(self.owner in self.members, "the owner is no member")
        renewed: set[int] = set()
        for edit in edits:
            if isinstance(edit, Renew):
                found = [slot for slot in edit.block if slot in self.members]
                require(edit.block.stop <= 1 << self.depth and found != [], "a block without members")
                renewed.update(found)
        return [edit.slot for edit in edits if isinstance(edit, Remove)], sorted(renewed)

    def _apply(self, edit: Edit, epoch: int, key: bytes, changed: set[int]) -> None:
        if isinstance(edit, (Add, Remove)):
            require(edit.slot not in changed, "a slot changes twice")
            changed.add(edit.slot)
        if isinstance(edit, Add):
            require(edit.slot not in self.members, "a slot is taken")
            require(self.slot_of(edit.member.public.id) is None, "a member is in already")
            require(len(self.members) < self.policy.limit, "the group is full")
            self.members[edit.slot] = replace(edit.member, joined=epoch)
        elif isinstance(edit, Remove):
            require(edit.slot in self.members and edit.slot != self.owner, "nobody to remove")
            del self.members[edit.slot]
            self.policy = self.policy.without(edit.slot)
        elif isinstance(edit, Rename):
            self.title = edit.title
        elif isinstance(edit, Handover):
            require(edit.slot in self.members and edit.slot != self.owner, "nobody to hand over to")
            require(edit.key != key, "the key is not new")
            self.owner = edit.slot
            if self.policy.successor and self.policy.successor[0] == edit.slot:
                self.policy = replace(self.policy, successor=None)
        elif isinstance(edit, SetPolicy):
            self._set(edit.policy, key)
        elif isinstance(edit, Takeover):
            require(self.policy.successor is not None, "nobody may take over")
            self.owner = self.policy.successor[0]
            self.policy = replace(self.policy, successor=None)

    def _set(self, policy: Policy, key: bytes) -> None:
        require(all(slot in self.members for slot in policy.admins), "an admin is no member")
        if policy.successor:
            slot, successor = policy.successor
            require(slot in self.members and slot != self.owner and successor != key, "no good successor")
        self.policy = policy
