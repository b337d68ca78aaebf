"""The active attacker on a segment: it replays, turns bits, injects, and forges beacons."""

from __future__ import annotations

from hostile.crowd import Crowd
from hostile.stage import MEMORY_LIMIT
from hostile.watch import Watch
from stage import Stage, texts

NAMES = ("Alice", "Bob", "Carol")
SECONDS, RATE = 6.0, 12.0
# Metrics of what was dropped, of which the attack must raise one.
SEEN = {"replay": ("replayed", "duplicate"), "flip": ("unauthenticated", "malformedDatagram"),
        "inject": ("unauthenticated", "malformedDatagram", "offLink")}


def attack(stage: Stage, manner: str) -> str:
    """Has nodes talk under an attack: all texts come once, no link ends, and nobody new is known."""
    crowd = stage.crowd(*NAMES)
    before = _drops(crowd, manner)
    watch = Watch(crowd)
    wire = stage.wire(manner)
    talked = crowd.talk(SECONDS, RATE)
    crowd.receive("under attack")
    figures = wire.end()
    assert figures["sent"] > 100, f"the attacker sent {figures}"
    dropped = _drops(crowd, manner) - before
    assert dropped > 0, f"the nodes saw nothing of the attack: {figures}"
    kept, grown = watch.check_links(), watch.check_memory(MEMORY_LIMIT)
    _check_texts(crowd)
    for node in crowd.running:
        contacts = {one["id"] for one in node.call("contacts")}
        assert contacts == {one.id.hex() for one in crowd.running if one is not node}, f"{node.name} knows {contacts}"
    return f"{figures['sent']:,} of {manner}, {dropped:,} dropped as such; {len(talked)} texts once each; {kept}; " \
           f"{grown}"


def _drops(crowd: Crowd, manner: str) -> int:
    return sum(int(node.call("metrics")["mesh_drops_total"][name]) for node in crowd.running for name in SEEN[manner])


def _check_texts(crowd: Crowd) -> None:
    """Each text of the crowd is shown once at its reader, and nothing else is."""
    for reader in crowd.running:
        for author in crowd.running:
            if author is reader:
                continue
            sent = sorted(f"message {place}" for place, one in enumerate(crowd.sent)
                          if {one.author, one.recipient} == {author, reader})
            shown = sorted(texts(reader, author.id))
            assert sent == shown, f"{reader.name} is shown {len(shown)} texts with {author.name} instead of {len(sent)}"


def replay(stage: Stage) -> str:
    return attack(stage, "replay")


def flip(stage: Stage) -> str:
    return attack(stage, "flip")


def inject(stage: Stage) -> str:
    return attack(stage, "inject")
