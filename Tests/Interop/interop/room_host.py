"""Hosts a room: its group, its beacon, its joins and its welcomes (PROTOCOL §16.5, §17)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from .prekey_bundle import PrekeyBundle
from .chat import Chat
from .content import control_content
from .cpace import generator, multiply, new_scalar
from .encoding import Reader, require
from .envelope import BUCKETS, ROOM, Envelope
from .group_notes import BUNDLES, GROUP, LEAVE, WELCOME
from .group_operation import Policy, group_id
from .group_owner import GroupOwner
from .identity import PublicIdentity
from .join import JoinKeys, channel, join_keys, run_id
from .mesh import Mesh
from .padding import pad, unpad
from .primitives import encapsulate, kem_key_is_sound, same, seal, unseal
from .room_beacon import RoomBeacon, door
from .wire import field, present

JOIN_LIFE, BEACON_LIFE, ZERO_NONCE = 60, 120, bytes(12)


@dataclass
class _Run:
    """A run that waits for its J3."""

    keys: JoinKeys
    joiner: PublicIdentity


class RoomHost(GroupOwner):
    """The owner of a room, who admits everybody with the code, or those of them whom it approves."""

    def __init__(self, mesh: Mesh, nickname: str, title: str, life: int, approval: bool = False) -> None:
        super().__init__(Chat(mesh, nickname), True)
        self.approval = approval
        self.applicants: dict[bytes, PrekeyBundle] = {}
        self.admitted: list[PrekeyBundle] = []
        self.life, self.lobby = life, secrets.token_bytes(16)
        self.digits = f"{secrets.randbelow(1_000_000):06}"
        self.me = self.chat.identity.public
        self.room_id = group_id(self.me.ed)
        self.runs: dict[bytes, _Run] = {}
        self.notice_life = life
        self.found(title, Policy(limit=128, life=life), self.chat.identity.ed_seed)

    @property
    def code(self) -> str:
        return f"{door(self.room_id):02}-{self.digits}"

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
        note = field(GROUP, self.room_id) + field(LEAVE, 1)
        self.chat.send_content(self.chat.sessions.peers[applicant], control_content(note))

    def _admit(self, bundle: PrekeyBundle) -> bytes:
        """Takes the member in, tells its bundle to the others, and returns its welcome with theirs."""
        assert self.group is not None
        self.add(bundle.owner, bundle.nickname)
        others = [one for one in self.admitted if self.group.log.state.slot_of(one.owner.id) is not None]
        for other in others:
            self.send_control(other.owner.id, field(GROUP, self.room_id) + present(BUNDLES, bundle.data))
        self.admitted = others + [bundle]
        return self.group.welcome(bundle.owner.id, self.life, [self.chat.prekey.bundle] + others).encoded()
