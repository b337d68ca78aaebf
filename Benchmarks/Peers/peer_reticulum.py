# peer: name = Reticulum
# peer: pypi = rns
# peer: work = trips messages file idle
# peer: beside = bare mesh
# peer: encrypts = yes, by a link from end to end
# peer: stores = no
# peer: confirms = yes
# peer: serverless = yes
# peer: relays = yes, transport nodes
# peer: confirmation = Reticulum's proof of each packet on a link; a file is a resource of its own, not compressed; the driver keeps proofs that come early, and waits longer for late ones
"""Reticulum's links over TCP, without LXMF: packets with proofs, resources."""

import queue
import time

import RNS

import reticulum
from driver import arguments, finish, reply, wait_for_end


class ReticulumSender(reticulum.ProvedSender):
    message_window = 128
    every = 16

    def __init__(self, contact):
        super().__init__()
        address, key = contact.split(":")
        reticulum.start(address, False)
        established = queue.SimpleQueue()
        self.link = RNS.Link(reticulum.destination_of(key, "bench"), established_callback=established.put)
        self.link.set_packet_callback(lambda data, packet: self.answers.put(data))
        established.get(timeout=60)

    def put(self, data):
        receipt = RNS.Packet(self.link, data).send()
        receipt.set_timeout_callback(lambda receipt: self.proofs.put(None))
        receipt.set_delivery_callback(self.proofs.put)
        if receipt.status == RNS.PacketReceipt.DELIVERED:
            self.proofs.put(receipt)

    def file(self, length):
        with open("sent", "wb") as file:
            file.truncate(length)
        begin = time.monotonic()
        concluded = queue.SimpleQueue()
        RNS.Resource(open("sent", "rb"), self.link, callback=concluded.put, auto_compress=False)
        if concluded.get(timeout=280).status != RNS.Resource.COMPLETE:
            raise RuntimeError("the file did not arrive")
        reply('{"seconds": %.6f}' % (time.monotonic() - begin))


def serve(link):
    def take(data, packet):
        if data[:1] == b"?":
            RNS.Packet(link, b"!" + data[1:], create_receipt=False).send()

    link.set_packet_callback(take)
    link.set_resource_strategy(RNS.Link.ACCEPT_ALL)


role, own_address, known = arguments()
if role == "receive":
    reticulum.start(own_address, True)
    destination = RNS.Destination(RNS.Identity(), RNS.Destination.IN, RNS.Destination.SINGLE, "bench")
    destination.set_proof_strategy(RNS.Destination.PROVE_ALL)
    destination.set_link_established_callback(serve)
    reply('{"ready": "%s"}' % reticulum.contact_of(own_address, destination))
    wait_for_end()
    finish()
begin = time.monotonic()
ReticulumSender(known[0]).serve(begin)
