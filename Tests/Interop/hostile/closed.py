"""Outsider: a closed mesh that somebody without its passphrase floods with INITs and beacons while a member comes."""

from __future__ import annotations

import time

from .stage import ATTACK_SECONDS, NAMES, TALK_RATE, Plan, Stage, besiege, told

PLAN = Plan("outsider", 1700, 8, 0.03, ("INITs", "beacons"))


def outsider(stage: Stage) -> str:
    """Floods members with handshakes and beacons that need the key of the mesh; a new member links all the same."""
    secret = stage.folder / "mesh-passphrase"
    secret.write_text("the passphrase of a closed mesh\n", encoding="utf-8")
    *members, newcomer = NAMES
    siege = besiege(stage, PLAN, stage.crowd("--mesh-passphrase-file", str(secret)), tuple(members))
    crowd, started = siege.crowd, time.monotonic()
    crowd.start(newcomer)
    began = time.monotonic()
    crowd.link()
    linked = time.monotonic() - began
    crowd.meet()
    talked = crowd.talk(max(1, ATTACK_SECONDS - (time.monotonic() - started)), TALK_RATE)
    figures = siege.attacker.end()
    seen = siege.judge(figures, talked)
    assert figures["opened"] == 0, f"{figures['opened']} links came up without the key"
    return f"{told(figures)}; a newcomer had {len(members)} links {linked * 1000:.0f} ms after it began; {seen}"
