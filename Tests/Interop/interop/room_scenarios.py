"""Talks with a running node in rooms that the node hosts."""

from __future__ import annotations

from .node import Node
from .room import WAIT, RoomMember
from .room_host import RoomHost
from .scenarios import Stage


def _texts(node: Node, room: str) -> list[dict]:
    return [one for one in node.call("history", conversation=room) if one["kind"] == "text"]


def join_room(stage: Stage) -> str:
    """Joins by the code, and writes and reads there."""
    node, mesh = stage.linked("Hugo")
    made = node.call("room.create", title="Picnic", name="Hugo", expiresAfter=600)
    room = made["room"]
    member = RoomMember(mesh, "Bea", code=made["code"])
    stage.until(lambda: member.group is not None, "the welcome", 15)
    group = member.group
    assert group is not None and group.log.group.hex() == room and group.log.title == "Picnic"
    sent = node.call("send", to=room, text="Welcome, Bea")["message"]
    stage.until(lambda: bool(member.texts), "the text of the host")
    assert (member.texts[0].text, member.texts[0].id.hex()) == ("Welcome, Bea", sent)
    stage.until(lambda: [one["status"] for one in node.call("deliveries", message=sent)] == ["delivered"],
                "the status delivered")
    identifier = member.send("Thank you")
    stage.until(lambda: identifier in member.chat.delivered, "the receipt of the host")
    shown = _texts(node, room)[-1]
    assert (shown["id"], shown["text"], shown["fromName"]) == (identifier.hex(), "Thank you", "Bea"), shown
    return "welcome, messages both ways, receipts both ways"


def be_approved(stage: Stage) -> str:
    """Joins by the invite a room whose host approves, and gets the welcome over a session."""
    node, mesh = stage.linked("Hugo")
    made = node.call("room.create", title="Picnic", name="Hugo", expiresAfter=600, admission="code+approval")
    member = RoomMember(mesh, "Bea", invite=made["invite"])
    stage.until(lambda: member.decision == WAIT, "the decision to wait", 15)
    stage.until(lambda: bool(node.call("rooms")[0].get("waiting")), "the applicant at the host")
    assert node.call("rooms")[0]["waiting"] == [{"id": member.chat.id.hex(), "name": "Bea"}]
    node.call("room.approve", room=made["room"], joiner="Bea")
    stage.until(lambda: member.group is not None, "the welcome", 15)
    identifier = member.send("Thank you")
    stage.until(lambda: identifier in member.chat.delivered, "the receipt of the host")
    return "invite, approval, welcome over a session"


def host_room(stage: Stage) -> str:
    """Hosts a room that the node joins by its code, and talks there."""
    node, mesh = stage.linked("Nora")
    host = RoomHost(mesh, "Olaf", "Camp", 600)
    host.open()
    number = node.begin("room.join", code=host.code, name="Nora")
    stage.until(lambda: node.poll(number) is not None, "the join", 15)
    answer = node.poll(number)
    assert answer is not None and "result" in answer, answer
    joined = answer["result"]
    assert (joined["title"], joined["host"]) == ("Camp", host.chat.id.hex()), joined
    identifier = host.send("Hello, Nora")
    stage.until(lambda: identifier in host.chat.delivered, "the receipt of the node")
    sent = node.call("send", to=joined["id"], text="Hello, Olaf")["message"]
    stage.until(lambda: bool(host.texts), "the text of the node")
    assert (host.texts[0].text, host.texts[0].id.hex()) == ("Hello, Olaf", sent)
    stage.until(lambda: [one["status"] for one in node.call("deliveries", message=sent)] == ["delivered"],
                "the status delivered")
    return "beacon, join and welcome of the own, messages and receipts both ways"


