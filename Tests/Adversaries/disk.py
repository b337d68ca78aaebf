"""The thief of a disk: a data directory with a passphrase."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from pathlib import Path

from interop.encoding import Invalid
from interop.storage_checks import _open_vault
from stage import Stage, files, search, wait

NAME, OTHER, PASSPHRASE = "Wilhelmina", "Maximilian", "seven horses at the northern gate"
TEXT, DRAFT, TITLE = "the treasure is under the pear tree", "a draft about apples", "Pickers of pears"
WRONG = ("", "seven horses at the northern gat", "Seven horses at the northern gate", "x" * 200)
REFUSED = 77


def steal(stage: Stage) -> str:
    """Reads and tries all in a stolen data directory: no text, name or key is there, and no other word opens it."""
    home = stage.folder / "wilhelmina"
    crowd_home = _live(stage, home)
    stolen = stage.folder / "stolen"
    shutil.copytree(home, stolen, ignore=shutil.ignore_patterns("*.sock"))
    vault = (stolen / "vault.bin").read_bytes()
    assert not (stolen / "key.bin").exists(), "there is a key file beside the vault"
    master = _open_vault(vault, PASSPHRASE.encode())
    needles = {"the text": TEXT.encode(), "the draft": DRAFT.encode(), "the own name": NAME.encode(),
               "the other name": OTHER.encode(), "the title": TITLE.encode(), "the passphrase": PASSPHRASE.encode(),
               "the master key": master, "the other id": crowd_home}
    places = files(stolen)
    search(places, needles)
    for word in WRONG:
        try:
            _open_vault(vault, word.encode())
        except Invalid:
            continue
        raise AssertionError(f"the vault opens with {word!r}")
    for word in WRONG[1:3]:
        done = _command(stage, stolen, word, "history", "list")
        assert done.returncode == REFUSED, f"the exit status for a wrong passphrase is {done.returncode}"
        assert not any(one in done.stdout + done.stderr for one in (TEXT, OTHER, TITLE)), "a refusal shows a secret"
    good = _command(stage, stolen, PASSPHRASE, "history", "show", f"group:{TITLE}")
    assert good.returncode == 0 and TEXT in good.stdout, f"the right passphrase does not open it: {good.stderr}"
    size = sum(map(len, places.values())) >> 10
    return f"{len(places)} files of {size:,} KiB with none of {len(needles)} secrets; {len(WRONG)} wrong passphrases " \
           "refused"


def _live(stage: Stage, home: Path) -> bytes:
    """Makes a data directory with a passphrase, with a group, texts and a draft in it; returns a contact's id."""
    done = _command(stage, home, PASSPHRASE, "--json", "init", "--name", NAME)
    assert done.returncode == 0, done.stderr
    crowd = stage.crowd(OTHER)
    stage.segment.add("wilhelmina")
    command = [*stage.segment.inside("wilhelmina"), stage.program, "--home", str(home), "node", "--interface", "e0"]
    node = subprocess.Popen(command, env=os.environ | {"EARSHOT_PASSPHRASE": PASSPHRASE}, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
    stage.others.append(node.kill)
    other = crowd.nodes[OTHER]

    def ask(*words: str) -> subprocess.CompletedProcess:
        return _command(stage, home, PASSPHRASE, *words)

    # A command beside a node that does not serve yet would take the data directory itself.
    wait((home / "rpc.sock").exists, "the start of the node")
    wait(lambda: OTHER in ask("peers").stdout, "the contact")
    assert ask("trust", "accept", OTHER).returncode == 0
    wait(lambda: NAME in [one["name"] for one in other.call("contacts")], "the contact at the other side")
    other.call("trust", peer=NAME, action="accept")
    assert ask("group", "create", TITLE, OTHER).returncode == 0
    assert ask("send", f"group:{TITLE}", TEXT).returncode == 0 and ask("send", OTHER, TEXT).returncode == 0
    wait(lambda: len(other.call("conversations")) >= 2, "the messages")
    _draft(home, other.id.hex())
    node.terminate()
    assert node.wait(30) == 0, "the node did not end"
    return other.id


def _draft(home: Path, conversation: str) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(home / "rpc.sock"))
        params = {"conversation": conversation, "text": DRAFT}
        request = {"jsonrpc": "2.0", "id": 1, "method": "draft", "params": params}
        client.sendall(json.dumps(request).encode() + b"\n")
        assert b"result" in client.makefile("rb").readline()


def _command(stage: Stage, home: Path, passphrase: str, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run([stage.program, "--home", str(home), *words], capture_output=True, text=True, timeout=60,
                          env=os.environ | {"EARSHOT_PASSPHRASE": passphrase}, stdin=subprocess.DEVNULL)
