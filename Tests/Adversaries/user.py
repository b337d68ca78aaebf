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
NAME = "Maximilian"
# Another user cannot come to an interpreter that lies below a home.
PYTHON = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else "python3"
SCRIPT = Path(__file__).resolve().parent / "intruder.py"


def try_all(stage: Stage) -> str:
    """Tries each way into data directory, socket, process and page as another user, and some as the same one."""
    crowd = stage.crowd(NAME)
    node = crowd.nodes[NAME]
    node.finish()
    _give(node.home, VICTIM)
    log = (stage.folder / "victim.log").open("wb")
    command = [*stage.segment.inside(NAME.lower()), *_as(VICTIM), stage.program, "--home", str(node.home), "node",
               "--interface", "e0", "--stdio"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
    stage.others.append(process.kill)
    assert process.stdout is not None and b"ready" in process.stdout.readline(), "the victim's node does not start"
    assert process.stdin is not None
    process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"page"}\n')
    process.stdin.flush()
    url = json.loads(process.stdout.readline())["result"]["url"]
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
    return f"another user is refused {len(other)} ways, another program of the same user memory, trace and " \
           f"environment; {pages}"


def _give(folder: Path, user: int) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, user, user)


def intrude(stage: Stage, user: int, home: Path, process: int) -> dict[str, str]:
    """Has a user try everything on a data directory and a process; returns what came of each."""
    program = stage.folder / "intruder.py"
    program.write_text(SCRIPT.read_text())
    program.chmod(0o644)
    command = [*_as(user), PYTHON, "-I", "-B", str(program), str(home), str(process)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"the intruder failed: {done.stderr}"
    return json.loads(done.stdout)


def _as(user: int) -> list[str]:
    """Returns the words before a command that runs it as another user."""
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]


def _page(stage: Stage, url: str) -> str:
    """Asks the page for a session in the namespace of the node; returns what was seen."""
    inside = [*stage.segment.inside(NAME.lower()), sys.executable, "-B", __file__, url]
    done = subprocess.run(inside, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"the page: {done.stderr.strip().splitlines()[-1:]}"
    return done.stdout.strip()


def _visit(url: str) -> None:
    """The part that runs beside the page: only the genuine token, with the right names, gives a session, and once."""
    host, token = url.removeprefix("http://").split("/#")

    def open_session(body: str, **headers: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection(host, timeout=20)
        connection.request("POST", "/session", body, {"Host": host, "Origin": f"http://{host}", **headers})
        answer = connection.getresponse()
        content = answer.read()
        assert NAME.encode() not in content or answer.status < 400, "a refusal shows the user's name"
        return answer.status, answer.getheader("Set-Cookie") or ""

    wrong = ["", token[:-1], token + "0", "0" * len(token), token[:-1] + ("0" if token[-1] != "0" else "1")]
    tries = [(body, {}) for body in wrong]
    tries += [(token, {"Host": "attacker.example"}), (token, {"Origin": "http://attacker.example"})]
    for body, headers in tries:
        status, cookie = open_session(body, **headers)
        assert status >= 400 and not cookie, f"a token of {len(body)} digits with {headers} gets {status}"
    status, cookie = open_session(token)
    assert status < 400 and cookie, f"the genuine token gets {status}"
    status, cookie = open_session(token)
    assert status >= 400 and not cookie, f"the genuine token gets {status} again"
    print(f"{len(tries)} wrong ways to the page refused, and the right one for the second time")


if __name__ == "__main__":
    _visit(sys.argv[1])
