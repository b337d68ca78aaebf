"""Poisoned life: mail for somebody absent, which others keep after its author has gone too."""

from __future__ import annotations

from interop.node import Node

from .crowd import Crowd, delays
from .stage import MEMORY_LIMIT, NAMES, Stage, serve_on, told
from .watch import Watch

POSTS = 10
HOLDERS = ("Carol", "Dave")
# The time that holders cannot hear the author: long enough for the hostile copies, too short to end a link.
DEAF_SECONDS = 0.35
HEARING_SECONDS = 0.25
# The hostile copies say that they end after 10 seconds.
WAIT_SECONDS = 20.0
WAIT_RATE = 3.0
TICKS_OF_71_HOURS = 71 * 360


def poison(stage: Stage) -> str:
    """Shortens the life of mail for somebody absent, who comes back when its author has gone."""
    attacker = stage.attacker("poison", len(NAMES), 1, 2)
    crowd = stage.crowd()
    crowd.start(*NAMES)
    crowd.meet()
    attacker.ready()
    author, absent = crowd.nodes["Alice"], crowd.nodes["Bob"]
    absent.finish()
    watch = Watch(crowd)
    attacker.begin()
    first = post(stage, crowd, author, absent)
    talked = crowd.talk(WAIT_SECONDS, WAIT_RATE)
    crowd.receive("under attack")
    least = ask_lives(stage)
    seen = [delays(talked), watch.check_links(), watch.check_memory(MEMORY_LIMIT)]
    crowd.crash(author.name)
    crowd.restart(absent.name)
    crowd.until(lambda: len(texts(absent, author)) == POSTS, f"the arrival of {POSTS} messages without their author")
    figures = attacker.end()
    serve_on(crowd)
    return f"{told(figures)}; {first} of {POSTS} messages came first from the hostile host, lives of " \
        f"{least / 360:.2f} h at least; {'; '.join(seen)}; all {POSTS} there after the return"


def post(stage: Stage, crowd: Crowd, author: Node, absent: Node) -> int:
    """Posts messages that the hostile host passes on before the author is heard; returns how many came so."""
    first = 0
    for number in range(POSTS):
        before = arrived(crowd)
        for name in HOLDERS:
            stage.segment.deafen(name.lower(), [author.name.lower()])
        author.call("send", to=absent.id.hex(), text=f"absent {number}")
        crowd.pause(DEAF_SECONDS)
        first += arrived(crowd) > before
        for name in HOLDERS:
            stage.segment.hear(name.lower())
        crowd.pause(HEARING_SECONDS)
    assert first > 0, "the hostile host was never the first"
    return first


def arrived(crowd: Crowd) -> int:
    """Counts the envelopes that were new at the holders."""
    return sum(crowd.nodes[name].call("metrics")["mesh_envelopes_total"]["new"] for name in HOLDERS)


def ask_lives(stage: Stage) -> int:
    """Asks the holders what they keep; returns the shortest life in ticks."""
    crowd, asker = stage.crowds[0], stage.attacker("inquiry", len(HOLDERS) + 1, 1, 1)
    asker.ready()
    asker.begin()
    names = [f"{crowd.address(name)} {{}}" for name in HOLDERS]

    def all_told() -> bool:
        figures = asker.figures()
        return all(figures.get(name.format("count"), 0) >= POSTS for name in names)

    crowd.until(all_told, f"an answer of each holder with {POSTS} messages")
    figures = asker.end()
    least = min(figures[name.format("life")] for name in names)
    assert least > TICKS_OF_71_HOURS, f"mail lives for {least / 360:.2f} h only"
    return least


def texts(node: Node, author: Node) -> set[str]:
    """Returns the texts that were posted while the node was away."""
    shown = node.call("history", conversation=author.id.hex(), limit=200)
    return {one["text"] for one in shown if one["text"].startswith("absent ")}