def host_by_approval(stage: Stage) -> str:
    """Hosts a room whose applicants it approves: lets the node in, and rejects another one."""
    node, mesh = stage.linked("Nora")
    host = RoomHost(mesh, "Olaf", "Camp", 600, approval=True)
    host.open()
    number = node.begin("room.join", code=host.code, name="Nora")
    stage.until(lambda: bool(host.applicants), "the applicant", 15)
    stage.until(lambda: node.poll(number) is not None, "the answer to the join", 15)
    assert node.call("rooms")[0]["standing"] == "waiting", node.call("rooms")
    (applicant,) = host.applicants
    host.approve(applicant)
    stage.until(lambda: node.call("rooms")[0]["standing"] == "member", "the welcome at the node")
    joined = node.call("rooms")[0]
    assert (joined["title"], joined["host"]) == ("Camp", host.chat.id.hex()), joined
    identifier = host.send("Hello, Nora")
    stage.until(lambda: identifier in host.chat.delivered, "the receipt of the node")
    node.call("send", to=joined["id"], text="Hello, Olaf")
    stage.until(lambda: bool(host.texts), "the text of the node")
    assert host.texts[0].text == "Hello, Olaf"
    port = mesh.links[0].address[1]
    mesh.part()

    other = RoomHost(stage.mesh(), "Ruth", "Hut", 600, approval=True)
    stage.link(other.mesh, port)
    other.open()
    number = node.begin("room.join", code=other.code, name="Nora")
    stage.until(lambda: bool(other.applicants), "the second applicant", 15)
    stage.until(lambda: node.poll(number) is not None, "the answer to the second join", 15)
    other.reject(next(iter(other.applicants)))
    stage.until(lambda: all(one["title"] == "Camp" or one["standing"] != "waiting" for one in node.call("rooms")),
                "the rejection at the node")
    assert [one["standing"] for one in node.call("rooms") if one["title"] == "Camp"] == ["member"]
    return "waits, is let in over a session, texts both ways; another room rejects it"


def two_members(stage: Stage) -> str:
    """Joins a second time, so that the room has a notice, three members, and a removal."""
    node, mesh = stage.linked("Hugo")
    made = node.call("room.create", title="Picnic", name="Hugo", expiresAfter=600)
    first = RoomMember(mesh, "Bea", code=made["code"])
    stage.until(lambda: first.group is not None, "the first welcome", 15)
    first.send("I was first")
    second = RoomMember(stage.mesh(), "Cleo", code=made["code"])
    second.mesh.dial(next(iter(mesh.endpoint.links.values())).address)
    stage.until(lambda: second.group is not None, "the second welcome", 15)
    assert first.group is not None and second.group is not None
    stage.until(lambda: first.group.log.epoch == second.group.log.epoch, "the notice at the first member")
    stage.until(lambda: second.chat.id in first.chat.sessions.peers and first.chat.id in second.chat.sessions.peers,
                "the bundles of each other")
    second.send("I am here too")
    stage.until(lambda: any(one.text == "I am here too" for one in first.texts), "a text between members")
    epoch = first.group.log.epoch
    node.call("room.remove", room=made["room"], member="Cleo")
    stage.until(lambda: first.group.log.epoch > epoch, "the removal")
    node.call("send", to=made["room"], text="Only us now")
    stage.until(lambda: any(one.text == "Only us now" for one in first.texts), "a text in the epoch of the removal")
    answer = first.send("Yes")
    stage.until(lambda: answer in first.chat.delivered, "a receipt after the removal")
    assert all(one.text != "Only us now" for one in second.texts)
    return "notices, bundles, texts between members, removal with fresh secrets"


def wrong_code(stage: Stage) -> str:
    """Tries a wrong code, which stops at Tb, and learns nothing."""
    node, mesh = stage.linked("Hugo")
    made = node.call("room.create", title="Picnic", name="Hugo", expiresAfter=600)
    digits = made["code"][:-1] + str((int(made["code"][-1]) + 1) % 10)
    member = RoomMember(mesh, "Bea", code=digits)
    stage.until(lambda: member.refused, "the answer of the host", 15)
    assert member.group is None and len(node.call("rooms")[0]["members"]) == 1
    return "the host's tag does not fit"
