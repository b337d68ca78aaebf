"""A network segment of its own: hosts in network namespaces on one bridge, out of reach of everything else."""

from __future__ import annotations

import secrets
import subprocess

SUBNET = "10.99.7"
DEVICE = "e0"
FIRST_ADDRESS = 1
ADDRESS_LIMIT = 200


class SegmentError(Exception):
    """The error of a system that forbids or fails a step."""


def _run(*arguments: str) -> None:
    try:
        done = subprocess.run(arguments, capture_output=True, timeout=20)
    except (FileNotFoundError, subprocess.TimeoutExpired) as error:
        raise SegmentError(f"{arguments[0]}: {error}") from error
    if done.returncode != 0:
        raise SegmentError(f"{' '.join(arguments)}: {done.stderr.decode(errors='replace').strip()}")


def namespaces_are_allowed() -> str | None:
    """Makes and deletes a namespace with a bridge and a veth pair; returns why that is not possible, else nothing."""
    try:
        with Segment() as segment:
            segment.add("probe")
    except SegmentError as error:
        return str(error)
    return None


class Segment:
    """Namespaces on one bridge, with IPv4 alone; they are deleted at the end."""

    def __init__(self) -> None:
        self.tag = secrets.token_hex(3)
        self.addresses: dict[str, list[str]] = {}
        self.names: list[str] = []
        self.next = FIRST_ADDRESS

    def __enter__(self) -> Segment:
        try:
            self.switch = self._namespace("switch")
            _run("ip", "-n", self.switch, "link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
            _run("ip", "-n", self.switch, "link", "set", "br0", "up")
        except BaseException:
            self._delete()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._delete()

    def _delete(self) -> None:
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True, timeout=20)

    def _namespace(self, host: str) -> str:
        name = f"es-{self.tag}-{host}"
        _run("ip", "netns", "add", name)
        self.names.append(name)
        _run("ip", "-n", name, "link", "set", "lo", "up")
        return name

    def add(self, host: str, count: int = 1) -> None:
        """Adds a host with so many addresses."""
        name, port = self._namespace(host), f"p{len(self.names)}"
        _run("ip", "link", "add", DEVICE, "netns", name, "type", "veth", "peer", "name", port, "netns", self.switch)
        _run("ip", "-n", name, "link", "set", DEVICE, "addrgenmode", "none")
        _run("ip", "-n", self.switch, "link", "set", port, "master", "br0", "up")
        self.addresses[host] = []
        for _ in range(count):
            assert self.next <= ADDRESS_LIMIT, "the segment is full"
            address, self.next = f"{SUBNET}.{self.next}", self.next + 1
            _run("ip", "-n", name, "addr", "add", f"{address}/24", "dev", DEVICE)
            self.addresses[host].append(address)
        _run("ip", "-n", name, "link", "set", DEVICE, "up")

    def inside(self, host: str) -> list[str]:
        """Returns the words before a command that runs it on a host."""
        return ["ip", "netns", "exec", f"es-{self.tag}-{host}"]

    def deafen(self, host: str, to: list[str]) -> None:
        """Drops what comes to a host from these hosts, until `hear` is called."""
        self._nft(host, "add", "table", "inet", "deaf")
        self._nft(host, "add", "chain", "inet", "deaf", "in", "{ type filter hook input priority 0 ; }")
        for other in to:
            for address in self.addresses[other]:
                self._nft(host, "add", "rule", "inet", "deaf", "in", "ip", "saddr", address, "drop")

    def hear(self, host: str) -> None:
        """Ends what `deafen` began."""
        self._nft(host, "delete", "table", "inet", "deaf")

    def _nft(self, host: str, *arguments: str) -> None:
        _run(*self.inside(host), "nft", *arguments)
