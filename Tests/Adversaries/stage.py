"""All that an attack starts, so that it ends with the attack."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import beginning  # noqa: F401
from hostile.crowd import Crowd
from hostile.segment import Segment
from interop.node import Node
from interop.scenarios import Stage as InteropStage

from wire import Wire


@dataclass
class Stage:
    """The victims and the attackers of one attack."""

    program: str
    folder: Path
    segment: Segment
    # The nodes on loopback, with the second implementation beside them.
    loopback: InteropStage
    crowds: list[Crowd] = field(default_factory=list)
    wires: list[Wire] = field(default_factory=list)
    others: list[Callable[[], None]] = field(default_factory=list)

    def crowd(self, *names: str) -> Crowd:
        """Starts nodes on the segment that are contacts of each other."""
        self.crowds.append(Crowd(self.program, self.folder, self.segment))
        self.crowds[-1].start(*names)
        self.crowds[-1].meet()
        return self.crowds[-1]

    def wire(self, manner: str) -> Wire:
        """Starts an attacker on the wire of the segment."""
        self.wires.append(Wire(self.segment, manner, self.folder / f"wire-{len(self.wires)}.packets"))
        return self.wires[-1]

    def finish(self) -> list[str]:
        """Ends all that was started; returns which nodes did not end by themselves."""
        late = []
        for act in self.others:
            with contextlib.suppress(Exception):
                act()
        for wire in self.wires:
            wire.finish()
        for crowd in self.crowds:
            late += crowd.finish()
        return late + list(filter(None, [self.loopback.finish()]))


def send(crowd: Crowd, author: str, reader: str, text: str) -> str:
    """Sends a text from one node to another, and waits for its receipt; returns the id of the message."""
    one, other = crowd.nodes[author], crowd.nodes[reader]
    message = one.call("send", to=other.id.hex(), text=text)["message"]
    crowd.until(lambda: status(one, other.id, message) in ("delivered", "read"), f"the receipt of {text[:30]!r}")
    return message


def status(node: Node, other: bytes, message: str) -> str:
    found = [one for one in node.call("history", conversation=other.hex(), limit=200) if one["id"] == message]
    return found[0]["status"] if found else "missing"


def texts(node: Node, other: bytes) -> list[str]:
    """Returns the texts that a node shows of a conversation."""
    return [one["text"] for one in node.call("history", conversation=other.hex(), limit=500)]


def wait(holds: Callable[[], bool], what: str, seconds: float = 30.0) -> None:
    """Waits until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"{what} did not happen within {seconds:.0f} s"
        time.sleep(0.05)


def search(places: dict[str, bytes], needles: dict[str, bytes]) -> None:
    """Checks that none of the places has any of the needles."""
    pattern = re.compile(b"|".join(re.escape(one) for one in needles.values()))
    names = {needle: name for name, needle in needles.items()}
    hits = [(place, hit) for place, content in places.items() for hit in set(pattern.findall(content))]
    found = [f"{place} holds {names[hit]}" for place, hit in hits]
    assert not found, "; ".join(found[:5])


def files(folder: Path) -> dict[str, bytes]:
    """Returns the content of all files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
