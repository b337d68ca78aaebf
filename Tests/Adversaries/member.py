"""The malicious members of a group: one was removed and has kept all, one forges what only the owner may do."""

from __future__ import annotations

import copy
import secrets

from interop.chat import Chat
from interop.content import control_content
from interop.encoding import Invalid
from interop.envelope import SEALED, Envelope
from interop.group import Group
from interop.group_notes import OPERATIONS
from interop.group_operation import CHECK_SIZE, SALT_SIZE, Operation, Remove, Rename, TreePart
from interop.mail_scenarios import befriend
from interop.membership import Membership
from interop.node import Node
from interop.scenarios import free_port
from interop.wire import present
from stage import Stage

AFTER = 6


class Hoarder(Membership):
    """A member that keeps every envelope, and on demand every state of the group that it ever had."""

    def __init__(self, chat: Chat) -> None:
        super().__init__(chat, room=False)
        self.heard: list[Envelope] = []
        self.states: list[Group] = []

    def take(self, envelope: Envelope) -> None:
        self.heard.append(envelope)
        if self.group is not None and self.group.is_member:
            self.states.append(copy.deepcopy(self.group))
        super().take(envelope)

    def opens(self, envelope: Envelope) -> bool:
        """Tells whether any state that it ever had opens an envelope as a message."""
        for state in self.states:
            try:
                opened = copy.deepcopy(state).open(envelope)
            except Invalid:
                continue
            if opened is not None and opened.sender is not None:
                return True
        return False


def _group(stage: Stage, count: int) -> tuple[Node, list[Hoarder], str]:
    """Has a node create a group with members of this side."""
    port = free_port()
    node = stage.loopback.node("Alice", "--no-multicast", "--port", str(port))
    members: list[Hoarder] = []
    for name in ("Mallory", "Nina")[:count]:
        mesh = stage.loopback.mesh()
        stage.loopback.link(mesh, port)
        chat = Chat(mesh, name)
        befriend(stage.loopback, node, chat)
        members.append(Hoarder(chat))
    made = node.call("group.create", title="Trees", members=[one.chat.id.hex() for one in members])["id"]
    stage.loopback.until(lambda: all(one.group is not None for one in members), "the welcomes")
    return node, members, made


def removed(stage: Stage) -> str:
    """Keeps all states and all envelopes, also after its removal, and opens nothing of what comes then."""
    node, (mallory, nina), made = _group(stage, 2)
    before = node.call("send", to=made, text="with Mallory")["message"]
    stage.loopback.until(lambda: any(one.id.hex() == before for one in mallory.texts), "the text before")
    assert any(mallory.opens(one) for one in mallory.heard), "the attack opens nothing even before the removal"
    node.call("group.remove", group=made, member=mallory.chat.id.hex())
    stage.loopback.until(lambda: len(nina.group.log.members) == 2, "the removal")
    first = len(mallory.heard)
    for number in range(AFTER):
        text = node.call("send", to=made, text=f"without Mallory {number}")["message"]
        stage.loopback.until(lambda: any(one.id.hex() == text for one in nina.texts), "the text after")
        answer = nina.send(f"nor here {number}")
        stage.loopback.until(lambda: answer in nina.chat.delivered, "the receipt of Nina")
    stage.loopback.until(lambda: sum(one.kind == SEALED for one in mallory.heard[first:]) >= AFTER, "mail to open")
    opened = [one for one in mallory.heard[first:] if mallory.opens(one)]
    assert not opened, f"{len(opened)} messages after the removal opened"
    mallory.ask(node.id, wants_path=True)
    for _ in range(40):
        mallory.mesh.pump()
        nina.mesh.pump()
    assert not mallory.welcomes[1:], "who was removed got a welcome for asking"
    return f"{len(mallory.states)} states kept, none opens one of {len(mallory.heard) - first} envelopes after the " \
           "removal; no keys for asking"


def forge(stage: Stage) -> str:
    """Spreads operations that only the owner may sign, and ones that the owner signed for another place."""
    node, (mallory, nina), made = _group(stage, 2)
    group = mallory.group
    assert group is not None
    log, epoch = group.log, group.log.epoch
    slot = log.state.slot_of(nina.chat.id)
    assert slot is not None
    forged = [
        _signed(mallory, log.hash, epoch + 1, Rename(b"Mine")),
        _signed(mallory, log.hash, epoch + 1, Remove(slot, False)),
        _signed(mallory, log.hash, epoch, Rename(b"Mine instead")),
        _signed(mallory, secrets.token_bytes(32), epoch + 1, Rename(b"Mine from nowhere")),
        _broken(log.kept[-1]),
    ]
    for operation in forged:
        # As a notice of the group, which any member can make, and as a control message to each.
        note = present(OPERATIONS, operation)
        mallory.mesh.publish(group.seal_notice([control_content(note)], epoch, 3600))
        peer = mallory.chat.sessions.peers[node.id]
        mallory.chat.send_content(peer, control_content(note))
    # Both nodes worked all of it off once what was sent afterwards has arrived.
    last = mallory.send("after the forgeries")
    stage.loopback.until(lambda: last in mallory.chat.delivered, "the text behind the forgeries")
    shown = next(one for one in node.call("groups") if one["id"] == made)
    assert (shown["title"], shown["epoch"], shown["frozen"], len(shown["members"])) == ("Trees", epoch, False, 3), shown
    node.call("group.rename", group=made, title="Still ours")
    stage.loopback.until(lambda: group.log.title == "Still ours" == nina.group.log.title, "the owner's own operation")
    return f"{len(forged)} forged operations, twice each, changed nothing; the owner's next one counts"


def _signed(member: Membership, before: bytes, epoch: int, *edits) -> bytes:
    """Makes an operation signed by a member, with made-up secrets where it needs some."""
    assert member.group is not None
    log = member.group.log
    has_tree = any(isinstance(edit, Remove) for edit in edits)
    tree = TreePart.decode(secrets.token_bytes(SALT_SIZE + CHECK_SIZE)) if has_tree else None
    return Operation.signed(member.chat.identity.ed_seed, log.group, epoch, before, edits, log.state.root,
                            log.state.depth, tree).data


def _broken(operation: Operation) -> bytes:
    data = bytearray(operation.data)
    data[60] ^= 1
    return bytes(data)

