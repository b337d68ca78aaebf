"""Faults of the run's own making, to see that each check finds its own."""

from __future__ import annotations

import signal
import socket
import sqlite3
from collections.abc import Callable

import beginning  # noqa: F401
from ledger import ACCEPTED
from network import MESH
from scene import Scene
from watch import Watch


def _victim(scene: Scene):
    return scene.people["Cassandra"]


def delete_message(scene: Scene, _: Watch) -> None:
    """Deletes a message at one reader."""
    letter = next(one for one in reversed(scene.ledger.letters) if one.certain and one.state == ACCEPTED)
    scene.people[letter.certain[0]].call("delete", message=letter.id)


def double(scene: Scene, _: Watch) -> None:
    """Has a message of a text that was there before."""
    talk = next(one for one in scene.talks if one.kind == "direct")
    old = next(one for one in scene.ledger.letters if one.talk is talk and one.state == ACCEPTED)
    scene.people[old.author].call("send", to=scene.address(old.author, talk), text=old.text)


def plain_file(scene: Scene, _: Watch) -> None:
    """Writes a text into a data directory."""
    (_victim(scene).home / "notes").write_text(f"I read: {scene.words.marker}")


def plain_packet(scene: Scene, _: Watch) -> None:
    """Sends a text in clear."""
    person = _victim(scene)
    with scene.land.on(person.host), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        out.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, MESH.encode())
        out.sendto(scene.words.marker.encode(), ("10.95.3.255", 9))


def group(scene: Scene, _: Watch) -> None:
    """Has a group get another title, which a member that hears nothing does not know."""
    talk = next(one for one in scene.talks if one.kind == "group")
    deaf = scene.people[talk.members[-1]]
    for device in deaf.devices:
        scene.cut(deaf, device)
    scene.people[talk.owner].call("group.rename", group=talk.id, title=scene.words.title("Split"))


def crash(scene: Scene, _: Watch) -> None:
    """Ends a process as a crash does."""
    process = _victim(scene).process
    process.send_signal(signal.SIGSEGV)
    process.wait()


def memory(_: Scene, watch: Watch) -> None:
    """Has a node seem to have grown."""
    samples = watch.samples["Cassandra"]
    samples[-1] = (samples[-1][0], samples[-1][1] + (200 << 20), samples[-1][2])


def row(scene: Scene, _: Watch) -> None:
    """Removes a row of a stopped node's database."""
    person = _victim(scene)
    person.stop()
    with sqlite3.connect(person.home / "history.sqlite") as database:
        tables = [name for name, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        table = max(tables, key=lambda name: database.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0])
        database.execute(f"DELETE FROM {table} WHERE rowid = (SELECT MAX(rowid) FROM {table})")
    person.begin()


def log(scene: Scene, _: Watch) -> None:
    """Has a log tell of a crash."""
    with _victim(scene).log_path.open("a") as file:
        file.write("Fatal error: Index out of range\n")


ALL: dict[str, Callable[[Scene, Watch], None]] = {
    "delete": delete_message, "double": double, "file": plain_file, "packet": plain_packet, "group": group,
    "crash": crash, "memory": memory, "row": row, "log": log,
}
