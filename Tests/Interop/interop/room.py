"""A member of a room: joins by a code, hands out its sender key, reads and writes (PROTOCOL §17)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from .bundle import Bundle
from .chat import RELEASE_LIFE, Chat
from .content import GROUP_NOTE, TEXT, Content, message_id, note_content, receipt_content, text_content
from .cpace import generator, new_scalar
from .encoding import Invalid, require
from .envelope import BUNDLE, ROOM, SEALED, Envelope
from .group import Group, Welcome
from .join import JoinRun, channel
from .mesh import Mesh
from .primitives import kem_public
from .room_beacon import RoomBeacon, door
from .sessions import Arrival
from .wire import Message, present

JOIN_LIFE, NOTE_UPDATE, NOTE_KEY, NOTE_HISTORY, NOTE_BUNDLES = 60, 2, 4, 5, 20


@dataclass(frozen=True)
class RoomText:
    """Holds a text of the room."""

    id: bytes
    sender: bytes
    text: str


class RoomMember:
    """Has an identity and a bundle for one room."""

    def __init__(self, mesh: Mesh, code: str, nickname: str) -> None:
        digits = "".join(character for character in code if character.isdigit())
        self.door, self.password = int(digits[:2]), digits[2:].encode()
        self.mesh = mesh
        self.chat = Chat(mesh, nickname)
        self.chat.on_note = self._note
        mesh.handler = self.take
        self.beacon: RoomBeacon | None = None
        self.run: JoinRun | None = None
        self.answer: bytes | None = None
        self.group: Group | None = None
        self.texts: list[RoomText] = []
        self.waiting: list[Envelope] = []
        self.order = 0
        self.refused = False

    def _publish(self, body: bytes) -> None:
        self.mesh.publish(Envelope.new(ROOM, JOIN_LIFE, body))

    def take(self, envelope: Envelope) -> None:
        """Works off an envelope that the mesh brought."""
        if envelope.kind == ROOM:
            self._room(envelope.body)
        elif envelope.kind == SEALED and self.group is not None and self._message(envelope):
            return
        elif envelope.kind != BUNDLE:
            self.chat.take(envelope)

    def _room(self, body: bytes) -> None:
        if body[0] == 0 and self.run is None:
            beacon = RoomBeacon.decode(body)
            if door(beacon.room) == self.door and not beacon.closed:
                self._begin(beacon)
        elif body[0] == 2 and self.run is not None and self.run.keys is None:
            try:
                self.run.second(body)
            except Invalid:
                self.refused = body[:17] == b"\x02" + self.run.run
                return
            self._publish(self.run.third(self.chat.prekey.bundle.data))
        elif body[0] == 4 and self.run is not None and self.answer is None:
            self.answer = self.run.decision(body)
            if self.answer[0] == 0:
                self._enter(Welcome.decode(self.answer[1:]))

    def _begin(self, beacon: RoomBeacon) -> None:
        """Sends J1."""
        seed = secrets.token_bytes(64)
        element = generator(self.password, channel(beacon.host), beacon.room + beacon.lobby)
        self.beacon = beacon
        self.run = JoinRun(beacon.room, beacon.lobby, beacon.host, self.chat.identity.public,
                           new_scalar(), seed, element, kem_public(seed))
        self._publish(self.run.first)

    def _enter(self, welcome: Welcome) -> None:
        assert self.beacon is not None
        group = Group(self.chat.id, welcome)
        require(group.log.group == self.beacon.room, "a welcome to another room")
        for bundle in welcome.bundles:
            require(bundle.owner.id in group.log.members, "a bundle of no member")
            self.chat.sessions.learn(bundle)
        self.group = group

    def _note(self, arrival: Arrival, content: Content) -> bool:
        """Takes a control message of another member."""
        if content.kind != GROUP_NOTE or self.group is None:
            return False
        note, sender = Message(content.note), arrival.peer.public.id
        for update in note.all(NOTE_UPDATE):
            self.group.update(update)
        if note.bytes(NOTE_KEY):
            self.group.take_key(note.bytes(NOTE_KEY), sender, note.bytes(NOTE_HISTORY))
        for data in note.all(NOTE_BUNDLES):
            self._bundle(Bundle.decode(data), sender)
        waiting, self.waiting = self.waiting, []
        for envelope in waiting:
            self._message(envelope)
        return True

    def _bundle(self, bundle: Bundle, sender: bytes) -> None:
        """Takes the bundle of a member from the owner, or its renewed one from the member; hands it the own key."""
        assert self.group is not None
        require(sender in (self.group.log.owner, bundle.owner.id), "a bundle that only the owner may tell")
        if bundle.owner.id == self.chat.id:
            return
        self.chat.sessions.learn(bundle)
        if self.group.own is not None and bundle.owner.id in self.group.log.members:
            self._hand_key(bundle.owner.id)

    def _hand_key(self, member: bytes) -> None:
        assert self.group is not None and self.group.own is not None
        key = self.group.own.public
        history = self.group.log.hash_of(key.epoch)[:8]
        note = note_content(present(NOTE_KEY, key.encoded()) + present(NOTE_HISTORY, history))
        self.chat.send_content(self.chat.sessions.peers[member], note)

    def _message(self, envelope: Envelope) -> bool:
        """Opens a message to the room; tells whether the envelope was one, even if its key is still to come."""
        assert self.group is not None
        try:
            opened = self.group.open(envelope)
        except Invalid:
            self.waiting.append(envelope)
            return True
        if opened is None:
            return False
        sender, data = opened
        content = Content.decode(data)
        if content.kind == TEXT:
            identifier = message_id(sender, self.group.log.group, data)
            self.texts.append(RoomText(identifier, sender, content.text))
            self.chat.send_content(self.chat.sessions.peers[sender], receipt_content([identifier]))
        return True

    def send(self, text: str) -> bytes:
        """Writes to the room, and hands a new sender key to all other members first."""
        assert self.group is not None and self.beacon is not None
        _, new = self.group.own_key()
        if new:
            for member in self.group.log.members:
                if member != self.chat.id:
                    self._hand_key(member)
        self.order += 1
        content = text_content(text, self.order)
        life = min(RELEASE_LIFE, self.beacon.remaining or RELEASE_LIFE)
        self.mesh.publish(self.group.seal(content, life))
        return message_id(self.chat.id, self.group.log.group, content)
