"""The program that a hostile host runs: one attack, driven by lines of its standard input."""

from __future__ import annotations

import json
import os
import select
import sys
import time
from typing import Protocol

from .flood import Flood
from .host import HostileHost
from .inquiry import Inquiry
from .junk import Junk
from .link import HostileLink
from .outsider import Outsider
from .poison import Poison
from .takeover import Takeover

STEP = 0.002
LONGEST_CREDIT = 0.1


class Attack(Protocol):
    """What an attack does on its host."""

    def is_ready(self, host: HostileHost, targets: int) -> bool:
        """Prepares the attack, and tells whether it can begin on so many nodes."""

    def act(self, host: HostileHost, count: int) -> int:
        """Performs at most so many acts; returns their number."""

    def react(self, host: HostileHost, messages: list[tuple[HostileLink, int, bytes]]) -> None:
        """Reacts to what came."""

    def figures(self, host: HostileHost) -> dict[str, int]:
        """Returns what was done, by name."""


ATTACKS: dict[str, type] = {"takeover": Takeover, "flood": Flood, "junk": Junk, "poison": Poison,
                            "outsider": Outsider, "inquiry": Inquiry}


def _say(values: dict[str, int]) -> None:
    print(json.dumps(values), flush=True)


def _has_input() -> bool:
    return bool(select.select([sys.stdin], [], [], 0)[0])


def _goes_on() -> bool:
    """Reads what the input has; tells whether it has not ended."""
    return os.read(sys.stdin.fileno(), 4096) != b""


def run(name: str, addresses: list[str], targets: int, rate: float) -> int:
    """Says when the attack is prepared, begins at a line of input, and tells its figures at others and at the end."""
    host, attack = HostileHost(addresses), ATTACKS[name]()
    try:
        is_ready = False
        while not _has_input():
            host.pump(0.01)
            if attack.is_ready(host, targets) and not is_ready:
                is_ready = True
                _say({"ready": 1})
        goes_on = _goes_on()
        _say({"begun": 1})
        last, credit = time.monotonic(), 0.0
        while goes_on:
            now = time.monotonic()
            credit, last = min(credit + rate * (now - last), rate * LONGEST_CREDIT), now
            credit -= attack.act(host, int(credit))
            attack.react(host, host.pump(STEP))
            if _has_input():
                goes_on = _goes_on()
                _say(attack.figures(host))
    finally:
        host.close()
    return 0
