"""The scenes of a hub whose store fails: it is full, removed, or an old copy of itself.

Two people of the two islands write meanwhile who met by a link only, so nobody counts them as near each other.
"""

from __future__ import annotations

import json
import os
import shutil
import time

from guest import Guest
from post import Letter
from stage import Stage

JUNK_SIZE = 16_000
SMALLEST = "1M"
FULL, MAILBOX_FULL, NO_STORE, LOST = "hubFull", "hubMailboxFull", "hubNoStore", "hubMailLost"


def full(stage: Stage) -> str:
    """The room of the hub is used up; what was written meanwhile arrives after it has got more."""
    stage.create_store("--size", SMALLEST, "--shrink")
    _fill(stage)
    stage.bellerophon.stop()
    letters = _write(stage, "letter to a full hub", 3)
    finding = _finding(stage, FULL)
    waiting = stage.alkmene.hub()["waiting"]
    assert waiting >= len(letters), f"only {waiting} envelopes wait for the full hub"
    _is_nowhere(stage, letters)
    stage.create_store()
    begin = time.monotonic()
    stage.until(lambda: stage.alkmene.hub()["waiting"] == 0, "the acknowledgement of the hub with more room", 120)
    took = time.monotonic() - begin
    stage.bellerophon.start()
    stage.arrived(letters, 120)
    stage.confirmed(120)
    assert _code(stage) != FULL, "the finding stays although the hub has room"
    return f"`{finding}`; taken {took:.1f} s after it got more room"


def _fill(stage: Stage) -> None:
    """Fills the room of the hub with what no mailbox of the test has."""
    with stage.admin() as admin, stage.guest() as guest:
        room = admin.request("$JS.API.STREAM.INFO.MAIL")["config"]["max_bytes"]
        junk = os.urandom(JUNK_SIZE)
        for number in range(room // JUNK_SIZE + 2):
            guest.publish(f"e.f.f{number:031x}", junk)
        guest.publish("e.f.f" + "e" * 31, *(bytes([number % 256]) * 100 for number in range(160)))
        guest.flush()
        state = admin.request("$JS.API.STREAM.INFO.MAIL")["state"]
        assert state["bytes"] > room - 300, f"the hub took {state['bytes']} bytes only"


def _write(stage: Stage, text: str, count: int) -> list[Letter]:
    author, reader = stage.strangers
    return [stage.post.send(author, reader, f"{text}, {number}") for number in range(count)]


def _code(stage: Stage) -> str | None:
    hubs = json.loads(stage.alkmene.run("status", "--json"))["hubs"]
    return (hubs[0].get("error") or {}).get("code")
