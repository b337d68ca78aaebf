"""What a scene starts, and what must hold under every attack and after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from .attacker import Attacker
from .crowd import Crowd, Sent, delays
from .segment import Segment
from .watch import Watch

NAMES = ("Alice", "Bob", "Carol", "Dave")
USUAL_SECONDS = 2.0
ATTACK_SECONDS = 8.0
TALK_RATE = 12.0
MEMORY_LIMIT = 64 << 20


@dataclass
class Stage:
    """All that a scene starts, so that it ends with the scene."""

    program: str
    folder: Path
    segment: Segment
    attackers: list[Attacker] = field(default_factory=list)
    crowds: list[Crowd] = field(default_factory=list)

    def crowd(self, *options: str) -> Crowd:
        self.crowds.append(Crowd(self.program, self.folder, self.segment, *options))
        return self.crowds[-1]

    def attacker(self, name: str, targets: int, rate: float, addresses: int) -> Attacker:
        self.attackers.append(Attacker(self.segment, name, targets, rate, addresses))
        return self.attackers[-1]

    def finish(self) -> list[str]:
        """Ends all that was started; tells of nodes that did not end by themselves."""
        for attacker in self.attackers:
            attacker.finish()
        return [failure for crowd in self.crowds for failure in crowd.finish()]


def told(figures: dict[str, int]) -> str:
    """Lists what an attack did."""
    return ", ".join(f"{count:,} {name}" for name, count in figures.items())


@dataclass(frozen=True)
class Plan:
    """How strong an attack is, and what it may cost."""

    name: str
    rate: float
    addresses: int
    # The work of all nodes for a hostile message, in times of their work for an honest one.
    work: float
    counted: tuple[str, ...]


@dataclass(frozen=True)
class Siege:
    """An attack on a crowd that is under way."""

    plan: Plan
    crowd: Crowd
    attacker: Attacker
    usual: float
    watch: Watch

    def judge(self, figures: dict[str, int], talked: list[Sent]) -> str:
        """Checks what must hold after each attack, and tells what was seen."""
        count = sum(figures[name] for name in self.plan.counted)
        work = self.watch.check_work(count, self.usual, TALK_RATE, self.plan.work)
        self.crowd.receive("under attack")
        seen = [work, delays(talked), self.watch.check_links(), self.watch.check_memory(MEMORY_LIMIT)]
        serve_on(self.crowd)
        return "; ".join(seen)


def besiege(stage: Stage, plan: Plan, crowd: Crowd, names: tuple[str, ...]) -> Siege:
    """Has nodes meet and talk in peace, and begins an attack on them."""
    attacker = stage.attacker(plan.name, len(names), plan.rate, plan.addresses)
    crowd.start(*names)
    crowd.meet()
    attacker.ready()
    usual = usual_work(crowd)
    siege = Siege(plan, crowd, attacker, usual, Watch(crowd))
    attacker.begin()
    return siege


def attacked(stage: Stage, plan: Plan) -> tuple[dict[str, int], str]:
    """Has four nodes talk before, during and after an attack; returns its figures and what was seen."""
    siege = besiege(stage, plan, stage.crowd(), NAMES)
    talked = siege.crowd.talk(ATTACK_SECONDS, TALK_RATE)
    figures = siege.attacker.end()
    return figures, siege.judge(figures, talked)


def usual_work(crowd: Crowd) -> float:
    """Returns the processors that the nodes use while they talk in peace."""
    watch = Watch(crowd)
    crowd.talk(USUAL_SECONDS, TALK_RATE)
    return watch.used() / USUAL_SECONDS


def serve_on(crowd: Crowd) -> None:
    """Checks that all nodes answer, and that all pairs write to each other after an attack."""
    for node in crowd.running:
        node.call("status")
    crowd.talk(1, TALK_RATE)
    crowd.receive("after the attack")
