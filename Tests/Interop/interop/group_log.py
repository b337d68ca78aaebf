"""The signed log of a group or room, and its checkpoint (PROTOCOL §16.1)."""

from __future__ import annotations

from dataclasses import dataclass, field

from .encoding import Invalid, Reader, require, u16
from .group_operation import LAST_NUMBER, LONGEST, Edit, Handover, Operation, group_id
from .group_state import State
from .group_tree import Step, plan

MOST_TRANSFERS, LONGEST_CHECKPOINT, LEAST_KEPT, MOST_KEPT = 256, 1 << 20, 64, 1024


class Known(Invalid):
    """The operation is in the log, or is older than what the log keeps."""


class Gap(Invalid):
    """Earlier operations are missing."""


class Forked(Invalid):
    """An owner has signed two histories; `proof` has both operations."""

    def __init__(self, proof: tuple[Operation, Operation]) -> None:
        super().__init__("an owner signed two histories")
        self.proof = proof


@dataclass(frozen=True)
class Signers:
    """The keys in force from an epoch on."""

    since: int
    owner: bytes
    successor: bytes | None


@dataclass(frozen=True)
class Prepared:
    """An operation that fits, with the state after it and the nodes that get new secrets."""

    operation: Operation
    state: State
    emptied: list[int]
    renewed: list[int]
    steps: list[Step]


@dataclass
class GroupLog:
    """State, the newest operations, and the proofs of each change of the owner's key."""

    first_key: bytes
    state: State = field(default_factory=State)
    kept: list[Operation] = field(default_factory=list)
    transfers: list[Operation] = field(default_factory=list)
    grant: Operation | None = None
    signers: list[Signers] = field(default_factory=list)
    fork: tuple[Operation, Operation] | None = None

    def __post_init__(self) -> None:
        self.group = group_id(self.first_key)
        self.signers = self.signers or [Signers(1, self.first_key, None)]

    @property
    def epoch(self) -> int:
        return self.kept[-1].epoch if self.kept else 0

    @property
    def hash(self) -> bytes:
        return self.kept[-1].hash if self.kept else bytes(32)

    @property
    def title(self) -> str:
        return self.state.title.decode()

    @property
    def owner(self) -> bytes:
        """Returns the peer id of the owner."""
        assert self.state.owner is not None
        return self.state.members[self.state.owner].public.id

    @property
    def members(self) -> list[bytes]:
        """Lists the peer ids in the order of their slots."""
        return [member.public.id for _, member in sorted(self.state.members.items())]

    def signers_at(self, epoch: int) -> Signers:
        found = [one for one in self.signers if one.since <= epoch]
        require(found != [], "the signers of this epoch are forgotten")
        return found[-1]

    def operations(self, first: int) -> list[Operation]:
        """Lists the kept operations from an epoch on, or none if that one is gone."""
        return [one for one in self.kept if one.epoch >= first] if self.kept[0].epoch <= first else []

    def apply_edits(self, edits: tuple[Edit, ...], transfers: bool) -> tuple[State, list[int], list[int]]:
        require(not transfers or sum(one.is_transfer for one in self.transfers) < MOST_TRANSFERS, "too many transfers")
        require(self.epoch + 1 < LAST_NUMBER, "the last epoch")
        state = self.state.copy()
        emptied, renewed = state.apply(edits, self.epoch + 1, self.signers_at(self.epoch + 1).owner)
        return state, emptied, renewed

    def prepare(self, operation: Operation) -> Prepared:
        """Checks an operation in the order of *Applying*, and changes nothing but for the proof of a fork."""
        require(operation.group == self.group, "an operation of another group")
        if operation.epoch > self.epoch + 1:
            raise Gap("earlier operations are missing")
        if operation.epoch <= self.epoch:
            self._compare(operation)
        require(self.fork is None, "the group is frozen")
        self._check_signature(operation)
        if operation.before != self.hash:
            require(self.kept != [] and not operation.is_takeover, "another history proves nothing")
            self._freeze(self.kept[-1], operation)
        state, emptied, renewed = self.apply_edits(operation.edits, operation.is_transfer)
        steps = plan(state, emptied, renewed)
        require(operation.depth == state.depth and operation.root == state.root, "another state comes out")
        count = len(operation.tree.wraps) if operation.tree else 0
        require(count == sum(len(step.wraps) for step in steps), "another number of wraps")
        return Prepared(operation, state, emptied, renewed, steps)

    def _check_signature(self, operation: Operation) -> None:
        signers = self.signers_at(operation.epoch)
        operation.check_signature(signers.successor if operation.is_takeover else signers.owner)

    def _compare(self, operation: Operation) -> None:
        own = next((one for one in self.kept if one.epoch == operation.epoch), None)
        if own is None or own.hash == operation.hash:
            raise Known("an operation is known, or too old")
        require(self.fork is None, "the group is frozen")
        self._check_signature(operation)
        key = self.signers_at(operation.epoch).successor
        changed = any(one.since > operation.epoch and one.successor != key for one in self.signers)
        require(not operation.is_takeover or operation.before == own.before and not changed, "a late takeover")
        self._freeze(own, operation)

    def _freeze(self, own: Operation, other: Operation) -> None:
        self.fork = (own, other)
        raise Forked(self.fork)

    def take(self, prepared: Prepared) -> None:
        """Takes an operation that fits."""
        operation, before = prepared.operation, self.signers_at(self.epoch + 1)
        if operation.is_takeover and self.grant and self.grant not in self.transfers:
            self.transfers.append(self.grant)
            self.transfers.sort(key=lambda one: one.epoch)
        if operation.is_transfer:
            self.transfers.append(operation)
        if operation.granted:
            self.grant = operation
        self.state = prepared.state
        self.kept = (self.kept + [operation])[-MOST_KEPT:]
        successor = self.state.policy.successor
        if successor is None:
            self.grant = None
        after = Signers(operation.epoch + 1, _key_after(operation, before), successor[1] if successor else None)
        if (after.owner, after.successor) != (before.owner, before.successor):
            self.signers.append(after)

    # Checkpoints

    def checkpoint(self) -> bytes:
        """Writes the state with its proofs."""
        last = self.kept[-1]
        proofs = [one for one in self.transfers + ([self.grant] if self.grant else []) if one.epoch < last.epoch]
        proofs.sort(key=lambda one: one.epoch)
        return (u16(len(proofs)) + b"".join(u16(len(one.data)) + one.data for one in proofs + [last])
                + self.state.encoded())

    @staticmethod
    def from_checkpoint(data: bytes, first_key: bytes) -> GroupLog:
        """Checks a checkpoint, and replays nothing."""
        require(len(data) <= LONGEST_CHECKPOINT, "a checkpoint is too long")
        reader = Reader(data)
        count = reader.u16()
        require(count <= 2 * MOST_TRANSFERS + 1, "too many proofs")
        *proofs, last = [Operation.decode(_field(reader)) for _ in range(count + 1)]
        state = State.read(reader, last.depth)
        reader.end()
        require(state.root == last.root, "another state than that of the last operation")
        require(all(one.is_transfer or one.granted for one in proofs), "an operation that proves nothing")
        signers, grant = _signers(proofs + [last], first_key)
        require((grant.granted if grant else None) == state.policy.successor, "another successor")
        require(sum(one.is_transfer for one in proofs + [last]) <= MOST_TRANSFERS, "too many transfers")
        transfers = [one for one in proofs + [last] if one is not grant and (one.is_transfer or one.granted)]
        return GroupLog(first_key, state, [last], transfers, grant, signers)

    def continues(self, known: GroupLog) -> bool:
        """Tells whether the log of a checkpoint can follow the log that a member has."""
        last = self.kept[-1]
        if self.group != known.group or last.epoch < known.epoch:
            return False
        if last.epoch == known.epoch and last.hash != known.hash:
            return False
        if last.epoch == known.epoch + 1 and last.before != known.hash:
            return False
        earlier = [one.hash for one in self.transfers if one.epoch <= known.epoch]
        granted = sorted(known.transfers + ([known.grant] if known.grant else []), key=lambda one: one.epoch)
        if earlier not in ([one.hash for one in known.transfers], [one.hash for one in granted]):
            return False
        new = self.grant is None or self.grant.epoch > known.epoch
        return new or known.grant is not None and self.grant.hash == known.grant.hash


