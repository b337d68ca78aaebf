"""The thief of keys who has recorded everything before: what is gone stays closed."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path

from interop.chat import Chat
from interop.envelope import PREKEY, SEALED, Envelope
from interop.mail_scenarios import befriend, hear, say
from interop.node import Node
from interop.scenarios import free_port
from interop.sessions import Sessions
from stage import Stage, files, search

COUNT = 6
DELETED, KEPT = "burn this letter {}", "keep this letter {}"


def _record(chat: Chat) -> list[Envelope]:
    """Has a chat note all envelopes that it takes or publishes."""
    heard: list[Envelope] = []
    take, publish = chat.mesh.handler, chat.mesh.publish

    def hearing(envelope: Envelope) -> None:
        heard.append(envelope)
        assert take is not None
        take(envelope)

    def publishing(envelope: Envelope) -> None:
        heard.append(envelope)
        publish(envelope)

    chat.mesh.handler, chat.mesh.publish = hearing, publishing
    return heard


def _openable(stolen: Sessions, heard: list[Envelope]) -> int:
    """Returns how many recorded envelopes a stolen state opens, each from the state as it was stolen."""
    mail = [one for one in heard if one.kind in (SEALED, PREKEY)]
    return sum(copy.deepcopy(stolen).open(one) is not None for one in mail)


def steal_keys(stage: Stage) -> str:
    """Takes all keys of one side after an exchange: nothing recorded before opens, and what comes next does."""
    node, chat, peer = stage.loopback.acquainted("Alice", "Bob")
    heard = _record(chat)
    early = copy.deepcopy(chat.sessions)
    befriend(stage.loopback, node, chat)
    for number in range(COUNT):
        say(stage.loopback, chat, peer, f"from here {number}")
        hear(stage.loopback, node, chat, f"from there {number}")
    before = len(heard)
    known = _openable(early, heard)
    assert known > 0, "even the keys from before the exchange open nothing, so the attack is none"
    stolen = copy.deepcopy(chat.sessions)
    opened = _openable(stolen, heard)
    hear(stage.loopback, node, chat, "after the theft")
    later = _openable(stolen, heard[before:])
    assert later > 0, "the stolen keys open nothing afterwards, so the attack is none"
    assert opened == 0, f"{opened} of {before} recorded envelopes open with the keys of later"
    return f"of {before} recorded envelopes none opens with all keys of later; {known} with those of before, " \
           f"{later} of the next message"


def steal_disk(stage: Stage) -> str:
    """Takes a whole data directory with its key, plays the recording to it, and finds no message that was deleted."""
    port = free_port()
    loopback = stage.loopback
    node, mesh = loopback.node("Alice", "--no-multicast", "--port", str(port)), loopback.mesh()
    loopback.link(mesh, port)
    chat = Chat(mesh, "Bob")
    heard = _record(chat)
    peer = befriend(loopback, node, chat)
    for number in range(COUNT):
        say(loopback, chat, peer, DELETED.format(number))
        say(loopback, chat, peer, KEPT.format(number))
        hear(loopback, node, chat, DELETED.format(f"back {number}"))
    history = node.call("history", conversation=chat.id.hex(), limit=200)
    deleted = [one for one in history if one["text"].startswith("burn")]
    assert len(deleted) == 2 * COUNT
    for one in deleted:
        node.call("delete", message=one["id"])
    node.finish()
    stolen = stage.folder / "stolen"
    shutil.copytree(node.home, stolen, ignore=shutil.ignore_patterns("*.sock", "*.log"))
    assert (stolen / "key.bin").exists(), "the thief has no key"
    search(files(stolen), {"a deleted text": b"burn this letter", "a text": b"keep this letter"})
    shown = _play(stage, stolen, node, chat, heard, port)
    assert sum(text.startswith("keep") for text in shown) == COUNT, f"the stolen node shows {shown}"
    assert not any(text.startswith("burn") for text in shown), "the stolen node shows what was deleted"
    return f"{len(heard)} recorded envelopes played to the stolen node: {COUNT} kept texts, none of {len(deleted)} " \
           "deleted ones"


def _play(stage: Stage, stolen: Path, node: Node, chat: Chat, heard: list[Envelope], port: int) -> list[str]:
    """Runs the stolen node, plays everything to it, and returns what it shows when it has taken all."""
    loopback = stage.loopback
    chat.mesh.part()
    node.home, node.command[node.command.index("--home") + 1] = stolen, str(stolen)
    node.start()
    loopback.link(chat.mesh, port)
    link = chat.mesh.links[0]
    for envelope in heard:
        chat.mesh._send(link, envelope)
    # What is written now comes behind the recording.
    last, _ = chat.send(chat.sessions.peers[node.id], "keep this too")
    loopback.until(lambda: last in chat.delivered, "the text behind the recording", 30)
    shown = [one["text"] for one in node.call("history", conversation=chat.id.hex(), limit=500)]
    assert shown.count("keep this too") == 1
    return [text for text in shown if text != "keep this too"]
