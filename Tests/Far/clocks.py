"""The scene of islands whose clocks are wrong."""

from __future__ import annotations

import time

from faketime import DAY, HOUR
from meeting import acquaint
from outpost import Outpost
from post import Letter, Post
from stage import Stage

EARLY, LATE = ("Chloris", "Charis"), ("Daphne", "Dione")
APART = 23 * HOUR
# The time that a message may take here, and by which the difference of its two times may be wrong.
TOLERANCE = 120.0
UNAVAILABLE = 69
TIME = "in another time"


def differ(stage: Stage) -> str:
    """Mail crosses between islands whose clocks are 23 h apart, with the hub's clock in the middle.

    A gateway whose clock is as far from that of the hub says so. People write meanwhile too: all of it has crossed once
    the clocks are set right.
    """
    post, behind = Post(), _behind()
    early, late = Outpost(stage, 11, EARLY, behind), Outpost(stage, 12, LATE, behind)
    for island in (early, late):
        island.start()
    for island in (early, late):
        island.live()
    for reader, author in zip(early.people, late.people):
        acquaint(stage, post, reader, author)
    letters = _exchange(stage, post, early, late, behind + APART)
    delays = post.delays(letters)
    assert all(abs(abs(delay) - APART) < TOLERANCE for delay in delays), f"the clocks are not 23 h apart: {delays}"
    advice, unsent = _stray(stage, post, early, late)
    begin = time.monotonic()
    for island in (early, late):
        island.set_clock(0)
    for island in (early, late):
        island.live()
    stage.arrived(letters + unsent)
    stage.confirmed(people=early.people + late.people)
    took = time.monotonic() - begin
    assert late.gateway.finding() is None, f"the clocks are right, and the finding is {late.gateway.finding()}"
    for island in (early, late):
        island.stop()
    return f"{len(letters)} messages of another day; `{advice}`; {len(unsent)} messages of that time, all there and " \
        f"confirmed {took:.1f} s after the clocks were set"


def _behind() -> float:
    """Returns a difference from the right clock with which it is far from midnight, and another day 23 h later.

    Around midnight nodes watch for mail of both days all the time.
    """
    ahead = -APART / 2
    return ahead if 3 * HOUR < (time.time() + ahead) % DAY < 22 * HOUR else ahead - 5 * HOUR


def _exchange(stage: Stage, post: Post, early: Outpost, late: Outpost, ahead: float) -> list[Letter]:
    """Has the clock of the late island set, and people write in both directions.

    Nodes ask for mail of another day at their start, and every quarter of an hour.
    """
    late.stop()
    there = early.store(post, late, TIME)
    early.stop()
    late.set_clock(ahead)
    late.live()
    stage.arrived(there)
    back = late.store(post, early, TIME)
    early.start()
    early.live()
    stage.arrived(back)
    stage.confirmed(people=early.people)
    late.stop()
    late.start()
    late.live()
    stage.confirmed(people=late.people)
    return there + back


def _stray(stage: Stage, post: Post, early: Outpost, late: Outpost) -> tuple[str, list[Letter]]:
    """Sets the late island's clock 23 h ahead of the hub's; returns the finding, and what people write meanwhile."""
    gateway = late.gateway
    late.set_clock(APART)
    stage.until(lambda: (gateway.finding() or "").startswith("hubClock: "), "the finding hubClock")
    advice = (gateway.finding() or "").split(": ", 1)[1]
    assert advice.startswith("The clocks of this machine and of ") and " differ by 23 h." in advice, advice
    assert advice in gateway.run("status"), "`status` does not show it"
    status, output = gateway.check_hub(gateway.options[1], stage.authority)
    assert status == UNAVAILABLE and " differ by 23 h." in output, f"`hub check`: {status}, {output}"
    return advice, early.write(post, late, TIME) + late.write(post, early, TIME)