def _signers(operations: list[Operation], first_key: bytes) -> tuple[list[Signers], Operation | None]:
    """Checks proofs and last operation; returns the keys from each on, and the grant that nobody has used."""
    signers, grant, epoch = [Signers(1, first_key, None)], None, 0
    for operation in operations:
        require(operation.group == group_id(first_key) and operation.epoch > epoch, "a proof is out of place")
        granted = grant.granted if grant else None
        key = granted[1] if granted else None
        before, epoch = Signers(0, signers[-1].owner, key), operation.epoch
        operation.check_signature(key if operation.is_takeover else before.owner)
        if operation.is_takeover:
            grant = None
        elif operation.is_transfer:
            slot = next(edit.slot for edit in operation.edits if isinstance(edit, Handover))
            require(granted is None or granted[0] != slot, "a grant that proves nothing")
        elif operation.granted:
            require(grant is None, "a grant that nobody used")
            grant = operation
        after = _key_after(operation, before)
        signers.append(Signers(epoch + 1, after, grant.granted[1] if grant and grant.granted else None))
    return signers, grant


def _field(reader: Reader) -> bytes:
    length = reader.u16()
    require(length <= LONGEST, "an operation is too long")
    return reader.take(length)


def _key_after(operation: Operation, before: Signers) -> bytes:
    if operation.is_takeover:
        assert before.successor is not None
        return before.successor
    for edit in operation.edits:
        if isinstance(edit, Handover):
            return edit.key
    return before.owner
