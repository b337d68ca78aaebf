"""Talks with a running node: links, texts both ways, and the exchange of keys inside a session."""

from __future__ import annotations

import socket
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from .beacon import SOLICIT, BeaconListener
from .chat import Chat
from .mesh import Mesh
from .node import Node, NodeError
from .noise import OPEN_MESH_KEY, closed_mesh_key
from .sessions import Peer


def free_port() -> int:
    """Returns a UDP port of loopback that nobody uses now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclass
class Stage:
    """All that a scenario starts, so that it ends with the scenario."""

    program: str
    folder: Path
    nodes: list[Node] = field(default_factory=list)
    meshes: list[Mesh] = field(default_factory=list)

    def node(self, name: str, *options: str) -> Node:
        node = Node(self.program, self.folder / f"{name}-{len(self.nodes)}", name, *options)
        self.nodes.append(node)
        return node

    def mesh(self, key: bytes = OPEN_MESH_KEY) -> Mesh:
        mesh = Mesh(key)
        self.meshes.append(mesh)
        return mesh

    def until(self, done: Callable[[], bool], what: str, seconds: float = 10.0) -> None:
        """Lets all meshes work until something holds."""
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, f"{what} did not happen"
            for mesh in self.meshes:
                mesh.pump()

    def linked(self, name: str, *options: str) -> tuple[Node, Mesh]:
        """Starts a node without multicast and a mesh of the own that links to it."""
        port = free_port()
        node, mesh = self.node(name, "--no-multicast", "--port", str(port), *options), self.mesh()
        self.link(mesh, port)
        return node, mesh

    def link(self, mesh: Mesh, port: int) -> None:
        """Waits until a mesh has one more link."""
        before = len(mesh.links)

        def linked() -> bool:
            mesh.dial(("127.0.0.1", port))
            return len(mesh.links) > before

        self.until(linked, "a link")

    def acquainted(self, name: str, nickname: str) -> tuple[Node, Chat, Peer]:
        """Starts a node, links to it and waits until both have each other's prekey bundle."""
        node, mesh = self.linked(name)
        chat = Chat(mesh, nickname)
        return node, chat, self.meet(node, chat)

    def meet(self, node: Node, chat: Chat) -> Peer:
        """Waits until node and chat have each other's prekey bundle."""
        chat.publish_bundle()
        self.until(lambda: chat.peer(node.id) is not None, "the bundle of the node")
        self.until(lambda: chat.id.hex() in [one["id"] for one in node.call("contacts")], "the own bundle at the node")
        peer = chat.peer(node.id)
        assert peer is not None and peer.bundle is not None and peer.bundle.nickname == node.name
        return peer

    def finish(self) -> str:
        """Ends all that was started; tells of nodes that did not end by themselves."""
        late = ""
        for node in self.nodes:
            try:
                node.finish()
            except NodeError as error:
                late = str(error)
        for mesh in self.meshes:
            mesh.close()
        return late


def status_of(node: Node, chat: Chat, message: str) -> str:
    """Returns the status that the node shows for its message."""
    found = [one for one in node.call("history", conversation=chat.id.hex()) if one["id"] == message]
    return found[0]["status"] if found else "missing"


def write_first(stage: Stage) -> str:
    """Writes to the node as an unknown peer, is accepted, and gets receipt and release."""
    node, chat, peer = stage.acquainted("Alice", "Bob")
    message, hashed = chat.send(peer, "Hello, Alice")
    stage.until(lambda: bool(node.call("history", conversation=chat.id.hex())), "the request at the node")
    assert message not in chat.delivered, "an unknown peer has a receipt"
    node.call("trust", peer=chat.id.hex(), action="accept")
    stage.until(lambda: message in chat.delivered, "the receipt")
    stage.until(lambda: hashed in chat.released, "the release")
    shown = node.call("history", conversation=chat.id.hex())[0]
    assert (shown["id"], shown["text"]) == (message.hex(), "Hello, Alice"), shown
    number = node.call("safetyNumber", peer=chat.id.hex())["number"]
    own = sorted([chat.identity.public.fingerprint, peer.public.fingerprint])
    assert number == "".join(own), "the safety number differs"
    answer = node.call("send", to=chat.id.hex(), text="Hello, Bob")["message"]
    stage.until(lambda: any(one.text == "Hello, Bob" for one in chat.texts), "the answer")
    assert chat.texts[-1].id.hex() == answer
    stage.until(lambda: status_of(node, chat, answer) == "delivered", "the status delivered")
    return "request, receipt, release, safety number, answer"


