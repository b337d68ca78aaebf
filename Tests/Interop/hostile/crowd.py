"""Honest nodes on one segment: real processes that link, become contacts and write to each other."""

from __future__ import annotations

import select
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from interop.node import Node, NodeError

from .segment import DEVICE, Segment

PATIENCE = 60.0


@dataclass
class Sent:
    """A message between two honest nodes."""

    author: Node
    recipient: Node
    request: int
    at: float
    id: str | None = None
    took: float | None = None


class Crowd:
    """The honest nodes of one scene."""

    def __init__(self, program: str, folder: Path, segment: Segment, *options: str) -> None:
        self.program, self.folder, self.segment, self.options = program, folder, segment, options
        self.nodes: dict[str, Node] = {}
        self.sent: list[Sent] = []

    def start(self, *names: str) -> None:
        """Starts nodes of these names, each on a host of its own."""
        for name in names:
            host = name.lower()
            self.segment.add(host)
            self.nodes[name] = Node(self.program, self.folder / host, name, *self.options, interface=DEVICE,
                                    inside=self.segment.inside(host))

    def address(self, name: str) -> str:
        return self.segment.addresses[name.lower()][0]

    def crash(self, name: str) -> None:
        """Ends a node without a goodbye."""
        node = self.nodes[name]
        node.process.kill()
        node.process.wait()
        node.log.close()

    def restart(self, name: str) -> None:
        """Starts a node again that has ended."""
        self.nodes[name].start()
        self.nodes[name].call("subscribe", events=["status"])

    @property
    def running(self) -> list[Node]:
        return [node for node in self.nodes.values() if node.process.poll() is None]

    def until(self, done: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
        """Waits until something holds."""
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, f"{what} did not happen within {seconds:.0f} s"
            self.pause(0.05)

    def pause(self, seconds: float) -> None:
        """Reads what the nodes say for a while; a node that has ended ends the scene."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            outputs = {node.process.stdout: node for node in self.nodes.values() if not node.log.closed}
            ready, _, _ = select.select(list(outputs), [], [], left)
            for output in ready:
                outputs[output].poll(0)
            self._settle()

    # Links

    def links(self, node: Node) -> dict[str, float]:
        """Returns the honest neighbours of a node and for how long there has been the link."""
        names = {self.address(name): name for name in self.nodes}
        found: dict[str, float] = {}
        for link in node.call("map")["links"]:
            name = names.get(link["address"].rsplit(":", 1)[0])
            if name is not None:
                found[name] = max(link["uptime"], found.get(name, 0))
        return found

    def link(self) -> None:
        """Waits until each running node has a link with each other one."""
        running = self.running
        self.until(lambda: all(len(self.links(node)) >= len(running) - 1 for node in running), "all links")

    def meet(self) -> None:
        """Waits until all nodes have written to all others."""
        running = self.running
        self.link()
        self.until(lambda: all(len(node.call("contacts")) >= len(running) - 1 for node in running), "all contacts")
        for node in running:
            node.call("subscribe", events=["status"])
        for author, recipient in permutations(running, 2):
            self.send(author, recipient)
        self.receive("the first messages")

    # Messages

    def send(self, author: Node, recipient: Node) -> None:
        """Sends a message without waiting for anything."""
        text = f"message {len(self.sent)}"
        request = author.begin("send", to=recipient.id.hex(), text=text)
        self.sent.append(Sent(author, recipient, request, time.monotonic()))

    def _settle(self) -> None:
        """Notes which messages have their receipts."""
        waiting: dict[str, Sent] = {}
        for one in self.sent:
            if one.id is None and one.request in one.author.answers:
                answer = one.author.answers.pop(one.request)
                if "error" in answer:
                    raise NodeError(f"{one.author.name} does not send: {answer['error']}")
                one.id = answer["result"]["message"]
            if one.id is not None and one.took is None:
                waiting[one.id] = one
        for node in self.nodes.values():
            events, node.events = node.events, []
            for event in events:
                arrived = event.get("type") == "status" and event.get("status") in ("delivered", "read")
                one = waiting.get(event["message"]) if arrived else None
                if one is not None:
                    one.took = time.monotonic() - one.at

    def receive(self, what: str, seconds: float = PATIENCE) -> None:
        """Waits until all messages have their receipts."""
        end = time.monotonic() + seconds
        while late := [one for one in self.sent if one.took is None]:
            pairs = sorted({f"{one.author.name} to {one.recipient.name}" for one in late})
            assert time.monotonic() < end, f"{what}: {len(late)} of {len(self.sent)} messages have no receipt, " \
                f"{', '.join(pairs)}"
            self.pause(0.05)

    def talk(self, seconds: float, rate: float) -> list[Sent]:
        """Has all pairs write in turn for a while; returns the messages."""
        pairs = list(permutations(self.running, 2))
        first, started = len(self.sent), time.monotonic()
        while time.monotonic() < started + seconds:
            count = len(self.sent) - first
            if time.monotonic() >= started + count / rate:
                self.send(*pairs[count % len(pairs)])
            self.pause(0.01)
        return self.sent[first:]

    def finish(self) -> list[str]:
        """Ends all nodes; tells of those that did not end by themselves."""
        failures = []
        for node in self.nodes.values():
            try:
                node.finish()
            except NodeError as error:
                failures.append(str(error))
        return failures


def delays(messages: list[Sent]) -> str:
    """Describes how long receipts took."""
    times = [one.took for one in messages if one.took is not None]
    return f"{len(times)} of {len(messages)} messages, receipts after {statistics.median(times) * 1000:.0f} ms, " \
        f"at most {max(times) * 1000:.0f} ms"
