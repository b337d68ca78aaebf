#!/usr/bin/env python3
"""Runs the systemd units of the Debian package in a container that systemd boots.

    sudo python3 Tests/Packaging/units.py --package .build/earshot_VERSION.deb

The container is the clean system of install.py with systemd in it. Its network has a loopback interface alone.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from install import ENVIRONMENT, Clean, Missing, carry_out, install

BOOT_LIMIT = 180.0
PACKAGES = ["systemd", "systemd-sysv", "dbus", "libpam-systemd", "libnss-systemd"]
UNIT = """
[Unit]
After=dbus.service systemd-logind.service systemd-user-sessions.service
[Service]
Type=idle
ExecStart=/bin/bash /root/scene
ExecStopPost=/bin/systemctl poweroff --no-block
"""
# Prints a line NAME=VALUE for each finding.
SCENE = r"""
exec 3>/root/findings >/root/log 2>&1
found() { echo "$1=$2" >&3; }
export SYSTEMD_COLORS=0 SYSTEMD_PAGER=
user() { su - "$1" -c "XDG_RUNTIME_DIR=/run/user/\$(id -u) $2"; }
person() { useradd -m -s /bin/bash "$1" && loginctl enable-linger "$1"; }
# until TEXT COMMAND: waits up to 20 s until the command prints the text.
until_printed() { for _ in $(seq 200); do eval "$2" | grep -q "$1" && return; sleep 0.1; done; return 1; }
ip link set lo up

found "relay enabled" "$(systemctl is-enabled earshot-relay)"
systemctl start earshot-relay
until_printed "as a relay" "journalctl -u earshot-relay"
found "relay" "$(systemctl is-active earshot-relay)"
first=$(systemctl show -P MainPID earshot-relay)
fact() { awk "/^$1:/ { print \$2 }" "/proc/$first/status"; }
for name in NoNewPrivs Seccomp VmLck; do found "relay $name" "$(fact "$name")"; done
found "relay is root" "$(($(fact Uid) == 0))"
exposure=$(systemd-analyze security --no-pager earshot-relay | tail -1 | sed 's/.*: \([0-9.]*\) .*/\1/')
found "relay exposure" "$exposure"

mkdir -p /etc/earshot /etc/systemd/system/earshot-relay.service.d
echo "the passphrase of the mesh" >/etc/earshot/mesh
echo "OPTIONS=--interface lo" >/etc/default/earshot-relay
printf '[Service]\nLoadCredential=mesh:/etc/earshot/mesh\nEnvironment="MESH_OPTIONS=--mesh-passphrase-file %%d/mesh"\n' \
    >/etc/systemd/system/earshot-relay.service.d/mesh.conf
systemctl daemon-reload
systemctl restart earshot-relay
first=$(systemctl show -P MainPID earshot-relay)
line=$(tr '\0' ' ' <"/proc/$first/cmdline")
found "relay of a closed mesh" "$(grep -c -- '--mesh-passphrase-file .*/mesh --interface lo' <<<"$line")"
until_printed "as a relay" "journalctl _PID=$first"
found "relay of a closed mesh runs" "$(systemctl is-active earshot-relay)"

person alice
user alice "earshot init --name Alice --no-passphrase"
until_printed running "user alice 'systemctl --user is-system-running'"
found "user enabled" "$(user alice 'systemctl --user is-enabled earshot')"
user alice "systemctl --user start earshot"
until_printed "running for" "user alice 'earshot status'"
found "user" "$(user alice 'systemctl --user is-active earshot')"

person bob
user bob "EARSHOT_PASSPHRASE='a b c' earshot init --name Bob"
until_printed running "user bob 'systemctl --user is-system-running'"
user bob "systemctl --user start earshot"
until_printed failed "user bob 'systemctl --user is-active earshot'"
found "user without passphrase" "$(user bob 'systemctl --user show -P ExecMainStatus earshot')"
user bob "mkdir -p .config/earshot"
printf 'EARSHOT_PASSPHRASE="a b c"\nOPTIONS=--auto-lock 10m\n' >/home/bob/.config/earshot/node.conf
user bob "systemctl --user start earshot"
until_printed "running for" "user bob 'earshot status'"
found "user with passphrase" "$(user bob 'systemctl --user is-active earshot')"
until_printed Alice "user bob 'earshot peers'"
found "peers" "$(user bob 'earshot peers' | grep -c Alice)"

