"""Takeover: dials every honest node under the node id of another one, which beacons show, with other keys."""

from __future__ import annotations

import time

from interop.beacon import SOLICIT

from .host import Heard, HostileHost
from .link import HostileLink

FALSE_LINK_LIFE = 1.0
BEACON_EACH = 20


class Takeover:
    """INITs, message 3 and beacons under the node ids of others."""

    def __init__(self) -> None:
        self.acts = self.beacons = self.proofs = self.opened = 0
        self.seen: set[bytes] = set()

    def is_ready(self, host: HostileHost, targets: int) -> bool:
        return len(host.heard) >= targets

    def act(self, host: HostileHost, count: int) -> int:
        for _ in range(count):
            honest = list(host.heard.values())
            endpoint = host.endpoints[self.acts % len(host.endpoints)]
            turn = self.acts // len(host.endpoints)
            target: Heard = honest[turn % len(honest)]
            claimed: Heard = honest[(turn + 1 + turn // len(honest) % (len(honest) - 1)) % len(honest)]
            endpoint.node = claimed.node
            endpoint.dials.pop(target.address, None)
            endpoint.dial(target.address)
            if self.acts % BEACON_EACH == 0:
                host.beacon(endpoint, SOLICIT, claimed.node)
                self.beacons += 1
            self.acts += 1
        return count

    def react(self, host: HostileHost, messages: list[tuple[HostileLink, int, bytes]]) -> None:
        """Counts what seems to be a link, and forgets it after a second."""
        for endpoint in host.endpoints:
            for cid, link in list(endpoint.links.items()):
                if cid not in self.seen:
                    self.seen.add(cid)
                    self.proofs += 1
                if link.proof is None and link.closed is None:
                    self.opened += 1
                if link.proof is None or time.monotonic() - link.heard > FALSE_LINK_LIFE:
                    del endpoint.links[cid]

    def figures(self, host: HostileHost) -> dict[str, int]:
        retries = sum(endpoint.retries for endpoint in host.endpoints)
        return {"INITs": self.acts, "cookies": retries, "false proofs": self.proofs, "beacons": self.beacons,
                "opened": self.opened}
