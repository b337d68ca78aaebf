"""The scenes of a hub whose store or mailboxes are full, removed, or an old copy of themselves.

Two people who met by a link only write meanwhile, while the others still count as near each other.
"""

from __future__ import annotations

import os
import time

from post import Letter
from stage import Stage

INFO = "$JS.API.STREAM.INFO.MAIL"
SMALL_ROOM = "1M"
JUNK_SIZE = 16_000
# The server counts less than twice as much for junk of this size, and more for mail.
LEAST_SIZE = 100
FULL, MAILBOX_FULL, NO_STORE, LOST = "hubFull", "hubMailboxFull", "hubNoStore", "hubMailLost"
LIMIT = 240.0


def full(stage: Stage) -> str:
    """The room of the hub is used up: mail waits at its authors' gateway until there is more."""
    stage.create_store("--size", SMALL_ROOM, "--shrink")
    _fill(stage)
    stage.bellerophon.stop()
    letters = _write(stage, "letter to a full hub")
    advice = _found(stage, FULL)
    waiting = stage.alkmene.hub().get("waiting", 0)
    assert waiting >= 1, "nothing waits for the full hub"
    stage.create_store()
    mended = time.monotonic()
    stage.until(lambda: stage.alkmene.hub().get("waiting") == 0, "the acknowledgement of the hub with more room", LIMIT)
    assert stage.alkmene.finding() is None, f"the hub has room, and the finding is {stage.alkmene.finding()}"
    took = time.monotonic() - mended
    _read(stage, letters)
    return f"`{advice}`; {waiting} envelopes waited, and were taken {took:.1f} s after there was more room"


def _fill(stage: Stage) -> None:
    """Fills the room with what is in nobody's mailbox."""
    with stage.admin() as admin, stage.guest() as guest:
        room = admin.request(INFO)["config"]["max_bytes"]
        for size, count in ((JUNK_SIZE, room // JUNK_SIZE + 1), (LEAST_SIZE, JUNK_SIZE // LEAST_SIZE + 1)):
            for _ in range(count):
                tag = os.urandom(16).hex()
                guest.publish(f"e.{tag[0]}.{tag}", os.urandom(size))
        guest.flush()
        # The server stores what it has taken a little later.
        stage.until(lambda: room - admin.request(INFO)["state"]["bytes"] < 2 * LEAST_SIZE, "the full hub")


def full_mailbox(stage: Stage) -> str:
    """A guest fills a mailbox while its reader is away: later mail waits for a new mailbox."""
    author, reader = stage.strangers
    stage.calm()
    with stage.guest() as guest, stage.admin() as admin:
        limit = admin.request(INFO)["config"]["max_msgs_per_subject"]
        guest.listen("e.*.*")
        stage.arrived([stage.post.send(author, reader, "letter that shows a mailbox")])
        # The first mail is the letter, the next its receipt.
        subject, mail = guest.next()
        stage.confirmed(people=stage.strangers)
        stage.bellerophon.stop()
        guest.publish(subject, *(os.urandom(len(mail)) for _ in range(limit)))
        guest.flush()
        refused = stage.alkmene.hub()["refused"]
        letters = _write(stage, "letter to a full mailbox")
        advice = _found(stage, MAILBOX_FULL)
        stage.until(lambda: stage.alkmene.hub()["refused"] > refused, "the refusal of the hub")
    # Nobody can empty a mailbox; a new store has a new one, as has the next day.
    stage.remove_store()
    stage.create_store()
    mended = time.monotonic()
    _read(stage, letters)
    return f"{limit:,} messages of a guest; `{advice}`; all arrived {time.monotonic() - mended:.1f} s after a new store"


def removed(stage: Stage) -> str:
    """The operator removes the store, with unread mail in it, while all nodes run."""
    stage.bellerophon.stop()
    letters = _store(stage, "letter in a removed store")
    stage.remove_store()
    letters += _write(stage, "letter to no store")
    advice = _found(stage, NO_STORE)
    stage.create_store()
    mended = time.monotonic()
    live = stage.until(stage.alkmene.is_live, "the exchange with the new store", LIMIT)
    _read(stage, letters)
    return f"`{advice}`; live {live:.1f} s after the new store, all arrived after {time.monotonic() - mended:.1f} s"


def old_copy(stage: Stage) -> str:
    """The operator puts an old copy of the store back: what came later is sent again, and shown once."""
    stage.hub.stop()
    stage.hub.copy_store()
    stage.hub.start()
    stage.live(LIMIT)
    letters = _write(stage, "letter after the copy")
    stage.arrived(letters)
    stage.confirmed(people=stage.strangers)
    stage.bellerophon.stop()
    letters += _store(stage, "unread letter after the copy")
    stage.hub.stop()
    stage.hub.put_back()
    stage.hub.start()
    begin = time.monotonic()
    advice = _found(stage, LOST)
    found = time.monotonic() - begin
    _read(stage, letters)
    return f"`{advice}` after {found:.1f} s; {len(letters)} messages once, the unread half from the authors' gateway"


def _write(stage: Stage, text: str) -> list[Letter]:
    """Has the stranger of the first island write to the other."""
    author, reader = stage.strangers
    return [stage.post.send(author, reader, f"{text}, part {number}") for number in range(3)]


def _store(stage: Stage, text: str) -> list[Letter]:
    """Has messages written, and waits until the hub has acknowledged them."""
    sent = stage.alkmene.hub()["sent"]
    letters = _write(stage, text)
    stage.until(lambda: _is_sent(stage.alkmene.hub(), sent + len(letters)), "the acknowledgement of the hub")
    return letters


def _is_sent(hub: dict, count: int) -> bool:
    return hub["sent"] >= count and hub.get("waiting") == 0


def _found(stage: Stage, code: str) -> str:
    """Waits until the gateway shows a finding, as people see it, and returns its text."""
    stage.until(lambda: (stage.alkmene.finding() or "").startswith(f"{code}: "), f"the finding {code}", LIMIT)
    advice = (stage.alkmene.finding() or "").split(": ", 1)[1]
    assert advice in stage.alkmene.run("status"), f"`status` does not show {code}"
    return advice


def _read(stage: Stage, letters: list[Letter]) -> None:
    """Starts the gateway of the reader, and checks that they get these and all earlier letters once."""
    stage.bellerophon.start()
    stage.arrived(letters, LIMIT)
    stage.confirmed(LIMIT, stage.strangers)
    stage.arrived([letter for letter in stage.post.letters if letter.author in stage.strangers])
