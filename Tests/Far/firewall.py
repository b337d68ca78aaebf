"""A firewall that lets a host reach nothing but its island and its proxy, and counts what it holds back."""

from __future__ import annotations

import json

from network import MESH, Network, run

RULES = """table inet far {{
    counter names {{ }}
    counter past {{ }}
    chain out {{
        type filter hook output priority 0
        meta l4proto {{ tcp, udp }} th dport 53 counter name names drop
        oifname {{ "lo", "{mesh}" }} accept
        ip daddr {address} tcp dport {port} accept
        counter name past drop
    }}
}}
"""


class Firewall:
    """The firewall of one host, from the beginning of a block to its end."""

    def __init__(self, network: Network, host: str, address: str, port: int) -> None:
        self.nft = [*network.inside(host), "nft"]
        self.rules = RULES.format(mesh=MESH, address=address, port=port)

    def __enter__(self) -> Firewall:
        run(*self.nft, self.rules)
        return self

    def __exit__(self, *_: object) -> None:
        run(*self.nft, "delete table inet far")

    def counts(self) -> dict[str, int]:
        """Returns the packets that were held back: questions for names, and all else past the proxy."""
        parts = json.loads(run(*self.nft, "-j", "list counters table inet far"))["nftables"]
        return {part["counter"]["name"]: part["counter"]["packets"] for part in parts if "counter" in part}