person carol
until_printed running "user carol 'systemctl --user is-system-running'"
user carol "systemctl --user start earshot"
found "user without identity" "$(user carol 'systemctl --user is-active earshot')"

dpkg -i /root/earshot.deb
found "relay after an upgrade" "$(systemctl is-active earshot-relay)"
found "relay is new" "$(($(systemctl show -P MainPID earshot-relay) != first))"
systemctl stop earshot-relay
found "relay stopped" "$(systemctl show -P Result earshot-relay)"
systemctl enable earshot-relay
rm -r /etc/systemd/system/earshot-relay.service.d /etc/default/earshot-relay
apt-get -y purge earshot
found "relay data" "$(ls /var/lib/private | grep -c earshot)"
found "relay links" "$(find /etc/systemd -name 'earshot*' | wc -l)"
"""
WANTED = {
    "relay enabled": "disabled", "relay": "active", "relay NoNewPrivs": "1", "relay Seccomp": "2", "relay is root": "0",
    "relay of a closed mesh": "1", "relay of a closed mesh runs": "active",
    "user enabled": "disabled", "user": "active", "user without passphrase": "77", "user with passphrase": "active",
    "peers": "1", "user without identity": "inactive", "relay after an upgrade": "active", "relay is new": "1",
    "relay stopped": "success", "relay data": "0", "relay links": "0",
}


def boot(system: Clean) -> dict[str, str]:
    """Boots the container, and returns the findings of the scene."""
    (system.root / "root/scene").write_text(SCENE)
    folder = system.root / "etc/systemd/system"
    (folder / "scene.service").write_text(UNIT)
    (folder / "multi-user.target.wants").mkdir(exist_ok=True)
    (folder / "multi-user.target.wants/scene.service").symlink_to("../scene.service")
    (system.root / "usr/sbin/policy-rc.d").unlink()
    # Without the capability the container's own filter forbids to lock memory.
    command = ["systemd-nspawn", "--register=no", "--keep-unit", "--private-network", "--capability=CAP_IPC_LOCK",
               f"--machine={system.namespace}", f"--directory={system.root}", "--boot"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               env=ENVIRONMENT)
    system.processes.append(process)
    console = process.communicate(timeout=BOOT_LIMIT)[0].decode(errors="replace")
    findings = system.root / "root/findings"
    if not findings.exists():
        print(console[-3000:], file=sys.stderr)
        raise Missing("systemd does not boot in a container here, see above")
    return dict(line.split("=", 1) for line in findings.read_text().splitlines())


def play(package: Path) -> None:
    """Runs the test, and prints its findings."""
    if shutil.which("systemd-nspawn") is None:
        raise Missing("there is no systemd-nspawn; run: apt-get install systemd-container")
    with tempfile.TemporaryDirectory(prefix="earshot-units-") as folder, Clean(Path(folder)) as system:
        system.build()
        system.outside("apt-get", "-qq", "-y", "install", "--no-install-recommends", *PACKAGES, seconds=300)
        install(system, package)
        findings = boot(system)
        wrong = {name: findings.get(name) for name in WANTED if findings.get(name) != WANTED[name]}
        if wrong:
            print((system.root / "root/log").read_text()[-3000:], file=sys.stderr)
        assert not wrong, f"{wrong} instead of { {name: WANTED[name] for name in wrong} }"
        assert int(findings["relay VmLck"]) >= 64, f"the relay's secrets are not in locked memory: {findings}"
        assert float(findings["relay exposure"]) < 2, f"the relay's exposure is {findings['relay exposure']}"
        print(f"ok    {len(findings)} findings; exposure of the relay {findings['relay exposure']}", flush=True)


if __name__ == "__main__":
    sys.exit(carry_out(__doc__.splitlines()[0], play))
