"""Operations of a group: edits, policies and the tree part (PROTOCOL §16.1)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from .encoding import Invalid, Reader, require, u8, u16, u32
from .identity import PublicIdentity
from .names import name_is_good
from .primitives import H, check_signature, sign

MOST_MEMBERS, DEEPEST, MOST_EDITS, LONGEST, HIGHEST_BLOCK, MOST_ADMINS = 4096, 12, 64, 12_288, 7, 8
SALT_SIZE, CHECK_SIZE, WRAP_SIZE, SIGNATURE_SIZE = 16, 32, 48, 64
LAST_NUMBER = 2**32 - 1
LABEL = "earshot/v1/gop"


def group_id(first_owner_key: bytes) -> bytes:
    return H("earshot/v1/gid", first_owner_key)[:16]


def _flag(reader: Reader) -> bool:
    value = reader.u8()
    require(value <= 1, "a flag is neither 0 nor 1")
    return value == 1


def _slot(reader: Reader) -> int:
    slot = reader.u16()
    require(slot < MOST_MEMBERS, "a slot is beyond the largest group")
    return slot


@dataclass(frozen=True)
class Member:
    """A person in a slot: keys, nickname, and the epoch of the add (0 inside of an edit)."""

    public: PublicIdentity
    nickname: bytes
    joined: int = 0

    @property
    def keys(self) -> bytes:
        return self.public.ed + self.public.x

    @property
    def name_field(self) -> bytes:
        return u8(len(self.nickname)) + self.nickname

    def entry(self, slot: int) -> bytes:
        """Writes the member as hashes and checkpoints have it."""
        return u16(slot) + self.keys + u32(self.joined) + self.name_field

    @staticmethod
    def read(reader: Reader, with_epoch: bool) -> Member:
        public = PublicIdentity(reader.take(32), reader.take(32))
        joined = reader.u32() if with_epoch else 0
        nickname = reader.take(reader.u8())
        require(nickname == b"" or name_is_good(nickname), "a bad nickname")
        require(not with_epoch or joined > 0, "a member of epoch 0")
        return Member(public, nickname, joined)


@dataclass(frozen=True)
class Policy:
    """The settings of the owner; without any, those of a new group."""

    history: int = 0
    last: int = 0
    limit: int = MOST_MEMBERS
    life: int = 0
    ephemeral: bool = False
    admins_write: bool = False
    no_receipts: bool = False
    admins: tuple[int, ...] = ()
    successor: tuple[int, bytes] | None = None

    def encoded(self) -> bytes:
        flags = u8(self.ephemeral) + u8(self.admins_write) + u8(self.no_receipts)
        admins = u8(len(self.admins)) + b"".join(u16(slot) for slot in self.admins)
        successor = b"\x01" + u16(self.successor[0]) + self.successor[1] if self.successor else b"\x00"
        return u8(self.history) + u16(self.last) + u16(self.limit) + u32(self.life) + flags + admins + successor

    @staticmethod
    def read(reader: Reader) -> Policy:
        history, last, limit, life = reader.u8(), reader.u16(), reader.u16(), reader.u32()
        require(history <= 2 and (last > 0) == (history == 1), "a rule for new members is malformed")
        require(1 <= limit <= MOST_MEMBERS, "a limit of members is out of range")
        ephemeral, admins_write, no_receipts = _flag(reader), _flag(reader), _flag(reader)
        admins = tuple(reader.u16() for _ in range(reader.u8()))
        require(len(admins) <= MOST_ADMINS, "too many admins")
        require(all(one < other for one, other in zip(admins, admins[1:])), "admins are out of order")
        successor = (reader.u16(), reader.take(32)) if _flag(reader) else None
        return Policy(history, last, limit, life, ephemeral, admins_write, no_receipts, admins, successor)

    def without(self, slot: int) -> Policy:
        """Takes the rights of a slot away."""
        successor = None if self.successor and self.successor[0] == slot else self.successor
        return dataclasses.replace(self, admins=tuple(one for one in self.admins if one != slot), successor=successor)


@dataclass(frozen=True)
class Add:
    slot: int
    member: Member

    def encoded(self) -> bytes:
        return b"\x01" + u16(self.slot) + self.member.keys + self.member.name_field


@dataclass(frozen=True)
class Remove:
    """Empties a slot; `left` is let go, of a member that has said that it leaves."""

    slot: int
    left: bool = False

    def encoded(self) -> bytes:
        return (b"\x07" if self.left else b"\x02") + u16(self.slot)


@dataclass(frozen=True)
class Rename:
    title: bytes

    def encoded(self) -> bytes:
        return b"\x03" + u8(len(self.title)) + self.title


@dataclass(frozen=True)
class Handover:
    slot: int
    key: bytes

    def encoded(self) -> bytes:
        return b"\x04" + u16(self.slot) + self.key


@dataclass(frozen=True)
class SetPolicy:
    policy: Policy

    def encoded(self) -> bytes:
        return b"\x05" + self.policy.encoded()


@dataclass(frozen=True)
class Renew:
    first: int
    height: int

    @property
    def block(self) -> range:
        return range(self.first, self.first + (1 << self.height))

    def encoded(self) -> bytes:
        return b"\x06" + u16(self.first) + u8(self.height)


@dataclass(frozen=True)
class Takeover:
    def encoded(self) -> bytes:
        return b"\x08"


Edit = Add | Remove | Rename | Handover | SetPolicy | Renew | Takeover


def read_edit(reader: Reader) -> Edit:
    kind = reader.u8()
    if kind == 1:
        return Add(_slot(reader), Member.read(reader, False))
    if kind in (2, 7):
        return Remove(_slot(reader), kind == 7)
    if kind == 3:
        title = reader.take(reader.u8())
        require(name_is_good(title, 128), "a bad title")
        return Rename(title)
    if kind == 4:
        return Handover(_slot(reader), reader.take(32))
    if kind == 5:
        return SetPolicy(Policy.read(reader))
    if kind == 6:
        first, height = _slot(reader), reader.u8()
        require(height <= HIGHEST_BLOCK and first % (1 << height) == 0, "a block is not aligned")
        return Renew(first, height)
    if kind == 8:
        return Takeover()
    raise Invalid("an edit of no known kind")


def changes_secrets(edits: tuple[Edit, ...]) -> bool:
    return any(isinstance(edit, (Remove, Renew)) for edit in edits)


def _stands_alone(edit: Edit) -> bool:
    names_successor = isinstance(edit, SetPolicy) and edit.policy.successor is not None
    return names_successor or isinstance(edit, (Handover, Takeover))


@dataclass(frozen=True)
class TreePart:
    """The fresh secrets of an operation."""

    salt: bytes
    check: bytes
    wraps: tuple[bytes, ...]

    def encoded(self) -> bytes:
        return self.salt + self.check + b"".join(self.wraps)

    @staticmethod
    def decode(data: bytes) -> TreePart:
        reader = Reader(data)
        salt, check = reader.take(SALT_SIZE), reader.take(CHECK_SIZE)
        require(reader.left % WRAP_SIZE == 0, "wraps have another length")
        return TreePart(salt, check, tuple(reader.take(WRAP_SIZE) for _ in range(reader.left // WRAP_SIZE)))


@dataclass(frozen=True)
class Operation:
    """An operation whose form was checked."""

    group: bytes
    epoch: int
    before: bytes
    edits: tuple[Edit, ...]
    root: bytes
    depth: int
    tree: TreePart | None
    data: bytes

    @property
    def hash(self) -> bytes:
        return H("earshot/v1/ops", self.data[:-SIGNATURE_SIZE])

    @property
    def is_takeover(self) -> bool:
        return self.edits == (Takeover(),)

    @property
    def is_transfer(self) -> bool:
        return self.is_takeover or any(isinstance(edit, Handover) for edit in self.edits)

    @property
    def granted(self) -> tuple[int, bytes] | None:
        """Returns slot and key that the operation lets take over."""
        edit = self.edits[0] if self.edits else None
        return edit.policy.successor if isinstance(edit, SetPolicy) else None

    def check_signature(self, key: bytes | None) -> None:
        require(key is not None, "nobody may sign this operation")
        check_signature(key, LABEL, self.data[:-SIGNATURE_SIZE], self.data[-SIGNATURE_SIZE:])

    @staticmethod
    def signed(seed: bytes, group: bytes, epoch: int, before: bytes, edits: tuple[Edit, ...], root: bytes, depth: int,
               tree: TreePart | None) -> Operation:
        """Makes an operation as its owner."""
        clear = (b"\x01" + group + u32(epoch) + before + u8(len(edits)) + b"".join(edit.encoded() for edit in edits)
                 + root + u8(depth) + (tree.encoded() if tree else b""))
        return Operation.decode(clear + sign(seed, LABEL, clear))

    @staticmethod
    def decode(data: bytes) -> Operation:
        """Refuses by the rules of *Form*."""
        require(SIGNATURE_SIZE < len(data) <= LONGEST, "an operation has a wrong length")
        reader = Reader(data[:-SIGNATURE_SIZE])
        require(reader.u8() == 1, "an operation of another version")
        group, epoch, before, count = reader.take(16), reader.u32(), reader.take(32), reader.u8()
        require(0 < epoch < LAST_NUMBER and count <= MOST_EDITS, "an operation is malformed")
        edits = tuple(read_edit(reader) for _ in range(count))
        require(count < 2 or not any(_stands_alone(edit) for edit in edits), "an edit has to stand alone")
        root, depth, rest = reader.take(32), reader.u8(), reader.rest()
        require(depth <= DEEPEST, "a tree is too deep")
        require(changes_secrets(edits) or rest == b"", "a tree part that nobody needs")
        tree = TreePart.decode(rest) if changes_secrets(edits) else None
        return Operation(group, epoch, before, edits, root, depth, tree, data)
