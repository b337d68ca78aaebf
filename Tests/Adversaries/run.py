#!/usr/bin/env python3
"""Plays each attacker of SECURITY.md against real processes, and checks what they must not get."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import beginning  # noqa: F401

try:
    import cryptography  # noqa: F401
except ImportError:
    print("The package `cryptography` is missing: pip install -r Tests/Interop/requirements.txt", file=sys.stderr)
    sys.exit(2)

import active
import disk
import member
import recording
import relay
import sniffer
import user
from hostile.segment import Segment, namespaces_are_allowed
from interop.scenarios import Stage as InteropStage
from stage import Stage

TIME_LIMIT = 900

ALL: dict[str, Callable[[Stage], str]] = {
    "sniffer": sniffer.listen,
    "active replay": active.replay,
    "active flip": active.flip,
    "active inject": active.inject,
    "relay": relay.harm,
    "member removed": member.removed,
    "member forging": member.forge,
    "disk": disk.steal,
    "recording": recording.steal_keys,
    "recording and disk": recording.steal_disk,
    "user": user.try_all,
}


class TimeIsUp(BaseException):
    """The end of the whole run after `TIME_LIMIT` seconds, or by a signal."""


def _stop(number: int, frame: object) -> None:
    raise TimeIsUp(f"the run took more than {TIME_LIMIT} s" if number == signal.SIGALRM else f"signal {number}")


def run(name: str, command: str) -> bool:
    """Plays one attack, prints its line, and tells whether the promise held."""
    started, good, late = time.monotonic(), True, []
    with tempfile.TemporaryDirectory(prefix="adversary-") as place, Segment() as segment:
        folder = Path(place)
        # Another user of the machine must be able to come as far as the data directories.
        folder.chmod(0o711)
        stage = Stage(os.path.abspath(command), folder, segment, InteropStage(os.path.abspath(command), folder))
        try:
            result = ALL[name](stage)
        except Exception as error:
            good, result = False, str(error)
            traceback.print_exc()
        finally:
            late = stage.finish()
    if late:
        good, result = False, f"{'; '.join(late)}; before that: {result}"
    print(f"{'ok   ' if good else 'FAIL '} {name}: {result} ({time.monotonic() - started:.1f} s)", flush=True)
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--earshot", required=True, help="the command `earshot`")
    parser.add_argument("--only", help="plays the attackers whose name has this text")
    parser.add_argument("--required", action="store_true", help="fails where namespaces cannot be made")
    options = parser.parse_args()
    chosen = [name for name in ALL if not options.only or options.only in name]
    if not chosen:
        parser.error(f"no attacker is named so: {options.only}")
    if reason := namespaces_are_allowed():
        print(f"SKIPPED: network namespaces cannot be made here (needs root and iproute2): {reason}", flush=True)
        return 1 if options.required else 0
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    signal.alarm(TIME_LIMIT)
    try:
        results = [run(name, options.earshot) for name in chosen]
    except TimeIsUp as error:
        print(f"FAIL  {error}", flush=True)
        return 1
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
