"""Hosts a room: its log, its beacon, its joins and its welcomes (PROTOCOL §16.1, §17)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from .prekey_bundle import PrekeyBundle
from .chat import Chat
from .content import control_content
from .cpace import generator, multiply, new_scalar
from .encoding import Reader, require, u8, u16, u32
from .envelope import BUCKETS, ROOM, Envelope
from .group import Group, Welcome
from .group_log import ADD, POLICY, RENAME, Operation, group_id
from .identity import PublicIdentity
from .join import JoinKeys, channel, join_keys, run_id
from .membership import WELCOME, Membership
from .mesh import Mesh
from .padding import pad, unpad
from .primitives import encapsulate, kem_key_is_sound, same, seal, sign, unseal
from .room_beacon import RoomBeacon, door
from .wire import field, present

JOIN_LIFE, BEACON_LIFE, ZERO_NONCE = 60, 120, bytes(12)


@dataclass
class _Run:
    """A run that waits for its J3."""

    keys: JoinKeys
    joiner: PublicIdentity


class RoomHost(Membership):
    """The owner of a room, who admits everybody with the code, or those of them whom it approves."""

    def __init__(self, mesh: Mesh, nickname: str, title: str, life: int, approval: bool = False) -> None:
        super().__init__(Chat(mesh, nickname), True)
        self.approval = approval
        self.applicants: dict[bytes, PrekeyBundle] = {}
        self.life, self.lobby = life, secrets.token_bytes(16)
        self.digits = f"{secrets.randbelow(1_000_000):06}"
        self.me = self.chat.identity.public
        self.room_id = group_id(self.me.ed)
        self.runs: dict[bytes, _Run] = {}
        name, title_data = nickname.encode(), title.encode()
        operations: list[Operation] = []
        for kind, body in ((ADD, self.me.ed + self.me.x + u8(len(name)) + name),
                           (RENAME, u8(len(title_data)) + title_data),
                           (POLICY, u8(0) + u16(0) + u8(128) + u32(life) + u8(0))):
            operations.append(self._operation(kind, body, operations))
        header_key = secrets.token_bytes(32)
        self.group = Group(self.chat.id, Welcome(life, len(operations), header_key, self.me.ed, [], operations))

    @property
    def code(self) -> str:
        return f"{door(self.room_id):02}-{self.digits}"

    def _operation(self, kind: int, body: bytes, before: list[Operation]) -> Operation:
        clear = (b"\x01" + u8(kind) + self.room_id + u32(len(before) + 1)
                 + (before[-1].hash if before else bytes(32)) + body)
        return Operation.decode(clear + sign(self.chat.identity.ed_seed, "earshot/v1/gop", clear))

    def open(self) -> None:
        """Says the room's beacon."""
        beacon = RoomBeacon(self.room_id, self.lobby, self.me, 1, self.life, int(self.approval), False)
        self.mesh.publish(Envelope.new(ROOM, BEACON_LIFE, beacon.signed(self.chat.identity.ed_seed)))

    def _publish(self, body: bytes) -> None:
        self.mesh.publish(Envelope.new(ROOM, JOIN_LIFE, body))

    def take(self, envelope: Envelope) -> None:
        if envelope.kind != ROOM:
            super().take(envelope)
        elif envelope.body[0] == 1:
            self._first(envelope.body)
        elif envelope.body[0] == 3 and envelope.body[1:17] in self.runs:
            self._third(self.runs[envelope.body[1:17]], envelope.body)

    def _first(self, body: bytes) -> None:
        """Answers J1 by J2."""
        reader = Reader(body)
        reader.u8()
        lobby, ya, ad_a = reader.take(16), reader.take(32), reader.take(1248)
        reader.end()
        require(lobby == self.lobby, "another lobby")
        require(kem_key_is_sound(ad_a[64:]), "a KEM key breaks the rule")
        session, scalar = self.room_id + lobby, new_scalar()
        yb = multiply(scalar, generator(self.digits.encode(), channel(self.me), session))
        ciphertext, shared = encapsulate(ad_a[64:])
        ad_b = self.me.ed + self.me.x + ciphertext
        _, keys = join_keys(session, multiply(scalar, ya), shared, ya, ad_a, yb, ad_b)
        run = run_id(body)
        self.runs[run] = _Run(keys, PublicIdentity(ad_a[:32], ad_a[32:64]))
        self._publish(b"\x02" + run + yb + ad_b + keys.host_tag)

    def _third(self, run: _Run, body: bytes) -> None:
        """Checks Ta, opens J3, and answers by a welcome."""
        require(same(body[17:49], run.keys.joiner_tag), "Ta does not fit")
        bundle = PrekeyBundle.decode(unpad(unseal(run.keys.to_host, ZERO_NONCE, b"", body[49:])))
        require(bundle.owner == run.joiner, "a bundle of other keys")
        self.chat.sessions.learn(bundle)
        if self.approval:
            self.applicants[bundle.owner.id] = bundle
            decision = b"\x01" + self.chat.prekey.bundle.data
        else:
            decision = b"\x00" + self._admit(bundle)
        size = next(bucket for bucket in BUCKETS if 4 + 1 + 16 + 16 + 2 + len(decision) <= bucket)
        sealed = seal(run.keys.to_joiner, ZERO_NONCE, b"", pad(decision, size - 4 - 1 - 16 - 16))
        self._publish(b"\x04" + body[1:17] + sealed)

    def approve(self, applicant: bytes) -> None:
        """Lets an applicant in, by a welcome over a session."""
        welcome = self._admit(self.applicants.pop(applicant))
        self.chat.send_content(self.chat.sessions.peers[applicant], control_content(present(WELCOME, welcome)))

    def reject(self, applicant: bytes) -> None:
        """Rejects an applicant by the control message of leaving."""
        del self.applicants[applicant]
        note = field(6, self.room_id) + field(7, 1)
        self.chat.send_content(self.chat.sessions.peers[applicant], control_content(note))

    def _admit(self, bundle: PrekeyBundle) -> bytes:
        """Adds the member to the log and returns its welcome."""
        assert self.group is not None
        log, name = self.group.log, bundle.nickname.encode()
        operation = self._operation(ADD, bundle.owner.ed + bundle.owner.x + u8(len(name)) + name, log.operations)
        self.group.update(u8(len(operation.data)) + operation.data)
        own = self.chat.prekey.bundle.data
        operations = b"".join(u8(len(one.data)) + one.data for one in self.group.log.operations)
        return (b"\x01" + u32(self.life) + u32(self.group.log.epoch) + self.group.header_keys[self.group.log.epoch]
                + self.me.ed + u8(1) + u16(len(own)) + own + u16(self.group.log.epoch) + operations)
