"""A small island for a single scene, with a clock and a cable to the hub of its own."""

from __future__ import annotations

import hub as servers
from node import Node
from post import Letter, Post
from stage import MESH_ADDRESS, Stage

LIMIT = 60.0


class Outpost:
    """An island whose first person is its gateway."""

    def __init__(self, stage: Stage, number: int, names: tuple[str, ...], clock: float,
                 port: int = servers.PORT) -> None:
        self.stage, self.port = stage, port
        network, isle = stage.network, f"isle{number}"
        network.add_isle(isle)
        for place, name in enumerate(names):
            network.settle(name.lower(), isle, MESH_ADDRESS.format(place + 1))
        self.people = [Node(network, stage.earshot, stage.folder, name, clock) for name in names]
        stage.visitors += self.people
        hub_address = f"10.94.{number}.1"
        network.join(self.gateway.host, f"10.94.{number}.2", "hub", hub_address, f"hub-{number}")
        network.name(self.gateway.host, servers.NAME, hub_address)

    @property
    def gateway(self) -> Node:
        return self.people[0]

    def start(self) -> None:
        """Starts all nodes; does not wait for the hub."""
        self.gateway.start(*self.stage.options(f"{servers.NAME}:{self.port}"))
        for node in self.people[1:]:
            node.start("--no-hub")

    def live(self) -> float:
        """Waits until the gateway exchanges mail and all people know of it, and returns how long that took."""
        return self.stage.until(self._is_live, f"the exchange of {self.gateway.name} with the hub", LIMIT, 0.02)

    def _is_live(self) -> bool:
        return self.gateway.is_live() and all("gateway" in node.call("status") for node in self.people)

    def stop(self) -> None:
        for node in self.people:
            node.stop()

    def set_clock(self, ahead: float) -> None:
        """Ends all nodes, sets their clocks, and starts them."""
        self.stop()
        for node in self.people:
            node.clock = ahead
        self.start()

    def write(self, post: Post, there: Outpost, words: str) -> list[Letter]:
        """Has each person write three messages to one person of another island."""
        pairs = list(zip(self.people, there.people))
        count = len(post.letters)
        return [post.send(one, other, f"letter {count + number} of {one.name} {words}")
                for number in range(3) for one, other in pairs]

    def store(self, post: Post, there: Outpost, words: str) -> list[Letter]:
        """Has people write, and waits until the hub has acknowledged all."""
        sent = self.gateway.hub()["sent"]
        letters = self.write(post, there, words)
        self.stage.until(lambda: self.is_sent(sent + len(letters)), "the acknowledgement of the hub")
        return letters

    def is_sent(self, count: int) -> bool:
        """Returns whether the hub has acknowledged so many messages since the gateway's start, and none waits."""
        hub = self.gateway.hub()
        return hub["sent"] >= count and hub.get("waiting") == 0
