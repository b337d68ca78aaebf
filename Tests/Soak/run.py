#!/usr/bin/env python3
"""Has twelve nodes hold fifty conversations in all troubles that a seed brings, and checks that nothing was lost."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

import beginning  # noqa: F401
import breaks
import faketime
from invariants import Quiet
from land import Land
from ledger import ACCEPTED, REFUSED, UNKNOWN
from network import NetworkError, run as run_tool
from scene import Scene
from search import Search
from troubles import Troubles
from watch import Watch

EXTRA_SECONDS = 1_800
SHOWN_FAULTS = 30


class TimeIsUp(BaseException):
    """The end of the whole run after its time limit, or by a signal."""


def _stop(number: int, frame: object) -> None:
    raise TimeIsUp("the run took too long" if number == signal.SIGALRM else f"signal {number}")


def missing() -> str | None:
    """Returns why the run is not possible here, or nothing."""
    for tool in ("ip", "tc", "nft", "mount", "umount", "unshare"):
        if shutil.which(tool) is None:
            return f"there is no {tool}"
    try:
        with Land() as land:
            land.build()
            land.house("probe", "west")
            land.lose("probe", "e0", 5)
            land.keep("probe", "e0")
            run_tool(*land.inside("probe"), "true")
    except (NetworkError, OSError) as error:
        return f"network namespaces cannot be made here: {error}"
    return None


class Run:
    """A run, and all that it found wrong."""

    def __init__(self, scene: Scene, fault: str | None) -> None:
        self.scene, self.fault = scene, fault
        self.watch = Watch(scene)
        self.faults: list[str] = []

    def play(self) -> None:
        """Plays all of it; the checks come even if others failed before."""
        scene = self.scene
        scene.build()
        self.watch = Watch(scene)
        search = Search(scene)
        search.plant()
        scene.meet()
        self._say(f"{len(scene.people)} nodes hold {len(scene.talks)} conversations; "
                  f"loss by {'netem' if scene.land.has_netem else 'nft'}")
        troubles, quiet, begin = Troubles(scene, self.watch), Quiet(scene), scene.now
        troubles.run(scene.minutes * 60)
        end = scene.now
        troubles.end()
        self._say(f"troubles: {', '.join(f'{count} {name}' for name, count in sorted(troubles.counts.items()))}")
        quiet.close()
        took = quiet.wait()
        ledger = scene.ledger
        self._say(f"{ledger.count(ACCEPTED):,} messages taken, {ledger.count(REFUSED)} refused on full disks, "
                  f"{ledger.count(UNKNOWN)} cut off by a kill; quiet after {took:.0f} s; {self.watch.most()}")
        if self.fault:
            breaks.ALL[self.fault](scene, self.watch)
        self._check(quiet, search, begin, end)

    def _check(self, quiet: Quiet, search: Search, begin: float, end: float) -> None:
        self._judge("no process ended by itself", self._processes())
        if not self.faults:
            self._judge("each message once at each reader", quiet.messages())
            lost = len(quiet.pending(True))
            self._judge(f"each receipt, except {lost} of people who left a group or lost the message", quiet.pending())
            self._judge("groups agree", quiet.groups())
            self._judge("histories are clean", quiet.histories())
        self._judge("memory and descriptors stay", self.watch.faults(begin, end))
        late = self.scene.finish()
        self._judge("all nodes end when they are asked to", late)
        self._judge("stopped histories are clean", quiet.stopped_histories())
        search.homes()
        search.recordings()
        sizes = ", ".join(f"{count >> 20} MiB of {what}" for what, count in search.bytes.items())
        self._judge(f"no plain text in {sizes}", search.found)
        self._judge("no log tells of a crash", quiet.logs())

    def _processes(self) -> list[str]:
        return [f"{one.name}'s node ended with {one.process.returncode}" for one in self.scene.people.values()
                if one.is_crashed()]

    def _judge(self, what: str, faults: list[str]) -> None:
        self._say(f"{'FAIL ' if faults else 'ok   '} {what}")
        for fault in faults[:SHOWN_FAULTS]:
            print(f"      {fault}", flush=True)
        self.faults += faults

    def _say(self, text: str) -> None:
        print(f"{self.scene.now:6.0f} s  {text}", flush=True)


def tails(scene: Scene) -> str:
    """Returns all troubles, and the ends of all logs."""
    parts = ["--- troubles", *scene.diary]
    for person in scene.people.values():
        if person.log_path.exists() and (text := person.log_path.read_text(errors="replace").strip()):
            parts.append(f"--- {person.log_path.name}\n" + "\n".join(text.splitlines()[-12:]))
    return "\n".join(parts)


def play(options: argparse.Namespace, keep: Path | None) -> bool:
    """Plays a run in a folder of its own, and tells whether all held."""
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="earshot-soak-") as folder, Land() as land:
        scene = Scene(land, os.path.abspath(options.earshot), Path(folder), rng, options.minutes)
        run = Run(scene, options.break_)
        try:
            run.play()
        except (Exception, TimeIsUp) as error:
            if not isinstance(error, TimeIsUp):
                traceback.print_exc()
            run.faults.append(str(error))
            print(f"FAIL  {error}", flush=True)
        finally:
            scene.clean()
            if run.faults:
                print(tails(scene), file=sys.stderr, flush=True)
            if run.faults and keep:
                land.stop_recording()
                shutil.copytree(folder, keep, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.sock", "filler"))
    return not run.faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--earshot", default=".build/debug/earshot", help="the command `earshot`")
    parser.add_argument("--minutes", type=float, default=2.0, help="the time with troubles; 2 by default")
    parser.add_argument("--seed", type=int, help="the seed of a run before, which is printed; else any")
    parser.add_argument("--required", action="store_true", help="fails where namespaces cannot be made")
    parser.add_argument("--keep", type=Path, help="a new folder for all files of a run that fails")
    parser.add_argument("--break", dest="break_", choices=list(breaks.ALL), help="makes a fault that the run must find")
    options = parser.parse_args()
    if not os.access(options.earshot, os.X_OK):
        parser.error(f"there is no command {options.earshot}: build it first")
    options.seed = random.SystemRandom().getrandbits(32) if options.seed is None else options.seed
    if reason := missing():
        print(f"SKIPPED: {reason} (needs root, iproute2 and nftables)", flush=True)
        return 1 if options.required else 0
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    signal.alarm(int(options.minutes * 60) + EXTRA_SECONDS)
    print(f"seed {options.seed}", flush=True)
    for what, is_here in (("clock jumps and restores", faketime.library()), ("recordings", shutil.which("tcpdump"))):
        if not is_here:
            print(f"no {what}: a program for them is missing", flush=True)
    started = time.monotonic()
    good = play(options, options.keep)
    print(f"{'all held' if good else 'FAILED'} with the seed {options.seed} ({time.monotonic() - started:.0f} s)",
          flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
