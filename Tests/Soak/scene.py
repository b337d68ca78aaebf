"""The twelve people, their fifty conversations, and all that is known of them from outside."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import beginning  # noqa: F401
import faketime
from land import Land
from ledger import ACCEPTED, REFUSED, UNKNOWN, Ledger, Letter, Talk
from node import NodeError
from person import Person, Refusal, Silence
from words import PEOPLE, Words

# The fifth and the ninth person stand on two segments; without them the land is in three parts.
HOUSES = ["west"] * 4 + ["west middle"] + ["middle"] * 3 + ["middle east"] + ["east"] * 3
GROUPS, ROOMS, TALKS = 7, 1, 50
PATIENCE = 120.0
ROOM_SECONDS = 30 * 86_400
DISK_MEGABYTES, DISK_MEGABYTES_PER_MINUTE = 64, 4


class Scene:
    """All that runs for the test."""

    def __init__(self, land: Land, program: str, folder: Path, rng: random.Random, minutes: float) -> None:
        self.land, self.program, self.folder, self.rng, self.minutes = land, program, folder, rng, minutes
        self.ledger, self.words = Ledger(), Words(rng)
        self.people: dict[str, Person] = {}
        self.talks: list[Talk] = []
        self.ids: dict[str, str] = {}
        self.started = time.monotonic()
        self.diary: list[str] = []
        self.has_recording = False

    @property
    def now(self) -> float:
        return time.monotonic() - self.started

    def note(self, text: str) -> None:
        self.diary.append(f"{self.now:7.1f} s  {text}")

    # Building

    def build(self) -> None:
        """Makes the hosts and the data directories, and starts the recording and all nodes."""
        self.land.build()
        has_clock = faketime.library() is not None
        size = DISK_MEGABYTES + int(DISK_MEGABYTES_PER_MINUTE * self.minutes)
        for place, (name, house) in enumerate(zip(PEOPLE, HOUSES)):
            devices = self.land.house(name.lower(), *house.split())
            self.people[name] = Person(self.land, self.program, self.folder, name,
                                       has_clock=has_clock and place % 2 == 1, megabytes=size if place % 4 == 2 else 0)
            self.people[name].devices = devices
            self.ids[self.people[name].id] = name
        self.has_recording = self.land.record(self.folder)
        for person in self.people.values():
            person.begin()

    def meet(self) -> None:
        """Has all people accept each other, and makes fifty conversations."""
        everybody = list(self.people.values())
        self.until(lambda: all(len(one.call("contacts")) == len(everybody) - 1 for one in everybody), "all contacts")
        for one in everybody:
            for other in everybody:
                if one is not other:
                    one.call("trust", peer=other.id, action="accept")
        for _ in range(GROUPS):
            self._make_group()
        self._make_room()
        pairs = self.rng.sample(list(combinations(PEOPLE, 2)), TALKS - GROUPS - ROOMS)
        self.talks += [Talk("direct", "", list(pair)) for pair in pairs]
        for talk in self.talks:
            for author in talk.members:
                self.send(author, talk)
        self.until(lambda: not self.ledger.faults(self.shown(), True), "the first messages", PATIENCE, 1.0,
                   lambda: self.ledger.faults(self.shown(), True))

    def _make_group(self) -> None:
        people = self.rng.sample(PEOPLE, self.rng.randint(4, 8))
        owner, guest, members = people[0], people[-1], people[:-1]
        talk = Talk("group", self.words.title("Group"), members, guests=[guest], owner=owner)
        others = [self.people[name].id for name in members[1:]]
        talk.id = self.people[owner].call("group.create", title=talk.title, members=others)["id"]
        self.talks.append(talk)
        self.until(lambda: all(self.group(name, talk).get("standing") == "member" for name in members), f"the {talk}")

    def _make_room(self) -> None:
        host, *others = self.rng.sample(PEOPLE, 6)
        talk = Talk("room", self.words.title("Room"), [host, *others], owner=host)
        made = self.people[host].call("room.create", title=talk.title, name=host, expiresAfter=ROOM_SECONDS)
        talk.id = made["room"]
        self.talks.append(talk)
        for name in others:
            self._join(name, made["code"])
        rooms = {name: self.room(name, talk) for name in talk.members}
        self.ids |= {rooms[name]["own"]: name for name in talk.members}
        self.until(lambda: all(len(self.room(name, talk)["members"]) == len(talk.members) for name in talk.members),
                   f"the {talk}")

    def _join(self, name: str, code: str) -> None:
        """Joins a room; its announcement may not have come yet."""
        def joins() -> bool:
            try:
                self.people[name].ask_apart("room.join", code=code, name=name)
            except Refusal:
                return False
            return True
        self.until(joins, f"{name} in the room")

    # Sending

    def send(self, author: str, talk: Talk, text: str | None = None) -> Letter:
        """Tries to send a message, and notes what the node says to it."""
        number = len(self.ledger.letters)
        text = text or self.words.text(number)
        letter = Letter(number, author, talk, text, UNKNOWN, at=self.now,
                        certain=tuple(name for name in talk.members if name != author))
        person = self.people[author]
        try:
            letter.id = person.ask("send", to=self.address(author, talk), text=text)["message"]
            letter.state = ACCEPTED
        except Refusal as error:
            letter.state = REFUSED
            assert person.disk and person.disk.is_full or author in talk.guests, f"{letter}: {error}"
        except Silence as error:
            self.check_processes()
            raise AssertionError(f"{letter}: {error}") from error
        return self.ledger.note(letter)

    def address(self, author: str, talk: Talk) -> str:
        if talk.kind != "direct":
            return talk.id
        return self.people[next(name for name in talk.members if name != author)].id

    # Looking

    def group(self, name: str, talk: Talk) -> dict:
        """Returns what a person knows of a group, or nothing."""
        return next((one for one in self.people[name].call("groups") if one["id"] == talk.id), {})

    def room(self, name: str, talk: Talk) -> dict:
        return next((one for one in self.people[name].call("rooms") if one["id"] == talk.id), {})

    def shown(self) -> dict[str, list[dict]]:
        """Returns all that is shown to the people whose nodes run."""
        return {name: self.named(one.messages()) for name, one in self.people.items() if one.is_running}

    def named(self, messages: list[dict]) -> list[dict]:
        """Adds the names of the authors to messages."""
        return [one | {"author": self.ids.get(one["from"], one["from"])} for one in messages]

    def houses(self) -> list[tuple[Person, str]]:
        return list(zip(self.people.values(), HOUSES))

    # Waiting

    def until(self, holds: Callable[[], bool], what: str, seconds: float = PATIENCE, every: float = 0.2,
              why: Callable[[], object] = str) -> None:
        """Waits until something holds; a process that ends by itself ends the run."""
        end = time.monotonic() + seconds
        while not holds():
            self.check_processes()
            assert time.monotonic() < end, f"{what} did not happen within {seconds:.0f} s: {why()}"
            time.sleep(every)

    def check_processes(self) -> None:
        for person in self.people.values():
            assert not person.is_crashed(), f"{person.name}'s node ended by itself with {person.process.returncode}"

    # Ending

    def heal(self) -> None:
        """Mends all cables, empties all disks, starts all nodes, and sets the clocks right.

        A clock that went ahead before an earlier copy was put back stays there: a group needs five minutes between a
        data directory and its earlier copy.
        """
        for person in self.people.values():
            for device in person.devices:
                self.mend(person, device)
                self.land.keep(person.host, device)
            if person.disk:
                person.disk.clear()
            if person.clock_path and not person.was_restored:
                person.set_clock(0.0)
            if not person.is_running:
                person.begin()

    def cut(self, person: Person, device: str) -> None:
        if device not in person.cut:
            person.cut.add(device)
            self.land.cut(person.host, device)

    def mend(self, person: Person, device: str) -> None:
        if device in person.cut:
            person.cut.discard(device)
            self.land.mend(person.host, device)

    def finish(self) -> list[str]:
        """Ends all that runs; returns what went wrong with that."""
        failures = []
        for person in self.people.values():
            try:
                person.stop()
            except (NodeError, OSError) as error:
                failures.append(str(error))
        self.land.stop_recording()
        return failures

    def clean(self) -> None:
        """Removes the disks, whatever went before."""
        for person in self.people.values():
            person.kill()
            if person.disk:
                person.disk.remove()
