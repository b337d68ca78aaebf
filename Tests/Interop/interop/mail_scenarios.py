"""Talks with running nodes over bad links, relays and restarts, and along a path."""

from __future__ import annotations

from .chat import Chat
from .mesh import Mesh
from .node import Node
from .path import Paths
from .scenarios import Stage, free_port, status_of
from .sessions import Peer


def befriend(stage: Stage, node: Node, chat: Chat) -> Peer:
    """Lets the node write first, so that both are contacts and the session goes both ways."""
    peer = stage.meet(node, chat)
    sent = node.call("send", to=chat.id.hex(), text="Hello")["message"]
    stage.until(lambda: status_of(node, chat, sent) == "delivered", "the status delivered")
    return peer


def say(stage: Stage, chat: Chat, peer: Peer, text: str) -> None:
    message, _ = chat.send(peer, text)
    stage.until(lambda: message in chat.delivered, f"the receipt of {text!r}", 15)


def hear(stage: Stage, node: Node, chat: Chat, text: str) -> None:
    sent = node.call("send", to=chat.id.hex(), text=text)["message"]
    stage.until(lambda: status_of(node, chat, sent) == "delivered", f"the delivery of {text!r}", 15)
    assert chat.texts[-1].text == text


def lossy_link(stage: Stage) -> str:
    """Loses every fifth datagram in either direction."""
    node, chat, peer = stage.acquainted("Alice", "Eve")
    befriend(stage, node, chat)
    chat.mesh.endpoint.loss = 0.2
    for number in range(3):
        say(stage, chat, peer, f"{number}" * 13_000)
        hear(stage, node, chat, f"{number}" * 13_312)
    return "six texts of 13,000 bytes and more over a link that loses every fifth datagram"


def asked_for_a_cookie(stage: Stage) -> str:
    """Dials so often that the node asks for a cookie, and brings it."""
    node, mesh = stage.linked("Alice")
    endpoint = mesh.endpoint
    address = mesh.links[0].address
    for _ in range(8):
        last = mesh.links[0]
        endpoint.dial(address)
        stage.until(lambda: mesh.links[0] is not last, "another link in the place of the last")
    assert endpoint.retries > 0, "no RETRY came"
    stage.until(lambda: node.call("status")["links"] == 1, "one link at the node")
    return f"{endpoint.retries} cookies"


def crossing(stage: Stage) -> str:
    """Writes while the node writes, so that both begin a session, and both settle on one."""
    node, chat, peer = stage.acquainted("Alice", "Frank")
    sent = node.call("send", to=chat.id.hex(), text="Mine")["message"]
    message, _ = chat.send(peer, "Yours")
    stage.until(lambda: message in chat.delivered, "the own receipt")
    stage.until(lambda: status_of(node, chat, sent) == "delivered", "the status delivered")
    for number in range(3):
        say(stage, chat, peer, f"a {number}")
        hear(stage, node, chat, f"b {number}")
    assert len(peer.sessions) == 2 and peer.primary is not None
    assert chat.last_session == peer.primary.ratchet.session, "both write in different sessions"
    return "two sessions, one primary"


def restart(stage: Stage) -> str:
    """Goes on in the session after the node was started again."""
    port = free_port()
    node, mesh = stage.node("Alice", "--no-multicast", "--port", str(port)), stage.mesh()
    stage.link(mesh, port)
    chat = Chat(mesh, "Gina")
    peer = befriend(stage, node, chat)
    for number in range(4):
        say(stage, chat, peer, f"before {number}")
    node.finish()
    mesh.part()
    message, _ = chat.send(peer, "while you were off")
    node.start()
    stage.link(mesh, port)
    stage.until(lambda: message in chat.delivered, "the receipt after the restart")
    hear(stage, node, chat, "I am back")
    assert len(peer.sessions) == 1, "the node began another session"
    return "one session before and after, a text from between"


def relayed_mail(stage: Stage) -> str:
    """Talks through a relay, and takes from it what waited there after the author has gone."""
    port, relay_port = free_port(), free_port()
    author = stage.node("Alice", "--no-multicast", "--port", str(port))
    relay = stage.node("Berta", "--no-multicast", "--port", str(relay_port), "--peer", f"127.0.0.1:{port}")
    mesh: Mesh = stage.mesh()
    stage.link(mesh, relay_port)
    chat = Chat(mesh, "Hanna")
    peer = befriend(stage, author, chat)
    say(stage, chat, peer, "through Berta")
    mesh.part()
    stage.until(lambda: relay.call("status")["links"] == 1, "the goodbye at the relay")
    carried = relay.call("status")["carried"]
    author.call("send", to=chat.id.hex(), text="for later")
    stage.until(lambda: relay.call("status")["carried"] > carried, "the mail at the relay")
    author.finish()
    stage.link(mesh, relay_port)
    stage.until(lambda: chat.texts[-1].text == "for later", "the mail that waited")
    return "two links away, mail kept by a relay"


def pings(stage: Stage) -> str:
    """Is pinged by the node along a path, and pings it."""
    node, chat, peer = stage.acquainted("Alice", "Ivan")
    befriend(stage, node, chat)
    say(stage, chat, peer, "so that the session goes both ways")
    paths = Paths(chat)
    number = node.begin("ping", peer=chat.id.hex())
    stage.until(lambda: node.poll(number) is not None, "the answer to the ping", 6)
    answer = node.poll(number)
    assert answer is not None and answer.get("result", {}).get("hops") == 1, answer
    label = paths.open(peer)
    stage.until(lambda: label in paths.ends, "the answer to the probe")
    value = paths.ping(label)
    stage.until(lambda: (value, 1) in paths.pongs, "the answer to the own ping")
    return "one link away, both ways"
