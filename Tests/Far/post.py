"""The messages of the test, and the checks that each of them arrived once, and in the order of its author."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime

from node import Node

GROUP = "Argonauts of the harbour"


@dataclass(frozen=True)
class Letter:
    """A message that its author's node has taken."""

    author: Node
    readers: tuple[Node, ...]
    group: bool
    text: str
    id: str


class Post:
    """All messages that were sent."""

    def __init__(self) -> None:
        self.letters: list[Letter] = []

    def send(self, author: Node, reader: Node, text: str) -> Letter:
        """Sends a text to one person."""
        sent = author.call("send", to=reader.id, text=text)
        return self.note(author, (reader,), text, sent["message"])

    def send_group(self, author: Node, readers: list[Node], text: str) -> Letter:
        """Sends a text to the group."""
        sent = author.call("send", to=f"group:{GROUP}", text=text)
        return self.note(author, tuple(readers), text, sent["message"], group=True)

    def note(self, author: Node, readers: tuple[Node, ...], text: str, id: str, group: bool = False) -> Letter:
        """Notes a message that was sent otherwise."""
        self.letters.append(Letter(author, readers, group, text, id))
        return self.letters[-1]

    def faults(self, letters: list[Letter], whole: bool = True, in_order: bool = True) -> list[str]:
        """Returns all that is wrong with how these messages arrived.

        `whole` is false while some may still be on their way: then missing ones are no fault.
        """
        found = []
        for (reader, author, group), those in _by_way(letters).items():
            fault = _fault([one.text for one in those], self._read(reader, author, group, those), whole, in_order)
            if fault:
                found.append(f"{author.name} to {reader.name}{' in the group' if group else ''}: {fault}")
        return found

    def disorder(self, letters: list[Letter]) -> int:
        """Returns how many of these messages stand behind a later one of their author."""
        count = 0
        for (reader, author, group), those in _by_way(letters).items():
            places = {one.text: place for place, one in enumerate(those)}
            last = -1
            for text in self._read(reader, author, group, those):
                count += places[text] < last
                last = max(last, places[text])
        return count

    def _read(self, reader: Node, author: Node, group: bool, letters: list[Letter]) -> list[str]:
        """Returns the texts among these that a reader has from an author, as often as they are there."""
        wanted = {one.text for one in letters}
        history = reader.history(f"group:{GROUP}" if group else author.id)
        return [one["text"] for one in history if one["from"] == author.id and one["text"] in wanted]

    def delays(self, letters: list[Letter]) -> list[float]:
        """Returns for each reader of these messages the seconds from sending to receipt, the shortest first."""
        return sorted(_time(one["receivedAt"]) - _time(one["sentAt"]) for one in self._arrivals(letters))

    def first_time(self, letters: list[Letter]) -> float:
        """Returns the time at which the first of these messages arrived."""
        return min(_time(one["receivedAt"]) for one in self._arrivals(letters))

    def _arrivals(self, letters: list[Letter]) -> list[dict]:
        """Returns these messages as their readers have them."""
        wanted = {one.id for one in letters}
        found = []
        for reader, author, group in _by_way(letters):
            history = reader.history(f"group:{GROUP}" if group else author.id)
            found += [one for one in history if one["id"] in wanted and one["from"] == author.id]
        return found

    def edit(self, letter: Letter, text: str) -> None:
        """Notes that the text of a message is another from now on."""
        self.letters[self.letters.index(letter)] = replace(letter, text=text)


def _time(text: str) -> float:
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def _by_way(letters: list[Letter]) -> dict[tuple[Node, Node, bool], list[Letter]]:
    """Sorts messages by reader and author, and by whether they went to the group."""
    found: dict[tuple[Node, Node, bool], list[Letter]] = defaultdict(list)
    for letter in letters:
        for reader in letter.readers:
            found[reader, letter.author, letter.group].append(letter)
    return found


def _fault(sent: list[str], read: list[str], whole: bool, in_order: bool = True) -> str | None:
    """Compares the texts of one author with those that one reader has."""
    twice = sorted({text for text in read if read.count(text) > 1})
    if twice:
        return f"{len(twice)} twice: {twice[:3]}"
    missing = [text for text in sent if text not in read]
    if missing and whole:
        return f"{len(missing)} of {len(sent)} missing: {missing[:3]}"
    there = [text for text in sent if text in read]
    if in_order and read != there:
        place = next(place for place, (one, other) in enumerate(zip(read, there)) if one != other)
        return f"not in the order of the author: {read[place:place + 3]} instead of {there[place:place + 3]}"
    return None


def told(times: list[float], median_bar: float = math.inf, late_bar: float = math.inf) -> str:
    """Describes delays, and whether their median or the 99th of a hundred is above a bar."""
    median, late = statistics.median(times), times[min(len(times) - 1, int(len(times) * 0.99))]
    is_above = median >= median_bar or late >= late_bar
    bars = f", ABOVE THE BAR of {median_bar * 1000:.0f} and {late_bar * 1000:.0f} ms" if is_above else ""
    return f"p50 {median * 1000:.0f} ms, p99 {late * 1000:.0f} ms{bars}"
