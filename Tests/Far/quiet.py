"""The scene of people without a hub: their nodes speak with their own mesh only."""

from __future__ import annotations

import stage as stages
from network import run
from node import Node
from stage import Stage


def check(stage: Stage) -> str:
    """A node without a hub has no connection by TCP, and listens for none; a gateway has exactly one, to the hub."""
    others = [node for node in stage.running if node not in stage.gateways]
    for gateway, hub in zip(stage.gateways, (stages.HUB_A, stages.HUB_B)):
        found = sockets(stage, gateway)
        assert [peer for _, peer in found] == [f"{hub}:4222"], f"{gateway.name}, a gateway, has {found}"
    for node in others:
        assert not (found := sockets(stage, node)), f"{node.name}, who has no hub, has {found}"
    return f"{len(others)} nodes have none"


def sockets(stage: Stage, node: Node) -> list[tuple[str, str]]:
    """Returns the state and the peer of each socket by TCP on the host of a node, except those that are over."""
    lines = run(*stage.network.inside(node.host), "ss", "-H", "-t", "-n", "-a").splitlines()
    found = [line.split() for line in lines if line.strip()]
    return [(words[0], words[4]) for words in found if words[0] != "TIME-WAIT"]
