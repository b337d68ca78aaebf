"""The scene of a guest who floods mailboxes that people watch, with the login of the club."""

from __future__ import annotations

import itertools
import os
import threading
import time

import memory
from guest import Guest
from post import Letter, told
from stage import Stage

RATE, SECONDS, BATCH = 10_000, 20.0, 100
MEMORY_LIMIT = 32 << 20
LIMIT, SHOWN_LIMIT = 300.0, 30.0
TAG_SIZE, KIND_SIZE = 16, 1


class Flood(threading.Thread):
    """A guest that publishes junk at a rate, under a subject that was seen in use."""

    def __init__(self, guest: Guest, subject: str, mail: bytes) -> None:
        super().__init__(daemon=True)
        self.guest, self.subject, self.mail = guest, subject, mail
        self.count, self.seconds, self.error = 0, 0.0, ""
        self.is_over = threading.Event()

    def run(self) -> None:
        start = time.monotonic()
        try:
            while not self.is_over.wait(max(0.0, start + self.count / RATE - time.monotonic())):
                self.guest.publish(self.subject, *junk(self.subject, self.mail, BATCH))
                self.count += BATCH
            self.guest.flush()
        except Exception as error:
            self.error = str(error)
        self.seconds = time.monotonic() - start


def junk(subject: str, mail: bytes, count: int) -> list[bytes]:
    """Returns equal parts of mail with the tag and size of real mail and another content, of noise, and of replays."""
    tag = bytes.fromhex(subject.rsplit(".", 1)[1])
    assert len(tag) == TAG_SIZE and tag in mail, f"the mail under {subject} does not hold its tag"
    head = mail[:mail.index(tag) + TAG_SIZE + KIND_SIZE]
    kinds = itertools.cycle((head, b"", mail))
    return [start + os.urandom(len(mail) - len(start)) for start in itertools.islice(kinds, count)]


def bear(stage: Stage) -> str:
    """Other mail flows while a mailbox is flooded; that of the mailbox may wait until its people meet or for a new one.

    Nobody is shown junk, and no letter is given up. `recount` looks for those that wait.
    """
    reader, author = stage.strangers
    near, neighbour = stage.nodes["Arsinoe"], stage.nodes["Atalante"]
    subject, mail = _watched(stage)
    before = {node.name: memory.resident(node.process.pid) for node in stage.everybody}
    flooded: list[Letter] = []
    others: list[Letter] = []
    at_home: list[Letter] = []
    with stage.guest() as guest:
        flood = Flood(guest, subject, mail)
        flood.start()
        begin = time.monotonic()
        while (passed := time.monotonic() - begin) < SECONDS:
            stage.check_processes()
            at_home.append(stage.post.send(near, neighbour, f"letter at home at {passed:.2f} s of the flood"))
            if len(at_home) % 10 == 0:
                others.append(stage.post.send(reader, author, f"letter beside the flood {len(others)}"))
                flooded.append(stage.post.send(author, reader, f"letter in the flood {len(flooded)}"))
            time.sleep(0.1)
        live = len(others) - sum(1 for letter in others if stage.post.faults([letter]))
        flood.is_over.set()
        flood.join(60)
    assert not flood.is_alive() and not flood.error, f"the flood ended early: {flood.error}"
    stage.arrived(at_home)
    stage.arrived(others, LIMIT)
    missing = _waiting(stage, flooded)
    more = {node.name: memory.resident(node.process.pid) - before[node.name] for node in stage.everybody}
    most = max(more, key=lambda name: more[name])
    assert more[most] < MEMORY_LIMIT, f"{most} has {more[most] >> 20} MiB more in memory"
    _nothing_else(stage)
    # Gateways that start later need not fetch the junk again.
    stage.remove_store()
    stage.create_store()
    rate = flood.count / flood.seconds
    return f"{flood.count:,} messages of junk, {rate:,.0f}/s; at home {told(stage.post.delays(at_home))}; beside it " \
        f"{live} of {len(others)} live, {told(stage.post.delays(others))}; in it {missing} of {len(flooded)} wait; " \
        f"{most} has {more[most] / (1 << 20):.1f} MiB more"


def _watched(stage: Stage) -> tuple[str, bytes]:
    """Returns a subject that is watched, and mail under it: to the stranger of the first island."""
    reader, author = stage.strangers
    stage.calm()
    with stage.guest() as guest:
        guest.listen("e.*.*")
        stage.arrived([stage.post.send(author, reader, "letter that shows where to flood")])
        found = guest.next()
    stage.confirmed(people=stage.strangers)
    return found


def _waiting(stage: Stage, letters: list[Letter]) -> int:
    """Returns how many messages have not arrived; checks that none came twice, and that their author keeps the rest."""
    reader, author = stage.strangers
    # The author's view comes first: what has no receipt then may arrive before the reader is asked.
    kept = {one["id"]: one["status"] for one in author.history(reader.id)}
    count = stage.outboxes([author])[author.name]
    assert not (faults := stage.post.faults(letters, whole=False)), "; ".join(faults)
    missing = [letter for letter in letters if stage.post.faults([letter])]
    # A reader confirms what came before an earlier message at once, and shows it after 15 s (PROTOCOL §10).
    confirmed = [letter for letter in missing if kept[letter.id] not in ("queued", "sent", "carried")]
    stage.arrived(confirmed, SHOWN_LIMIT, in_order=False)
    missing = [letter for letter in missing if letter not in confirmed]
    assert len(missing) <= count, f"{len(missing)} messages did not arrive, and the outbox holds {count}"
    return len(missing)


def _nothing_else(stage: Stage) -> None:
    """Checks that people are shown nothing but what people of the test have written, and know nobody else."""
    ids = {node.id for node in stage.everybody}
    written = {letter.id for letter in stage.post.letters}
    for node in stage.everybody:
        contacts = {contact["id"] for contact in node.call("contacts")}
        assert contacts <= ids, f"{node.name} knows somebody who does not exist"
        shown = {one["id"]: one["text"] for id in contacts for one in node.history(id)}
        strange = {id: text for id, text in shown.items() if id not in written}
        assert not strange, f"{node.name} is shown {list(strange.values())[:3]}"
