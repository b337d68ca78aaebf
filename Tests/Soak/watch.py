"""Memory and descriptors of all nodes over a run."""

from __future__ import annotations

import time

from scene import Scene

EVERY_SECONDS = 2.0
# The most of the second half may be above the most of the first one by so much.
MEMORY_MARGIN, DESCRIPTOR_MARGIN = 64 << 20, 48


class Watch:
    """Samples of memory and descriptors."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.next = scene, 0.0
        self.samples: dict[str, list[tuple[float, int, int]]] = {name: [] for name in scene.people}

    def look(self) -> None:
        """Takes a sample of each process now and then."""
        if time.monotonic() < self.next:
            return
        self.next = time.monotonic() + EVERY_SECONDS
        for name, person in self.scene.people.items():
            if person.is_running and not person.is_crashed():
                self.samples[name].append((self.scene.now, person.resident(), person.descriptors()))

    def faults(self, begin: float, end: float) -> list[str]:
        """Compares the halves of a time."""
        found, middle = [], (begin + end) / 2
        for name, samples in self.samples.items():
            for what, place, margin in (("memory", 1, MEMORY_MARGIN), ("descriptors", 2, DESCRIPTOR_MARGIN)):
                first = max((one[place] for one in samples if begin <= one[0] < middle), default=0)
                second = max((one[place] for one in samples if middle <= one[0] <= end), default=0)
                if first and second > first + margin:
                    found.append(f"{name}: {what} went from {first:,} at most to {second:,}")
        return found

    def most(self) -> str:
        every = [one for samples in self.samples.values() for one in samples]
        return f"at most {max(one[1] for one in every) >> 20} MiB and {max(one[2] for one in every)} descriptors a node"
