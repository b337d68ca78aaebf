#!/usr/bin/env python3
"""Installs the Debian package into a clean system, and sends a message between two nodes of it.

    sudo python3 Tests/Packaging/install.py --package .build/earshot_VERSION.deb

The clean system is a temporary folder with Debian's minimal base. apt-get fetches the libraries of the package from the
Debian sources of this machine. The two nodes run in a network namespace that has a loopback interface alone.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

TIME_LIMIT = 900
PATIENCE = 30.0
# The time from the beginning of the installation to the first message.
BAR = 60.0
MESH = ["--interface", "lo", "--discovery", "239.255.77.9:47719"]
TEXT = "Hello from a clean system"
FILES = [
    "/lib/systemd/system/earshot-relay.service", "/usr/lib/systemd/user/earshot.service",
    "/usr/share/bash-completion/completions/earshot", "/usr/share/doc/earshot/changelog.Debian.gz",
    "/usr/share/doc/earshot/copyright", "/usr/share/fish/vendor_completions.d/earshot.fish",
    "/usr/share/zsh/vendor-completions/_earshot",
]


class TimeIsUp(BaseException):
    """The end of the run after `TIME_LIMIT` seconds, or by a signal."""


class Missing(Exception):
    """The reason why this machine cannot run the test."""


def _stop(number: int, frame: object) -> None:
    raise TimeIsUp(f"the run took more than {TIME_LIMIT} s" if number == signal.SIGALRM else f"signal {number}")


def run(*arguments: str, seconds: float = PATIENCE, **options: object) -> str:
    """Runs a command to its end, and returns its output; fails with all that it printed."""
    done = subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=seconds, **options)
    assert done.returncode == 0, f"{' '.join(arguments[-4:])}: {done.returncode}\n{done.stdout[-2000:]}{done.stderr}"
    return done.stdout


def until(body: Callable[[], object], event: str, seconds: float = PATIENCE) -> object:
    """Waits until a body returns something, and returns that."""
    start = time.monotonic()
    while not (result := body()):
        assert time.monotonic() < start + seconds, f"{event} did not happen within {seconds:.0f} s"
        time.sleep(0.1)
    return result


def sources() -> list[tuple[str, str, str]]:
    """Returns the address, release and component of each Debian source of this machine, that of the release first."""
    form = "$(ORIGIN)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(CREATED_BY)"
    rows = [line.split("|") for line in run("apt-get", "indextargets", "--format", form).splitlines()]
    found = {(row[1], row[2], row[3]) for row in rows if row[0] == "Debian" and row[4] == "Packages"}
    name = platform.freedesktop_os_release().get("VERSION_CODENAME", "")
    return sorted(found, key=lambda source: (source[1] != name, source))


class Clean:
    """A clean system in a folder, with a network namespace; both are gone at the end."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.namespace = f"earshot-package-{os.getpid()}"
        self.processes: list[subprocess.Popen] = []
        self.has_namespace = False

    def __enter__(self) -> Clean:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()
        if self.has_namespace:
            subprocess.run(["ip", "netns", "del", self.namespace], capture_output=True, timeout=PATIENCE)

    def build(self) -> None:
        """Makes the system and the namespace."""
        for tool in ("apt-get", "chroot", "ip", "mount", "unshare"):
            if shutil.which(tool) is None:
                raise Missing(f"there is no {tool}")
        places = sources()
        if os.geteuid() != 0 or not places:
            raise Missing("the test is not root" if places else "this machine has no sources of Debian")
        try:
            run("ip", "netns", "add", self.namespace)
            self.has_namespace = True
            self.inside("ip", "link", "set", "lo", "up", in_root=False)
        except AssertionError as error:
            raise Missing(f"network namespaces cannot be made here: {error}") from error
        try:
            self._fill(places)
        except (AssertionError, subprocess.TimeoutExpired) as error:
            print(error, file=sys.stderr)
            raise Missing("a clean system cannot be made here, see above") from error

    def _fill(self, places: list[tuple[str, str, str]]) -> None:
        """Fills the folder with Debian's minimal base, and the lists of its packages."""
        address, release, _ = places[0]
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        if shutil.which("mmdebstrap"):
            command = ["mmdebstrap", "--mode=root", "--variant=minbase"]
        elif shutil.which("debootstrap"):
            command = ["debootstrap", "--variant=minbase"]
        else:
            raise Missing("there is neither mmdebstrap nor debootstrap")
        run(*command, release, str(self.root), address, seconds=600, env=environment)
        lines = [f"deb {place} {name} {component}\n" for place, name, component in places]
        (self.root / "etc/apt/sources.list").write_text("".join(lines))
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        # As in any chroot: no package starts a service.
        policy = self.root / "usr/sbin/policy-rc.d"
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)
        self.outside("apt-get", "-qq", "update", seconds=300)

    def outside(self, *arguments: str, seconds: float = PATIENCE) -> str:
        """Runs a command in the system, with the network of this machine."""
        return run("unshare", "--mount", *self._entering(), *arguments, seconds=seconds, env=ENVIRONMENT)

    def inside(self, *arguments: str, seconds: float = PATIENCE, in_root: bool = True) -> str:
        """Runs a command in the namespace, and in the system."""
        return run(*self._inside(in_root), *arguments, seconds=seconds, env=ENVIRONMENT)

    def start(self, log: Path, *arguments: str) -> subprocess.Popen:
        """Starts a command in the namespace and in the system; it ends with the test."""
        with log.open("wb") as output:
            process = subprocess.Popen([*self._inside(), *arguments], stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=subprocess.STDOUT, env=ENVIRONMENT)
        self.processes.append(process)
        return process

    def _inside(self, in_root: bool = True) -> list[str]:
        return ["ip", "netns", "exec", self.namespace, *(self._entering() if in_root else [])]

    def _entering(self) -> list[str]:
        # Both callers have made a mount namespace, so the mount ends with the command.
        script = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
        return ["sh", "-c", script, str(self.root)]


ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root",
               "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
               **{name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}}


