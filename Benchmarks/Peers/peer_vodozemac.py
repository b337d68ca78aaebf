# peer: name = vodozemac
# peer: pypi = vodozemac
# peer: alone = yes
# peer: work = trips messages
# peer: beside = chat in memory
# peer: encrypts = yes, and nothing else
# peer: stores = no
# peer: confirms = no
# peer: serverless = –
# peer: relays = no
# peer: confirmation = none: each message is encrypted and decrypted in one process (Olm), without a network
"""The floor: encryption from end to end alone, both ends in one process, in Rust behind a Python API."""

import time

from vodozemac import Account

from driver import Sender, arguments


class VodozemacSender(Sender):
    def __init__(self):
        super().__init__(["other"])
        own, other = Account(), Account()
        other.generate_one_time_keys(1)
        key = next(iter(other.one_time_keys.values()))
        self.session = own.create_outbound_session(other.curve25519_key, key)
        first = self.session.encrypt(b"hello").to_pre_key()
        self.other, _ = other.create_inbound_session(own.curve25519_key, first)
        self.session.decrypt(self.other.encrypt(b"hello"))
        self.count = 0

    def put(self, data):
        self.other.decrypt(self.session.encrypt(data))
        self.count += 1

    def next_answer(self):
        return "other", self.count

    def trip(self):
        self.ask(100)
        self.session.decrypt(self.other.encrypt(b"!" + bytes(99)))
        self.wait_for(self.sent)


arguments()
begin = time.monotonic()
VodozemacSender().serve(begin)
