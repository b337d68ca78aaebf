"""The beginning: people meet, their islands are parted, and strangers write to each other by a link."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import hub as servers
import stage as stages
from node import Node
from post import GROUP, Post
from stage import Stage

# Each island's gateway has this address at its cable to the hub.
GATEWAY_ADDRESS = {"isleA": "10.94.1.2", "isleB": "10.94.2.2"}


def meet(stage: Stage) -> None:
    """Has all people accept each other, write to each other, and join one group, while the islands are one."""
    people = list(stage.nodes.values())
    stage.network.bridge(*stages.ISLES)
    for node in people:
        node.start("--no-hub")
    stage.until(lambda: all(len(node.call("contacts")) == len(people) - 1 for node in people), "all contacts")
    for one, other in permutations(people, 2):
        one.call("trust", peer=other.id, action="accept")
    pairs = permutations(people, 2)
    stage.arrived([stage.post.send(one, other, f"{one.name} greets {other.name}") for one, other in pairs])
    stage.alkmene.run("group", "create", GROUP, *(node.name for node in stage.others(stage.alkmene)))
    stage.until(lambda: all(_is_member(node, len(people)) for node in people), "the group")
    stage.met = time.time()
    stage.arrived([stage.post.send_group(node, stage.others(node), f"{node.name} is aboard") for node in people])
    stage.confirmed()


def _is_member(node: Node, count: int) -> bool:
    return any(len(group["members"]) == count and group["standing"] == "member" for group in node.call("groups"))


def part(stage: Stage) -> str:
    """Parts the islands, starts the hub and the gateways, and checks that nothing else joins the islands.

    People write to the other island at once; nothing may cross until nobody counts as near any more.
    """
    for gateway in stage.gateways:
        gateway.stop()
    stage.network.part("isleA")
    stage.hub.start()
    stage.until(stage.hub.is_up, "the start of the hub")
    stage.create_store()
    stage.alkmene.start(*stage.options(stages.HUB_A))
    stage.bellerophon.start(*stage.options(servers.NAME))
    took = stage.live()
    for one, other in stage.pairs:
        stage.first.append(stage.post.send(one, other, f"first letter of {one.name} to {other.name}"))
    _check_ways(stage)
    return f"both gateways live after {took:.1f} s"


def _check_ways(stage: Stage) -> None:
    """Checks that each host reaches its island, and of the rest nothing, except that a gateway reaches the hub."""
    open_ways, closed_ways = [], []
    for isle, other in permutations(stages.ISLES):
        outside = [stage.addresses[node.name] for node in _inhabitants(stage, other)] + [GATEWAY_ADDRESS[other]]
        for node in _inhabitants(stage, isle):
            open_ways += [(node, stage.addresses[near.name]) for near in _inhabitants(stage, isle)]
            closed_ways += [(node, address) for address in outside]
            ways = open_ways if node in stage.gateways else closed_ways
            ways.append((node, {"isleA": stages.HUB_A, "isleB": stages.HUB_B}[isle]))
    for node, address in open_ways:
        stage.until(lambda: stage.network.reaches(node.host, address), f"an answer of {address} to {node.name}")
    # Silence takes a while, so all are asked at once.
    with ThreadPoolExecutor(len(closed_ways)) as pool:
        answers = list(pool.map(lambda way: stage.network.reaches(way[0].host, way[1]), closed_ways))
    wrong = [f"{node.name} reaches {address}" for (node, address), answer in zip(closed_ways, answers) if answer]
    assert not wrong, f"the islands are none: {wrong}"


def _inhabitants(stage: Stage, isle: str) -> list[Node]:
    return stage.people(isle) + [one for one in stage.strangers if one.name == stages.STRANGERS[isle]]


def link(stage: Stage) -> str:
    """A stranger on each island: the one writes to the other by a link, who accepts and answers."""
    reader, author = stage.strangers
    for node in stage.strangers:
        node.start("--no-hub")
    # Without a gateway nothing of a link leaves the island.
    stage.until(lambda: all("gateway" in node.call("status") for node in stage.strangers), "the news of the gateway")
    return f"the first message after {acquaint(stage, stage.post, reader, author):.1f} s"


def acquaint(stage: Stage, post: Post, reader: Node, author: Node) -> float:
    """Has somebody write to somebody else by a link, who accepts and answers; returns the time of the first message."""
    address = json.loads(reader.run("--json", "identity", "--far"))["link"]
    text = f"{author.name} has a link to {reader.name}"
    begin = time.monotonic()
    sent = json.loads(author.run("--json", "send", address, text))
    letter = post.note(author, (reader,), text, sent["message"])
    stage.until(lambda: any(contact["id"] == author.id for contact in reader.call("contacts")), "the new contact")
    stage.arrived([letter])
    took = time.monotonic() - begin
    for one, other in permutations((reader, author)):
        one.call("trust", peer=other.id, action="accept")
    stage.arrived([post.send(reader, author, f"{reader.name} answers {author.name}")])
    stage.confirmed(people=[reader, author])
    return took
