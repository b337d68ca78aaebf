"""Ids of the lines that operations make in the history of a group (PROTOCOL §16.5)."""

from __future__ import annotations

from .content import message_id
from .encoding import u8, u32
from .group_operation import Add, Handover, Operation, Remove, Rename, Takeover
from .group_state import State


def leaving_id(group: bytes, member: bytes, joined: int) -> bytes:
    return message_id(member, group, b"\x00\x01" + u32(joined))


def line_ids(operation: Operation, before: State) -> list[bytes]:
    """Lists the ids of the lines of an operation; `before` is the state that it changed."""
    group = operation.group
    if before.owner is None:
        founder = next(edit for edit in operation.edits if isinstance(edit, Add)).member
        return [_by_owner(operation, founder.public.id, 0)]
    owner, ids = before.members[before.owner].public.id, []
    for index, edit in enumerate(operation.edits):
        if isinstance(edit, Remove) and edit.slot in before.members:
            member = before.members[edit.slot]
            ids.append(leaving_id(group, member.public.id, member.joined))
        elif isinstance(edit, (Add, Rename, Handover)):
            ids.append(_by_owner(operation, owner, index))
        elif isinstance(edit, Takeover):
            assert before.policy.successor is not None
            successor = before.members[before.policy.successor[0]].public.id
            ids.append(_by_owner(operation, successor, index))
    return ids


def _by_owner(operation: Operation, owner: bytes, index: int) -> bytes:
    return message_id(owner, operation.group, b"\x00" + operation.hash + u8(index))
