"""Islands and a hub in network namespaces of their own, out of reach of everything else."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import faketime

MESH = "e0"
NAMES = Path("/etc/netns")
CLONE_NEWNET = 0x40000000
SYSTEM = ctypes.CDLL(None, use_errno=True)


class NetworkError(Exception):
    """The error of a system that forbids or fails a step."""


def run(*arguments: str) -> str:
    """Runs a command of the system to its end, and returns its output."""
    try:
        done = subprocess.run(arguments, capture_output=True, timeout=20)
    except (FileNotFoundError, subprocess.TimeoutExpired) as error:
        raise NetworkError(f"{arguments[0]}: {error}") from error
    if done.returncode != 0:
        raise NetworkError(f"{' '.join(arguments)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode()


def missing_tool() -> str | None:
    """Makes and deletes hosts on an island; returns why that is not possible, or the program that is missing."""
    for tool in ("ip", "ss", "nft", "openssl"):
        if shutil.which(tool) is None:
            return f"there is no {tool}"
    if faketime.library() is None:
        return f"there is no {faketime.NAME}"
    try:
        with Network() as network:
            network.add_isle("probe")
            network.settle("prober", "probe", "10.94.0.250")
            network.name("prober", "probe.test", "10.94.0.250")
            run(*network.inside("prober"), "true")
    except (NetworkError, OSError) as error:
        return f"network namespaces cannot be made here: {error}"
    return None


class Network:
    """Namespaces with the number of this process in their names; they are deleted at the end."""

    def __init__(self) -> None:
        self.prefix = f"earshot-far-{os.getpid()}-"
        self.hosts: list[str] = []
        self.ports = 0

    def __enter__(self) -> Network:
        return self

    def __exit__(self, *_: object) -> None:
        for host in self.hosts:
            subprocess.run(["ip", "netns", "del", self.prefix + host], capture_output=True, timeout=20)
            shutil.rmtree(NAMES / (self.prefix + host), ignore_errors=True)
        with contextlib.suppress(OSError):
            NAMES.rmdir()

    # Building

    def add(self, host: str) -> None:
        """Adds a host that passes nothing on."""
        run("ip", "netns", "add", self.prefix + host)
        self.hosts.append(host)
        self._ip(host, "link", "set", "lo", "up")
        with self.on(host):
            Path("/proc/sys/net/ipv4/ip_forward").write_text("0")

    def add_isle(self, isle: str) -> None:
        """Adds an island: a switch for those who live there."""
        self.add(isle)
        self._ip(isle, "link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
        self._ip(isle, "link", "set", "br0", "up")

    def settle(self, host: str, isle: str, address: str) -> None:
        """Adds a host that lives on an island."""
        self.add(host)
        self._plug(host, MESH, isle)
        self._address(host, MESH, address)

    def join(self, host: str, address: str, other: str, other_address: str, device: str) -> None:
        """Lays a cable between two hosts; `device` names its end at the first one, the other end too."""
        ends = ["link", "add", device, "netns", self.prefix + host, "type", "veth", "peer", "name", device]
        run("ip", *ends, "netns", self.prefix + other)
        for end, its_address in ((host, address), (other, other_address)):
            self._address(end, device, its_address)

    def bridge(self, isle: str, other: str) -> None:
        """Joins two islands, so that people meet."""
        ends = ["link", "add", "ford", "netns", self.prefix + isle, "type", "veth", "peer", "name", "ford"]
        run("ip", *ends, "netns", self.prefix + other)
        for end in (isle, other):
            self._ip(end, "link", "set", "ford", "master", "br0", "up")

    def part(self, isle: str) -> None:
        """Ends what `bridge` began."""
        self._ip(isle, "link", "del", "ford")

    def name(self, host: str, name: str, address: str) -> None:
        """Has a host know a name."""
        self._configure(host, "hosts", f"127.0.0.1 localhost\n{address} {name}\n")

    def resolve(self, host: str, address: str) -> None:
        """Has the programs that start on a host from now on ask an address for names that the host does not know."""
        self._configure(host, "resolv.conf", f"nameserver {address}\n")

    def _configure(self, host: str, file: str, text: str) -> None:
        folder = NAMES / (self.prefix + host)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)

    def _plug(self, host: str, device: str, isle: str) -> None:
        self.ports += 1
        port = f"p{self.ports}"
        ends = ["link", "add", device, "netns", self.prefix + host, "type", "veth", "peer", "name", port]
        run("ip", *ends, "netns", self.prefix + isle)
        self._ip(isle, "link", "set", port, "master", "br0", "up")

    def _address(self, host: str, device: str, address: str) -> None:
        self._ip(host, "link", "set", device, "addrgenmode", "none")
        self._ip(host, "addr", "add", f"{address}/24", "dev", device)
        self._ip(host, "link", "set", device, "up")

    def _ip(self, host: str, *arguments: str) -> None:
        run("ip", "-n", self.prefix + host, *arguments)

    # Using

    def inside(self, host: str) -> list[str]:
        """Returns the words before a command that runs it on a host."""
        return ["ip", "netns", "exec", self.prefix + host]

    @contextlib.contextmanager
    def on(self, host: str) -> Iterator[None]:
        """Has the sockets that this thread makes belong to a host."""
        here = os.open("/proc/self/ns/net", os.O_RDONLY)
        there = os.open(f"/run/netns/{self.prefix}{host}", os.O_RDONLY)
        try:
            _enter(there)
            try:
                yield
            finally:
                _enter(here)
        finally:
            os.close(here)
            os.close(there)

    def reaches(self, host: str, address: str, port: int = 9) -> bool:
        """Returns whether anything comes back from an address; a refusal comes from there too."""
        with self.on(host), socket.socket() as link:
            link.settimeout(0.5)
            try:
                link.connect((address, port))
            except ConnectionRefusedError:
                return True
            except OSError:
                return False
        return True

    def cut(self, host: str, device: str) -> None:
        """Pulls a cable out."""
        self._ip(host, "link", "set", device, "down")

    def mend(self, host: str, device: str) -> None:
        """Puts a cable in again."""
        self._ip(host, "link", "set", device, "up")

    def abort(self, host: str, port: int) -> None:
        """Ends all connections of a host with a port, or of its own port, as its system does after a long silence."""
        run(*self.inside(host), "ss", "-K", "dport", "=", str(port), "or", "sport", "=", str(port))


def _enter(namespace: int) -> None:
    if SYSTEM.setns(namespace, CLONE_NEWNET) != 0:
        raise NetworkError(f"setns: {os.strerror(ctypes.get_errno())}")
