# peer: name = LXMF
# peer: pypi = rns lxmf
# peer: work = trips messages idle
# peer: beside = chat in memory
# peer: encrypts = yes
# peer: stores = no, but propagation nodes do
# peer: confirms = yes
# peer: serverless = yes
# peer: relays = yes, transport nodes
# peer: confirmation = LXMF's delivery proofs over a direct link, no stamps; one message at a time, for with more its queue waits in steps of 50 ms; the driver hastens its router
"""LXMF over Reticulum over TCP: one direct link, a proof for each message."""

import threading
import time

import LXMF
import RNS

import reticulum
from driver import arguments, finish, reply, wait_for_end


def started(address, is_server):
    reticulum.start(address, is_server)
    router = LXMF.LXMRouter(storagepath="lxmf")
    threading.Thread(target=hasten, args=(router,), daemon=True).start()
    return router, router.register_delivery_identity(RNS.Identity())


def hasten(router):
    """Has the router work on messages that came while it was busy; by itself it waits for 4 seconds then."""
    while True:
        time.sleep(0.002)
        if any(message.state == LXMF.LXMessage.OUTBOUND for message in router.pending_outbound.copy()):
            router.process_outbound()


class LXMFSender(reticulum.ProvedSender):
    message_window = 0
    every = 1

    def __init__(self, contact):
        super().__init__()
        address, key = contact.split(":")
        self.router, self.own = started(address, False)
        self.router.register_delivery_callback(self.answers.put)
        self.other = reticulum.destination_of(key, "lxmf", "delivery")
        self.router.announce(self.own.hash)

    def put(self, data):
        message = LXMF.LXMessage(self.other, self.own, data, desired_method=LXMF.LXMessage.DIRECT)
        message.register_delivery_callback(self.proofs.put)
        message.register_failed_callback(lambda message: self.proofs.put(None))
        self.router.handle_outbound(message)


def take(message):
    if message.content[:1] == b"?":
        answer = LXMF.LXMessage(message.source, own, b"!" + message.content[1:], desired_method=LXMF.LXMessage.DIRECT)
        router.handle_outbound(answer)


role, own_address, known = arguments()
if role == "receive":
    router, own = started(own_address, True)
    router.register_delivery_callback(take)
    reply('{"ready": "%s"}' % reticulum.contact_of(own_address, own))
    wait_for_end()
    finish()
begin = time.monotonic()
LXMFSender(known[0]).serve(begin)
