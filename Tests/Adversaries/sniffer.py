"""The sniffer: it hears all frames of a segment, and has no keys."""

from __future__ import annotations

from collections import Counter

from hostile.crowd import Crowd
from stage import Stage, search, send

NAMES = ("Wilhelmina", "Maximilian")
SECRET = "the anchor lies under the old lighthouse"
TITLE = "Keepers of the lighthouse"
# Texts of these lengths may show three sizes: those of the buckets of 256, 512 and 1,024 bytes (PROTOCOL §8).
LENGTHS, SIZES = (4, 10, 20, 40, 80, 160, 240, 320, 400), 3
ALIKE = 3
COUNT = 5


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
    crowd.until(lambda: all(each["status"] == "delivered" for each in one.call("deliveries", message=message)),
                "the receipt of the group")
    heard = wire.end()["heard"]
    needles = {"a text": SECRET.encode(), "a title": TITLE.encode(), "the group's id": bytes.fromhex(group)}
    needles |= {f"the name {name}": name.encode() for name in NAMES}
    needles |= {f"the id of {node.name}": node.id for node in (one, other)}
    needles |= {f"the id of {node.name} in digits": node.id.hex().encode() for node in (one, other)}
    packets = wire.packets()
    assert heard == len(packets) > 50, f"the sniffer heard {heard} datagrams"
    assert any(packet[:4] == b"EAR1" for packet in packets), "the search fails: the sniffer heard no beacon"
    search({"the traffic": b"\n".join(packets)}, needles)
    sizes = [largest(stage, crowd, length) for length in LENGTHS]
    assert len(set(sizes[:ALIKE])) == 1, f"texts of {LENGTHS[:ALIKE]} bytes show the sizes {sizes[:ALIKE]}"
    assert len(set(sizes)) <= SIZES, f"texts of {LENGTHS} bytes show the sizes {sizes}"
    shown = ", ".join(map(str, sorted(set(sizes))))
    return f"{heard:,} datagrams with none of {len(needles)} secrets; texts of {len(LENGTHS)} lengths go as " \
           f"datagrams of {shown} bytes"


def largest(stage: Stage, crowd: Crowd, length: int) -> int:
    """Returns the size that most of the largest datagrams of texts of a length have."""
    found: Counter[int] = Counter()
    for number in range(COUNT):
        wire = stage.wire("listen")
        send(crowd, *NAMES, f"{number:02}".ljust(length, "x"))
        wire.end()
        found[max(map(len, wire.packets()))] += 1
    return found.most_common(1)[0][0]
