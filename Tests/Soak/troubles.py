"""The troubles of a run, at random by its seed."""

from __future__ import annotations

import heapq
import random
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ledger import UNKNOWN, Letter, Talk
from person import Person, Refusal, Silence
from scene import Scene
from watch import Watch

MESSAGES_PER_SECOND = 6.0
TROUBLE_SECONDS = 1.2
SHORTEST, LONGEST = 2.0, 15.0
LOSSES = (5, 10, 20, 40)
# Clocks may differ by a day (PROTOCOL, clockSkewHours), so that no two of these do.
JUMP_LIMIT = 8 * 3_600.0
# A data directory and its earlier copy must not begin to write to a group within the same five minutes.
RUN_SECONDS = 300.0
# An owner asks its members for operations that it lost, and goes on after 45 s without an answer.
CALM_SECONDS = 60.0


@dataclass
class Copy:
    """An earlier copy of a data directory, and the texts that were shown in it."""

    place: Path
    texts: set[str]
    epochs: dict[str, int]


class Troubles:
    """The troubles that are under way, and those to come."""

    def __init__(self, scene: Scene, watch: Watch) -> None:
        self.scene, self.watch = scene, watch
        # The order of troubles follows from the seed, however many messages there are meanwhile.
        self.rng = random.Random(scene.rng.random())
        self.later: list[tuple[float, int, Callable[[], None]]] = []
        self.counts: Counter[str] = Counter()
        self.copies: dict[str, list[Copy]] = {}
        self.calm_until = 0.0
        self.pool = ThreadPoolExecutor(8)
        self.asked: list[tuple[str, Future]] = []
        self.kinds: list[tuple[int, str, Callable[[], str | None]]] = [
            (4, "cut", self._cut), (2, "parting", self._part), (4, "loss", self._lose), (4, "kill", self._kill),
            (2, "restart", self._restart), (3, "clock jump", self._jump), (2, "full disk", self._fill),
            (2, "copy", self._copy), (2, "restore", self._restore), (4, "operation", self._operate),
        ]

    def run(self, seconds: float) -> None:
        """Has people write to each other in all troubles."""
        end = time.monotonic() + seconds
        sending = trouble = time.monotonic()
        while (now := time.monotonic()) < end:
            self.scene.check_processes()
            self._due(now)
            if now >= trouble:
                self._begin()
                trouble = now + self.rng.uniform(0.5, 1.5) * TROUBLE_SECONDS
            if now >= sending:
                self._talk()
                sending = max(sending + 1 / MESSAGES_PER_SECOND, now - 1.0)
            self.watch.look()
            time.sleep(0.01)

    def end(self) -> None:
        """Ends all troubles, and waits for all that was asked."""
        self.scene.heal()
        self.later.clear()
        for what, future in self.asked:
            self._answered(what, future)
        self.pool.shutdown()

    def _due(self, now: float) -> None:
        while self.later and self.later[0][0] <= now:
            heapq.heappop(self.later)[2]()
        for one in [one for one in self.asked if one[1].done()]:
            self.asked.remove(one)
            self._answered(*one)

    def _after(self, seconds: float, act: Callable[[], None]) -> None:
        heapq.heappush(self.later, (time.monotonic() + seconds, self.rng.getrandbits(40), act))

    def _begin(self) -> None:
        weights = [weight for weight, _, _ in self.kinds]
        _, name, begin = self.rng.choices(self.kinds, weights)[0]
        is_calm = time.monotonic() < self.calm_until
        if is_calm and name not in ("loss", "clock jump", "operation"):
            return
        if what := begin():
            self.counts[name] += 1
            self.scene.note(f"{name}: {what}")

    # Talk

    def _talk(self) -> None:
        talk = self.scene.rng.choice(self.scene.talks)
        author = self.scene.rng.choice(talk.members)
        person = self.scene.people[author]
        # Without a clock that goes ahead a restored data directory must not write to groups for five minutes.
        if person.is_running:
            self.scene.send(author, talk)

    def _running(self) -> list[Person]:
        return [one for one in self.scene.people.values() if one.is_running]

    def _pick(self, people: list[Person]) -> Person | None:
        return self.rng.choice(people) if people else None

    def _while(self) -> float:
        return self.rng.uniform(SHORTEST, LONGEST)

    # Network

    def _cut(self) -> str | None:
        person = self._pick([one for one in self.scene.people.values() if not one.cut])
        return self._cut_at(person, self.rng.choice(person.devices)) if person else None

    def _part(self) -> str | None:
        """Cuts one of the two hosts that join the segments."""
        person = self._pick([one for one in self.scene.people.values() if len(one.devices) > 1 and not one.cut])
        return self._cut_at(person, person.devices[1]) if person else None

    def _cut_at(self, person: Person, device: str) -> str:
        seconds = self._while()
        self.scene.cut(person, device)
        self._after(seconds, lambda: self.scene.mend(person, device))
        return f"{person.name} at {device} for {seconds:.0f} s"

    def _lose(self) -> str | None:
        person = self.rng.choice(list(self.scene.people.values()))
        device, percent, seconds = self.rng.choice(person.devices), self.rng.choice(LOSSES), self._while()
        if device in person.lossy:
            return None
        person.lossy.add(device)
        self.scene.land.lose(person.host, device, percent)
        self._after(seconds, lambda: self._keep(person, device))
        return f"{percent} % of what {person.name} sends at {device} for {seconds:.0f} s"

    def _keep(self, person: Person, device: str) -> None:
        person.lossy.discard(device)
        self.scene.land.keep(person.host, device)

    # Processes

    def _kill(self) -> str | None:
        person = self._pick(self._running())
        if person is None:
            return None
        is_writing = self.rng.random() < 0.5
        if is_writing:
            self._write_last(person)
        person.kill()
        seconds = self.rng.uniform(0, LONGEST / 2)
        self._after(seconds, lambda: self._start(person))
        return f"{person.name}{' while it writes' if is_writing else ''}, for {seconds:.0f} s"

    def _write_last(self, person: Person) -> None:
        """Has a person write something without an answer: it was taken or not."""
        talks = [one for one in self.scene.talks if person.name in one.members]
        talk = self.rng.choice(talks)
        number = len(self.scene.ledger.letters)
        letter = Letter(number, person.name, talk, self.scene.words.text(number), UNKNOWN, at=self.scene.now)
        self.scene.ledger.note(letter)
        person.shout("send", to=self.scene.address(person.name, talk), text=letter.text)

    def _start(self, person: Person) -> None:
        if person.is_running:
            return
        # No node starts on a full disk: the file that tells it from others is written first.
        if person.disk and person.disk.is_full:
            person.disk.clear()
        person.begin()

    def _restart(self) -> str | None:
        person = self._pick(self._running())
        if person is None:
            return None
        person.stop()
        seconds = self.rng.uniform(0, LONGEST)
        self._after(seconds, lambda: self._start(person))
        return f"{person.name} for {seconds:.0f} s"

    # Clock and disk

    def _jump(self) -> str | None:
        person = self._pick([one for one in self.scene.people.values() if one.clock_path])
        if person is None:
            return None
        least = person.ahead if person.was_restored else -JUMP_LIMIT
        if least >= JUMP_LIMIT:
            return None
        person.set_clock(self.rng.uniform(least, JUMP_LIMIT))
        return f"{person.name} has the clock {person.ahead / 3600:+.1f} h ahead"

    def _fill(self) -> str | None:
        person = self._pick([one for one in self.scene.people.values() if one.disk and not one.disk.is_full])
        if person is None or person.disk is None:
            return None
        seconds = self._while()
        person.disk.fill()
        self._after(seconds, person.disk.clear)
        return f"{person.name} for {seconds:.0f} s"

    # Copies

    def _copy(self) -> str | None:
        person = self._pick([one for one in self._running() if one.clock_path and not (one.disk and one.disk.is_full)])
        if person is None:
            return None
        epochs = self._epochs(person)
        person.stop()
        texts = {one["text"] for one in person.alone()}
        copies = self.copies.setdefault(person.name, [])
        place = self.scene.folder / f"copy-{person.host}-{len(copies)}"
        person.copy_home(place)
        copies.append(Copy(place, texts, epochs))
        person.begin()
        return f"of {person.name} with {len(texts)} texts"

    def _restore(self) -> str | None:
        """Puts an earlier copy back, with the clock ahead as after a while."""
        person = self._pick([one for one in self._running() if one.name in self.copies])
        if person is None or person.disk and person.disk.is_full:
            return None
        copy = self.rng.choice(self.copies[person.name])
        lost_operations = any(copy.epochs.get(id, 0) < epoch for id, epoch in self._epochs(person).items())
        person.stop()
        lost = {one["text"] for one in person.alone()} - copy.texts
        self.scene.ledger.excuse(person.name, lost)
        person.restore_home(copy.place)
        person.was_restored = True
        person.set_clock(person.highest + RUN_SECONDS * (person.starts + 2))
        person.begin()
        if lost_operations:
            self._calm()
            for talk in self._owned(person):
                self._ask(person, "group.rename", group=talk.id, title=self.scene.words.title("Restored"))
        return f"{person.name} loses {len(lost)} texts{', and operations' if lost_operations else ''}"

    def _calm(self) -> None:
        """Mends the network, so that an owner can learn of the operations that it lost."""
        self.calm_until = time.monotonic() + CALM_SECONDS
        for person in self.scene.people.values():
            for device in list(person.cut):
                self.scene.mend(person, device)
            if not person.is_running:
                self._start(person)

    def _epochs(self, person: Person) -> dict[str, int]:
        """Returns the epochs of the groups that a person owns."""
        return {one["id"]: one["epoch"] for one in person.call("groups") if one.get("owner") == person.id}

    def _owned(self, person: Person) -> list[Talk]:
        return [talk for talk in self.scene.talks if talk.kind == "group" and talk.owner == person.name]

    # Groups

    def _operate(self) -> str | None:
        talk = self.rng.choice([one for one in self.scene.talks if one.kind == "group"])
        owner = self.scene.people[talk.owner]
        if not owner.is_running:
            return None
        what = self.rng.choice(("rename", "history", "admin", "guest"))
        if what == "rename":
            return self._ask(owner, "group.rename", group=talk.id, title=self.scene.words.title("Renamed"))
        if what == "history":
            return self._ask(owner, "group.history", group=talk.id, history=self.rng.choice(("none", "last:5")))
        if what == "admin":
            member = self.scene.people[self.rng.choice(talk.members[1:])].id
            return self._ask(owner, "group.admin", group=talk.id, member=member, admin=self.rng.random() < 0.5)
        guest = self.scene.people[talk.guests[0]].id
        if self.rng.random() < 0.5:
            return self._ask(owner, "group.add", group=talk.id, members=[guest])
        return self._ask(owner, "group.remove", group=talk.id, member=guest)

    def _ask(self, person: Person, method: str, **params: object) -> str:
        what = f"{person.name}, {method}"
        self.asked.append((what, self.pool.submit(person.ask_apart, method, **params)))
        return what

    def _answered(self, what: str, future: Future) -> None:
        try:
            future.result()
        except Refusal as error:
            self.counts["refused operation"] += 1
            self.scene.note(f"{what} was refused: {error}")
        except Silence:
            self.counts["operation without answer"] += 1
