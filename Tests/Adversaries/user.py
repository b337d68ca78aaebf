"""The hostile local user: another account of the same machine."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from pathlib import Path

from stage import Stage

VICTIM, HOSTILE = 61_001, 61_002
TEXT = "nobody else on this machine reads it"
SCRIPT = Path(__file__).resolve().parent / "intruder.py"
WORDS = "guess"


def try_all(stage: Stage) -> str:
    """Tries each way into data directory, socket, process and page as another user, and some as the same one."""
    crowd = stage.crowd("Maximilian")
    node = crowd.nodes["Maximilian"]
    node.finish()
    _give(node.home, VICTIM)
    log = (stage.folder / "victim.log").open("wb")
    command = [*stage.segment.inside("maximilian"), "setpriv", f"--reuid={VICTIM}", f"--regid={VICTIM}", "--clear-groups",
               stage.program, "--home", str(node.home), "node", "--interface", "e0", "--stdio"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
    stage.others.append(process.kill)
    assert process.stdout is not None and b"ready" in process.stdout.readline(), "the victim's node does not start"
    assert process.stdin is not None
    process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"page"}\n')
    process.stdin.flush()
    url = json.loads(process.stdout.readline())["result"]["url"]
    assert "127.0.0.1" in url and len(url) > 60, f"the address is {len(url)} long"
    same = intrude(stage, VICTIM, node.home, process.pid)
    other = intrude(stage, HOSTILE, node.home, process.pid)
    got = [what for what, result in other.items() if result.startswith("got")]
    assert not got, f"another user gets {', '.join(f'{what} ({other[what]})' for what in got)}"
    # The owner's own programs use the socket and the files, and get no memory.
    assert same["the socket"].startswith("got") and same["the database"].startswith("got"), f"the control fails: {same}"
    for what in ("the memory", "a trace", "the environment"):
        assert not same[what].startswith("got"), f"another program of the same user gets {what}"
    pages = _page(stage, url)
    process.stdin.close()
    assert process.wait(30) == 0
    return f"another user is refused {len(other)} ways; another program of the same user memory, trace and environment; {pages}"


def _give(folder: Path, user: int) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, user, user)


def intrude(stage: Stage, user: int, home: Path, process: int) -> dict[str, str]:
    """Has a user try everything on a data directory and a process; returns what came of each."""
    program = stage.folder / "intruder.py"
    program.write_text(SCRIPT.read_text())
    program.chmod(0o644)
    done = subprocess.run(["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "/usr/bin/env", "python3",
                           "-I", "-B", str(program), str(home), str(process)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"the intruder failed: {done.stderr}"
    return json.loads(done.stdout)


def _page(stage: Stage, url: str) -> str:
    """Asks the page without an address, with guesses, with the genuine one twice, and under another name."""
    inside = [*stage.segment.inside("maximilian"), sys.executable, "-B", __file__, url]
    done = subprocess.run(inside, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"the page: {done.stderr.strip().splitlines()[-1:]}"
    return done.stdout.strip()


def _visit(url: str) -> None:
    """The part that runs beside the page."""
    host, _, rest = url.removeprefix("http://").partition("/")

    def get(path: str, **headers: str) -> tuple[int, bytes, str]:
        connection = http.client.HTTPConnection(host, timeout=20)
        connection.request("GET", path, headers={"Host": host, **headers})
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.getheader("Set-Cookie") or ""

    genuine = "/" + rest
    mixed = genuine[:-8] + "".join(reversed(genuine[-8:]))
    for path in ("/", mixed, genuine[:-1], genuine + "A", "/events", "/media/" + "0" * 32):
        status, body, cookie = get(path)
        assert not cookie, f"{path[:20]} got a cookie"
        assert b"Maximilian" not in body and TEXT.encode() not in body, f"{path[:20]} shows the user's name"
    status, _, cookie = get(genuine, Host="attacker.example")
    assert status >= 400 and not cookie, f"another name gets {status}"
    status, _, cookie = get(genuine, Origin="http://attacker.example")
    assert not cookie or status < 400
    print(f"no cookie for 6 addresses without or with a wrong token ({status} for the genuine one)")


if __name__ == "__main__":
    _visit(sys.argv[1])
