"""Numbers of the fields of a `GroupNote`, and what travels in parts (PROTOCOL §16.5)."""

from __future__ import annotations

from dataclasses import dataclass, field

from .content import control_content
from .encoding import require
from .group_log import LONGEST_CHECKPOINT
from .wire import Message, present
from .wire import field as wire_field

(WELCOME, OPERATIONS, GROUP, LEAVE, OPERATIONS_FROM, WANTS_OWNER_KEY, OWNER_KEY, LEAF, WANTS_PATH, PART,
 PROPOSAL, BUNDLES) = 1, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 20
PART_SIZE = 12_288


@dataclass(frozen=True)
class GroupText:
    """A text of the group."""

    id: bytes
    sender: bytes
    text: str
    epoch: int


@dataclass(frozen=True)
class Part:
    """A part of a checkpoint or of a tree."""

    is_tree: bool
    epoch: int
    size: int
    offset: int
    data: bytes

    def encoded(self) -> bytes:
        return (wire_field(1, int(self.is_tree)) + wire_field(2, self.epoch) + wire_field(3, self.size)
                + wire_field(4, self.offset) + wire_field(5, self.data))

    @staticmethod
    def decode(data: bytes) -> Part:
        fields = Message(data)
        part = Part(bool(fields.number(1)), fields.number(2), fields.number(3), fields.number(4), fields.bytes(5))
        require(0 < part.size <= LONGEST_CHECKPOINT, "a whole has another length")
        require(part.offset % PART_SIZE == 0 and part.offset < part.size, "a part has another place")
        require(len(part.data) == min(PART_SIZE, part.size - part.offset), "a part has another length")
        return part


@dataclass
class Parts:
    """The parts of one whole that have come, in any order."""

    size: int
    got: dict[int, bytes] = field(default_factory=dict)

    def take(self, part: Part) -> None:
        self.got[part.offset] = part.data

    @property
    def whole(self) -> bytes | None:
        """Returns the whole once nothing is missing."""
        whole = b"".join(part for _, part in sorted(self.got.items()))
        return whole if len(whole) == self.size else None


def in_parts(group: bytes, is_tree: bool, epoch: int, data: bytes) -> list[bytes]:
    """Returns the control messages that bring a checkpoint or a tree."""
    parts = [Part(is_tree, epoch, len(data), offset, data[offset:offset + PART_SIZE])
             for offset in range(0, len(data), PART_SIZE)]
    return [control_content(wire_field(GROUP, group) + present(PART, part.encoded())) for part in parts]