def read_first(stage: Stage) -> str:
    """Is written to by the node, confirms, and answers in the session that the node began."""
    node, chat, peer = stage.acquainted("Alice", "Carol")
    sent = node.call("send", to=chat.id.hex(), text="Are you there?")["message"]
    stage.until(lambda: bool(chat.texts), "the text of the node")
    assert chat.texts[0].kind == 1 and chat.texts[0].id.hex() == sent
    stage.until(lambda: status_of(node, chat, sent) == "delivered", "the status delivered")
    message, hashed = chat.send(peer, "Yes")
    assert peer.primary is not None and peer.primary.by_peer
    stage.until(lambda: message in chat.delivered and hashed in chat.released, "receipt and release")
    again = node.call("send", to=chat.id.hex(), text="x" * 3000)["message"]
    stage.until(lambda: status_of(node, chat, again) == "delivered", "a long text")
    assert chat.texts[-1].kind == 0 and chat.texts[-1].text == "x" * 3000
    return "prekey message of the node, status delivered, a text of 3,000 characters"


def exchange_keys(stage: Stage) -> str:
    """Alternates texts until two exchanges have ended, one owned by each side."""
    node, chat, peer = stage.acquainted("Alice", "Dave")
    chat.send(peer, "Let us begin")
    stage.until(lambda: bool(node.call("history", conversation=chat.id.hex())), "the request")
    node.call("trust", peer=chat.id.hex(), action="accept")
    rounds = 0
    while peer.primary is None or peer.primary.ratchet.epoch < 2:
        rounds += 1
        assert rounds <= 60, "no epoch began"
        before = len(chat.texts)
        message, _ = chat.send(peer, f"ping {rounds}")
        stage.until(lambda: message in chat.delivered, "a receipt")
        node.call("send", to=chat.id.hex(), text=f"pong {rounds}")
        stage.until(lambda: len(chat.texts) > before, "an answer")
    last, _ = chat.send(peer, "Done")
    stage.until(lambda: last in chat.delivered, "the last receipt")
    texts = [one["text"] for one in node.call("history", conversation=chat.id.hex(), limit=200)]
    assert texts.count("Done") == 1 and len([one for one in texts if one.startswith("ping")]) == rounds
    return f"epoch 2 after {rounds} rounds"


def hear_beacons(stage: Stage) -> str:
    """Hears a node of a closed mesh by multicast, dials it, and is dialled by a second one."""
    passphrase = unicodedata.normalize("NFKC", "interop ½ mesh")
    secret = stage.folder / "mesh-passphrase"
    secret.write_text("interop ½ mesh\n", encoding="utf-8")
    port, key = free_port(), closed_mesh_key(passphrase)
    options = ("--discovery", f"239.255.69.83:{port}", "--mesh-passphrase-file", str(secret))
    mesh = stage.mesh(key)
    mesh.beacons = BeaconListener("239.255.69.83", port, key)
    node = stage.node("Alice", *options)
    heard = []
    stage.until(lambda: bool(heard.extend(mesh.beacons.heard()) or heard), "a beacon")
    beacon, address = heard[0]
    mesh.dial((address, beacon.port))
    stage.until(lambda: len(mesh.links) == 1, "a link")
    assert mesh.links[0].node == beacon.node
    stage.until(lambda: node.call("status")["links"] == 1, "the link at the node")
    caller = stage.mesh(key)
    caller.beacons = BeaconListener("239.255.69.83", port, key)
    caller.beacons.say(caller.endpoint.socket, SOLICIT, caller.endpoint.port, caller.endpoint.node)
    stage.until(lambda: len(caller.links) == 1, "a dial of the node")
    stage.until(lambda: node.call("status")["links"] == 2, "both links at the node")
    return "beacon with MAC, dialled, was dialled"
