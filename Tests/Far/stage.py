"""The islands with their people, the hub between them, and waiting."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import hub as servers
from network import Network
from node import Node
from post import GROUP, Letter, Post

ISLES = {"isleA": ("Alkmene", "Arsinoe", "Atalante"), "isleB": ("Bellerophon", "Briseis", "Boreas")}
MESH_ADDRESS = "10.94.0.{}"
HUB_A, HUB_B, HUB_CITY, CITY = "10.94.1.1", "10.94.2.1", "10.94.4.1", "10.94.3.1"
HUB_NAME = "lighthouse-of-pharos"
CLUB, ADMIN = "club-dr1ftwood", "admin-dr1ftwood"
PATIENCE = 60.0
CONNECTED = ("catchingUp", "live")


class Stage:
    """All that runs for the test."""

    def __init__(self, network: Network, earshot: str, server: str, folder: Path) -> None:
        self.network, self.earshot, self.server, self.folder = network, earshot, server, folder
        self.post = Post()
        self.nodes: dict[str, Node] = {}
        self.servers: list[servers.Server] = []

    # Building

    def build(self) -> None:
        """Makes all namespaces, the certificate, the hub and the people; starts nothing."""
        for isle in ISLES:
            self.network.add_isle(isle)
        for place, name in enumerate([name for names in ISLES.values() for name in names]):
            isle = next(isle for isle, names in ISLES.items() if name in names)
            self.network.settle(name.lower(), isle, MESH_ADDRESS.format(place + 1))
            self.nodes[name] = Node(self.network, self.earshot, self.folder, name)
        self.network.add("hub")
        self.network.join("alkmene", "10.94.1.2", "hub", HUB_A, "hub-a")
        self.network.join("bellerophon", "10.94.2.2", "hub", HUB_B, "hub-b")
        # One gateway knows the hub by its address, the other by its name.
        self.network.name("bellerophon", servers.NAME, HUB_B)
        servers.make_certificate(self.folder / "certificates", [HUB_A, HUB_B, HUB_CITY, CITY])
        self.hub = self.add_server("hub", {"HUB-NAME": HUB_NAME, "ADMIN-PASSWORD": ADMIN, "CLUB-PASSWORD": CLUB})
        self.authority = str(self.folder / "certificates/ca.pem")

    def add_server(self, host: str, changes: dict[str, str]) -> servers.Server:
        self.servers.append(servers.Server(self.network, host, self.server, self.folder, changes))
        return self.servers[-1]

    @property
    def alkmene(self) -> Node:
        """The gateway of the first island."""
        return self.nodes["Alkmene"]

    @property
    def bellerophon(self) -> Node:
        """The gateway of the second island."""
        return self.nodes["Bellerophon"]

    @property
    def gateways(self) -> list[Node]:
        return [self.alkmene, self.bellerophon]

    def people(self, isle: str) -> list[Node]:
        return [self.nodes[name] for name in ISLES[isle]]

    @property
    def pairs(self) -> list[tuple[Node, Node]]:
        """All pairs of an author and a reader on the other island, no author twice in a row."""
        there, here = self.people("isleA"), self.people("isleB")
        found = []
        for turn in range(3):
            for place in range(3):
                one, other = there[place], here[(place + turn) % 3]
                found += [(one, other), (other, one)]
        return found

    def others(self, person: Node) -> list[Node]:
        return [node for node in self.nodes.values() if node is not person]

    def options(self, address: str) -> list[str]:
        """The options of a node that uses a hub."""
        return ["--hub", f"tls://club:{CLUB}@{address}", "--hub-ca", self.authority]

    def create_store(self) -> None:
        """Makes the store of the hub, as its operator does."""
        url = f"tls://admin@{HUB_A}:{servers.PORT}"
        command = [*self.network.inside("alkmene"), self.earshot, "hub", "create", "--hub-ca", self.authority, url]
        surroundings = os.environ | {"EARSHOT_HUB_PASSWORD": ADMIN}
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=surroundings)
        assert done.returncode == 0, f"hub create: {done.returncode}, {done.stderr.strip()}"

    # Waiting

    def until(self, holds: Callable[[], bool], what: str, seconds: float = PATIENCE, every: float = 0.1,
              meanwhile: Callable[[], None] | None = None) -> float:
        """Waits until something holds, and returns how long that took; a process that ends by itself ends the test."""
        start = time.monotonic()
        while not holds():
            self.check_processes()
            assert time.monotonic() < start + seconds, f"{what} did not happen within {seconds:.0f} s"
            if meanwhile is not None:
                meanwhile()
            time.sleep(every)
        return time.monotonic() - start

    def check_processes(self) -> None:
        for node in self.nodes.values():
            assert not node.is_crashed(), f"{node.name}'s node ended with {node.process.returncode}"
        for server in self.servers:
            assert server.process is None or server.process.poll() is None, f"the server {server.host} ended by itself"

    def arrived(self, letters: list[Letter], seconds: float = PATIENCE, every: float = 0.5,
                in_order: bool = True) -> float:
        """Waits until these messages are where they belong, checks them, and returns how long that took."""
        start = time.monotonic()
        while faults := self.post.faults(letters, True, in_order):
            self.check_processes()
            # A message that came twice, or too early, stays wrong.
            if lasting := self.post.faults(letters, False, in_order):
                raise AssertionError("; ".join(lasting))
            assert time.monotonic() < start + seconds, f"after {seconds:.0f} s: {'; '.join(faults)}"
            time.sleep(every)
        return time.monotonic() - start

    def confirmed(self, seconds: float = PATIENCE) -> float:
        """Waits until no outbox holds anything: all messages have their receipts."""
        try:
            return self.until(lambda: not any(self.outboxes().values()), "the receipt of each message", seconds, 0.5)
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.unconfirmed()[-5:]}, outboxes {self.outboxes()}") from None

    def unconfirmed(self) -> list[str]:
        """Returns the messages that their authors have no receipt for."""
        found = []
        for node in self.nodes.values():
            for other in self.others(node):
                messages = [one for one in node.history(other.id) if one["outgoing"]]
                found += [f"{node.name} to {other.name}: {one['text']} ({one['status']})" for one in messages
                          if one["status"] not in ("delivered", "read")]
        return found

    def outboxes(self) -> dict[str, int]:
        running = [node for node in self.nodes.values() if node.process is not None]
        return {node.name: node.call("status")["outbox"] for node in running}

    def live(self, seconds: float = PATIENCE) -> float:
        """Waits until both gateways exchange mail with their hub, and returns how long that took."""
        return self.until(self.are_live, "the exchange with the hub", seconds, 0.02)

    def are_live(self) -> bool:
        return all(node.is_live() for node in self.gateways)

    def are_connected(self) -> bool:
        """Returns whether both gateways exchange mail, be it that they still fetch what is old."""
        return all(node.hub()["state"] in CONNECTED for node in self.gateways)

    def finish(self) -> list[str]:
        """Ends all that runs; tells of nodes that did not end as they should."""
        failures = []
        for node in self.nodes.values():
            try:
                node.stop()
            except Exception as error:
                failures.append(str(error))
        for server in self.servers:
            server.kill()
        return failures

    def tails(self) -> str:
        """Returns the ends of all logs, and the states of the hubs."""
        parts = []
        for path in [one.log_path for one in [*self.nodes.values(), *self.servers]]:
            if path.exists() and (text := path.read_text(errors="replace").strip()):
                parts.append(f"--- {path.name}\n" + "\n".join(text.splitlines()[-12:]))
        for node in self.nodes.values():
            if node.process is not None and not node.is_crashed():
                try:
                    parts.append(f"--- {node.name}: {node.call('status')}")
                except Exception as error:
                    parts.append(f"--- {node.name}: {error}")
        return "\n".join(parts)


def meet(stage: Stage) -> None:
    """Has all people accept each other, write to each other, and join one group, while the islands are one."""
    people = list(stage.nodes.values())
    stage.network.bridge(*ISLES)
    for node in people:
        node.start("--no-hub")
    stage.until(lambda: all(len(node.call("contacts")) == len(people) - 1 for node in people), "all contacts")
    for one, other in permutations(people, 2):
        one.call("trust", peer=other.id, action="accept")
    pairs = permutations(people, 2)
    stage.arrived([stage.post.send(one, other, f"{one.name} greets {other.name}") for one, other in pairs])
    stage.alkmene.run("group", "create", GROUP, *(node.name for node in stage.others(stage.alkmene)))
    stage.until(lambda: all(_is_member(node, len(people)) for node in people), "the group")
    stage.arrived([stage.post.send_group(node, stage.others(node), f"{node.name} is aboard") for node in people])
    stage.confirmed()


def _is_member(node: Node, count: int) -> bool:
    return any(len(group["members"]) == count and group["standing"] == "member" for group in node.call("groups"))


def separate(stage: Stage) -> str:
    """Parts the islands, starts the hub and the gateways, and checks that nothing else joins the islands."""
    for gateway in stage.gateways:
        gateway.stop()
    stage.network.part("isleA")
    stage.hub.start()
    stage.until(stage.hub.is_up, "the start of the hub")
    stage.create_store()
    stage.alkmene.start(*stage.options(HUB_A))
    stage.bellerophon.start(*stage.options(servers.NAME))
    took = stage.live()
    places = {name: MESH_ADDRESS.format(place + 1) for place, name in enumerate(stage.nodes)}
    for isle, other in (("isleA", "isleB"), ("isleB", "isleA")):
        for node in stage.people(isle):
            for neighbour in stage.people(isle):
                assert stage.network.reaches(node.host, places[neighbour.name]), f"{isle} is no island"
        away = [places[name] for name in ISLES[other]] + ["10.94.2.2" if isle == "isleA" else "10.94.1.2"]
        for address in away:
            assert not stage.network.reaches(stage.people(isle)[0].host, address), f"{isle} reaches {address}"
        assert not stage.network.reaches(stage.people(isle)[1].host, away[0]), f"{isle} reaches {away[0]}"
        assert not stage.network.reaches(stage.people(isle)[1].host, HUB_A), f"more than the gateway reaches the hub"
    return f"both gateways live after {took:.1f} s"
