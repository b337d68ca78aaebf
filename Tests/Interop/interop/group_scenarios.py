"""Talks with a running node in groups: those that the node owns, and those of this side."""

from __future__ import annotations

import copy
import dataclasses

from .chat import Chat
from .group_notes import OPERATIONS
from .group_operation import Operation, Policy, Remove, Rename, Renew, SetPolicy
from .group_owner import GroupOwner
from .mail_scenarios import befriend, hear
from .membership import Membership
from .node import Node, NodeError
from .scenarios import Stage, free_port
from .sessions import Peer
from .wire import present

RENEWAL_WAIT = 150


def _history(node: Node, group: str, kind: str) -> list[dict]:
    return [one for one in node.call("history", conversation=group, limit=200) if one["kind"] == kind]


def _group(node: Node, group: str) -> dict:
    return next((one for one in node.call("groups") if one["id"] == group), {})


def _delivered(stage: Stage, node: Node, message: str) -> None:
    stage.until(lambda: {one["status"] for one in node.call("deliveries", message=message)} == {"delivered"},
                "the status delivered")


def _exchange_texts(stage: Stage, node: Node, member: Membership, group: str, word: str) -> None:
    """Lets the node write and this side answer, each with a receipt."""
    sent = node.call("send", to=group, text=f"{word} from the node")["message"]
    stage.until(lambda: any(one.id.hex() == sent for one in member.texts), f"the text {word!r} of the node")
    _delivered(stage, node, sent)
    identifier = member.send(f"{word} from here")
    stage.until(lambda: identifier in member.chat.delivered, f"the receipt of {word!r}")
    assert any(one["id"] == identifier.hex() for one in _history(node, group, "text")), "the node shows it not"


def _same_lines(stage: Stage, node: Node, member: Membership, group: str) -> None:
    """Compares the ids of the lines, which each side makes for itself; a new member has not that of the founding."""
    own = {one.hex() for one in member.lines if not isinstance(member, GroupOwner) or one is not member.lines[0]}
    stage.until(lambda: own <= {one["id"] for one in _history(node, group, "system")}, "the same lines at the node")


def _epoch(stage: Stage, node: Node, member: Membership, group: str) -> None:
    """Waits until both sides are in one epoch."""
    assert member.group is not None
    stage.until(lambda: _group(node, group).get("epoch") == member.group.log.epoch, "the epoch of the other side")


def _invited(stage: Stage, node: Node, chat: Chat) -> tuple[Membership, str]:
    """Lets the node found a group with this side in it."""
    member = Membership(chat, room=False)
    made = node.call("group.create", title="Trees", members=[chat.id.hex()])
    stage.until(lambda: member.group is not None, "the welcome")
    assert member.group is not None and member.group.log.group.hex() == made["id"] == member.welcomes[0].group.hex()
    assert member.group.log.title == "Trees" and member.group.log.owner == node.id
    assert member.welcomes[0].checkpoint and member.welcomes[0].digest is None, "the checkpoint is not in the welcome"
    return member, made["id"]


def join_group(stage: Stage) -> str:
    """Is invited by a contact, talks, follows changes over a restart of the node, asks, and is removed."""
    port = free_port()
    node, mesh = stage.node("Alice", "--no-multicast", "--port", str(port)), stage.mesh()
    stage.link(mesh, port)
    chat = Chat(mesh, "Jan")
    befriend(stage, node, chat)
    member, made = _invited(stage, node, chat)
    group = member.group
    assert group is not None
    _exchange_texts(stage, node, member, made, "Hello")
    node.call("group.rename", group=made, title="Forest")
    stage.until(lambda: group.log.title == "Forest", "the new title")
    _exchange_texts(stage, node, member, made, "A new epoch")
    node.call("group.history", group=made, history="last:7")
    stage.until(lambda: group.log.state.policy.last == 7, "the new policy")
    _same_lines(stage, node, member, made)

    member.ask(node.id)
    stage.until(lambda: bool(member.answers), "the answer to a request for operations")
    assert [one.epoch for one in member.answers[-1]] == [group.log.epoch], "not the operations from the newest on"
    member.ask(node.id, wants_path=True)
    stage.until(lambda: len(member.welcomes) > 1, "the welcome for who wants the path")
    again = member.welcomes[-1]
    assert (again.slot, again.epoch, again.log.hash) == (group.slot, group.log.epoch, group.log.hash)

    node.finish()
    mesh.part()
    node.start()
    stage.link(mesh, port)
    number = node.begin("group.rename", group=made, title="Wood")
    stage.until(lambda: node.poll(number) is not None, "the change after a restart", 60)
    assert "result" in (node.poll(number) or {}), node.poll(number)
    stage.until(lambda: group.log.title == "Wood", "the title after a restart")
    asked = [first for sender, first in member.requests if sender == node.id]
    assert asked != [], "the owner did not ask before it signed"
    _exchange_texts(stage, node, member, made, "Back again")

    late = node.call("send", to=made, text="The last one")["message"]
    stage.until(lambda: member.texts[-1].id.hex() == late, "the last text")
    node.call("group.remove", group=made, member=chat.id.hex())
    stage.until(lambda: not group.is_member, "the notice of the own removal")
    assert group.log.state.slot_of(chat.id) is None and not group.epochs and not group.path
    _same_lines(stage, node, member, made)
    hear(stage, node, chat, "You are out")
    return f"welcome, texts, {len(member.operations)} operations, requests both ways, a restart, the own removal"


