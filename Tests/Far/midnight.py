"""The scene of two islands whose clocks pass midnight UTC, the end of the day of all mailboxes."""

from __future__ import annotations

import json
import time

import store
from faketime import DAY
from meeting import acquaint
from node import Node
from outpost import Outpost
from post import Letter, Post, told
from stage import Stage

FIRST, SECOND = ("Erato",), ("Galene",)
# The second island passes midnight so much earlier.
SKEW = 2.0
MEETING_SECONDS, AFTER_SECONDS, LEAST_LEAD, PAUSE = 600.0, 2.0, 4.0, 0.1
# Two directions have a mailbox each on two days. Other mailboxes get less than half of their mail meanwhile.
MAILBOX_COUNT = 4


def cross(stage: Stage) -> str:
    """Mail flows on while one island is in another day than the other for a moment, and then both are in a new one."""
    post, ahead = Post(), _ahead()
    islands = [Outpost(stage, number, names, ahead + skew)
               for number, names, skew in ((13, FIRST, 0.0), (14, SECOND, SKEW))]
    begin = time.monotonic()
    for island in islands:
        island.start()
    for island in islands:
        island.live()
    took = time.monotonic() - begin
    one, other = (island.gateway for island in islands)
    acquaint(stage, post, one, other)
    # Nodes that start slowly get more time before midnight.
    lead = LEAST_LEAD + SKEW + 3 * took
    ahead += DAY - (time.time() + ahead) % DAY - lead
    midnight = time.time() + lead
    for island, skew in zip(islands, (0.0, SKEW)):
        island.set_clock(ahead + skew)
    for island in islands:
        island.live()
    before = _counts(stage)
    letters: list[Letter] = []
    while time.time() < midnight + AFTER_SECONDS:
        for author, reader in ((one, other), (other, one)):
            letters.append(post.send(author, reader, f"letter {len(letters)} around midnight"))
        stage.check_processes()
        time.sleep(PAUSE)
    stage.arrived(letters)
    stage.confirmed(people=[one, other])
    days = {author.name: _days(letters, author.history(reader.id)) for author, reader in ((one, other), (other, one))}
    assert all(min(counts) > 0 and len(counts) == 2 for counts in days.values()), f"messages of each day: {days}"
    least = min(min(counts) for counts in days.values()) // 2
    grown = [subject for subject, count in _counts(stage).items() if count > before.get(subject, 0) + least]
    assert len(grown) == MAILBOX_COUNT, f"{len(grown)} mailboxes were used, not {MAILBOX_COUNT}"
    times = told(_delays(post, letters, one))
    for island in islands:
        island.stop()
    return f"{days} messages before and after it, in {len(grown)} mailboxes, {times}"


def _ahead() -> float:
    """Returns by how much a clock is to be ahead, or behind, so that it is midnight soon after the meeting."""
    left = DAY - time.time() % DAY - MEETING_SECONDS
    return left if left <= DAY / 2 else left - DAY


def _days(letters: list[Letter], history: list[dict]) -> list[int]:
    """Returns how many of these messages were sent on each day, by the clock of their author."""
    ids = {letter.id for letter in letters}
    days = sorted(one["sentAt"][:10] for one in history if one["id"] in ids and one["outgoing"])
    return [days.count(day) for day in sorted(set(days))]


def _delays(post: Post, letters: list[Letter], one: Node) -> list[float]:
    """Returns the delays of these messages, as equal clocks would show them."""
    there = post.delays([letter for letter in letters if letter.author is one])
    back = post.delays([letter for letter in letters if letter.author is not one])
    return sorted([delay - SKEW for delay in there] + [delay + SKEW for delay in back])


def _counts(stage: Stage) -> dict[str, int]:
    """Returns how much mail lies in each mailbox."""
    with stage.admin() as admin:
        state = admin.request(store.INFO, json.dumps({"subjects_filter": "e.>"}).encode())["state"]
        return state.get("subjects") or {}