def install(system: Clean, package: Path) -> None:
    """Installs the package as a user does."""
    shutil.copy(package, system.root / "root/earshot.deb")
    system.outside("apt-get", "-qq", "-y", "install", "/root/earshot.deb", seconds=300)


def talk(system: Clean) -> None:
    """Has a node send a message to another one, and waits until it is there."""
    def earshot(home: str, *arguments: str) -> str:
        return system.inside("earshot", "--home", f"/root/{home}", *arguments)

    def answer(home: str, *arguments: str) -> list[dict]:
        return [json.loads(line) for line in earshot(home, "--json", *arguments).splitlines()]

    nodes = {}
    for name in ("Alice", "Bob"):
        earshot(name, "init", "--name", name, "--no-passphrase")
        nodes[name] = system.start(system.root / f"root/{name}.log", "earshot", "--home", f"/root/{name}", "node",
                                   *MESH)
    logs = {name: system.root / f"root/{name}.log" for name in nodes}
    for name in nodes:
        until(lambda name=name: "on the air" in logs[name].read_text(), f"the start of {name}'s node")
    until(lambda: "Alice" in json.dumps(answer("Bob", "peers")), "the discovery of Alice")
    until(lambda: "Bob" in json.dumps(answer("Alice", "peers")), "the discovery of Bob")
    earshot("Bob", "trust", "accept", "Alice")
    earshot("Alice", "send", "Bob", TEXT, "--wait", "delivered")
    assert TEXT in earshot("Bob", "history", "show", "Alice"), "the message is not in Bob's history"
    for name, process in nodes.items():
        # The command has taken the place of the shell and of chroot, so this is the node itself.
        process.terminate()
        assert process.wait(PATIENCE) == 0, f"{name}'s node ended with {process.returncode}"


def check(system: Clean, package: Path) -> str:
    """Checks the installed files, and returns the version."""
    version = system.inside("earshot", "--version").strip()
    named = run("dpkg-deb", "--field", str(package), "Version")
    assert version and named.startswith(version), f"the command is {version}, the package {named}"
    libraries = system.inside("ldd", "/usr/bin/earshot")
    assert "not found" not in libraries, libraries
    assert "swift" not in libraries.lower(), f"the command needs the runtime of Swift:\n{libraries}"
    listed = set(system.inside("dpkg-query", "--listfiles", "earshot").split())
    for path in FILES:
        assert path in listed and (path.startswith("/usr/share/doc") or (system.root / path[1:]).is_file()), path
    pages = [path for path in listed if path.startswith("/usr/share/man/man1/earshot")]
    help_text = system.inside("earshot", "--help").partition("SUBCOMMANDS:\n")[2].partition("\n\n")[0]
    commands = [line.split()[0] for line in help_text.splitlines() if line.startswith("  ") and line[2] != " "]
    assert len(commands) > 30, help_text
    missing = [name for name in commands if f"/usr/share/man/man1/earshot-{name}.1.gz" not in listed]
    assert "/usr/share/man/man1/earshot.1.gz" in pages and not missing, f"no man pages for {missing}"
    system.inside("bash", "-n", "/usr/share/bash-completion/completions/earshot")
    wanted = system.root / "etc/systemd/system/multi-user.target.wants/earshot-relay.service"
    assert not wanted.is_symlink(), "the installation enables the relay"
    return version


def remove(system: Clean) -> None:
    """Removes the package; the data directories stay."""
    system.outside("apt-get", "-qq", "-y", "purge", "earshot", seconds=120)
    assert not (system.root / "usr/bin/earshot").exists(), "the command is still there"
    assert (system.root / "root/Alice").is_dir(), "a data directory is gone"


def play(package: Path) -> None:
    """Runs the test, and prints a line for each step."""
    with tempfile.TemporaryDirectory(prefix="earshot-package-") as folder, Clean(Path(folder)) as system:
        started = time.monotonic()
        system.build()
        print(f"ok    a clean system ({time.monotonic() - started:.1f} s)", flush=True)
        started = time.monotonic()
        install(system, package)
        print(f"ok    apt-get install ({time.monotonic() - started:.1f} s)", flush=True)
        talk(system)
        taken = time.monotonic() - started
        print(f"ok    from apt-get install to the first message: {taken:.1f} s (bar: {BAR:.0f} s)", flush=True)
        assert taken < BAR, "the first message took too long"
        print(f"ok    version {check(system, package)}, libraries, man pages, completions, units", flush=True)
        remove(system)
        print("ok    apt-get purge", flush=True)


def carry_out(description: str, body: Callable[[Path], None]) -> int:
    """Runs a test of the package that the command line names, and returns the exit status."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--package", required=True, type=Path, help="the package that Scripts/package has built")
    parser.add_argument("--required", action="store_true", help="fails where this machine cannot run the test")
    options = parser.parse_args()
    if not options.package.is_file():
        parser.error(f"there is no package {options.package}")
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    signal.alarm(TIME_LIMIT)
    try:
        body(options.package.resolve())
    except Missing as error:
        print(f"SKIPPED: {error} (needs root, iproute2, mmdebstrap or debootstrap, and a mirror of Debian)", flush=True)
        return 1 if options.required else 0
    except (Exception, TimeIsUp) as error:
        traceback.print_exc()
        print(f"FAIL  {error}", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(carry_out(__doc__.splitlines()[0], play))