def three_members(stage: Stage) -> str:
    """Is in a group with another member of this side, who comes later, writes, and is removed or leaves."""
    node, chat, _ = stage.acquainted("Alice", "Jan")
    befriend(stage, node, chat)
    first, made = _invited(stage, node, chat)
    port = chat.mesh.links[0].address[1]
    others: list[Membership] = []
    for name in ("Kees", "Loes"):
        mesh = stage.mesh()
        stage.link(mesh, port)
        other = Chat(mesh, name)
        befriend(stage, node, other)
        others.append(Membership(other, room=False))
        before = first.send(f"Before {name}")
        stage.until(lambda: before in chat.delivered, "a receipt before the add")
        node.call("group.add", group=made, members=[other.id.hex()])
        stage.until(lambda: others[-1].group is not None, "the welcome of the next")
        stage.until(lambda: all(one.group.log.epoch == first.group.log.epoch for one in others), "the add at all")
        assert all(not one.text.startswith("Before") for one in others[-1].texts), "a new member opens what was before"
    second, third = others
    assert first.group is not None and second.group is not None and third.group is not None
    everybody = [first, second, third]
    bundles = [one.chat for one in everybody]
    stage.until(lambda: all(other.id == one.id or other.peer(one.id) is not None and other.peer(one.id).bundle
                            for one in bundles for other in bundles), "the bundles of each other")
    for one in everybody:
        identifier = one.send(f"This is {one.chat.nickname}")
        stage.until(lambda: all(any(text.id == identifier for text in other.texts) for other in everybody
                                if other is not one), "a text at all members")
        stage.until(lambda: identifier in one.chat.delivered, "a receipt")
    node.call("group.remove", group=made, member=second.chat.id.hex())
    stage.until(lambda: not second.group.is_member, "the removal at who is removed")
    stage.until(lambda: len(first.group.log.members) == 3 == len(third.group.log.members), "the removal at the others")
    _exchange_texts(stage, node, first, made, "Only three now")
    stage.until(lambda: third.texts[-1].text == "Only three now from here", "the text at the third member")
    assert not second.group.epochs and not second.group.path, "who is removed has keys"
    third.leave()
    stage.until(lambda: len(first.group.log.members) == 2, "the leaving at the others")
    _exchange_texts(stage, node, first, made, "Only two now")
    _same_lines(stage, node, first, made)
    return "two who came later, texts of all to all, a removal with fresh secrets, one who leaves"


def _owned(stage: Stage, in_parts: bool) -> tuple[Node, GroupOwner, str, int]:
    """Founds a group that the node joins."""
    port = free_port()
    node, mesh = stage.node("Alice", "--no-multicast", "--port", str(port)), stage.mesh()
    stage.link(mesh, port)
    owner = GroupOwner(Chat(mesh, "Olga"), room=False)
    peer: Peer = befriend(stage, node, owner.chat)
    owner.found("Own trees", Policy())
    assert owner.group is not None and peer.bundle is not None
    owner.invite(peer.bundle, in_parts)
    group = owner.group.log.group.hex()
    stage.until(lambda: _group(node, group).get("standing") == "member", "the node in the group")
    shown = _group(node, group)
    assert (shown["title"], shown["owner"], shown["epoch"]) == ("Own trees", owner.chat.id.hex(), owner.group.log.epoch)
    _exchange_texts(stage, node, owner, group, "Hello")
    return node, owner, group, port


