"""All messages of a run, and the comparison with what is shown."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

ACCEPTED, UNKNOWN, REFUSED = "accepted", "unknown", "refused"


@dataclass(eq=False)
class Talk:
    """A conversation."""

    kind: str
    title: str
    members: list[str]
    id: str = ""
    # These come and go, so what they are shown of a group is checked for doubles alone.
    guests: list[str] = field(default_factory=list)
    owner: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.title or ' and '.join(self.members)}"


@dataclass(eq=False)
class Letter:
    """A message that somebody tried to send."""

    number: int
    author: str
    talk: Talk
    text: str
    state: str
    id: str = ""
    at: float = 0.0
    # Those who may lack it, as its author may have lost it, or they had it and lost it with an earlier copy.
    excused: set[str] = field(default_factory=set)
    certain: tuple[str, ...] = ()

    def __str__(self) -> str:
        state = f"{self.state} after {self.at:.0f} s, id {self.id}"
        return f"message {self.number} of {self.author} in {self.talk} ({state})"


class Ledger:
    """The messages of a run, and what an earlier copy of a data directory has taken away."""

    def __init__(self) -> None:
        self.letters: list[Letter] = []
        self.by_text: dict[str, Letter] = {}

    def note(self, letter: Letter) -> Letter:
        self.letters.append(letter)
        self.by_text[letter.text] = letter
        return letter

    def count(self, state: str) -> int:
        return sum(letter.state == state for letter in self.letters)

    def excuse(self, person: str, texts: set[str]) -> int:
        """Notes that a person has lost these messages with the state of their data directory; returns their number."""
        for text in texts:
            letter = self.by_text.get(text)
            if letter is None:
                continue
            letter.excused |= {person} if letter.author != person else {person, *letter.certain}
        return len(texts)

    def faults(self, shown: dict[str, list[dict]], is_over: bool) -> list[str]:
        """Returns all that is wrong with what people are shown; what is only missing counts once all is over."""
        found: list[str] = []
        counts: dict[str, dict[str, list[dict]]] = {}
        for person, messages in shown.items():
            counts[person] = defaultdict(list)
            for one in messages:
                if one["kind"] != "system":
                    counts[person][one["text"]].append(one)
            found += self._strange(person, counts[person])
        for letter in self.letters:
            for person in shown:
                found += _fault(letter, person, counts[person].get(letter.text, []), is_over)
        return found

    def _strange(self, person: str, texts: dict[str, list[dict]]) -> list[str]:
        """Returns what a person is shown that nobody sent, or not there."""
        found = []
        for text, messages in texts.items():
            letter = self.by_text.get(text)
            if letter is None:
                found.append(f"{person} is shown what nobody sent: {text[:60]!r}")
            elif person not in (letter.author, *letter.talk.members, *letter.talk.guests):
                found.append(f"{person} is shown what is not theirs: {letter}")
            found += [f"{person} is shown a message of the wrong sender: {letter}" for one in messages
                      if letter and one.get("author", letter.author) != letter.author]
        return found


def _fault(letter: Letter, person: str, messages: list[dict], is_over: bool) -> list[str]:
    """Returns what is wrong with one message at one person."""
    if len(messages) > 1:
        return [f"{person} is shown {len(messages)} times: {letter}"]
    if messages and letter.state == REFUSED:
        return [f"{person} is shown what was refused: {letter}"]
    is_due = letter.state == ACCEPTED and person not in letter.excused
    if is_over and not messages and is_due and person in (letter.author, *letter.certain):
        return [f"{person} is not shown: {letter}"]
    return []
