"""The node that the drivers of Reticulum and of LXMF share: one interface over TCP."""

import os
import queue
import threading
import time

import RNS

from driver import Sender

PORT = 4242

_SERVER = "type = TCPServerInterface\nlisten_ip = {address}\nlisten_port = {port}\n"
_CLIENT = "type = TCPClientInterface\ntarget_host = {address}\ntarget_port = {port}\n"


def _close_race():
    """Has proofs wait until the packet that they prove is registered.

    Reticulum registers a packet after it has sent it; a proof that comes sooner, on a fast network, is lost otherwise.
    """
    send = RNS.Transport._outbound
    RNS.Transport.receipts_lock = threading.RLock()

    def send_registered(packet):
        with RNS.Transport.receipts_lock:
            return send(packet)

    RNS.Transport._outbound = staticmethod(send_registered)


def start(address, is_server):
    """Starts a node in the current folder: the receiver listens, the sender connects."""
    interface = (_SERVER if is_server else _CLIENT).format(address=address, port=PORT)
    with open("config", "w") as file:
        file.write("[reticulum]\nenable_transport = no\nshare_instance = no\n[logging]\nloglevel = 1\n")
        file.write("[interfaces]\n[[bench]]\nenabled = yes\n" + interface)
    _close_race()
    # Reticulum gives a link up if a proof takes longer than 6 round trips, for which a busy processor is enough.
    RNS.Link.TRAFFIC_TIMEOUT_MIN_MS = 5000
    return RNS.Reticulum(os.getcwd())


def contact_of(address, destination):
    return f"{address}:{destination.identity.get_public_key().hex()}"


def destination_of(key, *names):
    """Makes the destination of a contact and waits for a path to it."""
    identity = RNS.Identity(create_keys=False)
    identity.load_public_key(bytes.fromhex(key))
    destination = RNS.Destination(identity, RNS.Destination.OUT, RNS.Destination.SINGLE, *names)
    asked = 0
    while not RNS.Transport.has_path(destination.hash):
        if time.monotonic() > asked + 1:
            RNS.Transport.request_path(destination.hash)
            asked = time.monotonic()
        time.sleep(0.002)
    return destination


class ProvedSender(Sender):
    """A sender that counts the library's proofs, and has an answer as well for a round trip."""

    def __init__(self):
        super().__init__(["receiver"])
        self.proofs = queue.SimpleQueue()
        self.answers = queue.SimpleQueue()
        self.delivered = 0

    def next_answer(self):
        """Takes a proof; one that comes while its message is being sent may be noticed twice, but counts once."""
        proof = self.proofs.get(timeout=60)
        if proof is None:
            raise RuntimeError("a message was not proved")
        if not getattr(proof, "is_counted", False):
            proof.is_counted = True
            self.delivered += 1
        return "receiver", self.delivered

    def trip(self):
        self.ask(100)
        self.answers.get(timeout=60)
        self.wait_for(self.sent)
