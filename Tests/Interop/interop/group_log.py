"""The signed log of a group or room (PROTOCOL §16.1)."""

from __future__ import annotations

from dataclasses import dataclass, field

from .encoding import Invalid, Reader, require
from .identity import PublicIdentity
from .names import name_is_good
from .primitives import H, check_signature

ADD, REMOVE, RENAME, HANDOVER, POLICY, RENEW, LET_GO = range(1, 8)
KEY_CHANGES = (REMOVE, LET_GO, RENEW)


def group_id(first_owner_key: bytes) -> bytes:
    return H("earshot/v1/gid", first_owner_key)[:16]


def header_key_hash(key: bytes) -> bytes:
    return H("earshot/v1/ghk", key)


@dataclass(frozen=True)
class Operation:
    """An operation whose form was checked."""

    kind: int
    group: bytes
    epoch: int
    before: bytes
    body: bytes
    data: bytes

    @property
    def hash(self) -> bytes:
        return H("earshot/v1/ops", self.data[:-64])

    @property
    def new_key_hash(self) -> bytes | None:
        """Returns the hash of the header key that the operation brings."""
        if self.kind in (REMOVE, LET_GO):
            return self.body[32:]
        return self.body if self.kind == RENEW else None

    @staticmethod
    def decode(data: bytes) -> Operation:
        require(len(data) >= 118, "an operation is short")
        reader = Reader(data[:-64])
        require(reader.u8() == 1, "an operation of another version")
        kind, group, epoch, before = reader.u8(), reader.take(16), reader.u32(), reader.take(32)
        return Operation(kind, group, epoch, before, reader.rest(), data)


@dataclass(frozen=True)
class Member:
    """A person in the group, and the epoch that took them in."""

    public: PublicIdentity
    nickname: str
    joined: int


@dataclass
class GroupLog:
    """The operations of a group, and all that follows from them."""

    owner_key: bytes
    group: bytes = b""
    owner: bytes = b""
    title: str = ""
    member_limit: int = 128
    life: int = 0
    members: dict[bytes, Member] = field(default_factory=dict)
    operations: list[Operation] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.group = group_id(self.owner_key)

    @property
    def epoch(self) -> int:
        return len(self.operations)

    def hash_of(self, epoch: int) -> bytes:
        return self.operations[epoch - 1].hash

    def last_key_change(self, epoch: int) -> int:
        """Returns the newest epoch up to this one that a remove, let go or renew began; 0 for none."""
        return max((one.epoch for one in self.operations[:epoch] if one.kind in KEY_CHANGES), default=0)

    def apply(self, operation: Operation) -> None:
        """Applies the next operation, or raises `Invalid`."""
        require(operation.group == self.group, "an operation of another group")
        require(operation.epoch == self.epoch + 1 <= 4096, "not the next operation")
        check_signature(self.owner_key, "earshot/v1/gop", operation.data[:-64], operation.data[-64:])
        before = self.operations[-1].hash if self.operations else bytes(32)
        require(operation.before == before, "another history")
        self._change(operation)
        self.operations.append(operation)

    def _change(self, operation: Operation) -> None:
        reader = Reader(operation.body)
        if operation.kind == ADD:
            self._add(reader, operation.epoch)
        elif operation.kind in (REMOVE, LET_GO):
            gone = reader.take(32)
            reader.take(32)
            reader.end()
            require(gone in self.members and gone != self.owner, "nobody to remove")
            del self.members[gone]
        elif operation.kind == RENAME:
            title = reader.take(reader.u8())
            reader.end()
            require(name_is_good(title, 128), "a bad title")
            self.title = title.decode()
        elif operation.kind == HANDOVER:
            to, key = reader.take(32), reader.take(32)
            reader.end()
            require(to in self.members and to != self.owner, "nobody to hand over to")
            self.owner, self.owner_key = to, key
        elif operation.kind == POLICY:
            history, _, limit, life, ephemeral = reader.u8(), reader.u16(), reader.u8(), reader.u32(), reader.u8()
            reader.end()
            require(history <= 2 and 1 <= limit <= 128 and ephemeral <= 1, "a policy is malformed")
            self.member_limit, self.life = limit, life
        elif operation.kind == RENEW:
            reader.take(32)
            reader.end()
        else:
            raise Invalid("an operation of no known kind")

    def _add(self, reader: Reader, epoch: int) -> None:
        public = PublicIdentity(reader.take(32), reader.take(32))
        nickname = reader.take(reader.u8())
        reader.end()
        require(public.id not in self.members and len(self.members) < self.member_limit, "nobody to add")
        require(nickname == b"" or name_is_good(nickname), "a bad nickname")
        if epoch == 1:
            self.owner = public.id
        self.members[public.id] = Member(public, nickname.decode(), epoch)
