"""The scenes of crashes of the hub and of gateways, and of a hub that loses all that it stored."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import stage as stages
from node import Node
from post import Letter, told
from stage import CONNECTED, Stage

LIVE_BAR, LIVE_LIMIT = 3.0, 30.0


class Flow:
    """Messages that flow at a rate while other things happen; each author writes some at once."""

    def __init__(self, stage: Stage, name: str, count: int, rate: float, burst: int) -> None:
        self.stage, self.name, self.count, self.rate, self.burst = stage, name, count, rate, burst
        self.letters: list[Letter] = []
        self.start = time.monotonic()

    def step(self) -> None:
        """Sends what is due; people whose node does not run write nothing."""
        pairs = self.stage.pairs
        due = min(self.count, int((time.monotonic() - self.start) * self.rate / self.burst) * self.burst)
        while len(self.letters) < due:
            number = len(self.letters)
            author, reader = pairs[number // self.burst % len(pairs)]
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


def crash_hub(stage: Stage, flow: Flow, are_back: Callable[[], bool]) -> float:
    """Kills the hub and starts it again; returns the time from its start until both gateways are back."""
    stage.hub.kill()
    flow.until(lambda: not any(node.hub()["state"] in CONNECTED for node in stage.gateways), "the loss of the hub")
    flow.after(3)
    stage.hub.start()
    return flow.until(are_back, "the exchange with the hub")


def crash_gateway(stage: Stage, flow: Flow, gateway: Node) -> float:
    """Kills a gateway and starts it again; returns the time from its start until it exchanges mail."""
    gateway.kill()
    flow.after(3)
    begin = time.monotonic()
    gateway.start()
    flow.until(lambda: gateway.hub()["state"] in CONNECTED, "the exchange with the hub")
    return time.monotonic() - begin


def many_crashes(stage: Stage) -> str:
    """The long form of `crashes`: gateways may still fetch old mail at the next crash.

    Readers wait 15 s for a missing message (PROTOCOL §10), so the order is a figure here.
    """
    return crashes(stage, "stormy letter of the long night", 10_000, 100, 25, is_long=True)


def crashes(stage: Stage, name: str = "stormy letter", count: int = 60, rounds: int = 3, rate: float = 4,
            is_long: bool = False) -> str:
    """Hub and gateways crash in turn while messages flow; all arrive once, and the gateways are live again soon."""
    # A mailbox takes a few thousand envelopes a day, and messages that are written at once share one.
    flow = Flow(stage, name, count, rate, 5 if is_long else 1)
    hubs, gateways = [], []
    flow.after(3)
    for number in range(rounds):
        hubs.append(crash_hub(stage, flow, stage.are_connected if is_long else stage.are_live))
        flow.after(2)
        gateways.append(crash_gateway(stage, flow, stage.gateways[number % 2]))
        flow.after(max(2, count // rounds - 10))
    flow.after(count)
    # Reading thousands of messages takes a while.
    last = stage.arrived(flow.letters, 60 + count / 20, max(0.5, count / 2_000), in_order=not is_long)
    times = f"{told(stage.post.delays(flow.letters))}; {stage.post.disorder(flow.letters)} behind a later one"
    late = sum(time >= LIVE_BAR for time in hubs)
    bar = f", {late} of {rounds} ABOVE THE BAR of {LIVE_BAR:.0f} s" if late else ""
    figures = f"{count} messages, {rounds} crashes each; live again after {_list(hubs)} s of the hub{bar}, " \
        f"{_list(gateways)} s of gateways; the last message {last:.1f} s after the flow; {times}"
    try:
        stage.live(240)
        stage.confirmed(60 + count / 20)
    except AssertionError as error:
        raise AssertionError(f"{error}; {figures}") from None
    told_state = json.loads(stage.alkmene.run("status", "--json"))["hubs"][0]["state"]
    assert told_state == "live", f"`status --json` says {told_state}"
    assert max(hubs) < LIVE_LIMIT, f"live again {max(hubs):.1f} s after the start of the hub"
    return figures


def crashed_readers(stage: Stage) -> str:
    """A gateway crashes as soon as it has a message: its author gets the receipt all the same."""
    author, reader = stage.bellerophon, stage.alkmene
    for number in range(25):
        letter = stage.post.send(author, reader, f"letter {number} to a crashed reader")
        stage.until(lambda: _has(reader, author, letter), "the arrival", every=0.001)
        # Moments that differ by a few milliseconds: before and after the receipt leaves.
        time.sleep(number % 5 * 0.01)
        reader.kill()
        reader.start()
        stage.until(reader.is_live, "the exchange with the hub")
    return f"25 crashes, the last receipt after {stage.confirmed():.1f} s more"


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
    stage.until(lambda: stage.alkmene.hub()["sent"] >= before + len(letters) and stage.alkmene.hub().get("waiting") == 0,
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


def _has(reader: Node, author: Node, letter: Letter) -> bool:
    return any(one["id"] == letter.id for one in reader.history(author.id))
