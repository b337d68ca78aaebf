# peer: name = iroh
# peer: pypi = iroh
# peer: work = trips messages file idle
# peer: beside = bare mesh
# peer: encrypts = yes, by QUIC between two endpoints
# peer: stores = no
# peer: confirms = no, but a driver can answer
# peer: serverless = yes, with a known address
# peer: relays = servers that help two endpoints to meet, no mesh
# peer: confirmation = the receiving driver's answer to every 32nd message, with the number of messages it has; the driver copies bytes at once for the binding
"""iroh: one QUIC stream between two endpoints, no relays, no discovery; messages have a length before them."""

import asyncio
import ctypes
import time

import iroh

from driver import Counter, Sender, arguments, finish, reply, wait_for_end

PORT = 7843
ALPN = b"bench"
ANSWER_LENGTH = 100


def copy_at_once(builder, data):
    """Copies bytes for the library, where its binding copies byte by byte in Python."""
    with builder._reserve(len(data)):
        start = ctypes.addressof(builder.rbuf.data.contents) + builder.rbuf.len
        ctypes.memmove(start, bytes(data), len(data))


iroh.iroh_ffi._UniffiRustBufferBuilder.write = copy_at_once


async def bound(address):
    """Makes an endpoint that uses no relay and asks no server."""
    iroh.iroh_ffi.uniffi_set_event_loop(asyncio.get_running_loop())
    builder = iroh.EndpointBuilder()
    builder.apply_minimal()
    builder.alpns([ALPN])
    builder.bind_addr(f"{address}:{PORT}")
    return await builder.bind()


class IrohSender(Sender):
    def __init__(self, loop, address, contact):
        super().__init__([contact])
        self.loop = loop
        self.contact = contact
        self.buffer = bytearray()
        self.loop.run_until_complete(self.connect(address))

    async def connect(self, address):
        other, key = self.contact.split("/")
        self.endpoint = await bound(address)
        target = iroh.EndpointAddr(iroh.EndpointId.from_string(key), None, [f"{other}:{PORT}"])
        self.connection = await self.endpoint.connect(target, ALPN)
        stream = await self.connection.open_bi()
        self.output, self.input = stream.send(), stream.recv()

    def put(self, data):
        """Gathers messages until one asks for an answer."""
        self.buffer += len(data).to_bytes(4, "big") + data
        if data[:1] == b"?":
            self.loop.run_until_complete(self.output.write_all(bytes(self.buffer)))
            self.buffer.clear()

    def next_answer(self):
        return self.contact, int(self.loop.run_until_complete(self.input.read_exact(ANSWER_LENGTH)))


async def receive(address):
    endpoint = await bound(address)
    reply('{"ready": "%s/%s"}' % (address, endpoint.id()))
    connection = await (await (await endpoint.accept_next()).accept()).connect()
    stream = await connection.accept_bi()
    source, output = stream.recv(), stream.send()
    answers = []
    counter = Counter(answers.append)
    buffer = bytearray()
    while True:
        buffer += await source.read(65536)
        start = 0
        while len(buffer) >= start + 4:
            end = start + 4 + int.from_bytes(buffer[start : start + 4], "big")
            if len(buffer) < end:
                break
            counter.take(bytes(buffer[start + 4 : end]))
            start = end
        del buffer[:start]
        if answers:
            await output.write_all(b"".join(answers))
            answers.clear()


async def receive_until_end(address):
    serving = asyncio.ensure_future(receive(address))
    await asyncio.to_thread(wait_for_end)
    serving.cancel()


role, own_address, known = arguments()
if role == "receive":
    asyncio.run(receive_until_end(own_address))
    finish()
begin = time.monotonic()
IrohSender(asyncio.new_event_loop(), own_address, known[0]).serve(begin)
