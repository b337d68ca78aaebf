"""A member of a group or room: takes control messages, hands out its sender key, reads and writes (PROTOCOL §16)."""

from __future__ import annotations

from dataclasses import dataclass

from .prekey_bundle import PrekeyBundle
from .chat import Chat
from .content import GROUP_CONTROL, TEXT, Content, message_id, control_content, text_content
from .encoding import Invalid, require
from .envelope import BUNDLE, SEALED, Envelope
from .group import Group, Welcome
from .sessions import Arrival
from .wire import Message, present

WELCOME, UPDATE, OPERATION, KEY, HISTORY, BUNDLES = 1, 2, 3, 4, 5, 20
MESSAGE_LIFE = 24 * 3600


@dataclass(frozen=True)
class GroupText:
    """A text of the group."""

    id: bytes
    sender: bytes
    text: str


class Membership:
    """One identity in one group, between the mesh and its chat."""

    def __init__(self, chat: Chat, room: bool) -> None:
        self.chat, self.room, self.mesh = chat, room, chat.mesh
        self.group: Group | None = None
        self.texts: list[GroupText] = []
        self.waiting: list[Envelope] = []
        self.opened: list[tuple[int, list[bytes]]] = []
        self.order = 0
        chat.on_control_message = self._control_message
        self.mesh.handler = self.take

    def take(self, envelope: Envelope) -> None:
        """Works off an envelope that the mesh brought."""
        if envelope.kind == SEALED and self.group is not None and self._message(envelope):
            return
        if envelope.kind != BUNDLE or not self.room:
            self.chat.take(envelope)

    def enter(self, welcome: Welcome, wanted: bytes | None) -> None:
        """Becomes a member by a welcome, in a room by one for that room alone."""
        group = Group(self.chat.id, welcome)
        require(wanted in (None, group.log.group), "a welcome to another room")
        for bundle in welcome.bundles:
            require(bundle.owner.id in group.log.members, "a bundle of no member")
            self.chat.sessions.learn(bundle)
        self.group = group

    def _control_message(self, arrival: Arrival, content: Content) -> None:
        """Takes a control message of another member."""
        require(content.kind == GROUP_CONTROL, "no control message")
        note, sender = Message(content.note), arrival.peer.public.id
        if note.bytes(WELCOME) and self.group is None:
            self.enter(Welcome.decode(note.bytes(WELCOME)), None)
        if self.group is None:
            return
        for update in note.all(UPDATE):
            self.group.update(update)
        if note.bytes(KEY):
            self.group.take_key(note.bytes(KEY), sender, note.bytes(HISTORY))
        for data in note.all(BUNDLES):
            self._bundle(PrekeyBundle.decode(data), sender)
        waiting, self.waiting = self.waiting, []
        for envelope in waiting:
            self._message(envelope)

    def _bundle(self, bundle: PrekeyBundle, sender: bytes) -> None:
        """Takes a prekey bundle from the owner, or a renewed one from its maker; hands the maker the own key."""
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
        note = control_content(present(KEY, key.encoded()) + present(HISTORY, history))
        self.chat.send_content(self.chat.sessions.peers[member], note)

    def _message(self, envelope: Envelope) -> bool:
        """Opens a message to the group; tells whether the envelope was one, even if its key is still to come."""
        assert self.group is not None
        try:
            opened = self.group.open(envelope)
        except Invalid:
            self.waiting.append(envelope)
            return True
        if opened is None:
            return False
        sender, contents = opened
        self.opened.append((len(envelope.body) - 12, contents))
        named = [self._text(sender, data) for data in contents]
        whole = [one for one in named if one is not None]
        if len(named) > 1 and len(whole) == len(named):
            self.chat.owed_to(sender).packs.append(envelope.body[:16])
        else:
            self.chat.owed_to(sender).delivered += whole
        return True

    def _text(self, sender: bytes, data: bytes) -> bytes | None:
        """Takes a content of the group; returns its id unless it is malformed or no text."""
        assert self.group is not None
        try:
            content = Content.decode(data)
        except Invalid:
            return None
        if content.kind != TEXT:
            return None
        identifier = message_id(sender, self.group.log.group, data)
        self.texts.append(GroupText(identifier, sender, content.text))
        return identifier

    def send(self, text: str, life: int = MESSAGE_LIFE) -> bytes:
        return self.send_all([text], life)[0]

    def send_all(self, texts: list[str], life: int = MESSAGE_LIFE) -> list[bytes]:
        """Writes texts to the group in one message, and hands a new sender key to all other members first."""
        assert self.group is not None
        if self.group.renew_key():
            for member in self.group.log.members:
                if member != self.chat.id:
                    self._hand_key(member)
        contents = []
        for text in texts:
            self.order += 1
            contents.append(text_content(text, self.order))
        envelope = self.group.seal(contents, life)
        identifiers = [message_id(self.chat.id, self.group.log.group, content) for content in contents]
        for member in self.group.log.members:
            self.chat.packs[member, envelope.body[:16]] = identifiers
        self.mesh.publish(envelope)
        return identifiers
