"""The islands with their people, the hub between them, and waiting."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import hub as servers
from guest import Guest
from network import Network
from node import Node
from post import Letter, Post

ISLES = {"isleA": ("Alkmene", "Arsinoe", "Atalante"), "isleB": ("Bellerophon", "Briseis", "Boreas")}
# These two never hear each other in one mesh.
STRANGERS = {"isleA": "Amphion", "isleB": "Byzas"}
MESH_ADDRESS = "10.94.0.{}"
HUB_A, HUB_B, HUB_CITY, HUB_GUEST, CITY = "10.94.1.1", "10.94.2.1", "10.94.4.1", "10.94.5.1", "10.94.3.1"
GUEST = "guest"
HUB_NAME, CITY_NAME = "lighthouse-of-pharos", "harbour-of-the-city"
CLUB, ADMIN = "club-dr1ftwood", "admin-dr1ftwood"
PATIENCE = 60.0
# People count as near for two minutes after they were heard, which a restarted node knows to the second.
NEAR_SECONDS, CALM_SECONDS, FIRST_LIMIT = 119.0, 30.0, 300.0
CONNECTED = ("catchingUp", "live")


class Stage:
    """All that runs for the test."""

    def __init__(self, network: Network, earshot: str, server: str, folder: Path) -> None:
        self.network, self.earshot, self.server, self.folder = network, earshot, server, folder
        self.post = Post()
        self.nodes: dict[str, Node] = {}
        self.strangers: list[Node] = []
        # People of single scenes.
        self.visitors: list[Node] = []
        self.servers: list[servers.Server] = []
        self.addresses: dict[str, str] = {}
        # The time after which all heard each other for the last time, and what they wrote after the parting.
        self.met = 0.0
        self.first: list[Letter] = []
        self.calls: list[Letter] = []

    # Building

    def build(self) -> None:
        """Makes all namespaces, the certificate, the hub and the people; starts nothing."""
        for isle in ISLES:
            self.network.add_isle(isle)
        for isle, name in [(isle, name) for isle, names in ISLES.items() for name in names]:
            self.nodes[name] = self._settle(name, isle)
        self.strangers = [self._settle(name, isle) for isle, name in STRANGERS.items()]
        self.network.add("hub")
        self.network.join("alkmene", "10.94.1.2", "hub", HUB_A, "hub-a")
        self.network.join("bellerophon", "10.94.2.2", "hub", HUB_B, "hub-b")
        self.network.add(GUEST)
        self.network.join(GUEST, "10.94.5.2", "hub", HUB_GUEST, "hub-g")
        # One gateway knows the hub by its address, the other by its name.
        self.network.name("bellerophon", servers.NAME, HUB_B)
        servers.make_certificate(self.folder / "certificates", [HUB_A, HUB_B, HUB_CITY, CITY])
        self.hub = self.add_server("hub", {"HUB-NAME": HUB_NAME, "ADMIN-PASSWORD": ADMIN, "CLUB-PASSWORD": CLUB})
        self.authority = str(self.folder / "certificates/ca.pem")

    def _settle(self, name: str, isle: str) -> Node:
        address = MESH_ADDRESS.format(len(self.addresses) + 1)
        self.addresses[name] = address
        self.network.settle(name.lower(), isle, address)
        return Node(self.network, self.earshot, self.folder, name)

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

    @property
    def everybody(self) -> list[Node]:
        return [*self.nodes.values(), *self.strangers]

    @property
    def all_nodes(self) -> list[Node]:
        return [*self.everybody, *self.visitors]

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

    @staticmethod
    def url(address: str) -> str:
        """The address of a hub, with the login of the club."""
        return f"tls://club:{CLUB}@{address}"

    def options(self, address: str) -> list[str]:
        """The options of a node that uses a hub."""
        return ["--hub", self.url(address), "--hub-ca", self.authority]

    def create_store(self, *options: str) -> None:
        """Makes the store of the hub, or changes its room, as its operator does."""
        url = f"tls://admin@{HUB_A}:{servers.PORT}"
        command = [self.earshot, "hub", "create", "--hub-ca", self.authority, *options, url]
        surroundings = os.environ | {"EARSHOT_HUB_PASSWORD": ADMIN}
        done = subprocess.run([*self.network.inside("alkmene"), *command], capture_output=True, text=True, timeout=60,
                              env=surroundings)
        assert done.returncode == 0, f"hub create: {done.returncode}, {done.stderr.strip()}"

    def remove_store(self) -> None:
        """Removes the store of the hub with all mail in it."""
        with self.admin() as admin:
            admin.request("$JS.API.STREAM.DELETE.MAIL")

    def guest(self) -> Guest:
        """Connects a guest of the hub who has the login of the club."""
        return Guest(self.network, GUEST, HUB_GUEST, ("club", CLUB), self.authority)

    def admin(self) -> Guest:
        """Connects the operator of the hub."""
        return Guest(self.network, GUEST, HUB_GUEST, ("admin", ADMIN), self.authority)

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
        for node in self.all_nodes:
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

    def confirmed(self, seconds: float = PATIENCE, people: list[Node] | None = None) -> float:
        """Waits until the outboxes of these people, or of all but the strangers, are empty: all receipts are there."""
        people = list(self.nodes.values()) if people is None else people
        try:
            return self.until(lambda: not any(self.outboxes(people).values()), "the receipts", seconds, 0.5)
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.unconfirmed()[-5:]}, outboxes {self.outboxes(people)}") from None

    def calm(self) -> None:
        """Has no mail but that of the strangers cross in the next half minute, however long the scenes so far took."""
        if time.time() > self.met + NEAR_SECONDS - CALM_SECONDS:
            self.arrived(self.first, FIRST_LIMIT)
            self.confirmed(FIRST_LIMIT)

    def unconfirmed(self) -> list[str]:
        """Returns the messages that their authors have no receipt for."""
        found = []
        for node in self.running:
            for other in node.call("contacts"):
                messages = [one for one in node.history(other["id"]) if one["outgoing"]]
                found += [f"{node.name} to {other['name']}: {one['text']} ({one['status']})" for one in messages
                          if one["status"] not in ("delivered", "read")]
        return found

    @property
    def running(self) -> list[Node]:
        return [node for node in self.all_nodes if node.process is not None]

    def outboxes(self, people: list[Node]) -> dict[str, int]:
        """Returns how many messages still miss a receipt, for each of these people whose node runs."""
        return {node.name: node.call("status")["outbox"] for node in self.running if node in people}

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
        for node in self.all_nodes:
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
        for path in [one.log_path for one in [*self.all_nodes, *self.servers]]:
            if path.exists() and (text := path.read_text(errors="replace").strip()):
                parts.append(f"--- {path.name}\n" + "\n".join(text.splitlines()[-12:]))
        for node in self.running:
            if not node.is_crashed():
                try:
                    parts.append(f"--- {node.name}: {node.call('status')}")
                except Exception as error:
                    parts.append(f"--- {node.name}: {error}")
        return "\n".join(parts)
