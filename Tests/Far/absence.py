"""The scene of islands that are off for days, while the hub's mail grows too old."""

from __future__ import annotations

import json

import store
from faketime import DAY, HOUR
from meeting import acquaint
from node import Node
from outpost import Outpost
from post import Letter, Post
from relay import PORT, Relay
from stage import Stage

AUTHORS, READERS = ("Hestia", "Hebe"), ("Iole", "Ino")
# The clocks of nodes and hub at first, four days later, and eight days later: in the end they are right.
START, RETURN, END = -8 * DAY, -4 * DAY, 0.0
UPDATE = "$JS.API.STREAM.UPDATE.MAIL"
# The age at which the hub deletes mail for a moment, in nanoseconds.
SHORT_AGE = 200_000_000
GIVEN_UP, CONFIRMED = ("failed",), ("delivered", "read")


def outlast(stage: Stage) -> str:
    """Mail crosses while its readers are off for eight days, a day longer than a hub keeps it.

    Its authors come back alone after four days, and write it again. They go, give it up after seven days, and have no
    copy in their mesh after three. The readers find it on the hub, and their receipts count all the same.
    """
    relay = Relay(stage.network, "hub", stage.folder / "certificates", START)
    here, there = (Outpost(stage, number, names, START, PORT) for number, names in ((15, AUTHORS), (16, READERS)))
    relay.start()
    try:
        return _play(stage, relay, here, there)
    finally:
        relay.stop()


def _play(stage: Stage, relay: Relay, here: Outpost, there: Outpost) -> str:
    post = Post()
    for island in (here, there):
        island.start()
    for island in (here, there):
        island.live()
    for author, reader in zip(here.people, there.people):
        acquaint(stage, post, reader, author)
    there.stop()
    letters = here.store(post, there, "of the first day")
    here.stop()
    expired = _expire(stage, len(letters))
    again = _write_again(stage, relay, here, letters)
    relay.set_clock(END)
    here.set_clock(END)
    stage.until(lambda: _have_status(letters, GIVEN_UP), "the end of the time for which authors keep messages")
    here.stop()
    there.set_clock(END)
    took = there.live() + stage.arrived(letters)
    off = [delay / DAY for delay in post.delays(letters)]
    assert all(abs(days - 8) < HOUR / DAY for days in off), f"the messages took other times than 8 days: {off}"
    here.start()
    here.live()
    stage.until(lambda: _have_status(letters, CONFIRMED), "the receipts")
    _answer(stage, post, here, there)
    return f"{len(letters)} messages; the hub deleted {expired} by their age, and {again} were written again after " \
        f"four days; read {took:.1f} s after the readers were back, and confirmed to authors who had given them up"


def _expire(stage: Stage, least: int) -> int:
    """Has the hub delete all mail by its age, and returns how many messages it had.

    So mail of the first day is gone after four days already. After eight days the hub has what it would have.
    """
    with stage.admin() as admin:
        before = admin.request(store.INFO)
        config, count = before["config"], before["state"]["messages"]
        assert config["max_age"] == 7 * DAY * 1e9, f"the hub keeps mail for {config['max_age']} ns"
        assert count >= least, f"the hub has {count} messages, and {least} were acknowledged"
        short = config | {"max_age": SHORT_AGE, "duplicate_window": SHORT_AGE}
        admin.request(UPDATE, json.dumps(short).encode())
        stage.until(lambda: admin.request(store.INFO)["state"]["messages"] == 0, "the end of old mail")
        admin.request(UPDATE, json.dumps(config).encode())
        after = admin.request(store.INFO)["config"]
        assert after == config, f"the store has other settings than before: {after}"
    return count


def _write_again(stage: Stage, relay: Relay, here: Outpost, letters: list[Letter]) -> int:
    """Has the authors come back alone for a moment, and returns how much mail the hub acknowledged meanwhile."""
    relay.set_clock(RETURN)
    here.set_clock(RETURN)
    here.live()
    stage.until(lambda: here.is_sent(len(letters)), "the acknowledgement of what was written again")
    count = here.gateway.hub()["sent"]
    here.stop()
    return count


def _answer(stage: Stage, post: Post, here: Outpost, there: Outpost) -> None:
    """Has people of both islands write, and checks that all they ever wrote to each other is there once."""
    there.write(post, here, "after eight days")
    here.write(post, there, "after eight days")
    stage.arrived(post.letters)
    stage.confirmed(people=here.people + there.people)
    for island in (here, there):
        island.stop()


def _have_status(letters: list[Letter], wanted: tuple[str, ...]) -> bool:
    """Returns whether the authors of all these messages see one of these states."""
    return all(_status(letter.author, letter) in wanted for letter in letters)


def _status(author: Node, letter: Letter) -> str:
    return next(one["status"] for one in author.history(letter.readers[0].id) if one["id"] == letter.id)