def own_group(stage: Stage) -> str:
    """Owns a group that the node is in: adds, renews, removes another member, is asked, and removes the node."""
    node, owner, group, port = _owned(stage, False)
    assert owner.group is not None
    owner.perform(Rename(b"Own forest"))
    _epoch(stage, node, owner, group)
    assert _group(node, group)["title"] == "Own forest"

    mesh = stage.mesh()
    stage.link(mesh, port)
    second = Membership(Chat(mesh, "Piet"), room=False)
    second.chat.publish_bundle()
    owner.chat.publish_bundle()
    stage.until(lambda: owner.chat.peer(second.chat.id) is not None and second.chat.peer(owner.chat.id) is not None
                and second.chat.peer(node.id) is not None, "the bundles of each other")
    peer = owner.chat.peer(second.chat.id)
    assert peer is not None and peer.bundle is not None
    owner.invite(peer.bundle)
    stage.until(lambda: second.group is not None, "the welcome of the second member")
    _epoch(stage, node, owner, group)
    assert len(_group(node, group)["members"]) == 3
    text = second.send("I came later")
    stage.until(lambda: any(one["id"] == text.hex() for one in _history(node, group, "text")), "its text at the node")
    stage.until(lambda: any(one.id == text for one in owner.texts), "its text at the owner")

    owner.renew(node.id)
    _epoch(stage, node, owner, group)
    _exchange_texts(stage, node, owner, group, "Renewed")
    owner.renew_all()
    _epoch(stage, node, owner, group)
    stage.until(lambda: second.group.log.epoch == owner.group.log.epoch, "the renewal at the second member")
    _exchange_texts(stage, node, owner, group, "All renewed")
    stage.until(lambda: second.texts[-1].text == "All renewed from here", "the text at the second member")

    owner.remove(second.chat.id)
    _epoch(stage, node, owner, group)
    stage.until(lambda: not second.group.is_member, "the removal at who is removed")
    _exchange_texts(stage, node, owner, group, "Only two now")
    assert second.texts[-1].text == "All renewed from here"
    _forged_notices(owner)
    _exchange_texts(stage, node, owner, group, "Still two")
    _same_lines(stage, node, owner, group)

    before = len(owner.requests)
    owner.renew(node.id, withheld=True)
    stage.until(lambda: len(owner.requests) > before, "the question of a member without its leaf secret")
    _epoch(stage, node, owner, group)
    _exchange_texts(stage, node, owner, group, "By a welcome")
    owner.perform(Rename(b"Hidden"), hidden=True)
    owner.perform(Rename(b"Own wood"))
    newest = present(OPERATIONS, owner.group.log.kept[-1].data)
    owner.send_control(node.id, newest)
    _epoch(stage, node, owner, group)
    assert _group(node, group)["title"] == "Own wood"
    _exchange_texts(stage, node, owner, group, "By an answer")
    _same_lines(stage, node, owner, group)

    before = len(owner.requests)
    owner.mesh.part()
    node.finish()
    node.start()
    stage.link(owner.mesh, port)
    stage.until(lambda: len(owner.requests) > before, "the question of the node after its start", 30)
    _exchange_texts(stage, node, owner, group, "After a restart")

    owner.remove(node.id)
    stage.until(lambda: _group(node, group).get("standing") != "member", "the removal at the node")
    return f"{owner.group.log.epoch} operations of the own: adds, renewals, removals; the node asks three times"


def _forged_notices(owner: GroupOwner) -> None:
    """Spreads notices with an operation that is not the owner's, with a known one, and with no content."""
    assert owner.group is not None
    log = owner.group.log
    forged = Operation.signed(owner.chat.identity.ed_seed, log.group, log.epoch + 1, log.hash, (), log.state.root,
                              log.state.depth, None)
    owner.spread([forged], log.epoch)
    owner.spread([log.kept[-1]], log.epoch)
    owner.mesh.publish(owner.group.seal_notice([b"no content"], log.epoch, 600))


def own_group_in_parts(stage: Stage) -> str:
    """Invites the node by a welcome whose checkpoint follows in parts, and lets it leave."""
    node, owner, group, _ = _owned(stage, True)
    assert owner.group is not None
    node.call("group.leave", group=group)
    stage.until(lambda: owner.group.log.members == [owner.chat.id], "the leaving of the node")
    _same_lines(stage, node, owner, group)
    return "welcome with a hash, a checkpoint in parts, texts both ways, the node leaves and is let go"


