"""The sniffer: it hears all frames of a segment, and has no keys."""

from __future__ import annotations

from collections import Counter

from hostile.crowd import Crowd
from stage import Stage, search, send

NAMES = ("Wilhelmina", "Maximilian")
SECRET = "the anchor lies under the old lighthouse"
TITLE = "Keepers of the lighthouse"
SHORT, LONG = "a", "b" * 110
COUNT = 12


def listen(stage: Stage) -> str:
    """Finds no text, name, title, key or id, and for texts of two lengths the same sizes."""
    wire = stage.wire("listen")
    crowd = stage.crowd(*NAMES)
    one, other = (crowd.nodes[name] for name in NAMES)
    group = one.call("group.create", title=TITLE, members=[other.id.hex()])["id"]
    crowd.until(lambda: any(each["standing"] == "member" for each in other.call("groups")), "the group")
    send(crowd, *NAMES, SECRET)
    send(crowd, *reversed(NAMES), SECRET)
    message = one.call("send", to=group, text=SECRET)["message"]
    crowd.until(lambda: {each["status"] for each in one.call("deliveries", message=message)} == {"delivered"}, "receipts")
    heard = wire.end()["heard"]
    needles = {"a text": SECRET.encode(), "a title": TITLE.encode(), "the group's id": bytes.fromhex(group)}
    needles |= {f"the name {name}": name.encode() for name in NAMES}
    needles |= {f"the id of {node.name}": node.id for node in (one, other)}
    needles |= {f"the id of {node.name} in digits": node.id.hex().encode() for node in (one, other)}
    packets = wire.packets()
    assert heard == len(packets) > 50, f"the sniffer heard {heard} datagrams"
    assert any(packet[:4] == b"EAR1" for packet in packets), "the sniffer heard no beacon, so its search is worth nothing"
    search({"the traffic": b"\n".join(packets)}, needles)
    sizes = [largest(stage, crowd, text) for text in (SHORT, LONG)]
    assert sizes[0] == sizes[1], f"a text of {len(SHORT)} shows the sizes {sizes[0]}, one of {len(LONG)} {sizes[1]}"
    return f"{heard:,} datagrams with none of {len(needles)} secrets; texts of {len(SHORT)} and {len(LONG)} bytes both " \
           f"go as datagrams of {sizes[0]} bytes"


def largest(stage: Stage, crowd: Crowd, text: str) -> int:
    """Returns the size that most of the largest datagrams of a message have."""
    found: Counter[int] = Counter()
    for number in range(COUNT):
        wire = stage.wire("listen")
        send(crowd, *NAMES, f"{number:02} {text}")
        wire.end()
        found[max(map(len, wire.packets()))] += 1
    return found.most_common(1)[0][0]
