"""The checks at the end of a run: all that must hold, whatever went before."""

from __future__ import annotations

import json
import re

from ledger import ACCEPTED, Talk
from scene import Scene

# Some things take an hour by the protocol; what must come after a quiet end comes much sooner.
QUIET_SECONDS = 420.0
# Somebody whose data directory is an earlier copy begins a new session with a contact once they hear the contact's next
# prekey bundle, within 26 h at the latest (SECURITY.md). A new nickname makes a new one at once (PROTOCOL §6).
BUNDLE_SECONDS, BUNDLE_LIMIT = 40.0, 3
GROUP_FIELDS = ("title", "owner", "epoch", "frozen", "history")
CRASH = re.compile(r"Fatal error|Crash|crashed|Precondition|assertion|overflow|out of (range|bounds|memory)|signal \d+|"
                   r"Segmentation|Illegal instruction|Sanitizer|Traceback|terminate called|core dumped", re.IGNORECASE)


class Quiet:
    """The end of a run, when nothing goes wrong any more."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.bundles, self.closed = 0, 0.0

    def close(self) -> None:
        """Has everybody write a last message in each conversation, and those who are in groups now."""
        self.closed = self.scene.now
        for talk in self.scene.talks:
            members = list(talk.members)
            if talk.kind == "group" and self._is_member(talk.guests[0], talk):
                members += talk.guests
            for author in members:
                letter = self.scene.send(author, talk)
                letter.certain = tuple(name for name in members if name != author)

    def _is_member(self, name: str, talk: Talk) -> bool:
        owner = self.scene.group(talk.owner, talk)
        return any(one["id"] == self.scene.people[name].id for one in owner["members"])

    def wait(self) -> float:
        """Waits until all messages are there and all groups agree; returns how long that took."""
        begin = self.scene.now
        self.scene.until(self._is_confirmed, "all receipts", QUIET_SECONDS, 0.5, self._explain)
        self.scene.until(lambda: not self.groups(), "the agreement of all groups", QUIET_SECONDS, 0.5, self.groups)
        self.scene.until(lambda: not self.messages(), "all messages", QUIET_SECONDS, 1.0, self._explain)
        return self.scene.now - begin

    def _is_confirmed(self) -> bool:
        """Returns whether no receipt is missing; contacts of people who were restored make new prekey bundles."""
        waiting = self.outboxes()
        if not waiting or not self.pending():
            return True
        restored = [one for one in self.scene.people.values() if one.was_restored]
        is_due = self.scene.now > self.closed + BUNDLE_SECONDS * (self.bundles + 1)
        if restored and is_due and self.bundles < BUNDLE_LIMIT:
            self.bundles += 1
            for name in waiting:
                self.scene.people[name].call("profile", name=f"{name} {self.bundles}")
        return False

    def _explain(self) -> str:
        return "\n".join([f"outboxes: {self.outboxes()}", *self.pending(), *self.messages()[:40], *self.groups()])

    def outboxes(self) -> dict[str, int]:
        """Returns how many messages miss a receipt at each person who misses some."""
        counts = {name: one.call("status")["outbox"] for name, one in self.scene.people.items()}
        return {name: count for name, count in counts.items() if count}

    def pending(self, with_lost: bool = False) -> list[str]:
        """Returns the receipts that authors miss, except those of people who left a group or lost the message.

        An author waits 7 days for a member who was removed, or whose data directory is an earlier copy of itself.
        """
        found = []
        for name, person in self.scene.people.items():
            waiting = [one for one in self.scene.named(person.messages()) if one["author"] == name
                       and one["kind"] != "system" and one["status"] not in ("delivered", "read")]
            for one in waiting:
                letter = self.scene.ledger.by_text.get(one["text"])
                for delivery in person.call("deliveries", message=one["id"]):
                    reader = self.scene.ids.get(delivery["recipient"], delivery["recipient"])
                    is_lost = letter and (reader in letter.excused or reader in letter.talk.guests)
                    if delivery["status"] not in ("delivered", "read") and (with_lost or not is_lost):
                        found.append(f"{name} has no receipt of {reader} ({delivery['status']}) for {letter}")
        return found

    def messages(self) -> list[str]:
        return self.scene.ledger.faults(self.scene.shown(), True)

    def groups(self) -> list[str]:
        """Returns the groups and the room that their members know differently."""
        found = []
        for talk in self.scene.talks:
            if talk.kind == "group":
                found += self._group(talk)
            elif talk.kind == "room":
                found += self._room(talk)
        return found

    def _group(self, talk: Talk) -> list[str]:
        names = list(talk.members) + [name for name in talk.guests if self._is_member(name, talk)]
        states = {name: self.scene.group(name, talk) for name in names}
        found = [f"{talk} is frozen at {name}" for name, state in states.items() if state.get("frozen")]
        found += [f"{talk}: {name} is {state.get('standing')}" for name, state in states.items()
                  if state.get("standing") != "member"]
        return found + _different(talk, {name: _alike(state) for name, state in states.items()})

    def _room(self, talk: Talk) -> list[str]:
        states = {name: self.scene.room(name, talk) for name in talk.members}
        fields = {name: {"title": state.get("title"), "host": state.get("host"),
                         "members": sorted(one["id"] for one in state.get("members", []))}
                  for name, state in states.items()}
        return _different(talk, fields)

    # After the end

    def histories(self) -> list[str]:
        """Checks the histories of running nodes."""
        found = []
        for name, person in self.scene.people.items():
            signs = person.call("history.check")["signs"]
            tampering = person.call("status")["tampering"]
            if signs or tampering:
                found.append(f"the history of {name} is not clean: {signs}, {tampering} signs at the start")
        return found

    def stopped_histories(self) -> list[str]:
        """Checks the histories once more after the nodes have ended, by the command."""
        found = []
        for name, person in self.scene.people.items():
            try:
                report = json.loads(person.run("--json", "history", "check"))
                if report["signs"]:
                    found.append(f"the history of {name} is not clean: {report['signs']}")
            except Exception as error:
                found.append(f"history check of {name}: {error}")
        return found

    def logs(self) -> list[str]:
        """Returns the lines of logs that tell of a crash."""
        found = []
        for name, person in self.scene.people.items():
            lines = person.log_path.read_text(errors="replace").splitlines() if person.log_path.exists() else []
            found += [f"the log of {name} says: {line[:300]}" for line in lines if CRASH.search(line)]
        return found


def _alike(state: dict) -> dict:
    """Returns what all members must know alike of a group."""
    alike = {field: state.get(field) for field in GROUP_FIELDS}
    alike["members"] = sorted((one["id"][:8], one["admin"], one["leaving"]) for one in state.get("members", []))
    return alike


def _different(talk: Talk, states: dict[str, dict]) -> list[str]:
    first = next(iter(states))
    return [f"{talk}: {name} knows {state}, and {first} {states[first]}" for name, state in states.items()
            if state != states[first]]
