#!/usr/bin/env python3
"""Two islands of three people each exchange mail by a hub, while hub and gateways crash, lose mail or are cut off."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import absence
import city
import clocks
import crashes
import files
import flood
import leaks
import meeting
import midnight
import proxied
import quiet
import scenes
import store
import stripped
from network import Network, missing_tool
from stage import Stage

TIME_LIMIT, LONG_LIMIT = 1_800, 7_200


@dataclass(frozen=True)
class Scene:
    """A scene, and those that must have been played before it."""

    name: str
    play: Callable[[Stage], str | None]
    needs: tuple[str, ...] = ("first letters",)
    is_long: bool = False


# The scenes of strangers are played while the others still count as near each other.
ALL = [
    Scene("meeting", meeting.meet, ()),
    Scene("parting", meeting.part, ("meeting",)),
    Scene("TLS taken away", stripped.strip, ("parting",)),
    Scene("link", meeting.link, ("parting",)),
    Scene("no hub", quiet.check, ("link",)),
    Scene("proxy", proxied.cross, ("link",)),
    Scene("old copy", store.old_copy, ("link",)),
    Scene("full hub", store.full, ("link",)),
    Scene("removed store", store.removed, ("link",)),
    Scene("full mailbox", store.full_mailbox, ("link",)),
    Scene("flood", flood.bear, ("link",)),
    Scene("clocks", clocks.differ, ("parting",)),
    Scene("midnight", midnight.cross, ("parting",)),
    Scene("first letters", scenes.first, ("parting",)),
    Scene("talk", scenes.talk),
    Scene("group", scenes.group, ("talk",)),
    Scene("crashes", crashes.crashes),
    Scene("many crashes", crashes.many_crashes, is_long=True),
    Scene("crashed readers", crashes.crashed_readers, is_long=True),
    Scene("wiped hub", crashes.wiped),
    Scene("city", city.move),
    Scene("city cut off", city.cut, ("first letters", "city")),
    Scene("city disconnected", city.lost, ("first letters", "city"), is_long=True),
    Scene("files", files.cross),
    Scene("leaks", leaks.search),
    Scene("eight days off", absence.outlast, ("parting",)),
    Scene("recount", scenes.recount),
]


class TimeIsUp(BaseException):
    """The end of the whole run after its time limit, or by a signal."""


def _stop(number: int, frame: object) -> None:
    raise TimeIsUp("the run took too long" if number == signal.SIGALRM else f"signal {number}")


def play(stage: Stage, chosen: list[Scene]) -> bool:
    """Plays the scenes in turn, prints a line for each, and tells whether all went well."""
    for scene in chosen:
        started = time.monotonic()
        try:
            result = scene.play(stage)
        except Exception as error:
            traceback.print_exc()
            print(stage.tails(), file=sys.stderr)
            print(f"FAIL  {scene.name}: {error} ({time.monotonic() - started:.1f} s)", flush=True)
            return False
        told = f": {result}" if result else ""
        print(f"ok    {scene.name}{told} ({time.monotonic() - started:.1f} s)", flush=True)
    return True


def choose(is_long: bool, part: str | None) -> list[Scene]:
    """Returns the scenes whose name has a text, or all, and those that they need."""
    names = {scene.name for scene in ALL if (is_long or not scene.is_long) and (not part or part in scene.name)}
    for scene in reversed(ALL):
        if scene.name in names:
            names.update(scene.needs)
    return [scene for scene in ALL if scene.name in names]


def run(earshot: str, server: str, chosen: list[Scene]) -> bool:
    """Plays scenes on a new stage, and tells whether all went well."""
    good, late = False, []
    with tempfile.TemporaryDirectory(prefix="earshot-far-") as folder, Network() as network:
        stage = Stage(network, os.path.abspath(earshot), os.path.abspath(server), Path(folder))
        try:
            stage.build()
            good = play(stage, chosen)
        except TimeIsUp as error:
            print(f"{stage.tails()}\nFAIL  {error}", flush=True)
        finally:
            late = stage.finish()
    for fault in late:
        print(f"FAIL  end: {fault}", flush=True)
    return good and not late


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--earshot", required=True, help="the command `earshot`")
    parser.add_argument("--hub-server", default="nats-server", help="the program `nats-server`; else the installed one")
    parser.add_argument("--long", action="store_true", help="10,000 messages, and 100 crashes of hub and gateways each")
    parser.add_argument("--only", help="plays the scenes whose name has this text, and those that they need")
    parser.add_argument("--required", action="store_true", help="fails where namespaces or programs are missing")
    options = parser.parse_args()
    chosen = choose(options.long, options.only)
    if not chosen:
        parser.error(f"no scene is named so: {options.only}")
    server = shutil.which(options.hub_server)
    reason = missing_tool() if server else f"there is no {options.hub_server}"
    if reason or not server:
        print(f"SKIPPED: {reason} (needs root, iproute2, nftables, OpenSSL, faketime and nats-server)", flush=True)
        return 1 if options.required else 0
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    signal.alarm(LONG_LIMIT if options.long else TIME_LIMIT)
    started = time.monotonic()
    good = run(options.earshot, server, chosen)
    print(f"{'all scenes went well' if good else 'FAILED'} ({time.monotonic() - started:.0f} s)", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
