"""The servers of the test: a hub, and the server of a city, with the configurations of Examples/Hub."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import faketime
from network import Network, run

EXAMPLES = Path(__file__).resolve().parents[2] / "Examples" / "Hub"
CREDENTIALS = "/run/credentials/earshot-hub.service"
NAME = "hub.far.test"
# No host knows this name of the hub, and nobody answers questions for it.
HIDDEN_NAME = "cove.far.test"
PORT, LEAF_PORT = 4222, 7422
STOP_SECONDS = 30.0
CERTIFICATE_DAYS = 10


def make_certificate(folder: Path, addresses: list[str]) -> None:
    """Makes an authority, and a certificate by it for the names and for addresses, as the unit hands them to a server.

    Both are valid some days before and after now, so by a wrong clock too.
    """
    folder.mkdir()
    openssl = [*faketime.words(-CERTIFICATE_DAYS * faketime.DAY), "openssl"]
    days = ["-days", str(2 * CERTIFICATE_DAYS)]
    authority, request = ["-subj", "/CN=Far test authority"], ["-subj", f"/CN={NAME}"]
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    ca, ca_key, ask = str(folder / "ca.pem"), str(folder / "ca.key"), str(folder / "ask.csr")
    run(*openssl, "req", "-x509", *key, *days, *authority, "-keyout", ca_key, "-out", ca)
    run(*openssl, "req", "-new", *key, *request, "-keyout", str(folder / "key.pem"), "-out", ask)
    names = ",".join([f"DNS:{NAME}", f"DNS:{HIDDEN_NAME}", *(f"IP:{address}" for address in addresses)])
    (folder / "names.cnf").write_text(f"subjectAltName = {names}\n")
    run(*openssl, "x509", "-req", "-in", ask, "-CA", ca, "-CAkey", ca_key, "-CAcreateserial", *days,
        "-extfile", str(folder / "names.cnf"), "-out", str(folder / "fullchain.pem"))


class Server:
    """A NATS server on a host of its own."""

    def __init__(self, network: Network, host: str, program: str, folder: Path, changes: dict[str, str]) -> None:
        self.network, self.host, self.program, self.folder = network, host, program, folder
        self.store, self.copy = folder / f"{host}-store", folder / f"{host}-copy"
        self.log_path = folder / f"{host}.log"
        text = (EXAMPLES / f"{host}.conf").read_text()
        for old, new in {CREDENTIALS: str(folder / "certificates"), "/var/lib/earshot-hub": str(self.store)}.items():
            text = text.replace(old, new)
        for old, new in changes.items():
            assert old in text, f"{host}.conf has no {old}"
            text = text.replace(old, new)
        (folder / f"{host}.conf").write_text(text)
        self.process: subprocess.Popen | None = None
        self.log_start = 0

    def start(self) -> None:
        """Starts the server; does not wait for it."""
        command = [*self.network.inside(self.host), self.program, "-c", str(self.folder / f"{self.host}.conf")]
        # The server of a city looks for the authority of the hub among those of the system.
        surroundings = os.environ | {"GOMEMLIMIT": "48MiB", "SSL_CERT_FILE": str(self.folder / "certificates/ca.pem")}
        with self.log_path.open("ab") as log:
            self.log_start = log.tell()
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=surroundings)

    def is_up(self) -> bool:
        """Returns whether the server that was started last lets people in."""
        return "Server is ready" in self.log_path.read_text()[self.log_start:]

    def kill(self) -> None:
        """Ends the server without a goodbye."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self) -> None:
        """Ends the server as its operator does: it writes to its disk what it has."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            finally:
                self.kill()

    def wipe(self) -> None:
        """Deletes all that the server has stored."""
        shutil.rmtree(self.store)

    def copy_store(self) -> None:
        """Copies all that the server has stored; it does not run."""
        shutil.copytree(self.store, self.copy)

    def put_back(self) -> None:
        """Puts the copy into the place of what the server has stored since."""
        self.wipe()
        self.copy.rename(self.store)
