"""Talks with a running node in a group that the node owns."""

from __future__ import annotations

from .mail_scenarios import befriend
from .membership import Membership
from .scenarios import Stage


def join_group(stage: Stage) -> str:
    """Is invited by a contact, reads and writes, sees a new title, and is removed."""
    node, chat, _ = stage.acquainted("Alice", "Jan")
    befriend(stage, node, chat)
    member = Membership(chat, room=False)
    made = node.call("group.create", title="Trees", members=[chat.id.hex()])
    stage.until(lambda: member.group is not None, "the welcome")
    group = member.group
    assert group is not None and group.log.group.hex() == made["id"] and group.log.title == "Trees"
    sent = node.call("send", to=made["id"], text="Hello, trees")["message"]
    stage.until(lambda: bool(member.texts), "the text of the owner")
    assert member.texts[0].id.hex() == sent
    stage.until(lambda: [one["status"] for one in node.call("deliveries", message=sent)] == ["delivered"],
                "the status delivered")
    identifier = member.send("Hello, Alice")
    stage.until(lambda: identifier in chat.delivered, "the receipt of the owner")
    node.call("group.rename", group=made["id"], title="Forest")
    stage.until(lambda: group.log.title == "Forest", "the new title")
    again = member.send("A new epoch")
    stage.until(lambda: again in chat.delivered, "the receipt in the new epoch")
    shown = [one["text"] for one in node.call("history", conversation=made["id"]) if one["kind"] == "text"]
    assert shown == ["Hello, trees", "Hello, Alice", "A new epoch"], shown
    return "welcome, messages and receipts both ways, a new title"
