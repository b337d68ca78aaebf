"""What can be seen of honest nodes from outside: links, processor time, memory and metrics."""

from __future__ import annotations

import os
import time
from pathlib import Path

from interop.node import Node

from .crowd import Crowd

# A node tells an uptime of a moment ago.
UPTIME_TOLERANCE = 0.5
TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(node: Node) -> float:
    """Returns the processor time that a process has used."""
    fields = Path(f"/proc/{node.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(node: Node) -> int:
    """Returns the most memory that a process has used, in bytes."""
    for line in Path(f"/proc/{node.process.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise AssertionError(f"{node.name} has no peak of memory")


class Watch:
    """A comparison of the nodes of a crowd with what they were when it began."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd, self.nodes = crowd, crowd.running
        self.links = {node.name: crowd.links(node) for node in self.nodes}
        self.at = time.monotonic()
        self.processor = {node.name: processor_seconds(node) for node in self.nodes}
        for node in self.nodes:
            # The peak begins anew at what is used now.
            Path(f"/proc/{node.process.pid}/clear_refs").write_text("5")
        self.memory = {node.name: memory(node) for node in self.nodes}

    def used(self) -> float:
        """Returns the processor time of all nodes since the beginning, in seconds."""
        return sum(processor_seconds(node) - self.processor[node.name] for node in self.nodes)

    def grown(self) -> int:
        """Returns by how many bytes the node has grown at most that has grown most."""
        return max(memory(node) - self.memory[node.name] for node in self.nodes)

    def check_links(self) -> str:
        """Checks that each link between honest nodes is the one of the beginning."""
        lost, kept = [], 0
        for node in self.nodes:
            seconds = time.monotonic() - self.at
            now = self.crowd.links(node)
            for name, before in self.links[node.name].items():
                if now.get(name, 0) < before + seconds - UPTIME_TOLERANCE:
                    lost.append(f"{node.name} with {name}")
                else:
                    kept += 1
        assert not lost, f"{len(lost)} honest links ended: {', '.join(lost)}"
        return f"{kept} honest links kept"

    def check_work(self, messages: int, usual: float, rate: float, limit: float) -> str:
        """Checks the processor time of each hostile message beyond what is usual, in times of an honest message.

        `usual` is how many processors the nodes use for `rate` honest messages a second.
        """
        assert messages > 0, "the attack sent nothing"
        seconds = time.monotonic() - self.at
        each = max(0.0, self.used() - usual * seconds) / messages
        told = f"{each * 1000:.2f} ms of processor time each, {each * rate / usual:.3f} of an honest message's"
        assert each * rate < limit * usual, told
        return told

    def check_memory(self, limit: int) -> str:
        grown = self.grown()
        assert grown < limit, f"a node has grown by {grown >> 20} MiB"
        return f"at most {grown >> 20} MiB more"
