"""Proposals of admins, and what an owner makes of them (PROTOCOL §16.5)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from .encoding import Reader, require, u8, u32
from .group_operation import LONGEST, MOST_EDITS, Add, Edit, Remove, Rename, SetPolicy, read_edit
from .group_state import State


@dataclass(frozen=True)
class Proposal:
    """Changes that an admin asks the owner for."""

    epoch: int
    edits: tuple[Edit, ...]

    def encoded(self) -> bytes:
        return u32(self.epoch) + u8(len(self.edits)) + b"".join(edit.encoded() for edit in self.edits)

    @staticmethod
    def decode(data: bytes) -> Proposal:
        require(len(data) <= LONGEST, "a proposal is too long")
        reader = Reader(data)
        epoch, count = reader.u32(), reader.u8()
        require(0 < epoch < 2**32 - 1 and 1 <= count <= MOST_EDITS, "a proposal has another epoch or number of edits")
        edits = tuple(read_edit(reader) for _ in range(count))
        reader.end()
        for edit in edits:
            require(isinstance(edit, (Add, Rename, SetPolicy)) or isinstance(edit, Remove) and not edit.left,
                    "an edit that nobody proposes")
            require(not isinstance(edit, Add) or edit.slot == 0, "a proposal chooses a slot")
        return Proposal(epoch, edits)

    def changes(self, sender: bytes, state: State) -> list[Edit]:
        """Returns what the owner makes for a member; adds still have slot 0."""
        if state.slot_of(sender) not in state.policy.admins:
            return []
        return [edit for edit in self.edits if self._counts(edit, state)]

    def _counts(self, edit: Edit, state: State) -> bool:
        if isinstance(edit, Add):
            return state.slot_of(edit.member.public.id) is None
        if isinstance(edit, Rename):
            return edit.title != state.title
        if isinstance(edit, SetPolicy):
            history = {"history": edit.policy.history, "last": edit.policy.last}
            return edit.policy != state.policy and edit.policy == dataclasses.replace(state.policy, **history)
        member = state.members.get(edit.slot) if isinstance(edit, Remove) else None
        protected = {state.owner, *state.policy.admins}
        return member is not None and member.joined <= self.epoch and edit.slot not in protected
