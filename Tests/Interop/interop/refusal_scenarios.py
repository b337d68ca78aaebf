"""Brings a running node messages out of order, and messages that it must drop without harm to the session."""

from __future__ import annotations

from .chat import Chat
from .content import message_id, text_content
from .envelope import PREKEY, SEALED, Envelope, release_hash
from .mail_scenarios import befriend, hear, say
from .node import Node
from .padding import item
from .prekey_message import SIZE
from .ratchet import Ratchet
from .scenarios import Stage
from .sessions import Peer

FIRST_ORDER = 2


def _ratchet(peer: Peer) -> Ratchet:
    assert peer.primary is not None
    return peer.primary.ratchet


def _sealed(peer: Peer, items: bytes, bucket: int = 256) -> Envelope:
    message, image = _ratchet(peer).seal(items, bucket, 4)
    return Envelope.new(SEALED, 3600, release_hash(image) + message)


def _shown(node: Node, chat: Chat) -> list[str]:
    return [one["text"] for one in node.call("history", conversation=chat.id.hex(), limit=200)]


def out_of_order(stage: Stage) -> str:
    """Publishes the last message first, across a change of chains, with all others late."""
    node, chat, peer = stage.acquainted("Alice", "Kim")
    befriend(stage, node, chat)
    envelopes = [_sealed(peer, item(text_content(f"late {number}", number + 1))) for number in range(5)]
    chat.mesh.publish(envelopes[4])
    stage.until(lambda: chat.released != set(), "the release of the last")
    hear(stage, node, chat, "an answer between")
    chat.orders[peer.public.id] = 5
    say(stage, chat, peer, "in the next chain")
    for envelope in reversed(envelopes[:4]):
        chat.mesh.publish(envelope)
    stage.until(lambda: sum(text.startswith("late") for text in _shown(node, chat)) == 5, "all late messages", 12)
    return "skipped keys in the chain and in an older one"


def refusals(stage: Stage) -> str:
    """Sends what §2, §8 and §8.1 forbid, and goes on in the same session."""
    node, chat, peer = stage.acquainted("Alice", "Lea")
    befriend(stage, node, chat)
    say(stage, chat, peer, "before")

    def text(words: str) -> bytes:
        return item(text_content(words, FIRST_ORDER))

    good = _sealed(peer, text("right hash"))
    chat.mesh.publish(Envelope(SEALED, good.life, bytes(16) + good.body[16:]))
    flipped = bytearray(good.body)
    flipped[-1] ^= 1
    chat.mesh.publish(Envelope(SEALED, good.life, bytes(flipped)))
    chat.mesh.publish(_sealed(peer, text("wrong size"), 300))
    chat.mesh.publish(_sealed(peer, text("with an empty one") + b"\0"))
    chat.mesh.publish(_sealed(peer, text("one of 257") * 257, 16384))
    chat.mesh.publish(_sealed(peer, text("bytes left over") + b"\5ab"))
    chat.mesh.publish(_sealed(peer, item(b"\x08")))
    exchange = _ratchet(peer).exchange
    honest, exchange.section = exchange.section, lambda size: b"\xff" * size
    chat.mesh.publish(_sealed(peer, text("a section that nobody reads")))
    exchange.section = honest
    chat.mesh.publish(good)
    chat.orders[peer.public.id] = FIRST_ORDER
    say(stage, chat, peer, "after")
    hear(stage, node, chat, "still the same session")
    stage.until(lambda: {"right hash", "a section that nobody reads"} <= set(_shown(node, chat)), "the sound ones", 12)
    shown = _shown(node, chat)
    assert not {"wrong size", "with an empty one", "one of 257", "bytes left over"} & set(shown), shown
    assert shown.count("right hash") == 1 and chat.last_session == _ratchet(peer).session
    return "seven kinds of broken messages, one bad section, the session goes on"


def unknown_extension(stage: Stage) -> str:
    """Has a prekey bundle with an extension that the node does not know, and no nickname."""
    node, mesh = stage.linked("Alice")
    chat = Chat(mesh, "", bytes.fromhex("0703aabbcc0900"))
    peer = befriend(stage, node, chat)
    for number in range(3):
        say(stage, chat, peer, f"text {number}")
    return "the prekey bundle is taken and kept whole"


def several_first(stage: Stage) -> str:
    """Sends three texts behind one prekey message, the last one first."""
    node, chat, peer = stage.acquainted("Alice", "Mia")
    sent = []
    for words in ("one", "two", "three"):
        chat.orders[peer.public.id] = chat.orders.get(peer.public.id, 0) + 1
        content = text_content(words, chat.orders[peer.public.id])
        sent.append((message_id(chat.id, node.id, content), chat.sessions.seal(peer, [content])[0]))
    assert len({envelope.body[16:16 + SIZE] for _, envelope in sent}) == 1 and len(peer.sessions) == 1
    for _, envelope in reversed(sent):
        chat.mesh.publish(envelope)
    stage.until(lambda: len(_shown(node, chat)) == 3, "the request with all texts", 12)
    assert sorted(_shown(node, chat)) == ["one", "three", "two"]
    node.call("trust", peer=chat.id.hex(), action="accept")
    stage.until(lambda: {one for one, _ in sent} <= chat.delivered, "all receipts")
    return "one session, all receipts"


def end_session(stage: Stage) -> str:
    """Ends the session by an END, so that the node begins another one."""
    node, chat, peer = stage.acquainted("Alice", "Nils")
    befriend(stage, node, chat)
    say(stage, chat, peer, "before")
    former = _ratchet(peer).session
    envelope = _sealed(peer, b"")
    peer.sessions.clear()
    peer.primary = None
    chat.mesh.publish(envelope)
    stage.until(lambda: envelope.body[:16] in chat.released, "the release of the END")
    hear(stage, node, chat, "in another session")
    assert chat.texts[-1].kind == PREKEY and chat.last_session != former
    return "release, and a new prekey message of the node"
