"""Joins a room by a code or an invite (PROTOCOL §17)."""

from __future__ import annotations

import secrets

from .prekey_bundle import PrekeyBundle
from .chat import Chat
from .cpace import generator, new_scalar
from .encoding import Invalid, Reader
from .envelope import ROOM, Envelope
from .group import Welcome
from .join import JoinRun, channel
from .membership import MESSAGE_LIFE, NOTICE_LIFE, Membership
from .mesh import Mesh
from .primitives import kem_public
from .room_beacon import RoomBeacon, door, invite_lobby

JOIN_LIFE = 60
ADMITTED, WAIT = 0, 1


class RoomMember(Membership):
    """One identity with its prekey bundle, for one room."""

    def __init__(self, mesh: Mesh, nickname: str, code: str = "", invite: str = "") -> None:
        super().__init__(Chat(mesh, nickname), True)
        digits = "".join(character for character in code if character.isdigit())
        self.door, self.password = digits[:2], digits[2:].encode()
        self.room_id = self.lobby = b""
        if invite:
            fields = dict(part.split("=") for part in invite.partition("?")[2].split("&"))
            self.room_id, self.password = bytes.fromhex(fields["id"]), bytes.fromhex(fields["key"])
            self.lobby = invite_lobby(self.password)
        self.beacon: RoomBeacon | None = None
        self.run: JoinRun | None = None
        self.decision: int | None = None
        self.refused = False

    def _publish(self, body: bytes) -> None:
        self.mesh.publish(Envelope.new(ROOM, JOIN_LIFE, body))

    def take(self, envelope: Envelope) -> None:
        if envelope.kind != ROOM:
            super().take(envelope)
        elif envelope.body[0] == 0 and self.run is None:
            self._beacon(RoomBeacon.decode(envelope.body))
        elif envelope.body[0] == 2 and self.run is not None and self.run.keys is None:
            self._second(self.run, envelope.body)
        elif envelope.body[0] == 4 and self.run is not None and self.decision is None:
            self._decision(self.run.decision(envelope.body))

    def _beacon(self, beacon: RoomBeacon) -> None:
        """Sends J1 to the room that code or invite name."""
        wanted = beacon.room == self.room_id if self.room_id else door(beacon.room) == int(self.door)
        if beacon.closed or not wanted:
            return
        lobby, seed = self.lobby or beacon.lobby, secrets.token_bytes(64)
        element = generator(self.password, channel(beacon.host), beacon.room + lobby)
        self.beacon = beacon
        self.run = JoinRun(beacon.room, lobby, beacon.host, self.chat.identity.public, new_scalar(), seed, element,
                           kem_public(seed))
        self._publish(self.run.first)

    def _second(self, run: JoinRun, body: bytes) -> None:
        try:
            run.second(body)
        except Invalid:
            self.refused = body[:17] == b"\x02" + run.run
            return
        self._publish(run.third(self.chat.prekey.bundle.data))

    def _decision(self, decision: bytes) -> None:
        reader = Reader(decision)
        self.decision = reader.u8()
        if self.decision == ADMITTED:
            assert self.run is not None and self.beacon is not None
            self.notice_life = min(NOTICE_LIFE, self.beacon.remaining or NOTICE_LIFE)
            self.enter(self.beacon.host.id, Welcome.decode(reader.rest()), self.run.session[:16])
        elif self.decision == WAIT:
            self.chat.sessions.learn(PrekeyBundle.decode(reader.rest()))

    def send(self, text: str, life: int = MESSAGE_LIFE) -> bytes:
        """Writes to the room with a life that does not outlast the room."""
        assert self.beacon is not None
        return super().send(text, min(life, self.beacon.remaining or life))
