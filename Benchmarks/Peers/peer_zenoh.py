# peer: name = zenoh
# peer: pypi = eclipse-zenoh
# peer: work = trips messages file group idle
# peer: beside = bare mesh
# peer: encrypts = no, at most TLS from hop to hop
# peer: stores = no, but routers with a storage do
# peer: confirms = no, but a driver can answer
# peer: serverless = yes
# peer: relays = yes, routers
# peer: confirmation = the receiving driver's answer to every 32nd message, with the number of messages it has
"""zenoh over TCP between peers, by its Python API; a receiver takes messages on a thread of the library."""

import queue
import time

import zenoh

from driver import Counter, Sender, arguments, finish, reply, wait_for_end


def opened(listening, connecting):
    """Opens a session that finds nobody by multicast."""
    config = zenoh.Config()
    config.insert_json5("scouting/multicast/enabled", "false")
    config.insert_json5("listen/endpoints", str([f"tcp/{listening}:7447"]))
    config.insert_json5("connect/endpoints", str([f"tcp/{contact}:7447" for contact in connecting]))
    return zenoh.open(config)


class ZenohSender(Sender):
    def __init__(self, address, contacts):
        super().__init__(contacts)
        self.answers = queue.SimpleQueue()
        self.session = opened(address, contacts)
        self.subscriber = self.session.declare_subscriber("answers/**", self.take)
        self.publisher = self.session.declare_publisher(
            "messages", congestion_control=zenoh.CongestionControl.BLOCK, express=False
        )
        while not self.publisher.matching_status.matching:
            time.sleep(0.001)

    def take(self, sample):
        self.answers.put((str(sample.key_expr).removeprefix("answers/"), int(sample.payload.to_bytes())))

    def put(self, data):
        self.publisher.put(data)

    def next_answer(self):
        return self.answers.get(timeout=60)


role, own_address, known = arguments()
if role == "receive":
    session = opened(own_address, [])
    answers = session.declare_publisher(
        f"answers/{own_address}", congestion_control=zenoh.CongestionControl.BLOCK, express=True
    )
    counter = Counter(answers.put)
    subscriber = session.declare_subscriber("messages", lambda sample: counter.take(sample.payload.to_bytes()))
    reply('{"ready": "%s"}' % own_address)
    wait_for_end()
    finish()
begin = time.monotonic()
ZenohSender(own_address, known).serve(begin)