def two_histories(stage: Stage) -> str:
    """Signs two operations for one epoch: the node freezes its log, and spreads the proof."""
    node, owner, group, _ = _owned(stage, False)
    assert owner.group is not None
    other, number = copy.deepcopy(owner.group), owner.group.log.epoch
    owner.perform(Rename(b"One"))
    _epoch(stage, node, owner, group)
    assert not _group(node, group)["frozen"]
    operation, _ = other.perform((Rename(b"Another"),))
    owner.spread([operation], number)
    stage.until(lambda: _group(node, group)["frozen"], "the frozen group")
    stage.until(lambda: owner.group.log.fork is not None, "the proof of the node")
    assert owner.proof is not None and {one.hash for one in owner.proof} == {owner.operations[-1].hash, operation.hash}
    assert _group(node, group)["title"] == "One"
    try:
        node.call("send", to=group, text="Still here?")
    except NodeError:
        pass
    assert all(one.text != "Still here?" for one in owner.texts)
    return "two operations for one epoch, a frozen group, the proof in a notice"


def hand_over(stage: Stage) -> str:
    """Hands the own group over to the node with the tree, gets a fresh secret of it, and is handed the group back."""
    node, owner, group, _ = _owned(stage, False)
    assert owner.group is not None
    owner.hand_over(node.id)
    stage.until(lambda: owner.group.log.owner == node.id, "the key of the node")
    _epoch(stage, node, owner, group)
    assert owner.group.owner_seed is None and owner.group.tree is None
    stage.until(lambda: _group(node, group)["owner"] == node.id.hex(), "the node as owner")
    _exchange_texts(stage, node, owner, group, "Yours now")
    stage.until(lambda: any(isinstance(edit, Renew) for one in owner.operations for edit in one.edits),
                "the renewal after the handover", RENEWAL_WAIT)
    _epoch(stage, node, owner, group)
    _exchange_texts(stage, node, owner, group, "Renewed by the node")
    number = node.begin("group.handover", group=group, member=owner.chat.id.hex())
    stage.until(lambda: owner.group.owner_seed is not None, "the handover of the node", 20)
    stage.until(lambda: owner.group.tree is not None, "the tree of the node")
    stage.until(lambda: node.poll(number) is not None, "the answer to the handover")
    owner.renew_all()
    _epoch(stage, node, owner, group)
    _exchange_texts(stage, node, owner, group, "Mine again")
    _same_lines(stage, node, owner, group)
    return "keys, trees in parts, a renewal by each new owner, lines alike"


def propose(stage: Stage) -> str:
    """Is an admin of the node's group: proposes what it may, and what it may not."""
    node, chat, _ = stage.acquainted("Alice", "Jan")
    befriend(stage, node, chat)
    member, made = _invited(stage, node, chat)
    group = member.group
    assert group is not None
    owner = group.log.state.owner
    assert owner is not None
    member.propose(Rename(b"Too early"))
    node.call("group.admin", group=made, member=chat.id.hex(), admin=True)
    stage.until(lambda: group.log.state.policy.admins == (group.slot,), "the right of an admin")
    policy = dataclasses.replace(group.log.state.policy, history=1, last=9)
    member.propose(Rename(b"Forest"), SetPolicy(policy))
    stage.until(lambda: (group.log.title, group.log.state.policy.last) == ("Forest", 9), "the proposed changes")
    member.propose(Remove(owner), SetPolicy(dataclasses.replace(policy, admins_write=True)), Rename(b"Wood"))
    stage.until(lambda: group.log.title == "Wood", "the one change that an admin may propose")
    assert group.log.state.policy == policy and group.log.owner == node.id
    assert [edit for one in member.operations for edit in one.edits if isinstance(edit, Rename)][-2:] == [
        Rename(b"Forest"), Rename(b"Wood")], "the node made a change of who was no admin"
    _exchange_texts(stage, node, member, made, "By proposal")
    return "title and history by proposal, neither the owner nor other settings"


def take_proposals(stage: Stage) -> str:
    """Owns a group with the node as an admin, and makes what the node proposes."""
    node, owner, group, _ = _owned(stage, False)
    assert owner.group is not None
    log = owner.group.log
    owner.perform(SetPolicy(dataclasses.replace(log.state.policy, admins=(owner.slot_of(node.id),))))
    _epoch(stage, node, owner, group)
    assert {one["admin"] for one in _group(node, group)["members"] if one["id"] == node.id.hex()} == {True}
    node.call("group.rename", group=group, title="Forest")
    stage.until(lambda: owner.group.log.title == "Forest", "the proposal of the node")
    _epoch(stage, node, owner, group)
    _same_lines(stage, node, owner, group)
    return "a title that the node proposes"
