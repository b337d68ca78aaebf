"""The scenes of mail by one hub: talk of all kinds, crashes, and the loss of all that the hub stored."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import stage as stages
from node import Node
from post import GROUP, Letter, told
from stage import Stage

LIVE_BAR, LIVE_LIMIT = 3.0, 10.0
# People count as near for two minutes after they were heard.
FIRST_LIMIT = 240.0
QUESTION, SAILS = "Which sail to hoist?", ("linen of Amorgos", "hemp of Rhodes")
OLD, NEW = "meet at the old quay", "meet at the new quay"
WORDS = (QUESTION, *SAILS, OLD, NEW)


def begin(stage: Stage) -> str:
    """The first messages cross once nobody counts as near any more."""
    letters = [stage.post.send(one, other, f"first letter of {one.name} to {other.name}") for one, other in stage.pairs]
    took = stage.arrived(letters, FIRST_LIMIT, 1)
    stage.confirmed()
    return f"{len(letters)} messages crossed after {took:.0f} s"


def talk(stage: Stage) -> str:
    """Texts in both directions, a group, a reaction, a poll and an edit."""
    group = [stage.post.send_group(one, stage.others(one), f"{one.name} calls all argonauts")
             for one in (stage.nodes["Arsinoe"], stage.nodes["Boreas"])]
    letters = _texts(stage)
    change(stage)
    times = stage.post.delays(letters)
    stage.arrived(group, 120)
    stage.confirmed(120)
    across = stage.post.delays(group)
    return f"{len(letters)} texts, {told(times)}; 2 group texts, the last reader after {across[-1]:.1f} s"


def _texts(stage: Stage) -> list[Letter]:
    letters: list[Letter] = []
    for number in range(3):
        for one, other in stage.pairs:
            text = f"quiet letter {number} of {one.name} to {other.name}"
            if number == 0 and one is stage.nodes["Arsinoe"]:
                sent = json.loads(one.run("--json", "send", other.name, text))
                letters.append(stage.post.note(one, (other,), text, sent.get("message") or sent["id"]))
            else:
                letters.append(stage.post.send(one, other, text))
            time.sleep(0.02)
    stage.arrived(letters)
    return letters


def change(stage: Stage) -> None:
    """What is done to a message arrives on the other island too."""
    arsinoe, briseis = stage.nodes["Arsinoe"], stage.nodes["Briseis"]
    letter = stage.post.send(arsinoe, briseis, OLD)
    poll = json.loads(arsinoe.run("--json", "poll", "create", "Briseis", QUESTION, *SAILS))["message"]
    stage.arrived([letter])
    stage.until(lambda: _find(briseis, arsinoe, poll) is not None, "the poll")
    briseis.run("react", letter.id, "⚓")
    briseis.run("vote", poll, "2")
    arsinoe.run("edit", letter.id, NEW)
    stage.until(lambda: _reactions(arsinoe, briseis, letter.id) == [("⚓", [briseis.id])], "the reaction")
    stage.until(lambda: _votes(arsinoe, briseis, poll) == [[], [briseis.id]], "the vote")
    stage.until(lambda: (_find(briseis, arsinoe, letter.id) or {})["text"] == NEW, "the edit")


def _find(reader: Node, other: Node, id: str) -> dict | None:
    return next((one for one in reader.history(other.id) if one["id"] == id), None)


def _reactions(reader: Node, other: Node, id: str) -> list[tuple[str, list[str]]]:
    return [(one["emoji"], one["from"]) for one in (_find(reader, other, id) or {})["reactions"]]


def _votes(reader: Node, other: Node, id: str) -> list[list[str]]:
    return [option["votes"] for option in (_find(reader, other, id) or {})["poll"]["options"]]


class Flow:
    """Messages that flow at a rate while other things happen."""

    def __init__(self, stage: Stage, name: str, count: int, rate: float) -> None:
        self.stage, self.name, self.count, self.rate = stage, name, count, rate
        self.letters: list[Letter] = []
        self.start = time.monotonic()

    def step(self) -> None:
        """Sends what is due; people whose node does not run write nothing."""
        pairs = self.stage.pairs
        due = min(self.count, int((time.monotonic() - self.start) * self.rate))
        while len(self.letters) < due:
            number = len(self.letters)
            author, reader = pairs[number % len(pairs)]
            if author.process is None:
                author = next(node for node in self._neighbours(author) if node.process is not None)
            self.letters.append(self.stage.post.send(author, reader, f"{self.name} {number} of {self.count}"))

    def _neighbours(self, person: Node) -> list[Node]:
        return next(people for people in map(self.stage.people, stages.ISLES) if person in people)

    def until(self, holds: Callable[[], bool], what: str, seconds: float = 60) -> float:
        return self.stage.until(holds, what, seconds, 0.02, self.step)

    def after(self, count: int) -> None:
        """Waits until so many messages more are sent."""
        goal = min(self.count, len(self.letters) + count)
        self.until(lambda: len(self.letters) >= goal, "the flow")


def crash_hub(stage: Stage, flow: Flow) -> float:
    """Kills the hub and starts it again; returns the time from its start until both gateways are live."""
    stage.hub.kill()
    flow.until(lambda: not any(node.is_live() for node in stage.gateways), "the loss of the hub")
    flow.after(3)
    stage.hub.start()
    return flow.until(lambda: all(node.is_live() for node in stage.gateways), "the exchange with the hub")


def crash_gateway(stage: Stage, flow: Flow, gateway: Node) -> float:
    """Kills a gateway and starts it again; returns the time from its start until it is live."""
    gateway.kill()
    flow.after(3)
    begin = time.monotonic()
    gateway.start()
    flow.until(gateway.is_live, "the exchange with the hub")
    return time.monotonic() - begin


def crashes(stage: Stage, count: int = 60, rounds: int = 3, rate: float = 4, limit: float = LIVE_LIMIT) -> str:
    """Hub and gateways crash while messages flow; all arrive."""
    flow = Flow(stage, "stormy letter", count, rate)
    hubs, gateways = [], []
    flow.after(3)
    for number in range(rounds):
        hubs.append(crash_hub(stage, flow))
        flow.after(2)
        gateways.append(crash_gateway(stage, flow, stage.gateways[number % 2]))
        flow.after(max(2, count // rounds - 10))
    flow.after(count)
    last = stage.arrived(flow.letters, 240)
    stage.confirmed(240)
    told_state = json.loads(stage.alkmene.run("status", "--json"))["hubs"][0]["state"]
    assert told_state == "live", f"`status --json` says {told_state}"
    assert max(hubs) < limit, f"live again {max(hubs):.1f} s after the start of the hub"
    late = sum(time >= LIVE_BAR for time in hubs)
    bar = f", {late} of {rounds} ABOVE THE BAR of {LIVE_BAR:.0f} s" if late else ""
    return f"{len(flow.letters)} messages, {rounds} crashes each; live again after {_list(hubs)} s of the hub{bar}, " \
        f"{_list(gateways)} s of gateways; the last message {last:.1f} s after the flow; {told(stage.post.delays(flow.letters))}"


def _list(times: list[float]) -> str:
    if len(times) <= 6:
        return ", ".join(f"{one:.2f}" for one in times)
    ordered = sorted(times)
    return f"{ordered[len(ordered) // 2]:.2f} (median; at most {ordered[-1]:.2f})"


def wiped(stage: Stage) -> str:
    """The hub loses all its mail while a part of it is unconfirmed: authors and gateways send that again."""
    here, there = stage.people("isleA"), stage.people("isleB")
    stage.bellerophon.stop()
    before = stage.alkmene.hub()["sent"]
    letters = [stage.post.send(one, other, f"drowned letter of {one.name} to {other.name}")
               for one in here for other in there[1:]]
    stage.until(lambda: stage.alkmene.hub()["sent"] >= before + len(letters) and stage.alkmene.hub()["waiting"] == 0,
                "the acknowledgement of the hub")
    letters += [stage.post.send(other, one, f"waiting letter of {other.name} to {one.name}")
                for one in here for other in there[1:]]
    stage.hub.kill()
    stage.hub.wipe()
    stage.hub.start()
    stage.until(lambda: "keeps no mail" in str(stage.alkmene.hub()), "the finding that the hub keeps no mail")
    stage.create_store()
    begin = time.monotonic()
    stage.bellerophon.start()
    live = stage.live(120)
    stage.arrived(letters, 120)
    took = time.monotonic() - begin
    stage.confirmed(120)
    return f"{len(letters)} unconfirmed messages, all arrived {took:.1f} s after the new store; live after {live:.1f} s"
