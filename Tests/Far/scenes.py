"""The scenes of mail by one hub: the first letters, and talk of all kinds."""

from __future__ import annotations

import json
import time

import files
from node import Node
from post import Letter, told
from stage import FIRST_LIMIT, ISLES, NEAR_SECONDS, Stage

REUNION_LIMIT = 180.0
MEDIAN_BAR, LATE_BAR = 0.05, 0.25
QUESTION, SAILS = "Which sail to hoist?", ("linen of Amorgos", "hemp of Rhodes")
OLD, NEW = "meet at the old quay", "meet at the new quay"
WORDS = (QUESTION, *SAILS, OLD, NEW)


def first(stage: Stage) -> str:
    """The first messages cross once nobody counts as near any more, and not before."""
    stage.arrived(stage.first, FIRST_LIMIT, 0.5)
    stage.confirmed(120)
    after = stage.post.first_time(stage.first) - stage.met
    assert after >= NEAR_SECONDS, f"the first message crossed {after:.1f} s after its reader was heard"
    return f"{len(stage.first)} messages crossed, the first {after:.1f} s after all had heard each other"


def talk(stage: Stage) -> str:
    """Texts in both directions, a reaction, a poll and an edit; what is written to the group is read later."""
    stage.calls = [stage.post.send_group(one, stage.others(one), f"{one.name} calls all argonauts")
                   for one in (stage.nodes["Arsinoe"], stage.nodes["Boreas"])]
    before = [gateway.hub()["fetched"] for gateway in stage.gateways]
    letters = _texts(stage)
    fetched = [gateway.hub()["fetched"] - count for gateway, count in zip(stage.gateways, before)]
    # Nine pairs in each direction have a mailbox each.
    assert min(fetched) >= len(stage.pairs) // 2, f"the gateways fetched {fetched} envelopes, so mail took another way"
    _change(stage)
    callers = {call.author for call in stage.calls}
    stage.confirmed(120, [node for node in stage.nodes.values() if node not in callers])
    return f"{len(letters)} texts, {told(stage.post.delays(letters), MEDIAN_BAR, LATE_BAR)}"


def group(stage: Stage) -> str:
    """All people read what was written to the group: mail that is watched at home too waits 30 s there."""
    stage.arrived(stage.calls, 120)
    stage.confirmed(120)
    return f"{len(stage.calls)} group texts, the last reader after {stage.post.delays(stage.calls)[-1]:.1f} s"


def recount(stage: Stage) -> str:
    """The islands are joined again: then everybody has all messages of the test once, also those that had to wait."""
    waiting = len(stage.unconfirmed())
    stage.network.bridge(*ISLES)
    begin = time.monotonic()
    stage.arrived(stage.post.letters, REUNION_LIMIT, 1, in_order=False)
    if files.LARGE_NAME in {path.name for path in stage.folder.iterdir()}:
        stage.until(lambda: files.arrived(stage, files.LARGE_NAME), "the arrival of the large file", REUNION_LIMIT)
    stage.confirmed(REUNION_LIMIT, stage.everybody)
    took = time.monotonic() - begin
    return f"{len(stage.post.letters)} messages, once each; {waiting} had waited for it, for {took:.1f} s after it"


def _texts(stage: Stage) -> list[Letter]:
    letters: list[Letter] = []
    for number in range(3):
        for one, other in stage.pairs:
            text = f"quiet letter {number} of {one.name} to {other.name}"
            if number == 0 and one is stage.nodes["Arsinoe"]:
                sent = json.loads(one.run("--json", "send", other.name, text))
                letters.append(stage.post.note(one, (other,), text, sent["message"]))
            else:
                letters.append(stage.post.send(one, other, text))
            time.sleep(0.02)
    stage.arrived(letters)
    return letters


def _change(stage: Stage) -> None:
    """A reaction, a vote and an edit arrive on the other island too."""
    arsinoe, briseis = stage.nodes["Arsinoe"], stage.nodes["Briseis"]
    letter = stage.post.send(arsinoe, briseis, OLD)
    poll = json.loads(arsinoe.run("--json", "poll", "create", "Briseis", QUESTION, *SAILS))["message"]
    stage.arrived([letter])
    stage.until(lambda: _is_there(briseis, arsinoe, poll), "the poll")
    briseis.run("react", letter.id, "⚓")
    briseis.run("vote", poll, "2")
    arsinoe.run("edit", letter.id, NEW)
    stage.post.edit(letter, NEW)
    stage.until(lambda: _reactions(arsinoe, briseis, letter.id) == [("⚓", [briseis.id])], "the reaction")
    stage.until(lambda: _votes(arsinoe, briseis, poll) == [[], [briseis.id]], "the vote")
    stage.until(lambda: _message(briseis, arsinoe, letter.id)["text"] == NEW, "the edit")


def _is_there(reader: Node, other: Node, id: str) -> bool:
    return any(one["id"] == id for one in reader.history(other.id))


def _message(reader: Node, other: Node, id: str) -> dict:
    """Returns a message that a reader has."""
    return next(one for one in reader.history(other.id) if one["id"] == id)


def _reactions(reader: Node, other: Node, id: str) -> list[tuple[str, list[str]]]:
    return [(one["emoji"], one["from"]) for one in _message(reader, other, id)["reactions"]]


def _votes(reader: Node, other: Node, id: str) -> list[list[str]]:
    return [option["votes"] for option in _message(reader, other, id)["poll"]["options"]]
